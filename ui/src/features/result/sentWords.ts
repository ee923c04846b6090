import type { SentSummary } from "../../api";
import { bytes, counted } from "../../shared";

/** "3 requests, 14 kB to api.openai.com, no rows": what left this computer, in one line. */
export function sentWords(sent: SentSummary): string {
  const size = `${counted(sent.requests, "request")}`;
  if (sent.requests === 0) return "Nothing left this computer";
  if (sent.stays_here) {
    return `Nothing left this computer: ${size} to ${programs(sent)} on it, ${bytes(sent.bytes)}`;
  }
  const rows = sent.rows === "kept_here" ? "no rows" : "with rows";
  return `${size}, ${bytes(sent.bytes)} to ${sent.hosts.join(" and ")}, ${rows}`;
}

const programs = ({ hosts }: SentSummary) =>
  hosts.length === 1 ? "a program" : counted(hosts.length, "program");

/** What the requests held, without a promise that is not kept. */
export function heldWords(sent: SentSummary): string {
  if (sent.requests === 0) {
    return "No request was made to any model. The built-in analyst needs none: it works inside Assay.";
  }
  return sent.rows === "kept_here"
    ? "Rows were kept back: stand-ins such as ⟦7⟧ were sent in place of the words in cells. Names of files and columns, your question, figures and dates were sent as they are."
    : "The model was shown some rows of the files, and what the steps printed.";
}
