import type { Difference, FigurePair } from "../../../api";
import { changeWords, isSame, sameWords } from "./changeWords";
import { Cell, ChangeTable, type Head } from "./ChangeTable";

const HEADS: Head[] = [
  { label: "Where", align: "start" },
  { label: "Before", align: "end" },
  { label: "Now", align: "end" },
  { label: "Change", align: "end" },
];

/** The figures of two reports side by side; those that are as before are folded away. */
export function FigureChanges({ figures }: { figures: Difference }) {
  const changed = figures.pairs.filter((pair) => !isSame(pair));
  const same = figures.pairs.filter(isSame);
  return (
    <section aria-labelledby="changed-figures" className="min-w-0">
      <h2 id="changed-figures" className="mb-2 text-lg font-semibold">
        The figures
      </h2>
      {changed.length > 0 ? (
        <Pairs label="Figures that changed" pairs={changed} />
      ) : (
        <p className="text-quiet">No figure that stands in both reports changed.</p>
      )}
      {same.length > 0 && (
        <details className="mt-3">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">
            {sameWords(same.length)}
          </summary>
          <div className="mt-2">
            <Pairs label="Figures that are as before" pairs={same} />
          </div>
        </details>
      )}
      <Lines title="Only in the earlier report" lines={figures.only_before} />
      <Lines title="Only in this report" lines={figures.only_now} />
    </section>
  );
}

function Pairs({ label, pairs }: { label: string; pairs: FigurePair[] }) {
  return (
    <ChangeTable label={label} heads={HEADS}>
      {pairs.map((pair) => (
        <tr key={pair.now_figure} className="align-baseline">
          <Cell>{pair.place}</Cell>
          <Cell align="end">{pair.before}</Cell>
          <Cell align="end" strong>
            {pair.now}
          </Cell>
          <Cell align="end">{changeWords(pair.change)}</Cell>
        </tr>
      ))}
    </ChangeTable>
  );
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3 className="mt-5 mb-1 font-semibold">{title}</h3>
      <ul className="list-disc space-y-1 pl-5 font-serif">
        {lines.map((line, at) => (
          <li key={at} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}
