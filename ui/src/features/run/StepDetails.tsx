import { memo } from "react";
import { Named } from "../../shared";
import { Code } from "./Code";
import { Output } from "./Output";
import { isSilent } from "./printed";
import type { Asked, Step } from "./state";
import { trouble } from "./words";

const LANGUAGES: Record<string, "python" | "bash"> = { run_python: "python", run_shell: "bash" };

interface StepDetailsProps {
  step: Step;
  /** A line that it printed, to be shown marked. */
  line?: string | null;
}

/** All that is known of a step: what was said, its code, what it printed, what it left. */
export const StepDetails = memo(function StepDetails({ step, line = null }: StepDetailsProps) {
  const problem = trouble(step);
  const error = step.outcome?.error ?? null;
  return (
    <div className="space-y-2 text-sm">
      {step.said && <p className="font-serif text-quiet">{step.said}</p>}
      {step.asked && <Answered asked={step.asked} />}
      {step.mended.length > 0 && (
        <div className="text-quiet">
          Mended before it ran:
          <ul className="list-disc pl-5">
            {step.mended.map((sentence) => (
              <li key={sentence}>
                <Named text={sentence} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {step.source && (
        <Code
          source={step.source}
          language={LANGUAGES[step.tool] ?? "plain"}
          label={`Code of step ${step.step}`}
        />
      )}
      {!isSilent(step.output) && (
        <Output output={step.output} label={`Output of step ${step.step}`} line={line} />
      )}
      {problem && <p className="text-missing">{problem}</p>}
      {error && (
        <details>
          <summary className="cursor-pointer text-quiet">
            {error.kind}: {error.message}
          </summary>
          <pre
            tabIndex={0}
            role="region"
            aria-label={`Error of step ${step.step}`}
            className="mt-1 max-h-60 overflow-auto rounded-md bg-missing-wash px-3 py-2 font-mono text-xs"
          >
            {error.traceback}
          </pre>
        </details>
      )}
      {step.restarted && <Restarted />}
      {step.saved.length > 0 && (
        <p className="text-quiet">
          Made <span className="text-ink">{step.saved.join(", ")}</span>
        </p>
      )}
      {step.refused.map((file) => (
        <p key={file.path} className="text-missing">
          {file.path} was not taken over: {file.reason}
        </p>
      ))}
    </div>
  );
});

/** The model's question, with what it was told. */
function Answered({ asked }: { asked: Asked }) {
  const { question, answer } = asked;
  return (
    <dl>
      <dt className="font-serif text-base">{question.text}</dt>
      <dd className="text-quiet">
        {answer.state === "open"
          ? "Not answered."
          : answer.text === null
            ? `Left to the model, which takes “${question.default}”.`
            : `You said: ${answer.text}`}
      </dd>
    </dl>
  );
}

/** Says that nothing computed before this step is remembered. */
export function Restarted() {
  return (
    <p className="rounded-md border-l-2 border-accent bg-accent-wash px-3 py-1.5 text-sm text-accent-ink">
      Python had to be started again here. Its variables are gone; files are kept.
    </p>
  );
}
