import { useCallback, useEffect, useRef, useState } from "react";
import { asProblem, type Problem } from "../api";

/** How far a call to the shell has come. */
export type Call<Answer> =
  | { state: "idle" }
  | { state: "busy" }
  | { state: "done"; answer: Answer }
  | { state: "failed"; problem: Problem };

/** Runs a call on demand and keeps its state; the answer of an older call never overtakes. */
export function useCall<Answer, Args extends unknown[]>(
  call: (...args: Args) => Promise<Answer>,
): [Call<Answer>, (...args: Args) => Promise<Answer | null>, () => void] {
  const [state, setState] = useState<Call<Answer>>({ state: "idle" });
  const newest = useRef(0);
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });

  const start = useCallback(async (...args: Args) => {
    const mine = ++newest.current;
    setState({ state: "busy" });
    try {
      const answer = await latest.current(...args);
      if (mine === newest.current) setState({ state: "done", answer });
      return answer;
    } catch (thrown) {
      if (mine === newest.current) setState({ state: "failed", problem: asProblem(thrown) });
      return null;
    }
  }, []);

  const reset = useCallback(() => {
    newest.current += 1;
    setState({ state: "idle" });
  }, []);

  return [state, start, reset];
}
