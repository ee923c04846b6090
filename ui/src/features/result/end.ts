import type { RunSummary } from "../../api";
import type { RunState } from "../run/state";

/** How a question ended, or did not. */
export type End = RunSummary["status"];

/** Ends that the work itself comes to, and that it always leaves word of. */
const OWN: End[] = ["done", "incomplete", "out_of_budget", "stuck", "paused"];

/** How the last question of a run that no one works on has ended. */
export function endOf(state: RunState, summary: RunSummary): End {
  const told = state.asks.at(-1)?.status ?? null;
  if (told !== null) return told;
  // The stored word is that of an earlier question; the last one was cut off before it left one.
  return OWN.includes(summary.status) ? "interrupted" : summary.status;
}

/** What can be done about an end that was not hoped for. */
export type Remedy =
  | { kind: "none" }
  /** Goes on from the last finished step. */
  | { kind: "resume"; label: string }
  /** Asks for what is missing. */
  | { kind: "ask"; label: string; ask: string }
  /** The person asks again, in other words. */
  | { kind: "rephrase"; label: string };

export function remedyOf(end: End, remarks: readonly string[]): Remedy {
  switch (end) {
    case "done":
    case "running":
      return { kind: "none" };
    case "incomplete":
      return {
        kind: "ask",
        label: "Ask for what is missing",
        ask: ["Please add what is still missing.", ...remarks].join(" "),
      };
    case "paused":
      return { kind: "resume", label: "Go on" };
    case "stopped":
    case "interrupted":
    case "out_of_budget":
      return { kind: "resume", label: "Continue" };
    case "failed":
      return { kind: "resume", label: "Try again" };
    case "stuck":
      return { kind: "rephrase", label: "Ask in other words" };
  }
}
