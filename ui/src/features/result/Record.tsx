import type { ReactNode } from "react";
import type { RunRecord, SessionFacts } from "../../api";
import { bytes, Gaps } from "../../shared";
import type { Place } from "../run/state";
import { limitWords, ranWords, rowsWords } from "./recordWords";

interface RecordProps {
  record: RunRecord;
  facts: SessionFacts | null;
  place: Place | null;
}

/** What was given to the run, who thought, where it ran and within which limits. */
export function Record({ record, facts, place }: RecordProps) {
  const packages = Object.entries(facts?.inventory.packages ?? {}).map(
    ([name, version]) => `${name} ${version}`,
  );
  return (
    <section aria-labelledby="how-record">
      <h2 id="how-record" className="mb-2 text-lg font-semibold">
        The record
      </h2>
      <dl className="space-y-4">
        <Entry name="Files given to it, read-only">
          <ul>
            {record.files.map((file) => (
              <li key={file.destination}>
                {file.destination.replace(/^input\//, "")}{" "}
                <span className="text-quiet">{bytes(file.size)}</span>
              </li>
            ))}
          </ul>
        </Entry>
        <Entry name="Who thought">
          {record.model.name}
          <span className="text-quiet">{modelWords(record)}</span>
          <p className="text-quiet empty:hidden">{rowsWords(record)}</p>
        </Entry>
        <Entry name="Where the code ran">
          {ranWords(record, place)}
          <Gaps gaps={facts?.gaps ?? []} runtime={record.runtime} />
        </Entry>
        <Entry name="Limits">
          <ul>
            {limitWords(record).map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </Entry>
        {facts !== null && (
          <Entry name="With">
            Python {facts.inventory.python}
            {packages.length > 0 && <span className="text-quiet">, {packages.join(", ")}</span>}
          </Entry>
        )}
        <Entry name="Assay">version {record.version}</Entry>
      </dl>
    </section>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function modelWords({ model }: RunRecord): string {
  if (!model.is_ai) return " (fixed rules and statistics, not AI)";
  return model.host === null ? " (AI)" : ` (AI, at ${model.host})`;
}
