import { useCallback, useEffect, useRef, useState } from "react";
import { asProblem, diagnose, within, type Check } from "../../api";

export interface Diagnosed {
  /** Null until the first look has ended. */
  checks: Check[] | null;
  /** Looks again; answers what was seen. */
  look: () => Promise<Check[]>;
}

const LOOK_EVERY_MS = 3000;

/** How engine, sandbox and model are. While `watching`, looks again every few seconds. */
export function useDiagnosis(watching: boolean): Diagnosed {
  const [checks, setChecks] = useState<Check[] | null>(null);
  const newest = useRef(0);

  const look = useCallback(async () => {
    const mine = ++newest.current;
    const seen = await within(20, diagnose()).then(
      (diagnosis) => diagnosis.checks,
      (thrown): Check[] => [{ name: "Engine", ready: null, problem: asProblem(thrown) }],
    );
    if (mine === newest.current) setChecks(seen);
    return seen;
  }, []);

  useEffect(() => {
    if (!watching) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const again = async () => {
      await look();
      if (wanted) timer = setTimeout(() => void again(), LOOK_EVERY_MS);
    };
    void again();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [watching, look]);

  // Whoever comes back from starting the engine finds it seen.
  useEffect(() => {
    const back = () => void look();
    window.addEventListener("focus", back);
    return () => window.removeEventListener("focus", back);
  }, [look]);

  return { checks, look };
}

/** The first thing that keeps code from running here; the model is another matter. */
export const troubleOf = (checks: Check[] | null) =>
  checks?.find((check) => check.name !== "Model" && check.problem !== null)?.problem ?? null;

export const modelTroubleOf = (checks: Check[] | null) =>
  checks?.find((check) => check.name === "Model")?.problem ?? null;

const codes = ["engine_missing", "engine_stopped", "engine_forbidden", "image", "other_image"];

/** Whether a problem is one of those this feature helps with. */
export const isTrouble = (code: string) => codes.includes(code);
