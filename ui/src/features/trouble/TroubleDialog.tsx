import type { Settings } from "../../api";
import { Button, Dialog, Gaps, isHere, Notice, placeWords, Wait } from "../../shared";
import { Remedies } from "./Remedies";
import { troubleOf, type Diagnosed } from "./useDiagnosis";
import { whatIsIt, whatItTakes } from "./words";

interface TroubleDialogProps {
  open: boolean;
  onClose: () => void;
  /** Kept fresh by the caller while the dialog is open. */
  diagnosed: Diagnosed;
  /** Null where they are not at hand; little is said of them. */
  settings: Settings | null;
  /** Goes on with what the trouble had held up; null when nothing waits. */
  onGoOn: (() => void) | null;
  goOnLabel?: string;
}

/** Helps from "it cannot run here" to "it can", and notices by itself when that is so. */
export function TroubleDialog(props: TroubleDialogProps) {
  const { open, onClose, diagnosed, settings, onGoOn, goOnLabel = "Analyse now" } = props;
  const { checks } = diagnosed;
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
          <Button onClick={onClose}>
            {problem?.code === "consent_missing" ? "Not now" : "Close"}
          </Button>
        )
      }
    >
      <TroubleBody diagnosed={diagnosed} settings={settings} />
    </Dialog>
  );
}

type TroubleBodyProps = Pick<TroubleDialogProps, "diagnosed" | "settings">;

/** How the engine and the sandbox are, and what can be done; for the dialog and the settings. */
export function TroubleBody({ diagnosed, settings }: TroubleBodyProps) {
  const { checks, runtime, engine, look } = diagnosed;
  if (checks === null) return <Wait label="Looking at the engine …" limit_s={10} />;
  const problem = troubleOf(checks);
  if (problem === null) return <Ready diagnosed={diagnosed} settings={settings} />;
  const isOwn = engine.kind === "usual" && isHere(settings?.docker_host ?? "unix:");
  return (
    <div className="grid gap-4">
      {/* The warning before a consent says it in full. */}
      {problem.code !== "consent_missing" && (
        <div>
          <p className="font-semibold">{problem.message}</p>
          {problem.code === "image" && <p className="text-quiet">{whatItTakes(runtime)}</p>}
        </div>
      )}
      <Remedies
        key={problem.code}
        problem={problem}
        runtime={runtime}
        engine={engine}
        startable={isOwn}
        onTried={() => void look()}
      />
      <details>
        <summary className="w-fit cursor-pointer text-quiet hover:text-ink">What is this?</summary>
        {whatIsIt(runtime).map((paragraph) => (
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

/** What code runs in, and which limits that cannot enforce. */
function Ready({ diagnosed, settings }: TroubleBodyProps) {
  const { sandbox, engine } = diagnosed;
  if (sandbox === null) return <Notice tone="good">The sandbox is ready.</Notice>;
  const name = engine.kind === "listed" ? engine.name : null;
  return (
    <Notice tone="good">
      <p>The sandbox is ready: {placeWords(sandbox, name)}.</p>
      {sandbox.runtime === "local" && settings?.runtime === "auto" && (
        <p>No Docker engine answers, so this computer seals the code by itself.</p>
      )}
      <Gaps gaps={sandbox.gaps} runtime={sandbox.runtime} />
    </Notice>
  );
}
