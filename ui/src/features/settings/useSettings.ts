import { useCallback, useEffect, useState } from "react";
import {
  asProblem,
  saveSettings,
  settings,
  within,
  type Problem,
  type RemoteModel,
  type Settings,
} from "../../api";

export interface KeptSettings {
  /** Null until they have been read. */
  kept: Settings | null;
  /** Keeps a change, and says at the head of the page how that went. */
  change: (part: Partial<Settings>) => Promise<void>;
  /** Keeps a change for somebody who shows by themselves why it could not be: rejects with a `Problem`. */
  save: (part: Partial<Settings>) => Promise<void>;
  /** Reads them anew, where the shell has changed one by itself. */
  reread: () => Promise<void>;
  saved: { state: "idle" } | { state: "saved" } | { state: "failed"; problem: Problem };
  /** The language model that was connected last, though another one thinks now. */
  lastRemote: RemoteModel | null;
}

/** Somebody may have to unlock the keychain first, in seconds. */
const UNLOCK_LIMIT_S = 120;

/** What the person has set, kept by the shell; every change is saved at once. */
export function useSettings(): KeptSettings {
  const [kept, setKept] = useState<Settings | null>(null);
  const [lastRemote, setLastRemote] = useState<RemoteModel | null>(null);
  const [saved, setSaved] = useState<KeptSettings["saved"]>({ state: "idle" });
  const take = useCallback((next: Settings) => {
    setKept(next);
    const last = next.model.kind === "remote" ? next.model : next.last_remote;
    if (last !== null) setLastRemote(last);
  }, []);
  const reread = useCallback(
    () =>
      within(15, settings()).then(take, (thrown) =>
        setSaved({ state: "failed", problem: asProblem(thrown) }),
      ),
    [take],
  );
  useEffect(() => void reread(), [reread]);

  const save = useCallback(
    async (part: Partial<Settings>) => {
      if (kept === null) return;
      const next = { ...kept, ...part };
      const ofModel = next.model.kind === "remote" ? next.model.key : null;
      const hasKey = (ofModel ?? next.hosted.key ?? null) !== null;
      setKept(next);
      try {
        await within(hasKey ? UNLOCK_LIMIT_S : 15, saveSettings(next));
        // The shell keeps a key to itself and says only where it has one.
        take(await within(15, settings()));
        setSaved({ state: "saved" });
      } catch (thrown) {
        setKept(kept);
        throw asProblem(thrown);
      }
    },
    [kept, take],
  );

  const change = useCallback(
    (part: Partial<Settings>) =>
      save(part).catch((thrown) => setSaved({ state: "failed", problem: asProblem(thrown) })),
    [save],
  );

  return { kept, change, save, reread, saved, lastRemote };
}
