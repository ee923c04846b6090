import { useState } from "react";
import type { Decision, FileProfile, PreparedColumn } from "../../api";
import { counted, Tick } from "../../shared";
import { Chip } from "./Chip";

/** Whether a decision is about what the values of one column are. */
export const isOfType = (decision: Decision) => decision.id.startsWith("type:");

interface ColumnsProps {
  profile: FileProfile;
  onSet: (name: string, value: string | null) => void;
}

/** So many columns are listed; a file with more is changed at the command line. */
const MOST_COLUMNS = 200;

/** Every column: whether it is used, its name, and what its values are. */
export function Columns({ profile, onSet }: ColumnsProps) {
  const shown = profile.columns.slice(0, MOST_COLUMNS);
  const types = new Map(
    profile.decisions
      .filter(isOfType)
      .map((decision) => [decision.id.slice("type:".length), decision]),
  );
  return (
    <div>
      <h3 className="font-semibold text-quiet">Columns</h3>
      <ul className="mt-1 grid max-h-72 gap-1 overflow-auto">
        {shown.map((column) => {
          const own = nameInFile(column);
          const type = types.get(own);
          return (
            <li key={own} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Tick
                label={`Use ${own}`}
                on={!column.left_out}
                onChange={(used) => onSet(`omit:${own}`, used ? null : "yes")}
              />
              {!column.left_out && (
                <>
                  <Name key={column.name} column={column} onSet={onSet} />
                  {type !== undefined && (
                    <Chip decision={type} onChoose={(value) => onSet(type.id, value)} />
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
      {profile.columns.length > MOST_COLUMNS && (
        <p className="mt-1 text-quiet">
          The first {MOST_COLUMNS} of {counted(profile.columns.length, "column")} are listed.
        </p>
      )}
    </div>
  );
}

const nameInFile = (column: PreparedColumn) => column.original_name ?? column.name;

/** The name that a column has from here on. */
function Name({ column, onSet }: { column: PreparedColumn; onSet: ColumnsProps["onSet"] }) {
  const own = nameInFile(column);
  const [draft, setDraft] = useState(column.name);
  const keep = () => {
    const name = draft.trim();
    if (name === column.name) return;
    onSet(`name:${own}`, name === "" || name === own ? null : name);
  };
  return (
    <input
      aria-label={`Name for ${own}`}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      className="w-48 rounded-md border border-line bg-raised px-2 py-0.5 focus-visible:outline-offset-0"
    />
  );
}
