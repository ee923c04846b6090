import { followUp as callFollowUp, startRun as callStartRun, type RunAsk } from "../../api";
import { entryOf, keep, newEntry, take } from "./store";

/** Starts a run; answers its id, under which its events are kept. Rejects with a `Problem`. */
export async function startRun(ask: RunAsk): Promise<string> {
  const entry = newEntry(Date.now());
  const run = await callStartRun(ask, (events) => take(entry, events));
  keep(run, entry);
  return run;
}

/** Asks a further question of a run that is known already. Rejects with a `Problem`. */
export async function followUp(run: string, ask: string): Promise<void> {
  const entry = entryOf(run);
  const wasFollowed = entry.followed;
  entry.followed = true;
  try {
    await callFollowUp(run, ask, (events) => take(entry, events));
  } catch (thrown) {
    entry.followed = wasFollowed;
    throw thrown;
  }
}
