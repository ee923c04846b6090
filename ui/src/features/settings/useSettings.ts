import { useCallback, useEffect, useState } from "react";
import { asProblem, saveSettings, settings, within, type Problem, type Settings } from "../../api";

export interface KeptSettings {
  /** Null until they have been read. */
  kept: Settings | null;
  change: (part: Partial<Settings>) => Promise<void>;
  saved: { state: "idle" } | { state: "saved" } | { state: "failed"; problem: Problem };
}

/** What the person has set, kept by the shell; every change is saved at once. */
export function useSettings(): KeptSettings {
  const [kept, setKept] = useState<Settings | null>(null);
  const [saved, setSaved] = useState<KeptSettings["saved"]>({ state: "idle" });
  useEffect(() => {
    within(15, settings()).then(setKept, (thrown) =>
      setSaved({ state: "failed", problem: asProblem(thrown) }),
    );
  }, []);

  const change = useCallback(
    async (part: Partial<Settings>) => {
      if (kept === null) return;
      const next = { ...kept, ...part };
      setKept(next);
      try {
        await within(15, saveSettings(next));
        // The shell keeps a key to itself and says only that it has one.
        setKept(await within(15, settings()));
        setSaved({ state: "saved" });
      } catch (thrown) {
        setSaved({ state: "failed", problem: asProblem(thrown) });
      }
    },
    [kept],
  );

  return { kept, change, saved };
}
