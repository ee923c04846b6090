import { useCallback, useState } from "react";
import { asProblem, within, type Problem, type RunAsk } from "../api";
import { startRun } from "../features/run/start";
import { isTrouble } from "../features/trouble";

/** How far the press of Analyse has come. */
export type Analysing =
  | { state: "idle" }
  | { state: "starting" }
  /** Engine or sandbox are in the way; the ask waits for them. */
  | { state: "held"; ask: RunAsk }
  | { state: "refused"; problem: Problem };

/** Starts a run, or says what is in its way. */
export function useAnalyse(onStarted: (run: string) => void) {
  const [analysing, setAnalysing] = useState<Analysing>({ state: "idle" });
  const analyse = useCallback(
    async (ask: RunAsk) => {
      setAnalysing({ state: "starting" });
      try {
        const run = await within(120, startRun(ask), "The run did not start within two minutes.");
        setAnalysing({ state: "idle" });
        onStarted(run);
      } catch (thrown) {
        const problem = asProblem(thrown);
        setAnalysing(
          isTrouble(problem.code) ? { state: "held", ask } : { state: "refused", problem },
        );
      }
    },
    [onStarted],
  );
  const drop = useCallback(() => setAnalysing({ state: "idle" }), []);
  return { analysing, analyse, drop };
}
