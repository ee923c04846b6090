import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { FileCard } from "../../api";
import { bytes, Card, IconButton } from "../../shared";
import { Choices } from "./Choices";
import type { Reading } from "./desk";
import { HowRead } from "./HowRead";
import { Preview } from "./Preview";
import { Seen } from "./Seen";
import { sizeOf } from "./words";

interface FileSheetProps {
  file: FileCard;
  reading: Reading;
  onRemove: () => void;
  /** How often its rows have become others. */
  version: number;
  onRead: () => void;
  onReread: (settings: Record<string, string>) => void;
  onStop: () => void;
  /** Ids of the choices by which rows are left out. */
  leftOut: string[];
  onChoose: (choice: string, what: "keep" | "leave_out") => void;
  /** More for the head, before the sign that takes the file away. */
  aside?: ReactNode;
}

/** One file on the desk: what it is, its first rows, and what is plain to see in it. */
export function FileSheet(props: FileSheetProps) {
  const { file, reading, version, onRemove, onRead, onReread, onStop, leftOut, onChoose, aside } =
    props;
  const profile = reading.state === "read" ? reading.profile : null;
  const rows = profile?.table.rows ?? file.preview.total_rows;
  return (
    <Card aria-label={file.name} className="overflow-hidden">
      <header className="flex items-start gap-3 px-4 py-2.5">
        <div className="min-w-0 grow">
          <h2 className="line-clamp-3 font-semibold" title={file.name}>
            {file.name}
          </h2>
          <p className="text-sm text-quiet">
            {[sizeOf(rows, file.preview.columns.length), bytes(file.size)].join(" · ")}
          </p>
        </div>
        {aside}
        <IconButton
          label={`Take ${file.name} off the desk`}
          icon={<X size={18} aria-hidden="true" />}
          onClick={onRemove}
          className="-mr-2"
        />
      </header>
      <div className="border-t border-line">
        <Preview key={`${file.id} ${version}`} file={file} profile={profile} />
      </div>
      {profile !== null && (
        <div className="border-t border-line">
          <HowRead file={file.name} profile={profile} onSet={onReread} />
        </div>
      )}
      <div className="border-t border-line px-4 py-3">
        <Seen reading={reading} onRead={onRead} onStop={onStop} />
        <Choices choices={profile?.choices ?? []} leftOut={leftOut} onChoose={onChoose} />
      </div>
    </Card>
  );
}
