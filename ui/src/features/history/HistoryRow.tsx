import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { renameRun, within, type RunSummary } from "../../api";
import { classes, counted, IconButton, ProblemCard, useCall, when } from "../../shared";
import { DeleteDialog } from "./DeleteDialog";
import { mark } from "./mark";

interface HistoryRowProps {
  run: RunSummary;
  onOpen: (run: string) => void;
  onChanged: () => void;
}

/** One past run: how it ended, what it was about, and what can be done with it. */
export function HistoryRow({ run, onOpen, onChanged }: HistoryRowProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [renaming, rename] = useCall(async (title: string) => {
    await within(15, renameRun(run.id, title));
    onChanged();
  });
  const name = run.title || run.request;
  const { words, colour } = mark(run.status);

  const keep = () => {
    const title = draft?.trim() ?? "";
    setDraft(null);
    if (title !== "" && title !== name) void rename(title);
  };

  return (
    <li className="group border-b border-line [contain-intrinsic-size:auto_68px] [content-visibility:auto]">
      <div className="relative flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md sm:flex-nowrap px-3 py-3 hover:bg-sunken">
        <span aria-hidden className={classes("size-2 shrink-0 rotate-45", colour)} />
        <div className="min-w-0 grow basis-3/4 sm:basis-0">
          {draft === null ? (
            <button
              type="button"
              onClick={() => onOpen(run.id)}
              className="block max-w-full truncate rounded-sm text-left font-serif text-lg after:absolute after:inset-0"
            >
              {name}
            </button>
          ) : (
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
              className="w-full rounded-sm border border-line-strong bg-raised px-2 font-serif text-lg"
            />
          )}
          <p className="truncate text-sm text-quiet">
            {[words, run.files.join(", "), run.charts > 0 ? counted(run.charts, "chart") : ""]
              .filter((part) => part !== "")
              .join(" · ")}
          </p>
        </div>
        <time dateTime={run.started_at} className="shrink-0 text-sm text-quiet">
          {when(run.started_at)}
        </time>
        <div className="relative z-10 flex">
          <IconButton
            label={`Rename ${name}`}
            icon={<Pencil size={15} />}
            onClick={() => setDraft(name)}
          />
          <IconButton
            label={`Delete ${name}`}
            icon={<Trash2 size={15} />}
            disabled={run.status === "running"}
            onClick={() => setDeleting(true)}
          />
        </div>
      </div>
      {renaming.state === "failed" && <ProblemCard problem={renaming.problem} className="mb-3" />}
      {isDeleting && (
        <DeleteDialog run={run} onClose={() => setDeleting(false)} onDeleted={onChanged} />
      )}
    </li>
  );
}
