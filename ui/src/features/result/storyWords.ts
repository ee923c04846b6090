import type { ChangeKind, Left, TableChange } from "../../api";
import { count } from "../../shared";

const kinds: Record<ChangeKind, string> = {
  read: "Read",
  filter: "Filtered",
  drop_missing: "Missing left out",
  drop_repeats: "Repeats left out",
  fill: "Missing filled",
  lost: "Became missing",
  join: "Put together",
  other: "Rows changed",
};

/** What was done to a table, in a few words. */
export const kindWords = (kind: ChangeKind): string => kinds[kind];

/** "500 → 0": missing values before and after, where they were counted. */
export function missingWords(change: TableChange): string {
  const { missing_before: before, missing_after: after } = change;
  return before === null || after === null ? "" : `${count(before)} → ${count(after)}`;
}

/** "1,800 of survey, 40 of regions": the rows that went in; of one table the number is enough. */
export function rowsBefore(change: TableChange): string {
  if (change.from.length > 1)
    return change.from.map(({ name, rows }) => `${count(rows)} of ${name}`).join(", ");
  return change.rows_before === null ? "" : count(change.rows_before);
}

/** Why a step came to nothing, as a sentence. */
export function leftWords(left: Left): string {
  switch (left.left) {
    case "failed":
      return `It failed: ${left.message}`;
    case "replaced":
      return `Step ${left.by} made ${left.paths.join(", ")} anew.`;
    case "removed":
      return `Step ${left.by} deleted ${left.paths.join(", ")}.`;
    case "unused":
      return "Nothing in the report rests on it.";
  }
}
