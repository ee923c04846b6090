import { describe, expect, it } from "vitest";
import type { RunEvent, StepOutcome } from "../../api";
import { HEAD_LIMIT, nothingPrinted, shown, TAIL_LIMIT } from "./printed";
import { applyEvents, settled } from "./reducer";
import { newAsk, newRun, newStep, type RunState, type Step } from "./state";

const captured = (head: string) => ({ head, tail: "", skipped_bytes: 0, full_text: null });

const outcome = (step: number, change: Partial<StepOutcome> = {}): StepOutcome => ({
  step,
  status: "ok",
  duration_ms: 40,
  stdout: captured(""),
  stderr: captured(""),
  error: null,
  exit_code: null,
  message: null,
  changed: [],
  removed: [],
  refused: [],
  restarted: false,
  ...change,
});

const started = (step: number, title: string, code = "print(1)"): RunEvent => ({
  event: "step_started",
  step,
  turn: step,
  call: `call ${step}`,
  tool: "run_python",
  title,
  arguments: { code },
});

const ended = (step: number, ok = true, change: Partial<StepOutcome> = {}): RunEvent => ({
  event: "step_ended",
  step,
  ok,
  outcome: outcome(step, change),
  observation: "status: ok",
});

const printed = (step: number, text: string): RunEvent => ({
  event: "output",
  step,
  stream: "stdout",
  text,
});

const step = (number: number, change: Partial<Step>): Step => ({
  ...newStep(0, number, 5),
  ...change,
});

const run = (change: Partial<RunState>): RunState => ({ ...newRun(0), ...change });

describe("the events of a run", () => {
  it("tell of a step from its title to its files", () => {
    const state = applyEvents(
      newRun(0),
      [
        { event: "turn_started", turn: 1 },
        { event: "text", turn: 1, text: "First I " },
        { event: "text", turn: 1, text: "look." },
        {
          event: "turn_ended",
          turn: 1,
          message: { text: "First I look." },
          stop: "tool_calls",
          usage: null,
          estimated: false,
        },
        started(1, "Reading the file"),
        printed(1, "8,760 "),
        printed(1, "rows\n"),
        { event: "artifact_saved", step: 1, path: "charts/a.png", size: 9 },
        ended(1),
      ],
      5,
    );
    expect(state).toEqual(
      run({
        phase: { kind: "thinking", turn: 0, text: "" },
        since: 5,
        files: new Map([["charts/a.png", { path: "charts/a.png", size: 9, versions: 1 }]]),
        steps: [
          step(1, {
            title: "Reading the file",
            source: "print(1)",
            said: "First I look.",
            output: { head: "8,760 rows\n", tail: "", skipped: 0, lineEnds: 1 },
            state: "good",
            durationMs: 40,
            outcome: outcome(1),
            observation: "status: ok",
            saved: ["charts/a.png"],
          }),
        ],
      }),
    );
  });

  it("give each moment its phase", () => {
    const phases = (
      [
        [{ event: "reading_file", name: "a.csv" }],
        [{ event: "opening_sandbox" }],
        [
          { event: "turn_started", turn: 1 },
          { event: "text", turn: 1, text: "Hm" },
        ],
        [{ event: "waiting", turn: 1, wait_s: 4, reason: "The model is busy." }],
        [started(1, "Counting")],
        [{ event: "replaying", step: 1, title: "Counting" }],
        [{ event: "run_ended", status: "done", answer: "", remarks: [] }],
        [{ event: "run_closed", problem: null }],
      ] satisfies RunEvent[][]
    ).map((events) => applyEvents(newRun(0), events, 1).phase);
    expect(phases).toEqual([
      { kind: "opening", reading: "a.csv" },
      { kind: "opening", reading: null },
      { kind: "thinking", turn: 1, text: "Hm" },
      { kind: "waiting", waitS: 4, reason: "The model is busy." },
      { kind: "working", step: 1, title: "Counting" },
      { kind: "replaying", step: 1, title: "Counting" },
      { kind: "closing" },
      { kind: "ended", problem: null },
    ]);
  });

  it("keep what ended for each question", () => {
    const state = applyEvents(
      newRun(0),
      [
        started(1, "Counting"),
        ended(1),
        { event: "contract_broken", gaps: ["There is no chart."] },
        { event: "run_ended", status: "incomplete", answer: "So far.", remarks: ["No chart."] },
        { event: "run_closed", problem: null },
        { event: "asked", ask: "And the weekends?" },
        started(2, "Weekends"),
        ended(2),
        { event: "run_ended", status: "done", answer: "Quiet.", remarks: [] },
      ],
      5,
    );
    expect(state.asks).toEqual([
      {
        ...newAsk("", 0),
        status: "incomplete",
        answer: "So far.",
        remarks: ["No chart."],
        gaps: ["There is no chart."],
      },
      { ...newAsk("And the weekends?", 5), status: "done", answer: "Quiet." },
    ]);
    expect(state.steps.map((each) => [each.ask, each.step])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("may come in any order", () => {
    const events: RunEvent[] = [
      started(1, "One"),
      printed(1, "a"),
      ended(1),
      started(2, "Two"),
      { event: "artifact_saved", step: 2, path: "b.csv", size: 2 },
      ended(2, false),
    ];
    const inOrder = applyEvents(newRun(0), events, 5);
    const reversed = applyEvents(newRun(0), [...events].reverse(), 5);
    expect(reversed.steps).toEqual(inOrder.steps);
    expect(reversed.files).toEqual(inOrder.files);
  });

  it("are the same in one batch or one by one", () => {
    const events: RunEvent[] = [started(1, "One"), printed(1, "a"), ended(1), started(2, "Two")];
    const oneByOne = events.reduce((state, event) => applyEvents(state, [event], 5), newRun(0));
    expect(oneByOne).toEqual(applyEvents(newRun(0), events, 5));
  });

  it("never change the state they are applied to", () => {
    const before = applyEvents(newRun(0), [started(1, "One")], 5);
    const copy = structuredClone(before);
    applyEvents(before, [printed(1, "a"), ended(1), { event: "asked", ask: "b" }], 6);
    expect(before).toEqual(copy);
  });

  it("say when Python was started again", () => {
    const state = applyEvents(
      newRun(0),
      [started(1, "One"), ended(1, false, { restarted: true })],
      5,
    );
    expect(state.steps.map((each) => [each.state, each.restarted])).toEqual([["failed", true]]);
  });

  it("read from the store show the output that the outcome kept", () => {
    const state = applyEvents(
      newRun(null),
      [
        started(1, "One"),
        ended(1, true, {
          stdout: { head: "start\n", tail: "end", skipped_bytes: 7, full_text: null },
        }),
      ],
      null,
    );
    expect(state.steps[0]?.output).toEqual({
      head: "start\n",
      tail: "end",
      skipped: 7,
      lineEnds: 1,
    });
  });

  it("count the versions of a file and forget a removed one", () => {
    const saved = (path: string): RunEvent => ({ event: "artifact_saved", step: 1, path, size: 1 });
    const state = applyEvents(
      newRun(0),
      [
        saved("a.png"),
        saved("b.png"),
        saved("a.png"),
        { event: "artifact_removed", step: 1, path: "b.png" },
      ],
      5,
    );
    expect([...state.files.values()]).toEqual([{ path: "a.png", size: 1, versions: 2 }]);
  });
});

it("a wait that follows another is counted anew, and ends with the next request", () => {
  const wait = (wait_s: number): RunEvent => ({
    event: "waiting",
    turn: 1,
    wait_s,
    reason: "busy",
  });
  const first = applyEvents(newRun(0), [wait(2)], 100);
  const second = applyEvents(first, [wait(8)], 2100);
  expect([first.since, second.since]).toEqual([100, 2100]);
  const sent: RunEvent = {
    event: "request_sent",
    turn: 1,
    host: "a.example",
    bytes: 1,
    as_before: 0,
    text: "",
  };
  expect(applyEvents(second, [sent], 9000).phase).toEqual({ kind: "thinking", turn: 1, text: "" });
});

it("a question waits for its answer, which stays with its step", () => {
  const question = { text: "Hours or days?", choices: ["Hours", "Days"], default: "Hours" };
  const asking = applyEvents(
    newRun(0),
    [started(1, "A question"), { event: "question_asked", step: 1, question }],
    5,
  );
  expect(asking.phase).toEqual({ kind: "asking", step: 1, question });
  const told = applyEvents(asking, [{ event: "question_answered", step: 1, answer: "Days" }], 6);
  expect(told.phase.kind).toBe("thinking");
  expect(told.steps[0]?.asked).toEqual({ question, answer: { state: "given", text: "Days" } });
});

it("adds up what was used, for each question; an estimate stays one", () => {
  const turn = (
    turn: number,
    input_tokens: number,
    cost_microdollars: number | null,
    estimated = false,
  ): RunEvent => ({
    event: "turn_ended",
    turn,
    message: { text: "" },
    stop: "end",
    usage: { input_tokens, output_tokens: 10, cost_microdollars },
    estimated,
  });
  const state = applyEvents(
    newRun(0),
    [
      turn(1, 100, null, true),
      turn(2, 200, 3000),
      { event: "shortened", results: 2 },
      { event: "shortened", results: 1 },
      { event: "asked", ask: "And then?" },
      turn(3, 50, null),
    ],
    5,
  );
  expect(state.asks.map(({ used, shortened }) => [used, shortened])).toEqual([
    [{ tokens: 320, estimated: true, microdollars: 3000 }, 3],
    [{ tokens: 60, estimated: false, microdollars: null }, 0],
  ]);
});

it("a run that is taken up again has a clock of its own and no end yet", () => {
  const cut = settled(applyEvents(newRun(null), [started(1, "One"), ended(1)], null));
  const state = applyEvents(cut, [{ event: "replaying", step: 1, title: "One" }], 70);
  expect([state.phase, state.asks]).toEqual([
    { kind: "replaying", step: 1, title: "One" },
    [newAsk("", 70)],
  ]);
  const closed = applyEvents(
    state,
    [
      { event: "run_ended", status: "done", answer: "Yes.", remarks: [] },
      { event: "run_closed", problem: null },
    ],
    80,
  );
  expect(closed.asks).toEqual([{ ...newAsk("", 70), status: "done", answer: "Yes." }]);
});

it("a step that was cut off counts as failed once nobody works on it", () => {
  const state = settled(applyEvents(newRun(null), [started(1, "One")], null));
  expect([state.steps[0]?.state, state.phase]).toEqual([
    "failed",
    { kind: "ended", problem: null },
  ]);
});

it("long output keeps its beginning and its end", () => {
  let state = applyEvents(newRun(0), [started(1, "One"), printed(1, "first ")], 0);
  const line = "x".repeat(10_000);
  for (let count = 0; count < 100; count += 1) state = applyEvents(state, [printed(1, line)], 0);
  state = applyEvents(state, [printed(1, " last")], 0);
  const output = state.steps[0]?.output ?? nothingPrinted;
  expect(output.head.length).toBe(HEAD_LIMIT);
  expect(output.tail.length).toBeLessThanOrEqual(2 * TAIL_LIMIT);
  expect(output.head.length + output.tail.length + output.skipped).toBe(1_000_000 + 11);
  expect(shown(output).startsWith("first ")).toBe(true);
  expect(shown(output).endsWith(" last")).toBe(true);
});

/** A step that counts in `looks` how often anybody looks at which one it is. */
const looks = { count: 0 };
const watched = (step: Step): Step =>
  Object.defineProperty({ ...step }, "step", {
    enumerable: true,
    get: () => {
      looks.count += 1;
      return step.step;
    },
  });

it("the work for an event does not grow with the steps that are there: 1,000 with 20 outputs each", () => {
  let state = newRun(0);
  const looksAt: number[] = [];
  for (let number = 1; number <= 1000; number += 1) {
    const pieces = Array.from({ length: 20 }, (_, at) => printed(number, `line ${at}\n`));
    const file: RunEvent = {
      event: "artifact_saved",
      step: number,
      path: `${number}.png`,
      size: 1,
    };
    const events = [started(number, `Step ${number}`), ...pieces, file, ended(number)];
    looks.count = 0;
    state = applyEvents(state, events, number);
    looksAt.push(looks.count);
    state = { ...state, steps: [...state.steps.slice(0, -1), watched(state.steps.at(-1) as Step)] };
  }
  // The new step is looked for once among those before it, which takes one look at the last of them.
  expect(looksAt).toEqual([0, ...Array.from({ length: 999 }, () => 2)]);
  expect(state.steps.length).toBe(1000);
  expect(state.steps.every((each, at) => each.step === at + 1 && each.state === "good")).toBe(true);
  expect(state.files.size).toBe(1000);
});

it("what no event touches stays the same", () => {
  const state = applyEvents(newRun(0), [started(1, "One"), started(2, "Two")], 5);
  const next = applyEvents(state, [printed(2, "a")], 6);
  expect(next.files).toBe(state.files);
  expect(next.steps[0]).toBe(state.steps[0]);
});
