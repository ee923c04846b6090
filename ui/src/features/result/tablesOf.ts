import type { Artifact } from "../../api";
import type { Step } from "../run/state";

/** The tables that belong to a chart, and in which words they do. */
export interface TablesOf {
  tables: Artifact[];
  words: string;
}

/**
 * The tables of a chart: those that its step has written, else those that its code names, else those
 * of the nearest step before it that has written any.
 */
export function tablesOf(
  chart: string,
  tables: readonly Artifact[],
  steps: readonly Step[],
): TablesOf {
  const at = steps.findLastIndex((step) => step.saved.includes(chart));
  const step = steps[at];
  if (step === undefined) return { tables: [], words: "" };
  const savedBy = ({ saved }: Step) => tables.filter(({ path }) => saved.includes(path));
  const own = savedBy(step);
  if (own.length > 0) return { tables: own, words: "made in the same step" };
  const named = tables.filter(({ path }) => step.source.includes(path));
  if (named.length > 0) return { tables: named, words: "which the step names" };
  const before = steps.slice(0, at).findLast((earlier) => savedBy(earlier).length > 0);
  return before === undefined
    ? { tables: [], words: "" }
    : { tables: savedBy(before), words: `made in step ${before.step}, before the chart was drawn` };
}
