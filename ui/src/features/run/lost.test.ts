import { expect, it } from "vitest";
import { applyEvents } from "./reducer";
import { newRun } from "./state";
import { phaseWords, restoredWords } from "./words";

it("goes on with the step in which the sandbox was lost, from its beginning", () => {
  const lost = applyEvents(
    newRun(0),
    [
      {
        event: "step_started",
        step: 4,
        turn: 2,
        call: "c",
        tool: "run_python",
        title: "Counting",
        arguments: { code: "1" },
      },
      { event: "output", step: 4, stream: "stdout", text: "half" },
      { event: "sandbox_lost", reason: "its output has ended" },
      { event: "replaying", step: 1, title: "Reading" },
    ],
    1,
  );
  expect(phaseWords(lost.phase)).toBe("Running step 1 again: Reading");
  const state = applyEvents(lost, [{ event: "sandbox_restored", steps: 3, different: [2] }], 2);
  expect(state.phase).toEqual({ kind: "working", step: 4, title: "Counting" });
  expect(state.steps[0]?.output.head).toBe("");
  expect(state.asks[0]?.restored.map(restoredWords)).toEqual([
    "The sandbox was lost and has been set up again; 3 steps were run again. " +
      "Step 2 printed something else this time, as steps with random numbers or the time do.",
  ]);
});
