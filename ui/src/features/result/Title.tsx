import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { renameRun, within } from "../../api";
import { IconButton, NameField, ProblemCard, useCall } from "../../shared";
import { readStored } from "../run/store";

/** The run's name, which can be changed in its place. */
export function Title({ runId, title }: { runId: string; title: string }) {
  const [isNaming, setNaming] = useState(false);
  const [renaming, rename] = useCall(async (name: string) => {
    await within(15, renameRun(runId, name));
    await readStored(runId);
  });

  const pencil = useRef<HTMLButtonElement>(null);
  const keep = (name: string | null, by: "key" | "leaving") => {
    flushSync(() => setNaming(false));
    if (by === "key") pencil.current?.focus();
    if (name !== null) void rename(name);
  };

  if (isNaming) {
    return (
      <NameField
        label="Name of this run"
        name={title}
        onDone={keep}
        className="-my-px min-w-0 flex-1"
      />
    );
  }
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <h1 className="min-w-0 truncate font-serif text-lg" title={title}>
        {title}
      </h1>
      <IconButton
        ref={pencil}
        label="Rename"
        icon={<Pencil size={14} />}
        onClick={() => setNaming(true)}
        className="size-7"
      />
      {renaming.state === "failed" && <ProblemCard problem={renaming.problem} />}
    </div>
  );
}
