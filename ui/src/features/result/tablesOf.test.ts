import { expect, it } from "vitest";
import type { Artifact } from "../../api";
import { newStep, type Step } from "../run/state";
import { tablesOf } from "./tablesOf";

const table = (path: string): Artifact => ({ path, size: 1, kind: "table", versions: 1 });
const step = (number: number, saved: string[], source = ""): Step => ({
  ...newStep(0, number, null),
  saved,
  source,
});

const [events, months] = [table("events.csv"), table("months.csv")];
const tables = [events, months];

it("are those of the step that drew the chart", () => {
  const steps = [step(1, ["events.csv"]), step(2, ["a.png", "months.csv"])];
  expect(tablesOf("a.png", tables, steps)).toEqual({
    tables: [months],
    words: "made in the same step",
  });
});

it("else those that its code names", () => {
  const steps = [step(1, ["months.csv"]), step(2, ["a.png"], "read('output/events.csv')")];
  expect(tablesOf("a.png", tables, steps)).toEqual({
    tables: [events],
    words: "which the step names",
  });
});

it("else those of the nearest step before", () => {
  const steps = [step(1, ["months.csv", "events.csv"]), step(2, []), step(3, ["a.png"])];
  expect(tablesOf("a.png", tables, [...steps, step(4, ["months.csv"])])).toEqual({
    tables,
    words: "made in step 1, before the chart was drawn",
  });
});

it("may be none", () => {
  expect(tablesOf("a.png", tables, [step(1, ["a.png"])])).toEqual({ tables: [], words: "" });
  expect(tablesOf("b.png", tables, [step(1, ["a.png"])])).toEqual({ tables: [], words: "" });
});
