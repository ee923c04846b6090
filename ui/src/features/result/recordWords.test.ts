import { expect, it } from "vitest";
import type { RunRecord } from "../../api";
import { limitWords, placeWords } from "./recordWords";

const record = (change: Partial<RunRecord>): RunRecord => ({
  id: "r",
  version: "0.1.0",
  request: "",
  files: [],
  model: { name: "built-in analyst", host: null, is_ai: false },
  runtime: "docker",
  policy: {
    network: "none",
    memory_mib: 2048,
    cpus: 2,
    step_limit_s: 120,
    run_limit_s: 1800,
    output_mib: 512,
  },
  budget: { turns: 40, steps: 80 },
  expected: {},
  ...change,
});

it("says limits in plain words", () => {
  expect(limitWords(record({}))).toEqual([
    "2 GB of memory",
    "2 processors",
    "2 minutes for a step",
    "30 minutes for the whole run",
    "512 MB of results",
    "40 answers of the model",
    "80 steps",
  ]);
});

it("claims no missing network that the policy does not name", () => {
  expect(placeWords(record({}))).toBe(
    "In a sealed sandbox on this computer (Docker), without a network.",
  );
  expect(placeWords(record({ policy: { network: "open" } }))).toBe(
    "In a sealed sandbox on this computer (Docker).",
  );
});
