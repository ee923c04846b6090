import type { Artifact, RunEvent, RunRecord } from "../../api/types";
import energy from "./run/energy.json";
import eventOne from "./run/event_1.png";
import eventTwo from "./run/event_2.png";
import report from "./run/report.md?raw";
import unusualPeriods from "./run/unusual_periods.png";

/** A finished run over the practice sample, as the engine told it, event by event. */

export { report };

export const model = { name: "built-in analyst", host: null, is_ai: false };

const told = energy.events as unknown as RunEvent[];

export const events = (run: string): RunEvent[] =>
  told.map((event) => (event.event === "run_started" ? { ...event, run } : event));

/** Where the page finds the charts. */
export const pictures: Record<string, string> = {
  "charts/unusual_periods.png": unusualPeriods,
  "charts/event_1.png": eventOne,
  "charts/event_2.png": eventTwo,
};

const kindOf = (path: string): Artifact["kind"] => {
  if (path === "report.md") return "report";
  if (path.endsWith(".png")) return "chart";
  return path.endsWith(".csv") ? "table" : "other";
};

/** What the events have left, in the order in which it appeared. */
export function artifactsOf(all: readonly RunEvent[]): Artifact[] {
  const found = new Map<string, Artifact>();
  for (const event of all) {
    if (event.event !== "artifact_saved") continue;
    const { path, size } = event;
    const versions = (found.get(path)?.versions ?? 0) + 1;
    found.set(path, { path, size, kind: kindOf(path), versions });
  }
  return [...found.values()];
}

export const record = (run: string): RunRecord => ({ ...energy.record, id: run });

/** A further question: one step that draws the chart anew. */
export function followUpEvents(ask: string, step: number): RunEvent[] {
  const said = "The chart is drawn again with the weekends only.";
  const code =
    "weekend = readings[readings['time'].dt.dayofweek >= 5]\noverview_chart('output/charts/unusual_periods.png', weekend)\nprint(len(weekend), 'readings on weekends')";
  const none = { head: "", tail: "", skipped_bytes: 0, full_text: null };
  const printed = "2,496 readings on weekends\n";
  const path = "charts/unusual_periods.png";
  const size = 51_568;
  return [
    { event: "asked", ask },
    { event: "turn_started", turn: step },
    { event: "text", turn: step, text: said },
    { event: "turn_ended", turn: step, message: { text: said }, stop: "tool_calls", usage: null },
    {
      event: "step_started",
      step,
      turn: step,
      tool: "run_python",
      title: "Looking at the weekends",
      arguments: { code },
    },
    { event: "output", step, stream: "stdout", text: printed },
    { event: "artifact_saved", step, path, size },
    {
      event: "step_ended",
      step,
      ok: true,
      outcome: {
        step,
        status: "ok",
        duration_ms: 2410,
        stdout: { ...none, head: printed },
        stderr: none,
        error: null,
        exit_code: null,
        message: null,
        changed: [{ path: `output/${path}`, size, new: false }],
        removed: [],
        refused: [],
        restarted: false,
      },
      observation: printed,
    },
    {
      event: "run_ended",
      status: "done",
      answer:
        "On weekends two of the seven periods remain: **none of the spikes** falls on one. The chart now shows the 2,496 weekend readings.",
      remarks: [],
    },
    { event: "run_closed", problem: null },
  ];
}
