import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { Decision, FileProfile, LedgerEntry } from "../../api";
import { Button, counted, Named } from "../../shared";
import { Chip } from "./Chip";
import { Columns, isOfType } from "./Columns";

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

const settingsOf = (profile: FileProfile): ReadingSettings =>
  profile.settings as unknown as ReadingSettings;

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
