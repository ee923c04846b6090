import type { MovedColumn, NewFileCheck } from "../../../api";

/** Which column of the new file takes the place of each missing one; what is not chosen is not in it. */
export type Mapping = Readonly<Record<string, string>>;

/** Whether the person has to say or to know something before the steps are done again. */
export const needsWord = ({ missing, remarks }: NewFileCheck) =>
  missing.length > 0 || remarks.length > 0;

/** What there is hardly a doubt about is chosen already, each column once. */
export function firstMapping({ missing }: NewFileCheck): Mapping {
  const mapping: Record<string, string> = {};
  for (const { name, proposals } of missing) {
    const [only, ...more] = proposals;
    if (only === undefined || more.length > 0) continue;
    if (!Object.values(mapping).includes(only)) mapping[name] = only;
  }
  return mapping;
}

export interface ColumnChoices {
  proposals: string[];
  others: string[];
}

/** The columns of the new file that may stand for a missing one: those that nothing else stands for. */
export function choicesFor(
  name: string,
  check: NewFileCheck,
  columns: readonly string[],
  mapping: Mapping,
): ColumnChoices {
  const taken = Object.entries(mapping).flatMap(([before, now]) => (before === name ? [] : [now]));
  const isFree = (column: string) => !taken.includes(column) && !check.needed.includes(column);
  const missing = check.missing.find((each) => each.name === name);
  const proposals = (missing?.proposals ?? []).filter(isFree);
  const others = columns.filter((column) => isFree(column) && !proposals.includes(column));
  return { proposals, others };
}

/** What the shell is told; null while a missing column stands for nothing. */
export function movedColumns({ missing }: NewFileCheck, mapping: Mapping): MovedColumn[] | null {
  const moved: MovedColumn[] = [];
  for (const { name } of missing) {
    const now = mapping[name];
    if (now === undefined || now === "") return null;
    moved.push({ before: name, now });
  }
  return moved;
}
