import { RefreshCw } from "lucide-react";
import type { Problem } from "../../../api";
import { Button, ProblemCard } from "../../../shared";
import { isTrouble } from "../../trouble";
import { Mending, ModelButton } from "../GoOn";
import { ColumnDialog } from "./ColumnDialog";
import { useRunAgain } from "./useRunAgain";

interface RunAgainProps {
  runId: string;
  onOpenRun: (run: string) => void;
  onSettings: () => void;
}

/** Does the steps of this run again on another file, and shows the run that does. */
export function RunAgain({ runId, onOpenRun, onSettings }: RunAgainProps) {
  const { running, choose, start, forget } = useRunAgain(runId, onOpenRun);
  return (
    <>
      <Button
        tone="quiet"
        icon={<RefreshCw size={15} aria-hidden />}
        busy={running.state === "busy"}
        title="Run again on a new file"
        className="shrink-0 max-md:px-2"
        onClick={() => void choose()}
      >
        <span className="whitespace-nowrap max-md:sr-only">Run again on a new file</span>
      </Button>
      {running.state === "asking" && (
        <ColumnDialog
          file={running.file}
          check={running.check}
          onStart={(columns) => void start(running.file.id, columns)}
          onClose={forget}
        />
      )}
      {running.state === "refused" && <Refusal problems={running.problems} onClose={forget} />}
      {running.state === "failed" && (
        <Failure
          problem={running.problem}
          onAgain={() => void start(running.wish.file, running.wish.columns)}
          onSettings={onSettings}
          onClose={forget}
        />
      )}
    </>
  );
}

const FLOATING =
  "rise absolute top-full right-4 z-30 mt-2 grid w-96 max-w-[calc(100vw-2rem)] gap-2 *:shadow-float";

/** Why none of the chosen files can take the place of the earlier one. */
function Refusal({ problems, onClose }: { problems: Problem[]; onClose: () => void }) {
  return (
    <div className={FLOATING}>
      {problems.map((problem, at) => (
        <ProblemCard
          key={at}
          problem={problem}
          actions={
            at === problems.length - 1 && (
              <Button tone="quiet" onClick={onClose}>
                Close
              </Button>
            )
          }
        />
      ))}
    </div>
  );
}

interface FailureProps {
  problem: Problem;
  onAgain: () => void;
  onSettings: () => void;
  onClose: () => void;
}

/** Why the new run did not begin, with what can be done about it. */
function Failure({ problem, onAgain, onSettings, onClose }: FailureProps) {
  if (isTrouble(problem.code)) return <Mending onGoOn={onAgain} onClose={onClose} />;
  return (
    <div className={FLOATING}>
      <ProblemCard
        problem={problem}
        actions={
          <>
            <Button onClick={onAgain}>Try again</Button>
            <ModelButton problem={problem} onSettings={onSettings} />
            <Button tone="quiet" onClick={onClose}>
              Close
            </Button>
          </>
        }
      />
    </div>
  );
}
