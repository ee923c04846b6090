import { exportRun, reveal, saveArtifact, within, type Exported, type Format } from "../../api";
import { Button, Notice, ProblemCard, useCall, type Call } from "../../shared";

/** What is taken out of the app: a whole run in one form, or one of its files. */
export type Parcel =
  | { kind: "run"; format: Format }
  /** Without a version it is the newest. */
  | { kind: "file"; path: string; version: number | null };

export interface Saving {
  call: Call<Exported | null>;
  save: (parcel: Parcel) => void;
  forget: () => void;
}

/** Saves what a run has left where the person says. The dialog waits for them, so there is no limit. */
export function useSaving(runId: string): Saving {
  const [call, start, forget] = useCall((parcel: Parcel) =>
    parcel.kind === "run"
      ? exportRun(runId, parcel.format)
      : saveArtifact(runId, parcel.path, parcel.version),
  );
  return { call, save: (parcel) => void start(parcel), forget };
}

interface SavingNoticeProps {
  saving: Saving;
  layout?: "below" | "beside";
  className?: string;
}

/** Says where it went, or why it could not. */
export function SavingNotice({ saving, layout, className }: SavingNoticeProps) {
  const { call, forget } = saving;
  const [showing, show] = useCall((id: string) => within(15, reveal(id)));
  const close = (
    <Button tone="quiet" onClick={forget}>
      Close
    </Button>
  );
  if (call.state === "failed") {
    return <ProblemCard problem={call.problem} actions={close} className={className} />;
  }
  if (call.state !== "done" || call.answer === null) return null;
  const { id, place } = call.answer;
  return (
    <Notice
      tone="good"
      layout={layout}
      className={className}
      actions={
        <>
          <Button onClick={() => void show(id)}>Show in folder</Button>
          {close}
        </>
      }
    >
      Saved as {place}
      {showing.state === "failed" && <p className="text-missing">{showing.problem.message}</p>}
    </Notice>
  );
}
