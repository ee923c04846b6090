import { expect, test } from "vitest";
import type { Column } from "../../api";
import { extentOf, kindOf, missingOf, sizeOf } from "./words";

const column = (part: Partial<Column>): Column => ({
  name: "c",
  kind: "decimal",
  missing: 0,
  distinct: 3,
  ...part,
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
