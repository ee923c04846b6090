import { expect, test } from "vitest";
import type { RunEvent, RunView } from "../../api/types";
import { mock } from ".";

test("plays a run to its close", async () => {
  const heard: RunEvent[] = [];
  const view = await mock.invoke<RunView>("open_run", { run: "run-energy" });
  heard.push(...view.events);
  expect(heard.at(-1)).toEqual({ event: "run_closed", problem: null });
  expect(heard.filter((event) => event.event === "step_ended")).toHaveLength(8);
});
