import { useCallback, useState } from "react";
import {
  engines,
  listEngines,
  within,
  type Engines,
  type ListedEngine,
  type Problem,
} from "../../api";
import { useCall } from "../../shared";

/** An engine that is far away may take its time to say no, in seconds. */
const LIMIT_S = 60;

export interface KnownEngines {
  /** What was seen last; null until somebody has looked. */
  seen: Engines | null;
  /** Whether they are being asked. */
  busy: boolean;
  /** Why the last look came to nothing. */
  problem: Problem | null;
  /** Asks every engine anew. */
  look: () => Promise<unknown>;
  /** Keeps the list and asks again. Rejects with a `Problem`. */
  keep: (list: ListedEngine[]) => Promise<void>;
}

/** The engines that this computer may use; nothing is asked until somebody looks. */
export function useEngines(): KnownEngines {
  const [seen, setSeen] = useState<Engines | null>(null);
  const [looking, look] = useCall(async () => {
    setSeen(await within(LIMIT_S, engines(), "The engines did not answer within a minute."));
  });
  const keep = useCallback(
    async (list: ListedEngine[]) => {
      await within(15, listEngines(list));
      await look();
    },
    [look],
  );
  const problem = looking.state === "failed" ? looking.problem : null;
  return { seen, busy: looking.state === "busy", problem, look, keep };
}
