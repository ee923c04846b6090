import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { Button, ProblemCard, Wait } from "../../shared";
import { ResultScreen } from "../result/ResultScreen";
import { Running } from "./Running";
import { hasEnded } from "./state";
import { readStored, useRun } from "./store";

interface RunScreenProps {
  runId: string;
  onBack: () => void;
  /** Leads to another run. */
  onOpenRun: (run: string) => void;
  /** Leads to the choice of what thinks. */
  onSettings: () => void;
}

/** One run: while it goes on, and what came of it. */
export function RunScreen({ runId, onBack, onOpenRun, onSettings }: RunScreenProps) {
  const known = useRun(runId);
  const { state, view, problem } = known;
  const ended = hasEnded(state);
  useEffect(() => {
    // What had the focus may have gone with the screen before this one.
    if (document.activeElement === document.body) document.querySelector("main")?.focus();
  }, [ended]);
  const isStored = view !== null && view.summary.status !== "running";
  if (problem !== null && (view === null || (ended && !isStored))) {
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
  const isKnown = state.run !== null || view !== null || state.since !== null;
  if (!ended && isKnown) return <Running runId={runId} known={known} onBack={onBack} />;
  if (!ended || !isStored) {
    return (
      <div className="px-6 py-10">
        <Wait label={ended ? "Putting everything in its place" : "Opening the run"} />
      </div>
    );
  }
  return (
    <ResultScreen
      runId={runId}
      state={state}
      view={view}
      onBack={onBack}
      onOpenRun={onOpenRun}
      onSettings={onSettings}
    />
  );
}
