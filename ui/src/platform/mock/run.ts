import type { Artifact, RunEvent, RunRecord, StepOutcome } from "../../api/types";
import { table } from "./profile";
import { report } from "./report";

/** One finished run over the practice sample, event by event. */

interface Step {
  title: string;
  code: string;
  output: string;
  duration_ms: number;
  saved?: string[];
  error?: { kind: string; message: string; line: number };
  said?: string;
}

const steps: Step[] = [
  {
    title: "Reading the file",
    said: "I start by reading the table the way it was described.",
    code: "import pandas as pd\n\ntable = pd.read_csv('input/building_energy.csv')\ntable['timestamp'] = pd.to_datetime(table['timestamp'], format='%Y-%m-%d %H:%M:%S')\nprint(len(table), 'rows,', table.shape[1], 'columns')",
    output: "8760 rows, 3 columns\n",
    duration_ms: 640,
  },
  {
    title: "Looking for a daily pattern",
    code: "by_hour = table.groupby(table['timestamp'].dt.hour)['energy_kwh'].median()\nprint(by_hour.round(1).to_string())",
    output: "0    16.2\n1    16.0\n2    15.9\n7    52.1\n12   54.0\n19   50.8\n23   16.4\n",
    duration_ms: 210,
  },
  {
    title: "Checking the temperature readings",
    code: "hot = table[table['outdoor_temp_c'] > 60]\nprint(hot['timestamp'].min(), hot['timestamp'].max(), len(hot))",
    output: "2025-10-20 07:00:00 2025-10-21 12:00:00 30\n",
    duration_ms: 95,
  },
  {
    title: "Working out what was to be expected",
    code: "expected = weighted_neighbours(table, weeks=5)\n",
    output: "",
    duration_ms: 120,
    error: { kind: "NameError", message: "name 'weighted_neighbours' is not defined", line: 1 },
  },
  {
    title: "Working out what was to be expected, again",
    said: "That function has to be written first.",
    code: "def expected_of(table, weeks=5):\n    \"\"\"Median of the same hour of similar days nearby.\"\"\"\n    hour = table['timestamp'].dt.hour\n    kind = table['timestamp'].dt.dayofweek >= 5\n    grouped = table.groupby([kind, hour])['energy_kwh']\n    return grouped.transform('median')\n\ntable['expected'] = expected_of(table)\nprint((table['energy_kwh'] - table['expected']).abs().median())",
    output: "0.733\n",
    duration_ms: 1830,
  },
  {
    title: "Drawing the unusual periods",
    code: "import matplotlib.pyplot as plt\n\nfigure, axes = plt.subplots(figsize=(10, 4.8))\naxes.plot(table['timestamp'], table['energy_kwh'])\nfigure.savefig('output/charts/unusual_periods.png')",
    output: "",
    duration_ms: 2410,
    saved: ["charts/unusual_periods.png", "charts/event_1.png", "charts/event_2.png"],
  },
  {
    title: "Writing the report",
    code: "table[table['score'] > 4].to_csv('output/anomalies.csv', index=False)\nopen('output/report.md', 'w').write(text)",
    output: "127 unusual readings in 7 periods\n",
    duration_ms: 320,
    saved: ["anomalies.csv", "events.csv", "report.md"],
  },
];

const captured = (text: string) => ({
  head: text,
  tail: "",
  skipped_bytes: 0,
  full_text: text,
});

function outcome(step: Step, number: number): StepOutcome {
  return {
    step: number,
    status: step.error ? "error" : "ok",
    duration_ms: step.duration_ms,
    stdout: captured(step.output),
    stderr: captured(""),
    error: step.error ? { ...step.error, traceback: `Traceback: ${step.error.message}` } : null,
    exit_code: null,
    message: null,
    changed: (step.saved ?? []).map((path) => ({
      path: `output/${path}`,
      size: 40_210,
      new: true,
    })),
    removed: [],
    refused: [],
    restarted: false,
  };
}

function eventsOf(step: Step, number: number): RunEvent[] {
  const said = step.said ?? "";
  return [
    { event: "turn_started", turn: number },
    ...(said ? [{ event: "text", turn: number, text: said } as const] : []),
    {
      event: "turn_ended",
      turn: number,
      message: { text: said },
      stop: "calls",
      usage: null,
    },
    {
      event: "step_started",
      step: number,
      turn: number,
      tool: "run_python",
      title: step.title,
      arguments: { code: step.code },
    },
    ...(step.output
      ? [{ event: "output", step: number, stream: "stdout", text: step.output } as const]
      : []),
    ...(step.saved ?? []).map(
      (path) => ({ event: "artifact_saved", step: number, path, size: 40_210 }) as const,
    ),
    {
      event: "step_ended",
      step: number,
      ok: !step.error,
      outcome: outcome(step, number),
      observation: step.error ? step.error.message : step.output,
    },
  ];
}

export const model = { name: "Built-in analyst", host: null, is_ai: false };

export const events = (run: string): RunEvent[] => [
  { event: "reading_file", name: "building_energy.csv" },
  { event: "file_read", table },
  { event: "run_started", run, model, runtime: "docker" },
  { event: "opening_sandbox" },
  {
    event: "sandbox_ready",
    facts: {
      runtime: "docker",
      image: "assay-sandbox:1",
      staging: "mounted",
      inventory: { python: "3.13.1", packages: { pandas: "2.3.3", matplotlib: "3.10.7" } },
    },
  },
  {
    event: "briefed",
    instructions: "You analyse tables by writing Python and leave a report.",
    opening:
      "<tables>\n[]\n</tables>\n<request>\nFind unusual energy use and explain it\n</request>",
  },
  ...steps.flatMap((step, index) => eventsOf(step, index + 1)),
  {
    event: "run_ended",
    status: "done",
    answer: "7 periods of unusual energy use stand out.",
    remarks: [],
  },
  { event: "run_closed", problem: null },
];

export const artifacts: Artifact[] = [
  { path: "report.md", size: report.length, kind: "report", versions: 1 },
  { path: "charts/unusual_periods.png", size: 174_682, kind: "chart", versions: 2 },
  { path: "charts/event_1.png", size: 120_122, kind: "chart", versions: 1 },
  { path: "charts/event_2.png", size: 119_920, kind: "chart", versions: 1 },
  { path: "anomalies.csv", size: 6_012, kind: "table", versions: 1 },
  { path: "events.csv", size: 1_940, kind: "table", versions: 1 },
];

export const record = (run: string): RunRecord => ({
  id: run,
  version: "0.1.0",
  request: "Find unusual energy use and explain it",
  files: [
    { destination: "input/building_energy.csv", source: "building_energy.csv", size: 262_331 },
  ],
  model,
  runtime: "docker",
  policy: { network: "none", memory_mib: 2048 },
  budget: { steps: 40, wall_limit_s: 900 },
  expected: { report: true, charts: 1 },
});
