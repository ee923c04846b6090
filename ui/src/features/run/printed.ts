import type { StepOutput } from "./state";

/** Characters kept from the beginning of a step's output. */
export const HEAD_LIMIT = 40_000;
/** Characters kept from its end. */
export const TAIL_LIMIT = 160_000;

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
  };
}

/** The text of an output as a person reads it. */
export function shown(output: StepOutput): string {
  if (output.skipped === 0) return output.head + output.tail;
  return `${output.head}\n… ${output.skipped.toLocaleString()} characters left out …\n${output.tail}`;
}

/** Whether nothing was printed. */
export function isSilent(output: StepOutput): boolean {
  return output.head === "" && output.tail === "";
}
