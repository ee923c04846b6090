import { useState, type ReactNode } from "react";
import {
  exportRun,
  reveal,
  saveArtifact,
  within,
  type Exported,
  type ExportProgress,
} from "../../api";
import { Button, Notice, ProblemCard, useCall, type Call } from "../../shared";
import { ExportingNotice } from "./ExportingNotice";

/** What is taken out of the app: a whole run in one form, or one of its files. */
export type Parcel =
  | { kind: "run"; form: string }
  /** Without a version it is the newest. */
  | { kind: "file"; path: string; version: number | null };

export interface Saving {
  call: Call<Exported | null>;
  /** How far it has come; null until the shell says so, as while it asks where to. */
  progress: ExportProgress | null;
  save: (parcel: Parcel) => void;
  forget: () => void;
}

/** Saves what a run has left where the person says. The dialog waits for them, so there is no limit. */
export function useSaving(runId: string): Saving {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [call, start, forget] = useCall((parcel: Parcel) =>
    parcel.kind === "run"
      ? exportRun(runId, parcel.form, setProgress)
      : saveArtifact(runId, parcel.path, parcel.version),
  );
  const save = (parcel: Parcel) => {
    setProgress(null);
    void start(parcel);
  };
  return { call, progress, save, forget };
}

interface SavingNoticeProps {
  saving: Saving;
  layout?: "below" | "beside";
  className?: string;
}

/** Says how far it has come, where it went, or why it could not. */
export function SavingNotice({ saving, layout, className }: SavingNoticeProps) {
  const { call, progress, forget } = saving;
  const close = (
    <Button tone="quiet" onClick={forget}>
      Close
    </Button>
  );
  switch (call.state) {
    case "idle":
      return null;
    case "busy":
      return progress && <ExportingNotice progress={progress} className={className} />;
    case "failed":
      return call.problem.code === "stopped" ? (
        <Notice layout={layout} className={className} actions={close}>
          The export was stopped.
        </Notice>
      ) : (
        <ProblemCard problem={call.problem} actions={close} className={className} />
      );
    case "done":
      return (
        call.answer && (
          <SavedNotice saved={call.answer} close={close} layout={layout} className={className} />
        )
      );
  }
}

interface SavedNoticeProps extends Omit<SavingNoticeProps, "saving"> {
  saved: Exported;
  close: ReactNode;
}

function SavedNotice({ saved, close, layout, className }: SavedNoticeProps) {
  const [showing, show] = useCall((id: string) => within(15, reveal(id)));
  return (
    <Notice
      tone="good"
      layout={layout}
      className={className}
      actions={
        <>
          <Button onClick={() => void show(saved.id)}>Show in folder</Button>
          {close}
        </>
      }
    >
      <p className="break-words">Saved as {saved.place}</p>
      {saved.remarks.map((remark) => (
        <p key={remark} className="mt-1 text-quiet">
          {remark}
        </p>
      ))}
      {showing.state === "failed" && <p className="text-missing">{showing.problem.message}</p>}
    </Notice>
  );
}
