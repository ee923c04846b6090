import type { EvidenceSummary, FigureCheck, Verdict } from "../../api";
import { counted } from "../../shared";

/** "41 of 43 figures computed or given, 2 not found": what is known of a report's figures, in one line. */
export function evidenceWords({ figures, not_found }: EvidenceSummary): string {
  if (figures === 0) return "No figures to check";
  if (not_found === 0)
    return figures === 1 ? "Its figure is computed" : `All ${figures} figures found`;
  return `${figures - not_found} of ${counted(figures, "figure")} found, ${not_found} not`;
}

/** Where a figure comes from: a sentence, and what stands there, letter by letter. */
export function explained(verdict: Verdict): { sentence: string; quoted: string | null } {
  const said = (sentence: string, quoted: string | null = null) => ({ sentence, quoted });
  switch (verdict.verdict) {
    case "printed":
      return said(`Printed in step ${verdict.step}:`, verdict.words);
    case "tabled":
      return said(
        verdict.row === null
          ? `From ${verdict.path}: ${verdict.column}`
          : `In ${verdict.path}, row ${verdict.row}, ${verdict.column}`,
      );
    case "written":
      return said(`Worked out by the code of step ${verdict.step}, which wrote the report`);
    case "derived":
      return said("Follows from other figures:", verdict.how);
    case "chosen":
      return said(`Chosen in the code of step ${verdict.step}, line ${verdict.line}`);
    case "input":
      return said(`In the file: ${verdict.fact}`);
    case "asked":
      return said("Your question says so");
    case "not_found":
      return said("Not found in anything that was computed");
  }
}

/** The same in one line. */
export function sourceOf(verdict: Verdict): string {
  const { sentence, quoted } = explained(verdict);
  return quoted === null ? sentence : `${sentence} ${quoted}`;
}

/** The step that a verdict leads to, and the line that it printed there. */
export function placeOf(verdict: Verdict): { step: number; line: string | null } | null {
  switch (verdict.verdict) {
    case "printed":
      return { step: verdict.step, line: verdict.words };
    case "tabled":
    case "written":
    case "chosen":
      return verdict.step === 0 ? null : { step: verdict.step, line: null };
    default:
      return null;
  }
}

export const isMissing = (figure: FigureCheck) => figure.verdict.verdict === "not_found";
