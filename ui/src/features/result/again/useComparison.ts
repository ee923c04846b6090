import { useEffect } from "react";
import { compare, within, type AgainOf, type Comparison } from "../../../api";
import { useCall, type Call } from "../../../shared";

/** A run that does an earlier one again, and what changed in it. */
export interface Compared {
  again: AgainOf;
  call: Call<Comparison>;
  /** Looks once more. */
  look: () => void;
}

/** What changed in a run that does an earlier one again; null for any other, which asks for nothing. */
export function useComparison(runId: string, again: AgainOf | null | undefined): Compared | null {
  const [call, look] = useCall(() => within(60, compare(runId)));
  const isAgain = again !== null && again !== undefined;
  useEffect(() => {
    if (isAgain) void look();
  }, [isAgain, look]);
  return isAgain ? { again, call, look: () => void look() } : null;
}
