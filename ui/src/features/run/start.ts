import {
  followUp as callFollowUp,
  resumeRun as callResumeRun,
  runAgain as callRunAgain,
  startRun as callStartRun,
  within,
  type EventSink,
  type MovedColumn,
  type RunAsk,
} from "../../api";
import { entryOf, keep, newEntry, take } from "./store";

/** Opening a sandbox again and asking the model whether it is there may take so long, in seconds. */
const UP_LIMIT_S = 120;

/** Starts a run; answers its id, under which its events are kept. Rejects with a `Problem`. */
export const startRun = (ask: RunAsk) => begin((heard) => callStartRun(ask, heard));

/** Does an earlier run again on a file of the desk; answers the new run's id. Rejects with a `Problem`. */
export const startAgain = (run: string, file: string, columns: MovedColumn[]) =>
  begin((heard) => callRunAgain(run, file, columns, heard));

async function begin(call: (heard: EventSink) => Promise<string>): Promise<string> {
  const entry = newEntry(Date.now());
  const run = await call((events) => take(entry, events));
  keep(run, entry);
  return run;
}

/** Asks a further question of a run that is known already. Rejects with a `Problem`. */
export const followUp = (run: string, ask: string) =>
  goOn(run, (heard) => callFollowUp(run, ask, heard));

/** Lets a run that was cut off go on from its last finished step. Rejects with a `Problem`. */
export const resume = (run: string) => goOn(run, (heard) => callResumeRun(run, heard));

async function goOn(run: string, call: (heard: EventSink) => Promise<null>): Promise<void> {
  const entry = entryOf(run);
  const wasFollowed = entry.followed;
  entry.followed = true;
  try {
    const heard: EventSink = (events) => take(entry, events);
    await within(UP_LIMIT_S, call(heard), "The run did not go on within two minutes.");
  } catch (thrown) {
    entry.followed = wasFollowed;
    throw thrown;
  }
}
