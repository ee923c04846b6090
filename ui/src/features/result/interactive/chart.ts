/** An interactive chart as its file holds it. It is untrusted: whatever is needed of it is checked first. */
export type Chart = Record<string, unknown>;

/** The largest file that is drawn; the sandbox makes no picture of a larger one. */
export const MAX_BYTES = 2 << 20;
/** Rows that a chart may let the drawing make up. */
const MAX_MADE_UP = 10_000;
/** A chart within a chart is not looked for deeper than this. */
const MAX_DEPTH = 32;

/** Why a chart is not drawn, as the end of a sentence. */
export class Unfit extends Error {}

/** What a file holds, when it is a chart that can be drawn without fetching anything. */
export function readChart(text: string): Chart {
  if (text.length > MAX_BYTES) throw new Unfit("its file is too large");
  let chart: unknown;
  try {
    chart = JSON.parse(text);
  } catch {
    throw new Unfit("its file is damaged");
  }
  if (!isPart(chart) || String(chart["$schema"]).includes("/vega/")) {
    throw new Unfit("its file is of another kind");
  }
  check(chart, 0);
  return chart;
}

/** Looks for addresses and for rows without end, in everything but the rows themselves. */
function check(part: unknown, depth: number): void {
  if (typeof part !== "object" || part === null) return;
  if (depth > MAX_DEPTH) throw new Unfit("it is nested too deep");
  if (Array.isArray(part)) {
    for (const each of part) check(each, depth + 1);
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    const isAddress = (key === "url" || key === "href") && typeof value === "string";
    if (isAddress) throw new Unfit("it would fetch something from elsewhere");
    if (key === "sequence" && isPart(value)) checkSequence(value);
    if (key !== "values" && key !== "datasets") check(value, depth + 1);
  }
}

function checkSequence({ start, stop, step }: Chart): void {
  const count = (Number(stop) - Number(start ?? 0)) / Number(step ?? 1);
  if (!(Math.abs(count) <= MAX_MADE_UP)) throw new Unfit("it would make up too many rows");
}

/** Whether something is an object with parts of its own. */
export const isPart = (value: unknown): value is Chart =>
  typeof value === "object" && value !== null && !Array.isArray(value);
