import type { Document, FigureCheck, ReportCheck, Verdict } from "../../../api";

/** How a figure of a report is marked: computed, derived, given from outside, or of unknown origin. */
export type Mark = "found" | "derived" | "given" | "missing";

/** How a figure with this verdict is marked. */
export function markOf({ verdict }: Verdict): Mark {
  switch (verdict) {
    case "printed":
    case "tabled":
    case "written":
      return "found";
    case "derived":
      return "derived";
    case "chosen":
    case "input":
    case "asked":
      return "given";
    case "not_found":
      return "missing";
  }
}

/**
 * What is known of each figure of a report, by its number. The report may have been written anew since it was
 * checked: where a figure is another than the one that was looked for, nothing is known of it.
 */
export function checksOf(
  document: Document,
  checked: ReportCheck | null,
): readonly (FigureCheck | null)[] {
  if (checked === null) return [];
  return document.figures.map(({ text }, number) => {
    const check = checked.figures[number];
    return check?.text === text ? check : null;
  });
}
