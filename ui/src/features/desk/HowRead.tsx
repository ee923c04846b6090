import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { Decision, FileProfile, LedgerEntry, PreparedColumn } from "../../api";
import { Button, counted, Named, Tick } from "../../shared";

/** What a person has set about the way a file is read, by the names of the decisions. */
export type ReadingSettings = Record<string, string>;

interface HowReadProps {
  file: string;
  profile: FileProfile;
  onSet: (settings: ReadingSettings) => void;
}

/** How a file was read: each decision with what else it could be, the columns, and what became of its rows. */
export function HowRead({ file, profile, onSet }: HowReadProps) {
  const [open, setOpen] = useState(false);
  const settings = settingsOf(profile);
  const set = (name: string, value: string | null) =>
    onSet(
      Object.fromEntries(
        Object.entries({ ...settings, [name]: value }).filter(
          (pair): pair is [string, string] => pair[1] !== null,
        ),
      ),
    );
  const about = profile.decisions.filter((decision) => !isOfType(decision));
  const Sign = open ? ChevronDown : ChevronRight;
  return (
    <section aria-label={`How ${file} is read`} className="px-4 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-quiet">Read as</span>
        {about.map((decision) => (
          <Chip
            key={decision.id}
            decision={decision}
            onChoose={(value) => set(decision.id, value)}
          />
        ))}
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex items-center gap-1 rounded-full px-2 py-0.5 text-quiet transition-colors duration-150 hover:bg-sunken hover:text-ink"
        >
          <Sign size={14} aria-hidden="true" />
          Columns and reasons
        </button>
        {Object.keys(settings).length > 0 && (
          <Button tone="quiet" onClick={() => onSet({})}>
            As the file says itself
          </Button>
        )}
      </div>
      {open && (
        <div className="mt-2 grid gap-4">
          <Columns profile={profile} onSet={set} />
          <Reasons decisions={about} />
          <Rows profile={profile} />
        </div>
      )}
    </section>
  );
}

const isOfType = (decision: Decision) => decision.id.startsWith("type:");

const settingsOf = (profile: FileProfile): ReadingSettings =>
  profile.settings as unknown as ReadingSettings;

/** One decision; where it could be another, a press shows which. */
function Chip({ decision, onChoose }: { decision: Decision; onChoose: (value: string) => void }) {
  const others = decision.alternatives ?? [];
  const shape = "max-w-full rounded-full border px-2.5 py-0.5";
  if (others.length === 0) {
    return <span className={`${shape} border-line text-quiet`}>{decision.label}</span>;
  }
  return (
    <select
      aria-label={decision.about.replaceAll("`", "")}
      title={decision.evidence.replaceAll("`", "")}
      value={decision.value}
      onChange={(event) => onChoose(event.target.value)}
      className={`${shape} bg-raised ${decision.chosen ? "border-accent" : "border-line-strong"}`}
    >
      <option value={decision.value}>{decision.label}</option>
      {others.map((other) => (
        <option key={other.value} value={other.value}>
          {other.label}
        </option>
      ))}
    </select>
  );
}

interface ColumnsProps {
  profile: FileProfile;
  onSet: (name: string, value: string | null) => void;
}

/** So many columns are listed; a file with more is changed at the command line. */
const MOST_COLUMNS = 200;

/** Every column: whether it is used, its name, and what its values are. */
function Columns({ profile, onSet }: ColumnsProps) {
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

function Reasons({ decisions }: { decisions: Decision[] }) {
  return (
    <div>
      <h3 className="font-semibold text-quiet">Why</h3>
      <dl className="mt-1 grid gap-x-4 gap-y-0.5 sm:grid-cols-[auto_1fr]">
        {decisions.map((decision) => (
          <div key={decision.id} className="contents">
            <dt>
              <Named text={decision.about} />: {decision.label}
            </dt>
            <dd className="text-quiet">
              <Named text={decision.evidence} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What became of every row and of odd cells. */
function Rows({ profile }: { profile: FileProfile }) {
  const id = useId();
  const { ledger } = profile;
  const groups: [string, LedgerEntry[]][] = [
    ["Not part of the table", ledger.rows_skipped ?? []],
    ["Kept, and odd", ledger.rows_marked ?? []],
    ["Cells that do not fit their column", ledger.cells_flagged ?? []],
    ["Words for no value", ledger.null_words ?? []],
  ];
  return (
    <div>
      <h3 id={id} className="font-semibold text-quiet">
        What became of the rows
      </h3>
      <ul aria-labelledby={id} className="mt-1 grid gap-0.5">
        <li>{counted(ledger.rows_read, "row")} read</li>
        {groups.flatMap(([what, entries]) =>
          entries.map((entry) => (
            <li key={what + entry.why}>
              {what}: <Named text={entry.why} /> ({entry.count}
              {entry.first?.[0] !== undefined && `, first in row ${entry.first[0].row}`})
            </li>
          )),
        )}
      </ul>
    </div>
  );
}
