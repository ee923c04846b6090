import type { Artifact } from "../../api";
import type { KnownRun } from "./store";
import { Drafts } from "./Drafts";
import { QuestionCard } from "./QuestionCard";
import { RunHead } from "./RunHead";
import { Timeline } from "./Timeline";
import { useNow } from "./useNow";

const none: Artifact[] = [];

/** A run that is going on: its timeline on the left, what it has made so far on the right. */
export function Running({
  runId,
  known,
  onBack,
}: {
  runId: string;
  known: KnownRun;
  onBack: () => void;
}) {
  const now = useNow(true);
  const { phase } = known.state;
  return (
    <div className="flex min-h-0 flex-col md:h-[calc(100vh-3.0625rem)]">
      <RunHead runId={runId} known={known} now={now} onBack={onBack} />
      {phase.kind === "asking" && (
        <QuestionCard key={phase.step} runId={runId} question={phase.question} />
      )}
      <div className="grid min-h-0 flex-1 grid-cols-1 md:grid-cols-[minmax(18rem,2fr)_3fr]">
        <div className="min-h-0 min-w-0 border-line md:border-r">
          <Timeline state={known.state} now={now} />
        </div>
        <Drafts
          runId={runId}
          files={known.state.files}
          report={known.view?.report ?? null}
          artifacts={known.view?.artifacts ?? none}
        />
      </div>
    </div>
  );
}
