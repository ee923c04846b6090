import type { RunEvent, StepOutcome, Usage } from "../../api";
import { appended, isSilent, lineEnds, nothingPrinted } from "./printed";
import {
  newAsk,
  newStep,
  type Ask,
  type Phase,
  type RunState,
  type SavedFile,
  type Step,
  type Used,
} from "./state";

/**
 * The state after a batch of events. Pure: `now` (milliseconds) is the only clock, and null for
 * events read from the store. Events may name steps that have not been announced.
 */
export function applyEvents(
  state: RunState,
  events: readonly RunEvent[],
  now: number | null,
): RunState {
  if (events.length === 0) return state;
  // What no event touches stays the same object, so that what shows it need not be drawn again.
  const touches = (what: string) => events.some(({ event }) => event.startsWith(what));
  const draft: Draft = {
    ...state,
    asks: [...state.asks],
    steps: [...state.steps],
    files: touches("artifact_") ? new Map(state.files) : (state.files as Draft["files"]),
  };
  for (const event of events) apply(draft, event, now);
  return draft;
}

/** Phases that begin anew though the one before was of the same kind. */
const anew = new Set<Phase["kind"]>(["working", "waiting"]);

/** A state whose lists may be changed. */
type Draft = Omit<RunState, "files"> & { files: Map<string, SavedFile> };

function apply(draft: Draft, event: RunEvent, now: number | null): void {
  const enter = (phase: Phase) => {
    if (draft.phase.kind === "ended" && phase.kind !== "ended") beginAgain(draft, now);
    if (phase.kind !== draft.phase.kind || anew.has(phase.kind)) draft.since = now;
    draft.phase = phase;
  };
  switch (event.event) {
    case "reading_file":
      enter({ kind: "opening", reading: event.name });
      break;
    case "run_started":
      draft.run = event.run;
      draft.model = event.model;
      break;
    case "waiting_for_engine":
      enter({ kind: "queued", engines: event.engines });
      break;
    case "opening_sandbox":
      if (event.ready !== undefined) {
        draft.place = { name: event.engine ?? null, ready: event.ready };
      }
      enter({
        kind: "opening",
        reading: null,
        ...(event.ready?.runtime === "hosted" && { isHosted: true }),
      });
      break;
    case "sandbox_ready":
      draft.facts = event.facts;
      break;
    case "asked":
      draft.asks.push(newAsk(event.ask, now));
      enter({ kind: "opening", reading: null });
      break;
    case "replaying":
      enter({ kind: "replaying", step: event.step, title: event.title });
      break;
    case "sandbox_lost":
      enter({ kind: "restoring" });
      break;
    case "sandbox_restored":
      changeLastAsk(draft, ({ restored }) => ({
        restored: [...restored, { steps: event.steps, different: event.different }],
      }));
      goOn(draft, enter);
      break;
    case "turn_started":
      enter({ kind: "thinking", turn: event.turn, text: "" });
      break;
    case "text":
      draft.phase =
        draft.phase.kind === "thinking" && draft.phase.turn === event.turn
          ? { ...draft.phase, text: draft.phase.text + event.text }
          : { kind: "thinking", turn: event.turn, text: event.text };
      break;
    case "waiting":
      enter({ kind: "waiting", waitS: event.wait_s, reason: event.reason });
      break;
    case "request_sent":
      // A wait is over when the next request leaves.
      if (draft.phase.kind === "waiting") enter({ kind: "thinking", turn: event.turn, text: "" });
      break;
    case "shortened":
      changeLastAsk(draft, (ask) => ({ shortened: ask.shortened + event.results }));
      break;
    case "question_asked":
      changeStep(draft, event.step, now, () => ({
        asked: { question: event.question, answer: { state: "open" } },
      }));
      enter({ kind: "asking", step: event.step, question: event.question });
      break;
    case "question_answered":
      changeStep(draft, event.step, now, ({ asked }) => ({
        asked: asked && { ...asked, answer: { state: "given", text: event.answer } },
      }));
      if (draft.phase.kind === "asking") enter({ kind: "thinking", turn: 0, text: "" });
      break;
    case "turn_ended":
      changeLastAsk(draft, ({ used }) => ({ used: withUsage(used, event.usage, event.estimated) }));
      draft.spoken = { turn: event.turn, text: event.message.text };
      break;
    case "step_started":
      startStep(draft, event, now);
      enter({ kind: "working", step: event.step, title: event.title });
      break;
    case "output":
      changeStep(draft, event.step, now, (step) => ({ output: appended(step.output, event.text) }));
      break;
    case "step_ended":
      changeStep(draft, event.step, now, (step) => endOfStep(step, event, now));
      if (draft.phase.kind === "working" && draft.phase.step === event.step) {
        enter({ kind: "thinking", turn: 0, text: "" });
      }
      break;
    case "artifact_saved":
      saveFile(draft.files, event.path, event.size);
      changeStep(draft, event.step, now, (step) => ({ saved: including(step.saved, event.path) }));
      break;
    case "artifact_removed":
      draft.files.delete(event.path);
      changeStep(draft, event.step, now, (step) => ({
        removed: including(step.removed, event.path),
      }));
      break;
    case "artifact_refused":
      changeStep(draft, event.step, now, (step) => ({
        refused: [...step.refused, { path: event.path, reason: event.reason }],
      }));
      break;
    case "contract_broken":
      changeLastAsk(draft, () => ({ gaps: event.gaps }));
      break;
    case "run_ended":
      changeLastAsk(draft, () => ({
        status: event.status,
        answer: event.answer,
        remarks: event.remarks,
      }));
      enter({ kind: "closing" });
      break;
    case "run_closed":
      enter({ kind: "ended", problem: event.problem });
      break;
    case "file_read":
    case "briefed":
    case "reasoning":
      break;
  }
}

/** The step in which the sandbox was lost is run again from its beginning. */
function goOn(draft: Draft, enter: (phase: Phase) => void): void {
  const index = draft.steps.findLastIndex(({ state }) => state === "working");
  const step = draft.steps[index];
  if (step === undefined) return;
  draft.steps[index] = { ...step, output: nothingPrinted };
  enter({ kind: "working", step: step.step, title: step.title });
}

type StepStarted = Extract<RunEvent, { event: "step_started" }>;
type StepEnded = Extract<RunEvent, { event: "step_ended" }>;

function startStep(draft: Draft, event: StepStarted, now: number | null): void {
  const ask = draft.asks.length - 1;
  const index = stepIndex(draft.steps, ask, event.step);
  const known = draft.steps[index] ?? newStep(ask, event.step, now);
  const said = draft.spoken.turn === event.turn ? draft.spoken.text : "";
  draft.spoken = { turn: 0, text: "" };
  const step: Step = {
    ...known,
    title: event.title || known.title,
    tool: event.tool,
    source: sourceOf(event.arguments),
    said,
    mended: event.mended ?? [],
    startedAt: now,
  };
  if (index >= 0) draft.steps[index] = step;
  else insertStep(draft.steps, step);
}

function sourceOf(given: StepStarted["arguments"]): string {
  const source = given.code ?? given.command ?? given.content ?? given.path;
  return typeof source === "string" ? source : "";
}

function endOfStep(step: Step, event: StepEnded, now: number | null): Partial<Step> {
  const elapsed = step.startedAt !== null && now !== null ? now - step.startedAt : null;
  return {
    state: event.ok ? "good" : "failed",
    durationMs: event.outcome?.duration_ms ?? elapsed,
    outcome: event.outcome,
    observation: event.observation,
    restarted: event.outcome?.restarted ?? false,
    output: isSilent(step.output) ? outputOf(event.outcome) : step.output,
  };
}

/** What a stored outcome keeps of the output, which is not stored piece by piece. */
function outputOf(outcome: StepOutcome | null): Step["output"] {
  if (outcome === null) return nothingPrinted;
  return [outcome.stdout, outcome.stderr].reduce(
    (output, kept) =>
      kept.skipped_bytes > 0
        ? {
            head: output.head + kept.head,
            tail: output.tail + kept.tail,
            skipped: output.skipped + kept.skipped_bytes,
            lineEnds: output.lineEnds + lineEnds(kept.head) + lineEnds(kept.tail),
          }
        : appended(output, kept.head + kept.tail),
    nothingPrinted,
  );
}

/** Changes a step of the present question, else of an earlier one, else makes it. */
function changeStep(
  draft: Draft,
  number: number,
  now: number | null,
  change: (step: Step) => Partial<Step>,
): void {
  const ask = draft.asks.length - 1;
  let index = stepIndex(draft.steps, ask, number);
  for (let earlier = ask - 1; index < 0 && earlier >= 0; earlier -= 1) {
    index = stepIndex(draft.steps, earlier, number);
  }
  const known = draft.steps[index];
  if (known !== undefined) {
    draft.steps[index] = { ...known, ...change(known) };
    return;
  }
  const step = newStep(ask, number, now);
  insertStep(draft.steps, { ...step, ...change(step) });
}

/** Looks from the end, where nearly all changes happen. */
function stepIndex(steps: readonly Step[], ask: number, number: number): number {
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step === undefined || step.ask < ask || (step.ask === ask && step.step < number)) return -1;
    if (step.ask === ask && step.step === number) return index;
  }
  return -1;
}

function insertStep(steps: Step[], step: Step): void {
  let index = steps.length;
  for (; index > 0; index -= 1) {
    const before = steps[index - 1];
    if (before === undefined || before.ask < step.ask) break;
    if (before.ask === step.ask && before.step < step.step) break;
  }
  steps.splice(index, 0, step);
}

function saveFile(files: Map<string, SavedFile>, path: string, size: number): void {
  files.set(path, { path, size, versions: (files.get(path)?.versions ?? 0) + 1 });
}

function including(paths: string[], path: string): string[] {
  return paths.includes(path) ? paths : [...paths, path];
}

function changeLastAsk(draft: Draft, change: (ask: Ask) => Partial<Ask>): void {
  const index = draft.asks.length - 1;
  const last = draft.asks[index];
  if (last !== undefined) draft.asks[index] = { ...last, ...change(last) };
}

/** What has been used with one more answer. Runs of earlier versions do not say what is an estimate. */
function withUsage(used: Used, usage: Usage | null, estimated: boolean | undefined): Used {
  if (usage === null) return used;
  const cost = usage.cost_microdollars ?? null;
  return {
    tokens: used.tokens + usage.input_tokens + usage.output_tokens,
    estimated: used.estimated || estimated === true,
    microdollars: cost === null ? used.microdollars : (used.microdollars ?? 0) + cost,
  };
}

/** The last question is worked on again, by a clock of its own. */
function beginAgain(draft: Draft, now: number | null): void {
  changeLastAsk(draft, () => ({
    startedAt: now,
    status: null,
    answer: "",
    remarks: [],
    gaps: [],
  }));
}

/**
 * The state of a run that no one works on any more, whatever its last event was: a step that never
 * ended counts as failed.
 */
export function settled(state: RunState): RunState {
  if (state.phase.kind === "ended") return state;
  const steps = state.steps.map((step): Step =>
    step.state === "working"
      ? { ...step, state: "failed", observation: "The app ended before this step did." }
      : step,
  );
  return { ...state, steps, phase: { kind: "ended", problem: null }, since: null };
}
