import { useCallback, useEffect, useRef, useState } from "react";
import {
  asProblem,
  diagnose,
  within,
  type Check,
  type Diagnosis,
  type EngineChoice,
  type Readiness,
} from "../../api";

export interface Diagnosed {
  /** Null until the first look has ended. */
  checks: Check[] | null;
  /** The runtime that is used, or would be; empty where nothing is known of it. */
  runtime: string;
  /** What it says of itself, when it is ready. */
  sandbox: Readiness | null;
  /** Where the runs go that it is about. */
  engine: EngineChoice;
  /** Looks again; answers what was seen. */
  look: () => Promise<Check[]>;
}

const LOOK_EVERY_MS = 3000;

/** Where runs go that nobody has sent elsewhere. */
export const usual: EngineChoice = { kind: "usual" };

/** How engine, sandbox and model are. While `watching`, looks again every few seconds. */
export function useDiagnosis(watching: boolean, engine = usual): Diagnosed {
  const [seen, setSeen] = useState<{ of: EngineChoice; diagnosis: Diagnosis } | null>(null);
  const newest = useRef(0);

  const look = useCallback(async () => {
    const mine = ++newest.current;
    const diagnosis = await within(20, diagnose(engine)).catch((thrown): Diagnosis => ({
      checks: [{ name: "Engine", ready: null, problem: asProblem(thrown) }],
      runtime: "",
      sandbox: null,
    }));
    if (mine === newest.current) setSeen({ of: engine, diagnosis });
    return diagnosis.checks;
  }, [engine]);

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

  // What was seen of one engine says nothing of another.
  const diagnosis = seen?.of === engine ? seen.diagnosis : null;
  return {
    checks: diagnosis?.checks ?? null,
    runtime: diagnosis?.runtime ?? "",
    sandbox: diagnosis?.sandbox ?? null,
    engine,
    look,
  };
}

/** The first thing that keeps code from running here; the model is another matter. */
export const troubleOf = (checks: Check[] | null) =>
  checks?.find((check) => check.name !== "Model" && check.problem !== null)?.problem ?? null;

export const modelTroubleOf = (checks: Check[] | null) =>
  checks?.find((check) => check.name === "Model")?.problem ?? null;

const codes = [
  "engine_missing",
  "engine_stopped",
  "engine_forbidden",
  "engine_unusable",
  "consent_missing",
  "image",
  "other_image",
];

/** Whether a problem is one of those this feature helps with. */
export const isTrouble = (code: string) => codes.includes(code);
