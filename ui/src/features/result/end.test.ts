import { expect, it } from "vitest";
import type { RunStatus, RunSummary } from "../../api";
import { newAsk, newRun } from "../run/state";
import { endOf, remedyOf, type End } from "./end";

const run = (...ends: (RunStatus | null)[]) => ({
  ...newRun(null),
  asks: ends.map((status) => ({ ...newAsk("", null), status })),
});
const stored = (status: End) => ({ status }) as RunSummary;

it.each([
  [["done"], "done", "done"],
  [["done", "stopped"], "stopped", "stopped"],
  [["paused"], "paused", "paused"],
  [["paused", null], "paused", "interrupted"],
  // The app was closed during the second question, so the store knows of the first only.
  [["done", null], "done", "interrupted"],
  [["incomplete", null], "incomplete", "interrupted"],
  [[null], "interrupted", "interrupted"],
  // The sandbox never opened, so the work itself said nothing.
  [[null], "failed", "failed"],
  [["done", null], "failed", "failed"],
] satisfies [(RunStatus | null)[], End, End][])("%j, stored as %s, is %s", (ends, status, end) => {
  expect(endOf(run(...ends), stored(status))).toBe(end);
});

it("has a next step unless all is there", () => {
  const ends: End[] = [
    "done",
    "incomplete",
    "stopped",
    "interrupted",
    "out_of_budget",
    "failed",
    "stuck",
    "paused",
  ];
  expect(ends.map((end) => remedyOf(end, ["There is no chart."]))).toEqual([
    { kind: "none" },
    {
      kind: "ask",
      label: "Ask for what is missing",
      ask: "Please add what is still missing. There is no chart.",
    },
    { kind: "resume", label: "Continue" },
    { kind: "resume", label: "Continue" },
    { kind: "resume", label: "Continue" },
    { kind: "resume", label: "Try again" },
    { kind: "rephrase", label: "Ask in other words" },
    { kind: "resume", label: "Go on" },
  ]);
});
