import type { Captured, RunEvent, StepOutcome } from "../../api/types";

/** The events of a made-up run, one call each. */

const captured = (head: string): Captured => ({
  head,
  tail: "",
  skipped_bytes: 0,
  full_text: null,
});

/** The analyst says what it does next. */
export const said = (turn: number, text: string): RunEvent[] => [
  { event: "turn_started", turn },
  { event: "text", turn, text },
  {
    event: "turn_ended",
    turn,
    message: { text },
    stop: "tool_calls",
    usage: null,
    estimated: false,
  },
];

export const begun = (
  step: number,
  title: string,
  code: string,
): Extract<RunEvent, { event: "step_started" }> => ({
  event: "step_started",
  step,
  turn: step,
  call: `call-${step}`,
  tool: "run_python",
  title,
  arguments: { code },
});

export const printed = (step: number, text: string): RunEvent => ({
  event: "output",
  step,
  stream: "stdout",
  text,
});

export const saved = (step: number, path: string, size: number): RunEvent => ({
  event: "artifact_saved",
  step,
  path,
  size,
});

/** A step ends; `change` says what was not well with it. */
export const over = (step: number, text = "", change: Partial<StepOutcome> = {}): RunEvent => {
  const status = change.status ?? "ok";
  return {
    event: "step_ended",
    step,
    ok: status === "ok",
    outcome: {
      step,
      status,
      duration_ms: 240 + ((step * 377) % 4000),
      stdout: captured(text),
      stderr: captured(""),
      error: null,
      exit_code: null,
      message: null,
      changed: [],
      removed: [],
      refused: [],
      restarted: false,
      ...change,
    },
    observation: `status: ${status}`,
  };
};

/** A whole step that went as it should. */
export const good = (step: number, title: string, code: string, text: string): RunEvent[] => [
  ...said(step, `Next: ${title.charAt(0).toLowerCase()}${title.slice(1)}.`),
  begun(step, title, code),
  printed(step, text),
  over(step, text),
];
