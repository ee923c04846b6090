import type { RunStatus, RunSummary } from "../../api";
import { count, counted, duration, money } from "../../shared";
import type { Phase, Restored, Step, Used } from "./state";

/** How long a step took; what took no time to speak of says so. */
export function stepTime(ms: number): string {
  return ms < 50 ? "< 0.1 s" : duration(ms);
}

/** "0:07", "12:40", "1:02:03": a clock whose width does not change while it runs. */
export function clock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** What goes on right now. */
export function phaseWords(phase: Phase): string {
  switch (phase.kind) {
    case "opening":
      if (phase.reading !== null) return `Looking at ${phase.reading}`;
      return phase.isHosted === true
        ? "Sending the files to a provider’s container"
        : "Opening the sealed sandbox";
    case "queued":
      return `Waiting for a free place on ${phase.engines.join(" or ")}`;
    case "thinking":
      return "Thinking about the next step";
    case "waiting":
      return `Waiting for the model: ${phase.reason}`;
    case "asking":
      return `A question for you: ${phase.question.text}`;
    case "working":
      return phase.title;
    case "replaying":
      return `Running step ${phase.step} again: ${phase.title}`;
    case "restoring":
      return "The sandbox was lost; setting it up again";
    case "closing":
      return "Putting everything in its place";
    case "ended":
      return "Finished";
  }
}

/** Whether a run's end was the one hoped for, one with something missing, or none. */
export type Ending = { tone: "good" | "short" | "bad"; sentence: string };

/** How a run ended, in one sentence. */
export function ending(status: RunSummary["status"] | RunStatus): Ending {
  switch (status) {
    case "done":
      return { tone: "good", sentence: "Finished. Everything asked for is here." };
    case "incomplete":
      return { tone: "short", sentence: "Finished, but something asked for is missing." };
    case "stopped":
      return { tone: "short", sentence: "Stopped by you. What was made until then is kept." };
    case "out_of_budget":
      return {
        tone: "short",
        sentence: "Ended early, because a limit was reached. What was made until then is kept.",
      };
    case "stuck":
      return {
        tone: "short",
        sentence:
          "It got stuck and was ended. What was made is kept; asking in other words often helps.",
      };
    case "paused":
      return { tone: "short", sentence: "Paused. What was made until now is kept." };
    case "failed":
      return { tone: "bad", sentence: "Broke off because of a problem. What was made is kept." };
    case "interrupted":
      return {
        tone: "bad",
        sentence: "The app closed while this was running. What was made until then is kept.",
      };
    case "running":
      return { tone: "good", sentence: "Going on." };
  }
}

/** Why a step failed, for somebody who does not program. */
export function trouble(step: Step): string | null {
  if (step.state !== "failed") return null;
  const outcome = step.outcome;
  if (outcome?.message) return outcome.message;
  switch (outcome?.status) {
    case "timeout":
      return "This step took longer than a step may, and was ended.";
    case "interrupted":
      return "This step was stopped.";
    case "out_of_memory":
      return "The sandbox ran out of memory in this step.";
    case "exited":
    case "crashed":
      return "Python ended in the middle of this step.";
    case "error":
      return outcome?.error?.message.includes("No space left on device")
        ? "The sandbox has no room left for files."
        : "The code of this step had a mistake.";
    default:
      return step.observation || "This step did not work.";
  }
}

/** "12,400 tokens", "about 12,400 tokens · $0.04": what was used so far; empty where nothing was. */
export function usedWords({ tokens, estimated, microdollars }: Used): string {
  if (tokens === 0) return "";
  // An estimate is not known to the last digit.
  const amount = estimated ? `about ${count(Math.ceil(tokens / 100) * 100)}` : count(tokens);
  return [`${amount} tokens`, microdollars === null ? "" : money(microdollars)]
    .filter((part) => part !== "")
    .join(" · ");
}

/** That the sandbox was set up again, and what that changed. */
export function restoredWords({ steps, different }: Restored): string {
  const again =
    steps === 0 ? "" : `; ${counted(steps, "step")} ${steps === 1 ? "was" : "were"} run again`;
  const other =
    different.length === 0
      ? ""
      : ` Step ${different.join(", ")} printed something else this time, as steps with random numbers or the time do.`;
  return `The sandbox was lost and has been set up again${again}.${other}`;
}

/** That older results were shortened, in a quiet line. */
export const shortenedWords = (results: number) =>
  `${counted(results, "older result")} ${results === 1 ? "was" : "were"} shortened, so that the model has room to go on.`;
