import { Pencil } from "lucide-react";
import { useState } from "react";
import { renameRun, within } from "../../api";
import { IconButton, ProblemCard, useCall } from "../../shared";
import { readStored } from "../run/store";

/** The run's name, which can be changed in its place. */
export function Title({ runId, title }: { runId: string; title: string }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [renaming, rename] = useCall(async (name: string) => {
    await within(15, renameRun(runId, name));
    await readStored(runId);
  });

  const keep = () => {
    const name = draft?.trim() ?? "";
    setDraft(null);
    if (name !== "" && name !== title) void rename(name);
  };

  if (draft !== null) {
    return (
      <input
        aria-label="Name of this run"
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
          if (event.key === "Escape") setDraft(null);
        }}
        className="-my-px min-w-0 flex-1 rounded-sm border border-line-strong bg-raised px-2 font-serif text-lg"
      />
    );
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <h1 className="min-w-0 truncate font-serif text-lg" title={title}>
        {title}
      </h1>
      <IconButton
        label="Rename"
        icon={<Pencil size={14} />}
        onClick={() => setDraft(title)}
        className="size-7"
      />
      {renaming.state === "failed" && <ProblemCard problem={renaming.problem} />}
    </div>
  );
}
