import type { Column, ColumnKind } from "../../api";
import { counted, figure, share } from "../../shared";

const kinds: Record<ColumnKind, string> = {
  integer: "whole number",
  decimal: "number",
  boolean: "yes or no",
  date: "date",
  timestamp: "date and time",
  time: "time of day",
  duration: "span of time",
  category: "category",
  text: "text",
  identifier: "identifier",
  empty: "empty",
};

export const kindOf = (column: Column) =>
  column.unit ? `${kinds[column.kind]}, ${column.unit}` : kinds[column.kind];

export const missingOf = (column: Column, rows: number) =>
  column.missing === 0 ? "" : `${share(column.missing, rows)} missing`;

/** What the little histogram shows, for those who cannot see it. */
export function shapeLabel(column: Column): string {
  const { name, min, max } = column;
  if (typeof min === "number" && typeof max === "number") {
    return `How ${name} is spread, from ${figure(min)} to ${figure(max)}`;
  }
  return `How ${name} is spread`;
}

/** The extent of a column in a few characters. */
export function extentOf(column: Column): string {
  const { min, max, first, last, distinct, kind } = column;
  if (typeof min === "number" && typeof max === "number") return `${figure(min)} – ${figure(max)}`;
  if (first && last) return `${first.slice(0, 10)} – ${last.slice(0, 10)}`;
  if (kind === "empty") return "";
  return distinct === null ? "many values" : counted(distinct, "value");
}

export const sizeOf = (rows: number | null, columns: number) =>
  [rows === null ? null : counted(rows, "row"), counted(columns, "column")]
    .filter((part) => part !== null)
    .join(" × ");
