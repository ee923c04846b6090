import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { renameRun, within, type RunSummary } from "../../api";
import { classes, counted, IconButton, NameField, ProblemCard, useCall, when } from "../../shared";
import { DeleteDialog } from "./DeleteDialog";
import { mark } from "./mark";

interface HistoryRowProps {
  run: RunSummary;
  onOpen: (run: string) => void;
  onChanged: () => void;
  onDeleted: () => void;
}

/** One past run: how it ended, what it was about, and what can be done with it. */
export function HistoryRow({ run, onOpen, onChanged, onDeleted }: HistoryRowProps) {
  const [isNaming, setNaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [renaming, rename] = useCall(async (title: string) => {
    await within(15, renameRun(run.id, title));
    onChanged();
  });
  const name = run.title || run.request;
  const { words, colour } = mark(run.status);

  const pencil = useRef<HTMLButtonElement>(null);
  const keep = (title: string | null, by: "key" | "leaving") => {
    flushSync(() => setNaming(false));
    if (by === "key") pencil.current?.focus();
    if (title !== null) void rename(title);
  };

  return (
    <li className="group border-b border-line [contain-intrinsic-height:auto_68px] [content-visibility:auto]">
      <div className="relative flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md sm:flex-nowrap px-3 py-3 hover:bg-sunken">
        <span aria-hidden className={classes("size-2 shrink-0 rotate-45", colour)} />
        <div className="min-w-0 grow basis-3/4 sm:basis-0">
          {!isNaming ? (
            <button
              type="button"
              onClick={() => onOpen(run.id)}
              className="block max-w-full truncate rounded-sm text-left font-serif text-lg after:absolute after:inset-0"
            >
              {name}
            </button>
          ) : (
            <NameField label="Name of this run" name={name} onDone={keep} className="w-full" />
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
            ref={pencil}
            label={`Rename ${name}`}
            icon={<Pencil size={15} />}
            onClick={() => setNaming(true)}
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
        <DeleteDialog run={run} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </li>
  );
}
