import { memo, useRef, useState, type KeyboardEvent } from "react";
import { counted } from "../../shared";
import { stepKey, type Step } from "../run/state";
import { markWords, StepMark } from "../run/StepMark";

interface StripProps {
  steps: Step[];
  onOpen: (step: Step) => void;
}

/** All steps in one line of small squares; each opens its step, arrows move between them. */
export const Strip = memo(function Strip({ steps, onOpen }: StripProps) {
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  if (steps.length === 0) return null;
  const failed = steps.filter((step) => step.state === "failed").length;

  const move = (event: KeyboardEvent) => {
    const ways: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: steps.length - 1,
    };
    const to = ways[event.key];
    if (to === undefined || to < 0 || to >= steps.length) return;
    event.preventDefault();
    setAt(to);
    list.current?.querySelectorAll("button")[to]?.focus();
  };

  return (
    <div className="mb-4 flex items-start gap-4">
      <div
        ref={list}
        role="toolbar"
        aria-label="Steps of this run"
        onKeyDown={move}
        className="-ml-1.5 flex max-h-21 flex-wrap overflow-y-auto"
      >
        {steps.map((step, index) => (
          <button
            key={stepKey(step)}
            type="button"
            tabIndex={index === at ? 0 : -1}
            title={step.title}
            aria-label={`Step ${step.step}: ${step.title}, ${markWords(step.state)}`}
            onFocus={() => setAt(index)}
            onClick={() => onOpen(step)}
            className="grid size-6 place-items-center rounded-sm hover:bg-sunken focus-visible:-outline-offset-2"
          >
            <StepMark state={step.state} />
          </button>
        ))}
      </div>
      <p className="shrink-0 text-sm leading-6 text-quiet">
        {counted(steps.length, "step")}
        {failed > 0 && `, ${failed} did not work`}
      </p>
    </div>
  );
});
