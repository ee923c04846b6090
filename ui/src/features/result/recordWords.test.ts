import { expect, it } from "vitest";
import type { Policy, RunRecord } from "../../api";
import { record as practice } from "../../platform/mock/run";
import { limitWords, ranWords, rowsWords } from "./recordWords";

const record = (change: Partial<RunRecord>): RunRecord => ({ ...practice("r"), ...change });

it("says limits in plain words", () => {
  const budget = { ...record({}).budget, cost_microdollars: 1_500_000 };
  expect(limitWords(record({ budget }))).toEqual([
    "2 GB of memory",
    "2 processors",
    "2 minutes for a step",
    "30 minutes for the whole run",
    "512 MB of results",
    "40 answers of the model",
    "80 steps",
    "2,000,000 tokens read and written",
    "$1.50 for the model",
  ]);
});

it("claims no missing network that the policy does not name", () => {
  expect(ranWords(record({}), null)).toBe(
    "In a sealed sandbox on this computer (Docker), without a network.",
  );
  expect(ranWords(record({ policy: { network: "open" } as unknown as Policy }), null)).toBe(
    "In a sealed sandbox on this computer (Docker).",
  );
});

it("claims of a provider’s containers only what is known of them", () => {
  const ready = {
    runtime: "hosted",
    engine: "code interpreter of api.example.org",
    address: "https://api.example.org/v1",
    image: "",
    image_bytes: 0,
    gaps: [],
  };
  const hosted = record({ runtime: "hosted" });
  expect(ranWords(hosted, { name: null, ready })).toBe(
    "In containers of api.example.org, asked for without a network. The files were sent there.",
  );
  expect(ranWords(hosted, null)).toContain("In a provider’s containers, asked for without");
});

it("says whether rows went out, where a model could have read them", () => {
  const model = { ...record({}).model, is_ai: true };
  expect(rowsWords(record({}))).toBe("");
  expect(rowsWords(record({ model }))).toContain("some rows");
  expect(rowsWords(record({ model, rows: "kept_here" }))).toContain("kept on this computer");
});
