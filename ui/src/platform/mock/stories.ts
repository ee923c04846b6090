import type { Problem, RunEvent, RunStatus } from "../../api/types";
import { begun, good, over, printed, said, saved } from "./make";

/** Runs that do not end as hoped; `?end=NAME` plays one when something is asked. */

const start: RunEvent[] = [
  { event: "reading_file", name: "building_energy.csv" },
  { event: "opening_sandbox" },
  ...good(
    1,
    "Reading the file",
    "readings = pd.read_csv('input/building_energy.csv')\nprint(len(readings), 'rows')",
    "8760 rows\n",
  ),
];

const mistake = (step: number, title: string, code: string, message: string): RunEvent[] => [
  ...said(step, "I try it in another way."),
  begun(step, title, code),
  over(step, "", {
    status: "error",
    error: {
      kind: "KeyError",
      message,
      traceback: `Traceback (most recent call last):\n  line 2\nKeyError: ${message}`,
      line: 2,
      advice: null,
    },
  }),
];

const end = (status: RunStatus, remarks: string[], answer = ""): RunEvent[] => [
  { event: "run_ended", status, answer, remarks },
  { event: "run_closed", problem: null },
];

const modelGone: Problem = {
  code: "model_failed",
  message: "The model's server failed.",
  hint: "What was finished is kept. Try again later, or choose another model.",
  detail: "HTTP 503 from api.example.org after 5 requests",
};

const sum = "totals = readings.groupby('region')['energy_kwh'].sum()\nprint(totals)";

export const stories: Record<string, RunEvent[]> = {
  stuck: [
    ...start,
    ...mistake(2, "Adding up by region", sum, "'region'"),
    ...mistake(3, "Looking for the region column", sum, "'Region'"),
    ...mistake(4, "Looking for the region column again", sum, "'REGION'"),
    ...end("stuck", ["The same step was asked for again and again."]),
  ],
  memory: [
    ...start,
    ...said(2, "I compare every hour with every other hour."),
    begun(
      2,
      "Comparing every hour with every other",
      "pairs = readings.merge(readings, how='cross')",
    ),
    over(2, "", {
      status: "out_of_memory",
      message: "The sandbox used up its memory (2 GB).",
      restarted: true,
    }),
    ...end("incomplete", ["There is no report.", "There is no chart."]),
  ],
  time: [
    ...start,
    ...said(2, "I fit a curve to each hour of the year."),
    begun(2, "Fitting a curve to each hour", "for hour in range(8760):\n    fit(hour)"),
    printed(2, "hour 0 of 8760\nhour 1 of 8760\n"),
    over(2, "hour 0 of 8760\nhour 1 of 8760\n", { status: "timeout", duration_ms: 120_000 }),
    ...end("out_of_budget", ["The run reached its limit of 30 minutes."]),
  ],
  paused: [
    ...start,
    { event: "turn_started", turn: 2 },
    ...end("paused", [
      "The model's provider asks to wait for 3 hours. Go on then, or with another model: nothing is lost.",
    ]),
  ],
  failed: [
    ...start,
    { event: "turn_started", turn: 2 },
    { event: "waiting", turn: 2, wait_s: 4, reason: "the server is busy" },
    { event: "run_ended", status: "failed", answer: "", remarks: [] },
    { event: "run_closed", problem: modelGone },
  ],
  /** Asks what is meant, and goes on when it is answered. */
  question: [
    ...start,
    ...said(2, "The request can be read in two ways."),
    {
      ...begun(2, "A question", ""),
      tool: "ask_user",
      arguments: {},
    },
    {
      event: "question_asked",
      step: 2,
      question: {
        text: "Which energy use is unusual: that of single hours, or of whole days?",
        choices: ["Single hours", "Whole days", "Both, in two charts"],
        default: "Single hours",
      },
    },
    { event: "step_ended", step: 2, ok: true, outcome: null, observation: "status: ok" },
    saved(2, "report.md", 3704),
    ...end("done", []),
  ],
  /** The model has to be waited for, once for long. */
  waiting: [
    ...start,
    { event: "turn_started", turn: 2 },
    { event: "waiting", turn: 2, wait_s: 90, reason: "the provider asks to slow down" },
  ],
  /** A small model, helped along. */
  helped: [
    ...start,
    ...said(2, "I add up by month."),
    {
      ...begun(
        2,
        "Adding up by month",
        "total = df.groupby('month')['energy_kwh'].sum()\nprint(total)",
      ),
      mended: ["The fence around the code was taken away.", "`import pandas as pd` was added."],
    },
    printed(2, "month\n1    22140.2\n2    19877.9\n"),
    over(2, "month\n1    22140.2\n2    19877.9\n"),
    { event: "shortened", results: 3 },
    ...said(3, "Now I draw it."),
    begun(3, "Drawing the months", "draw(total)"),
  ],
  /** Never ends, and never says a word. */
  silent: [
    ...start,
    ...said(2, "I work out what is usual for each hour."),
    begun(2, "Learning the usual pattern", "pattern = learn(readings)"),
  ],
  restarted: [
    ...start,
    ...said(2, "I draw all readings at once."),
    begun(2, "Drawing all readings", "draw(readings)"),
    over(2, "", { status: "crashed", restarted: true }),
    ...good(3, "Reading the file again", "readings = pd.read_csv('input/building_energy.csv')", ""),
    saved(3, "charts/unusual_periods.png", 51_568),
    saved(3, "report.md", 3704),
    ...end("done", [], "The second attempt worked."),
  ],
};
