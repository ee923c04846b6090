import { expect, it } from "vitest";
import type { Policy, RunRecord } from "../../api";
import { record as practice } from "../../platform/mock/run";
import { limitWords, placeWords } from "./recordWords";

const record = (change: Partial<RunRecord>): RunRecord => ({ ...practice("r"), ...change });

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
  expect(placeWords(record({ policy: { network: "open" } as unknown as Policy }))).toBe(
    "In a sealed sandbox on this computer (Docker).",
  );
});
