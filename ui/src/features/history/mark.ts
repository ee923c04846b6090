import type { RunSummary } from "../../api";

/** How the list marks the end of a run, in words and in colour. */
export function mark(status: RunSummary["status"]): { words: string; colour: string } {
  switch (status) {
    case "done":
      return { words: "Finished", colour: "bg-found" };
    case "running":
      return { words: "Going on", colour: "bg-accent" };
    case "incomplete":
      return { words: "Something is missing", colour: "bg-accent" };
    case "stopped":
      return { words: "Stopped", colour: "bg-line-strong" };
    case "out_of_budget":
      return { words: "Ended early, a limit was reached", colour: "bg-accent" };
    case "stuck":
      return { words: "Ended early, it went round in circles", colour: "bg-accent" };
    case "paused":
      return { words: "Paused; open it to go on", colour: "bg-accent" };
    case "failed":
      return { words: "Broke off", colour: "bg-missing" };
    case "interrupted":
      return { words: "Interrupted; open it to continue", colour: "bg-missing" };
  }
}
