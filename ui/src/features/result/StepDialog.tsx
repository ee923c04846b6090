import { Dialog } from "../../shared";
import type { Step } from "../run/state";
import { StepDetails } from "../run/StepDetails";
import { markWords } from "../run/StepMark";
import { stepTime } from "../run/words";

interface StepDialogProps {
  step: Step | null;
  /** A line that it printed, to be shown marked. */
  line: string | null;
  onClose: () => void;
}

/** One step, opened from the strip, from a file it made, or from a figure that it computed. */
export function StepDialog({ step, line, onClose }: StepDialogProps) {
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
      <StepDetails step={step} line={line} />
    </Dialog>
  );
}
