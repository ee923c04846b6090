import type { Check } from "../../api";
import { Button, Dialog, Notice, Wait } from "../../shared";
import { Remedies } from "./Remedies";
import { troubleOf } from "./useDiagnosis";
import { whatIsIt } from "./words";

interface TroubleDialogProps {
  open: boolean;
  onClose: () => void;
  /** Kept fresh by the caller while the dialog is open. */
  checks: Check[] | null;
  onLook: () => void;
  /** Goes on with what the trouble had held up; null when nothing waits. */
  onGoOn: (() => void) | null;
  goOnLabel?: string;
}

/** Helps from "it cannot run here" to "it can", and notices by itself when that is so. */
export function TroubleDialog(props: TroubleDialogProps) {
  const { open, onClose, checks, onLook, onGoOn, goOnLabel = "Analyse now" } = props;
  const problem = troubleOf(checks);
  const title = checks === null || problem !== null ? "Before it can run" : "Ready";
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        problem === null && checks !== null && onGoOn !== null ? (
          <>
            <Button onClick={onClose}>Not now</Button>
            <Button tone="primary" onClick={onGoOn}>
              {goOnLabel}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      <TroubleBody checks={checks} onLook={onLook} />
    </Dialog>
  );
}

/** How the engine and the sandbox are, and what can be done; for the dialog and the settings. */
export function TroubleBody({ checks, onLook }: { checks: Check[] | null; onLook: () => void }) {
  if (checks === null) return <Wait label="Looking at the engine …" limit_s={10} />;
  const problem = troubleOf(checks);
  if (problem === null) {
    const ready = checks.find((check) => check.name === "Engine")?.ready;
    return (
      <Notice tone="good">
        The sandbox is ready{ready ? ` (${ready}, on this computer)` : ""}.
      </Notice>
    );
  }
  return (
    <div className="grid gap-4">
      <div>
        <p className="font-semibold">{problem.message}</p>
        {problem.code === "image" && (
          <p className="text-quiet">It is made once; that takes a few minutes and about 900 MB.</p>
        )}
      </div>
      <Remedies key={problem.code} problem={problem} onTried={onLook} />
      <details>
        <summary className="w-fit cursor-pointer text-quiet hover:text-ink">What is this?</summary>
        {whatIsIt.map((paragraph) => (
          <p key={paragraph} className="mt-2">
            {paragraph}
          </p>
        ))}
      </details>
      {problem.detail !== "" && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">Details</summary>
          <pre tabIndex={0} className="mt-1 overflow-auto font-mono text-xs whitespace-pre-wrap">
            {problem.detail}
          </pre>
        </details>
      )}
    </div>
  );
}
