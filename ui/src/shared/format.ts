/** Figures are written as the English words around them ask for; times in the person's own way. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 8760 -> 8,760 */
export const count = (value: number) => whole.format(value);

/** "1 row", "8,760 rows" */
export const counted = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Four significant digits, for figures met in passing. */
export const figure = (value: number) =>
  new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(value);

/** 262331 -> 262 kB */
export function bytes(size: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = size < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(size) / 3));
  const scaled = size / 1000 ** power;
  return new Intl.NumberFormat("en", {
    style: "unit",
    unit: units[power],
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power > 0 && scaled < 10 ? 1 : 0,
  }).format(scaled);
}

/** 0.4 s, 12 s, 3 min 05 s */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** "14:05", "yesterday", "Monday", "3 Oct 2025": as near as the time is. */
export function when(time: string, now = new Date()): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return "";
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000);
  if (days === 0) return then.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (days === 1) return "yesterday";
  if (days > 1 && days < 7) return then.toLocaleDateString(undefined, { weekday: "long" });
  return then.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

const midnight = (time: Date) =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

/** A share as a percentage that is never rounded to nothing. */
export function share(part: number, all: number): string {
  if (all === 0 || part === 0) return "0 %";
  const percent = (100 * part) / all;
  if (percent < 0.1) return "under 0.1 %";
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** Millionths of a US dollar as money that is never rounded to nothing: "$0.04", "under $0.01". */
export function money(microdollars: number): string {
  if (microdollars === 0) return "$0.00";
  if (microdollars < 10_000) return "under $0.01";
  return `$${new Intl.NumberFormat(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(microdollars / 1e6)}`;
}

/** A price in dollars as it is written in lists: "$3", "$4.50", "$0.075". */
export const price = (dollars: number) =>
  `$${new Intl.NumberFormat(undefined, {
    minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2,
    maximumFractionDigits: 4,
  }).format(dollars)}`;

/** How many words so many tokens are, roughly: "about 96,000 words". */
export function inWords(tokens: number): string {
  const words = tokens * 0.75;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, words))) - 1);
  return `about ${count(Math.round(words / step) * step)} words`;
}
