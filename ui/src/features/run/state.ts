import type {
  ModelCard,
  Problem,
  Question,
  Readiness,
  RunStatus,
  SessionFacts,
  StepOutcome,
} from "../../api";
import { nothingPrinted } from "./printed";

/** What a run is doing at this moment. */
export type Phase =
  | { kind: "opening"; reading: string | null; isHosted?: true }
  | { kind: "queued"; engines: string[] }
  | { kind: "thinking"; turn: number; text: string }
  | { kind: "waiting"; waitS: number; reason: string }
  | { kind: "asking"; step: number; question: Question }
  | { kind: "working"; step: number; title: string }
  | { kind: "replaying"; step: number; title: string }
  | { kind: "restoring" }
  | { kind: "closing" }
  | { kind: "ended"; problem: Problem | null };

/** Output of one step, bounded: its beginning and its end. */
export interface StepOutput {
  head: string;
  tail: string;
  /** How many characters lie between the two. */
  skipped: number;
  /** How many lines have ended in all that was printed, as far as it is known. */
  lineEnds: number;
}

/** What the model wanted to know, and what it was told. */
export interface Asked {
  question: Question;
  /** Open until somebody says something; null when the choice is left to the model. */
  answer: { state: "open" } | { state: "given"; text: string | null };
}

/** What was used of a model. */
export interface Used {
  tokens: number;
  /** Whether a part of the tokens is an estimate. */
  estimated: boolean;
  /** Millionths of a US dollar; null where nothing is known of it. */
  microdollars: number | null;
}

/** One step of the work. */
export interface Step {
  /** Position of the question it belongs to. */
  ask: number;
  /** Its number in the run. */
  step: number;
  title: string;
  tool: string;
  /** The code, command, or path that the step was given. */
  source: string;
  /** What was said before it, in plain words. */
  said: string;
  /** What was mended of its code before it ran, a sentence each. */
  mended: string[];
  /** The question that it put to the person, where it did. */
  asked: Asked | null;
  output: StepOutput;
  state: "working" | "good" | "failed";
  /** When it began on the clock of this window, in milliseconds; null for a run read from the store. */
  startedAt: number | null;
  durationMs: number | null;
  outcome: StepOutcome | null;
  observation: string;
  saved: string[];
  removed: string[];
  refused: { path: string; reason: string }[];
  /** Whether Python had to be started again, so that its variables are gone. */
  restarted: boolean;
}

/** A sandbox that was lost and set up again. */
export interface Restored {
  /** How many steps were run again. */
  steps: number;
  /** Those of them that came out differently this time. */
  different: number[];
}

/** One question of a run and how it ended; the first is the request itself. */
export interface Ask {
  /** The question; empty for the first, which the record holds. */
  text: string;
  startedAt: number | null;
  status: RunStatus | null;
  answer: string;
  remarks: string[];
  /** What the work was sent back for. */
  gaps: string[];
  /** How many results were shortened, so that the model had room to go on. */
  shortened: number;
  /** How often the sandbox was lost and set up again, and what that changed. */
  restored: Restored[];
  used: Used;
}

/** A file that the run has left. */
export interface SavedFile {
  path: string;
  size: number;
  /** How often it was saved. */
  versions: number;
}

/** Where the code of a run is executed. */
export interface Place {
  /** What the engine is called in the list, where it is one of it. */
  name: string | null;
  ready: Readiness;
}

/** All that the events of a run say. */
export interface RunState {
  run: string | null;
  phase: Phase;
  /** When the present phase began, in milliseconds; null for a run read from the store. */
  since: number | null;
  model: ModelCard | null;
  facts: SessionFacts | null;
  /** Null until a sandbox is opened, and for runs of earlier versions. */
  place: Place | null;
  asks: Ask[];
  steps: Step[];
  /** The files by path, in the order in which they first appeared. */
  files: ReadonlyMap<string, SavedFile>;
  /** The last turn's words, until a step or the next turn takes their place. */
  spoken: { turn: number; text: string };
}

export const nothingUsed: Used = { tokens: 0, estimated: false, microdollars: null };

/** A question that nothing is known about yet. */
export function newAsk(text: string, now: number | null): Ask {
  return {
    text,
    startedAt: now,
    status: null,
    answer: "",
    remarks: [],
    gaps: [],
    shortened: 0,
    restored: [],
    used: nothingUsed,
  };
}

/** A run of which no event has arrived. */
export function newRun(now: number | null): RunState {
  return {
    run: null,
    phase: { kind: "opening", reading: null },
    since: now,
    model: null,
    facts: null,
    place: null,
    asks: [newAsk("", now)],
    steps: [],
    files: new Map(),
    spoken: { turn: 0, text: "" },
  };
}

/** A step of which nothing is known yet. */
export function newStep(ask: number, step: number, now: number | null): Step {
  return {
    ask,
    step,
    title: `Step ${step}`,
    tool: "run_python",
    source: "",
    said: "",
    mended: [],
    asked: null,
    output: nothingPrinted,
    state: "working",
    startedAt: now,
    durationMs: null,
    outcome: null,
    observation: "",
    saved: [],
    removed: [],
    refused: [],
    restarted: false,
  };
}

/** A name for a step that is unique in its run. */
export function stepKey(step: Step): string {
  return `${step.ask}-${step.step}`;
}

/** Whether nothing more will happen unless it is asked for. */
export function hasEnded(state: RunState): boolean {
  return state.phase.kind === "ended";
}
