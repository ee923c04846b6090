import { ArrowLeft } from "lucide-react";
import { Button, ProblemCard, Wait } from "../../shared";
import { ResultScreen } from "../result/ResultScreen";
import { Running } from "./Running";
import { hasEnded } from "./state";
import { readStored, useRun } from "./store";

/** One run: while it goes on, and what came of it. */
export function RunScreen({ runId, onBack }: { runId: string; onBack: () => void }) {
  const known = useRun(runId);
  const { state, view, problem } = known;
  if (view === null && problem !== null) {
    return (
      <div className="mx-auto max-w-2xl px-6 py-10">
        <ProblemCard
          problem={problem}
          actions={
            <>
              <Button onClick={() => void readStored(runId)}>Try again</Button>
              <Button tone="quiet" icon={<ArrowLeft size={16} />} onClick={onBack}>
                Back
              </Button>
            </>
          }
        />
      </div>
    );
  }
  const isKnown = state.run !== null || view !== null;
  if (!hasEnded(state)) {
    return isKnown || state.since !== null ? (
      <Running runId={runId} known={known} onBack={onBack} />
    ) : (
      <div className="px-6 py-10">
        <Wait label="Opening the run" />
      </div>
    );
  }
  if (view === null || view.summary.status === "running") {
    return (
      <div className="px-6 py-10">
        <Wait label="Putting everything in its place" />
      </div>
    );
  }
  return <ResultScreen runId={runId} state={state} view={view} onBack={onBack} />;
}
