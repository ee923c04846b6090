import { useState } from "react";
import { chooseCertificates, type ListedEngine } from "../../api";
import { Button, Field, ProblemCard, useCall } from "../../shared";

interface EngineFormProps {
  start: ListedEngine;
  /** Rejects with a `Problem`. */
  onKeep: (engine: ListedEngine) => Promise<void>;
  onDone: () => void;
}

/** Name, address and the rest of one engine of the list. */
export function EngineForm({ start, onKeep, onDone }: EngineFormProps) {
  const [draft, setDraft] = useState(start);
  const [runs, setRuns] = useState(String(start.runs_at_once));
  const change = (part: Partial<ListedEngine>) => setDraft({ ...draft, ...part });
  const [keeping, keep] = useCall(async () => {
    // What is no number is none that the shell would take.
    const runs_at_once = /^\s*\d{1,4}\s*$/.test(runs) ? Number(runs) : 0;
    await onKeep({
      ...draft,
      name: draft.name.trim(),
      address: draft.address.trim(),
      runs_at_once,
    });
    onDone();
  });
  const [choosing, choose] = useCall(async () => {
    const certificates = await chooseCertificates();
    if (certificates !== null) setDraft((before) => ({ ...before, certificates }));
  });
  return (
    <form
      aria-label={start.name === "" ? "A new engine" : `The engine ${start.name}`}
      className="grid gap-4 rounded-md border border-line bg-raised px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <Field
        label="Name"
        autoFocus
        placeholder="big box"
        maxLength={40}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Field
        label="Address"
        hint="Such as ssh://ann@box, tcp://box:2376 or unix:///run/docker.sock."
        spellCheck={false}
        autoComplete="off"
        value={draft.address}
        onChange={(event) => change({ address: event.target.value })}
      />
      {draft.address.trim().startsWith("tcp://") && (
        <div>
          <p className="font-semibold">Certificates</p>
          <p className="text-sm [overflow-wrap:anywhere] text-quiet">
            {draft.certificates ??
              "None. For a secure connection, choose the folder with ca.pem, cert.pem and key.pem."}
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button busy={choosing.state === "busy"} onClick={() => void choose()}>
              Choose the folder
            </Button>
            {draft.certificates !== null && (
              <Button tone="quiet" onClick={() => change({ certificates: null })}>
                Without certificates
              </Button>
            )}
          </div>
        </div>
      )}
      <Field
        label="Runs at a time"
        hint="More of them wait for a free place."
        inputMode="numeric"
        autoComplete="off"
        value={runs}
        onChange={(event) => setRuns(event.target.value)}
      />
      {keeping.state === "failed" && <ProblemCard problem={keeping.problem} />}
      {choosing.state === "failed" && <ProblemCard problem={choosing.problem} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={keeping.state === "busy"}>
          Keep this engine
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
