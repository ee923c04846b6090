import { count } from "../../shared";
import type { StepOutput } from "./state";

/** Characters kept from the beginning of a step's output. */
export const HEAD_LIMIT = 40_000;
/** Characters kept from its end. */
export const TAIL_LIMIT = 160_000;

/** The output of a step that has printed nothing yet. */
export const nothingPrinted: StepOutput = { head: "", tail: "", skipped: 0, lineEnds: 0 };

/** The output with one more piece; what lies between its beginning and its end is let go. */
export function appended(output: StepOutput, text: string): StepOutput {
  const room = Math.max(0, HEAD_LIMIT - output.head.length);
  const head = room > 0 ? output.head + text.slice(0, room) : output.head;
  const tail = output.tail + text.slice(room);
  // Cutting only when the tail is twice its size keeps the cost per character constant.
  const surplus = tail.length > 2 * TAIL_LIMIT ? tail.length - TAIL_LIMIT : 0;
  return {
    head,
    tail: surplus > 0 ? tail.slice(surplus) : tail,
    skipped: output.skipped + surplus,
    lineEnds: output.lineEnds + lineEnds(text),
  };
}

/** How many lines end in the text. */
export function lineEnds(text: string): number {
  let ends = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends += 1;
  return ends;
}

/** The text of an output as a person reads it. */
export function shown(output: StepOutput): string {
  if (output.skipped === 0) return output.head + output.tail;
  return `${output.head}\n… ${count(output.skipped)} characters left out …\n${output.tail}`;
}

/** Whether nothing was printed. */
export function isSilent(output: StepOutput): boolean {
  return output.head === "" && output.tail === "";
}

/** How many lines were printed, the one that goes on included. */
export function lineCount(output: StepOutput): number {
  const last = output.tail || output.head;
  return output.lineEnds + (last === "" || last.endsWith("\n") ? 0 : 1);
}

/** Lines as a terminal would leave them: what follows a carriage return takes the line's place. */
export function settledLines(text: string): string[] {
  return text
    .replace(/\r\n/g, "\n")
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const parts = line.split("\r").filter((part) => part !== "");
      return parts.at(-1) ?? "";
    });
}

/** The last so many lines. What comes before them is not looked at, however long it is. */
export function lastLines(output: StepOutput, count: number): string[] {
  let text = output.tail;
  let from = startOfLast(text, count);
  if (from === 0 && output.skipped === 0) {
    text = output.head + output.tail;
    from = startOfLast(text, count);
  }
  return settledLines(text.slice(from));
}

function startOfLast(text: string, count: number): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let found = 0; found < count; found += 1) {
    if (at <= 0) return 0;
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}
