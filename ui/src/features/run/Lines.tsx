import { memo } from "react";
import { stepKey, type Step } from "./state";
import { StepLine } from "./StepLine";

/** Steps that are laid out together: a long list is cheap where all of them are out of sight. */
const TOGETHER = 50;
/** The height of a folded line in rem, which stands for those that were never in sight. */
const LINE_HEIGHT = 2.2;

interface LinesProps {
  steps: Step[];
  /** The clock of a run that goes on, in milliseconds. */
  now: number | null;
}

/** Steps one below the other, however many; each unfolds. */
export function Lines({ steps, now }: LinesProps) {
  return (
    <div role="list">
      {Array.from({ length: Math.ceil(steps.length / TOGETHER) }, (_, at) => {
        const some = steps.slice(at * TOGETHER, (at + 1) * TOGETHER);
        const goesOn = some.some((step) => step.state === "working");
        return <Some key={at} steps={some} now={goesOn ? now : null} />;
      })}
    </div>
  );
}

const Some = memo(
  function Some({ steps, now }: LinesProps) {
    return (
      <div
        style={{ containIntrinsicHeight: `auto ${steps.length * LINE_HEIGHT}rem` }}
        className={steps.length === TOGETHER ? "[content-visibility:auto]" : ""}
      >
        {steps.map((step) => (
          <StepLine key={stepKey(step)} step={step} now={step.state === "working" ? now : null} />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.now === after.now &&
    before.steps.length === after.steps.length &&
    before.steps.every((step, at) => step === after.steps[at]),
);
