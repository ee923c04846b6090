import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import { classes } from "../../shared";
import { isSilent } from "./printed";
import type { Step } from "./state";
import { Restarted, StepDetails } from "./StepDetails";
import { markWords, StepMark } from "./StepMark";
import { clock, stepTime } from "./words";

/** A step that has printed nothing for so long says that it is at work, in milliseconds. */
const QUIET_MS = 15_000;

/** One line of the timeline; unfolds to the step's code and output. */
export const StepLine = memo(function StepLine({ step, now }: { step: Step; now: number | null }) {
  const [open, setOpen] = useState(false);
  const elapsed =
    step.state === "working" && step.startedAt !== null && now !== null
      ? clock(now - step.startedAt)
      : step.durationMs !== null
        ? stepTime(step.durationMs)
        : "";
  const isQuiet =
    step.startedAt !== null &&
    now !== null &&
    now - step.startedAt > QUIET_MS &&
    isSilent(step.output);
  return (
    <div role="listitem">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="relative flex w-full items-center gap-3 rounded-md px-3 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <StepMark state={step.state} />
        <span
          className={`min-w-0 flex-1 truncate ${step.state === "working" ? "font-semibold" : ""}`}
        >
          {step.title}
        </span>
        <span className="sr-only">, {markWords(step.state)}</span>
        <span className="w-14 shrink-0 text-right text-xs text-quiet">{elapsed}</span>
        <ChevronRight
          size={14}
          aria-hidden
          className={classes(
            "shrink-0 text-quiet transition-transform duration-150",
            open && "rotate-90",
          )}
        />
      </button>
      {isQuiet && (
        <p className="px-3 pb-1 pl-[2.15rem] text-sm text-quiet">
          Still at work; it has printed nothing so far.
        </p>
      )}
      {step.restarted && !open && (
        <div className="mx-3 my-1">
          <Restarted />
        </div>
      )}
      {open && (
        <div className="py-2 pr-3 pl-[2.15rem]">
          <StepDetails step={step} />
        </div>
      )}
    </div>
  );
});
