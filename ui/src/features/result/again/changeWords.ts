import type { Change, Comparison, Difference, FigurePair, TableDifference } from "../../../api";
import { count, counted } from "../../../shared";

export const isSame = ({ change }: FigurePair) => change.change === "same";

/** The line under the status of a run that was done again. */
export function againWords(file: string, comparison: Comparison | null): string {
  const done = `Done again on ${file}`;
  if (comparison === null) return done;
  const { pairs } = comparison.figures;
  const changed = pairs.filter((pair) => !isSame(pair)).length;
  if (pairs.length === 0) return `${done}; no figure stands in both reports`;
  if (changed === 0)
    return pairs.length === 1
      ? `${done}; its one figure is as before`
      : `${done}; all ${counted(pairs.length, "figure")} are as before`;
  return `${done}; ${count(changed)} of ${counted(pairs.length, "figure")} changed`;
}

/** "+12 %", "−0.4 %"; where nobody can say by how much, that it changed. */
export function changeWords(change: Change): string {
  if (change.change === "same") return "as before";
  const { relative } = change;
  if (relative === null) return "changed";
  const percent = Math.abs(relative) * 100;
  if (percent < 0.1) return "under 0.1 %";
  const sign = relative < 0 ? "−" : "+";
  return `${sign}${percent < 10 ? Number(percent.toFixed(1)) : count(percent)} %`;
}

/** "19 figures are as before" */
export const sameWords = (figures: number) =>
  `${counted(figures, "figure")} ${figures === 1 ? "is" : "are"} as before`;

/** The rows of a table, or that it is not there. */
export const rowWords = (rows: number | null) => (rows === null ? "not there" : count(rows));

/** What became of a table's columns, a sentence each. */
export function columnWords({ columns_gone, columns_new }: TableDifference): string[] {
  const named = (columns: string[]) => columns.map((column) => `\`${column}\``).join(", ");
  return [
    ...(columns_gone.length > 0 ? [`Gone: ${named(columns_gone)}`] : []),
    ...(columns_new.length > 0 ? [`New: ${named(columns_new)}`] : []),
  ];
}

export const isEmpty = ({ pairs, only_before, only_now }: Difference) =>
  pairs.length + only_before.length + only_now.length === 0;
