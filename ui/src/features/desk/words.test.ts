import { expect, test } from "vitest";
import type { Column, Table } from "../../api";
import { extentOf, kindOf, missingOf, readAs, sizeOf } from "./words";

const column = (part: Partial<Column>): Column => ({
  name: "c",
  kind: "decimal",
  missing: 0,
  distinct: 3,
  ...part,
});

const table = (part: Partial<Table>): Table => ({
  path: "input/a.csv",
  format: "csv",
  rows: 3,
  decimal: ".",
  header_row: 1,
  read_with: "",
  columns: [],
  first_rows: [],
  notes: [],
  ...part,
});

test("says how a file was read only where it could have been read otherwise", () => {
  expect(readAs(table({ format: "parquet" }))).toEqual([]);
  const german = { delimiter: ";", encoding: "cp1252", decimal: ",", thousands: "." };
  expect(readAs(table({ ...german, columns: [column({ day_order_assumed: true })] }))).toEqual([
    "split at semicolon",
    "CP1252",
    "numbers like 1.234,5",
    "03/04 taken as 3 April",
  ]);
});

test("describes a column in a few words", () => {
  expect(kindOf(column({ unit: "kWh" }))).toBe("number, kWh");
  expect(missingOf(column({ missing: 1 }), 10_000)).toBe("under 0.1 % missing");
  expect(missingOf(column({}), 10)).toBe("");
  expect(extentOf(column({ min: -7.12, max: 85 }))).toBe("-7.12 – 85");
  expect(extentOf(column({ kind: "text", distinct: null }))).toBe("many values");
  expect(extentOf(column({ kind: "date", first: "2025-01-01", last: "2025-12-31" }))).toBe(
    "2025-01-01 – 2025-12-31",
  );
  expect(sizeOf(1, 9)).toBe("1 row × 9 columns");
  expect(sizeOf(1, 1)).toBe("1 row × 1 column");
});
