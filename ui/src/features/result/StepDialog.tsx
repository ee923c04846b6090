import { Dialog } from "../../shared";
import type { Step } from "../run/state";
import { StepDetails } from "../run/StepDetails";
import { markWords } from "../run/StepMark";
import { stepTime } from "../run/words";

/** One step, opened from the strip or from a file it made. */
export function StepDialog({ step, onClose }: { step: Step | null; onClose: () => void }) {
  if (step === null) return null;
  const took = step.durationMs === null ? "" : `, ${stepTime(step.durationMs)}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={step.title}
      description={`Step ${step.step}, ${markWords(step.state)}${took}`}
      wide="picture"
    >
      <StepDetails step={step} />
    </Dialog>
  );
}
