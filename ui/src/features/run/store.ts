import { useCallback, useSyncExternalStore } from "react";
import { asProblem, openRun, within, type Problem, type RunEvent, type RunView } from "../../api";
import { applyEvents, settled } from "./reducer";
import { newRun, type RunState } from "./state";

/** What the window knows of one run. */
export interface KnownRun {
  state: RunState;
  /** The stored run; null until it has been read. */
  view: RunView | null;
  /** Why the stored run could not be read. */
  problem: Problem | null;
}

interface Entry {
  /** Null until the shell has answered with the id. */
  run: string | null;
  known: KnownRun;
  listeners: Set<() => void>;
  waiting: RunEvent[];
  timer: ReturnType<typeof setTimeout> | null;
  /** Whether events come by a channel, so that the state is ahead of the stored run. */
  followed: boolean;
  /** The latest reading of the stored run; an earlier one that answers later is let go. */
  reading: number;
}

/** Batches that arrive within this time are drawn together. */
const FRAME_MS = 40;
/** How often a run that this window did not start is looked at while it goes on, in milliseconds. */
const LOOK_AGAIN_MS = 2000;

const entries = new Map<string, Entry>();
const nothing: KnownRun = { state: newRun(null), view: null, problem: null };

/** An entry for a run whose events this window will hear. */
export function newEntry(now: number): Entry {
  return {
    run: null,
    known: { ...nothing, state: newRun(now) },
    listeners: new Set(),
    waiting: [],
    timer: null,
    followed: true,
    reading: 0,
  };
}

/** Files the entry under its run. */
export function keep(run: string, entry: Entry): void {
  entry.run = run;
  entries.set(run, entry);
}

/** The entry of a run, made when there is none. */
export function entryOf(run: string): Entry {
  const known = entries.get(run);
  if (known !== undefined) return known;
  const entry: Entry = { ...newEntry(0), known: nothing, followed: false };
  keep(run, entry);
  return entry;
}

/** Lets go of what is known of a run. */
export function forget(run: string): void {
  entries.delete(run);
}

/** Takes a batch of events; they are applied together with others of the same moment. */
export function take(entry: Entry, events: readonly RunEvent[]): void {
  for (const event of events) entry.waiting.push(event);
  entry.timer ??= setTimeout(() => flush(entry), FRAME_MS);
}

function flush(entry: Entry): void {
  entry.timer = null;
  const events = entry.waiting;
  entry.waiting = [];
  change(entry, { state: applyEvents(entry.known.state, events, Date.now()) });
  if (entry.run !== null && events.some(changesStoredRun)) void readStored(entry.run);
}

function changesStoredRun(event: RunEvent): boolean {
  return (
    event.event === "run_closed" ||
    event.event === "sandbox_ready" ||
    (event.event === "artifact_saved" && event.path === "report.md")
  );
}

/** Reads the stored run; where no events are heard, the state is made from its journal. */
export async function readStored(run: string): Promise<void> {
  const entry = entryOf(run);
  entry.reading += 1;
  const reading = entry.reading;
  try {
    const view = await within(30, openRun(run));
    if (reading !== entry.reading) return;
    const goesOn = view.summary.status === "running";
    if (entry.followed) {
      change(entry, { view, problem: null });
      return;
    }
    const journal = applyEvents(newRun(null), view.events, null);
    change(entry, { view, problem: null, state: goesOn ? journal : settled(journal) });
    if (goesOn && entry.listeners.size > 0) setTimeout(() => void readStored(run), LOOK_AGAIN_MS);
  } catch (thrown) {
    if (reading === entry.reading) change(entry, { problem: asProblem(thrown) });
  }
}

function change(entry: Entry, to: Partial<KnownRun>): void {
  entry.known = { ...entry.known, ...to };
  for (const listener of entry.listeners) listener();
}

/** What is known of a run, kept up to date; the stored run is read when nothing is known yet. */
export function useRun(run: string): KnownRun {
  const subscribe = useCallback(
    (listener: () => void) => {
      const entry = entryOf(run);
      entry.listeners.add(listener);
      if (entry.known.view === null) void readStored(run);
      return () => void entry.listeners.delete(listener);
    },
    [run],
  );
  return useSyncExternalStore(subscribe, () => entries.get(run)?.known ?? nothing);
}
