import type { Exported, ExportForm, ExportProgress, ForClipboard, Problem } from "../../api/types";
import { pause, scene } from "./scene";

/** Ways out of the practice host: nothing is written anywhere. */

const form = (
  id: string,
  label: string,
  purpose: string,
  extension: string | null,
): ExportForm => ({ id, label, purpose, extension });

export const exportForms: ExportForm[] = [
  form("pdf", "PDF", "To print and to send", "pdf"),
  form("docx", "Word document", "To go on writing", "docx"),
  form("html", "Web page", "One file that opens in any browser", "html"),
  form("xlsx", "Excel workbook", "The result tables", "xlsx"),
  form("markdown", "Markdown", "The text with its charts, as one zip file", "zip"),
  form("notebook", "Jupyter notebook", "The steps, to read and run again", "ipynb"),
  form(
    "bundle",
    "Everything, to do it again",
    "Data, code, and one command that repeats it",
    "zip",
  ),
  form("zip", "The files, as one zip file", "Report, charts and tables as they are", "zip"),
  form("folder", "The files, in a folder", "Report, charts and tables as they are", null),
];

const PARTS = 12;
const stopped: Problem = {
  code: "stopped",
  message: "Stopped.",
  hint: "What was finished is kept.",
  detail: "",
};

let going = 0;

/** Goes through the parts of a run, one a moment, until the end or a stop. */
export async function exportRun(
  form: string,
  heard: (progress: ExportProgress) => void,
): Promise<Exported> {
  const mine = (going += 1);
  for (let done = 0; done < PARTS; done += 1) {
    heard({ done, of: PARTS });
    await pause(scene.pace / 2);
    if (mine !== going) throw stopped;
  }
  const ending = exportForms.find(({ id }) => id === form)?.extension ?? null;
  return {
    id: "export-1",
    place: `/home/you/Documents/Energy 2025${ending === null ? "" : `.${ending}`}`,
    remarks: form === "xlsx" ? ["Of table anomalies.csv the first 1,048,575 rows are in it."] : [],
  };
}

export function stopExport(): void {
  going += 1;
}

export const copyOfReport: ForClipboard = {
  html: "<h1>Unusual energy use</h1><p>Seven periods stand out.</p>",
  text: "# Unusual energy use\n\nSeven periods stand out.\n",
  remark: null,
};

export const copyOfSummary: ForClipboard = {
  html: null,
  text: "Unusual energy use\n\nSeven periods stand out.\n",
  remark: null,
};

export const copyOfTable = (path: string): ForClipboard => ({
  html: null,
  text: "start\tend\n2025-03-12 07:00\t2025-03-13 18:00\n",
  remark:
    path === "anomalies.csv"
      ? "The first 10000 of 41230 rows were copied. Save the file to have them all."
      : null,
});
