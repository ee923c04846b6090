/** What is told of the mark under the pointer, and where the pointer is in the page. */
export interface Tip {
  rows: { name: string; value: string }[];
  x: number;
  y: number;
}

const MAX_ROWS = 12;
const MAX_LETTERS = 200;

/** The rows of a tooltip's value: a text, or an object with a text for each name. */
export function rowsOf(value: unknown): Tip["rows"] {
  if (value === null || value === undefined || value === "") return [];
  if (typeof value !== "object") return [{ name: "", value: short(value) }];
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .slice(0, MAX_ROWS)
    .map(([name, each]) => ({ name: short(name), value: short(each) }));
}

/** A value as a short text; a time at midnight is most likely a date. */
function short(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return cut(text.replace(/( \d{4}) 00:00$/, "$1"));
}

function cut(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;
}
