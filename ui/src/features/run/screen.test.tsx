import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Problem, RunEvent, RunStatus, RunSummary, RunView } from "../../api";
import { setPlatform } from "../../platform";
import { documentOf, heading } from "../../platform/mock/document";
import { record as practice } from "../../platform/mock/run";
import { RunScreen } from "./RunScreen";
import { startRun } from "./start";
import { forget } from "./store";

type Sink = (events: RunEvent[]) => void;

let tell: Sink = () => undefined;
let journal: RunEvent[] = [];
let summary: RunSummary;
const calls: [string, unknown][] = [];
/** What was said to questions of the model. */
const told: (string | null)[] = [];
const settings = vi.fn();
/** Why a run cannot be taken up. */
let refusal: Problem | null = null;

const view = (): RunView => ({
  summary,
  record: practice("r1"),
  events: journal,
  artifacts: [],
  report: documentOf(heading(1, "All there is")),
  asks: [],
  answers: [],
  live: false,
  sent: { requests: 0, bytes: 0, hosts: [], stays_here: true, rows: "shown" },
});

beforeEach(() => {
  forget("r1");
  calls.length = 0;
  told.length = 0;
  refusal = null;
  settings.mockClear();
  journal = [];
  summary = {
    id: "r1",
    title: "How much?",
    request: "How much?",
    started_at: "2026-01-05T10:00:00Z",
    ended_at: null,
    status: "running",
    files: ["a.csv"],
    charts: 0,
  };
  setPlatform({
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args.ask ?? args.run]);
      if (name === "answer_question") told.push(args.answer as string | null);
      if (name === "resume_run" && refusal !== null) return Promise.reject(refusal);
      if (args.channel) tell = args.channel as Sink;
      const checks = [{ name: "Engine", ready: null, problem: refusal }];
      const answers: Record<string, unknown> = {
        start_run: "r1",
        open_run: view(),
        check_report: {
          figures: [],
          summary: { figures: 0, computed: 0, given: 0, not_found: 0 },
        },
        diagnose: { checks, runtime: "docker", sandbox: null },
        forms: [],
      };
      return Promise.resolve((answers[name] ?? null) as Answer);
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: (_, path) => path,
  });
});

const step = (number: number, title: string): RunEvent => ({
  event: "step_started",
  step: number,
  turn: number,
  call: `call ${number}`,
  tool: "run_python",
  title,
  arguments: { code: "print('hello')" },
});

const ended = (number: number, ok: boolean, restarted = false): RunEvent => ({
  event: "step_ended",
  step: number,
  ok,
  observation: "It broke.",
  outcome: restarted
    ? {
        step: number,
        status: "crashed",
        duration_ms: 5,
        stdout: { head: "", tail: "", skipped_bytes: 0, full_text: null },
        stderr: { head: "", tail: "", skipped_bytes: 0, full_text: null },
        error: null,
        exit_code: null,
        message: null,
        changed: [],
        removed: [],
        refused: [],
        restarted: true,
      }
    : null,
});

const close = (
  status: RunStatus,
  remarks: string[] = [],
  problem: Problem | null = null,
): RunEvent[] => {
  summary = { ...summary, status, ended_at: "2026-01-05T10:00:09Z" };
  return [
    { event: "run_ended", status, answer: "Enough.", remarks },
    { event: "run_closed", problem },
  ];
};

async function show() {
  await startRun({
    files: ["f"],
    ask: "How much?",
    meaning: "",
    charts: true,
    tables: true,
    rows: "shown",
    leave_out: [],
  });
  render(<RunScreen runId="r1" onBack={vi.fn()} onOpenRun={vi.fn()} onSettings={settings} />);
}

it("is followed step by step and can be stopped", async () => {
  await show();
  act(() =>
    tell([
      step(1, "Reading the file"),
      { event: "output", step: 1, stream: "stdout", text: "12 rows" },
    ]),
  );
  const line = await screen.findByRole("button", { name: /Reading the file.*going on/ });
  await userEvent.click(line);
  expect(screen.getByRole("region", { name: "Output of step 1" }).textContent).toBe("12 rows");
  expect(screen.getByRole("region", { name: "Code of step 1" }).textContent).toBe("print('hello')");
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(calls).toContainEqual(["stop_run", "r1"]);
  expect(screen.getByRole("button", { name: "Stopping" })).toHaveProperty("ariaDisabled", "true");
});

const opening = (runtime: string): RunEvent => ({
  event: "opening_sandbox",
  ready: {
    runtime,
    engine: "an engine",
    address: "https://api.example.org/v1",
    image: "",
    image_bytes: 0,
    gaps: [],
  },
});

it("says all the time that the files are sent to a provider, where they are", async () => {
  await show();
  act(() => tell([opening("hosted")]));
  await screen.findByText(
    "Runs in: a provider’s containers; the files are sent to api.example.org",
  );
  expect(screen.getAllByText("Sending the files to a provider’s container")).not.toEqual([]);
  act(() => tell([step(1, "Reading the file")]));
  expect(screen.getByText(/the files are sent to/)).toBeDefined();
});

it("says nothing of it where they stay here", async () => {
  await show();
  act(() => tell([opening("docker")]));
  expect(await screen.findAllByText("Opening the sealed sandbox")).not.toEqual([]);
  expect(screen.queryByText(/Runs in/)).toBeNull();
});

const question = {
  text: "Hours or days?",
  choices: ["Single hours", "Whole days"],
  default: "Single hours",
};
const asks: RunEvent[] = [step(1, "A question"), { event: "question_asked", step: 1, question }];

it("a question takes the focus, is answered by one press, and gives the focus back", async () => {
  await show();
  act(() => tell(asks));
  const card = await screen.findByRole("group", { name: "Hours or days?" });
  expect(document.activeElement).toBe(card);
  expect(
    screen.getByText("A question for you: Hours or days?", { selector: "[role=status]" }),
  ).toBeTruthy();
  const choice = within(card).getByRole("button", { name: "Whole days" });
  await userEvent.click(choice);
  expect(told).toEqual(["Whole days"]);
  await userEvent.click(choice);
  expect(told).toHaveLength(1);
  act(() => tell([{ event: "question_answered", step: 1, answer: "Whole days" }, ended(1, true)]));
  await userEvent.click(await screen.findByRole("button", { name: /^A question.*done/ }));
  expect(screen.queryByRole("group", { name: "Hours or days?" })).toBeNull();
  expect(screen.getByText("You said: Whole days")).toBeTruthy();
});

it("a question takes an answer in one's own words, or none", async () => {
  await show();
  act(() => tell(asks));
  await userEvent.type(await screen.findByLabelText("Or in your own words"), "Weeks{Enter}");
  expect(told).toEqual(["Weeks"]);
  act(() =>
    tell([
      { event: "question_answered", step: 1, answer: "Weeks" },
      step(2, "A question"),
      { event: "question_asked", step: 2, question },
    ]),
  );
  // The card of the first question is still there for a moment.
  const leave = () => screen.getByRole("button", { name: "You decide" });
  await waitFor(() => expect(leave()).toHaveProperty("disabled", false));
  await userEvent.click(leave());
  expect(told).toEqual(["Weeks", null]);
});

it("a wait for the model counts down, and says what stopping means", async () => {
  await show();
  act(() =>
    tell([
      { event: "turn_started", turn: 1 },
      { event: "waiting", turn: 1, wait_s: 75, reason: "it asks to slow down" },
    ]),
  );
  const timer = await screen.findByRole("timer", { name: "Time until it is asked again" });
  expect(timer.textContent).toMatch(/^It is asked again in 1:1\d\.$/);
  expect(screen.getByText(/keeps what is finished/)).toBeTruthy();
});

it("says what was used, what was mended, and that results were shortened", async () => {
  await show();
  const usage = { input_tokens: 12_000, output_tokens: 410, cost_microdollars: 42_000 };
  act(() =>
    tell([
      {
        event: "turn_ended",
        turn: 1,
        message: { text: "" },
        stop: "tool_calls",
        usage,
        estimated: true,
      },
      { ...step(1, "Counting"), mended: ["`import pandas as pd` was added."] } as RunEvent,
      ended(1, true),
      { event: "shortened", results: 2 },
    ]),
  );
  await userEvent.click(await screen.findByRole("button", { name: /Counting/ }));
  expect(screen.getAllByText("about 12,500 tokens · $0.04").length).toBeGreaterThan(0);
  expect(screen.getByText("import pandas as pd")).toBeTruthy();
  expect(screen.getByText(/^2 older results were shortened/)).toBeTruthy();
});

it("a paused run says why, and goes on by one press", async () => {
  await show();
  const why = "The model's provider asks to wait for 3 hours.";
  act(() => tell([step(1, "Reading"), ended(1, true), ...close("paused", [why])]));
  expect(await screen.findByText("Paused. What was made until now is kept.")).toBeTruthy();
  expect(screen.getByText(why)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Choose what thinks" }));
  expect(settings).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Go on" }));
  expect(calls).toContainEqual(["resume_run", "r1"]);
});

it("says that variables are gone when Python had to be started again", async () => {
  await show();
  act(() => tell([step(1, "Counting"), ended(1, false, true)]));
  expect(await screen.findByText(/Its variables are gone/)).toBeTruthy();
});

it("folds into one line above the report when it has ended; each square opens its step", async () => {
  await show();
  act(() =>
    tell([
      step(1, "Reading"),
      ended(1, true),
      step(2, "Counting"),
      ended(2, false),
      ...close("done"),
    ]),
  );
  expect(await screen.findByRole("heading", { name: "All there is" })).toBeTruthy();
  const squares = within(screen.getByRole("toolbar")).getAllByRole("button");
  expect(squares.map((square) => square.getAttribute("aria-label"))).toEqual([
    "Step 1: Reading, done",
    "Step 2: Counting, did not work",
  ]);
  await userEvent.click(squares[1] as HTMLElement);
  expect(within(screen.getByRole("dialog")).getByText("It broke.")).toBeTruthy();
});

it("takes a further question and says what asking it takes", async () => {
  await show();
  act(() => tell([step(1, "Reading"), ended(1, true), ...close("stopped")]));
  expect(await screen.findByText("Stopped by you. What was made until then is kept.")).toBeTruthy();
  expect(screen.getByText(/Its 1 finished step will be run again first/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Ask further"), "And weekends?{Enter}");
  expect(calls).toContainEqual(["follow_up", "And weekends?"]);
  act(() => tell([{ event: "asked", ask: "And weekends?" }, step(2, "Weekends")]));
  expect(await screen.findByRole("heading", { name: "And weekends?" })).toBeTruthy();
  expect(screen.getByText("1 earlier step")).toBeTruthy();
});

it("an interrupted run of another day can go on", async () => {
  journal = [step(1, "Reading"), ended(1, true), step(2, "Counting")];
  summary = { ...summary, status: "interrupted" };
  render(<RunScreen runId="r1" onBack={vi.fn()} onOpenRun={vi.fn()} onSettings={settings} />);
  expect(await screen.findByText(/The app closed while this was running/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(calls.at(-1)).toEqual(["resume_run", "r1"]);
  act(() => tell([{ event: "replaying", step: 1, title: "Reading" }]));
  const said = { selector: "[role=status]" };
  expect(await screen.findByText("Running step 1 again: Reading", said)).toBeTruthy();
  expect(screen.getByLabelText("Time so far").textContent).toBe("0:00");
});

it("a run that lacks something asks for it by one press", async () => {
  await show();
  act(() => tell([step(1, "Reading"), ended(1, true), ...close("incomplete", ["No chart."])]));
  expect(await screen.findByText("Finished, but something asked for is missing.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Ask for what is missing" }));
  expect(calls).toContainEqual(["follow_up", "Please add what is still missing. No chart."]);
});

it("a run that got stuck leads to the box for other words", async () => {
  await show();
  act(() => tell([step(1, "Reading"), ended(1, false), ...close("stuck")]));
  await userEvent.click(await screen.findByRole("tab", { name: /Charts/ }));
  await userEvent.click(screen.getByRole("button", { name: "Ask in other words" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Ask further"));
});

it("a run whose model failed says so and leads to another", async () => {
  const gone: Problem = {
    code: "model_failed",
    message: "The model's server failed.",
    hint: "Try again later.",
    detail: "503",
  };
  await show();
  act(() => tell([step(1, "Reading"), ended(1, true), ...close("failed", [], gone)]));
  expect(await screen.findByText(gone.message)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Choose what thinks" }));
  expect(settings).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(calls).toContainEqual(["resume_run", "r1"]);
});

it("an engine that is not running is started from where the person stands", async () => {
  refusal = { code: "engine_stopped", message: "Not running.", hint: "Start it.", detail: "" };
  journal = [step(1, "Reading"), ended(1, true)];
  summary = { ...summary, status: "interrupted" };
  render(<RunScreen runId="r1" onBack={vi.fn()} onOpenRun={vi.fn()} onSettings={settings} />);
  await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
  expect(await screen.findByRole("button", { name: "Start it" })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByRole("button", { name: "Continue" })).toHaveProperty("ariaDisabled", null);
});

it("a long silent step says that it is still at work", async () => {
  await show();
  const begun = Date.now();
  act(() => tell([step(1, "Reading")]));
  await screen.findByRole("button", { name: /Reading/ });
  expect(screen.queryByText(/Still at work/)).toBeNull();
  vi.spyOn(Date, "now").mockReturnValue(begun + 95_000);
  expect(await screen.findByText("Still at work; it has printed nothing so far.")).toBeTruthy();
  expect(screen.getByRole("button", { name: /Reading/ }).textContent).toContain("1:3");
  vi.restoreAllMocks();
});
