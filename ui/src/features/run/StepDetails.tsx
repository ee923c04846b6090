import { memo } from "react";
import { Code } from "./Code";
import { Output } from "./Output";
import { isSilent } from "./printed";
import type { Step } from "./state";
import { trouble } from "./words";

const LANGUAGES: Record<string, "python" | "bash"> = { run_python: "python", run_shell: "bash" };

/** All that is known of a step: what was said, its code, what it printed, what it left. */
export const StepDetails = memo(function StepDetails({ step }: { step: Step }) {
  const problem = trouble(step);
  const error = step.outcome?.error ?? null;
  return (
    <div className="space-y-2 text-sm">
      {step.said && <p className="font-serif text-quiet">{step.said}</p>}
      {step.source && (
        <Code
          source={step.source}
          language={LANGUAGES[step.tool] ?? "plain"}
          label={`Code of step ${step.step}`}
        />
      )}
      {!isSilent(step.output) && (
        <Output output={step.output} label={`Output of step ${step.step}`} />
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

/** Says that nothing computed before this step is remembered. */
export function Restarted() {
  return (
    <p className="rounded-md border-l-2 border-accent bg-accent-wash px-3 py-1.5 text-sm text-accent-ink">
      Python had to be started again here. Its variables are gone; files are kept.
    </p>
  );
}
