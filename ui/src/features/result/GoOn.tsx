import { useCallback, useState } from "react";
import type { Problem } from "../../api";
import { Button, ProblemCard, useCall } from "../../shared";
import { followUp, resume } from "../run/start";
import { isTrouble, TroubleDialog, useDiagnosis } from "../trouble";

/** More work on a run: a further question, or none to take it up where it was cut off. */
export interface GoOn {
  isBusy: boolean;
  problem: Problem | null;
  goOn: (ask: string | null) => void;
  /** The same once more. */
  again: () => void;
  forget: () => void;
}

/** Lets a run go on. When that has begun the run's own screen takes over, so it stays busy. */
export function useGoOn(runId: string): GoOn {
  const [asked, setAsked] = useState<string | null>(null);
  const [going, start, forget] = useCall((ask: string | null) =>
    ask === null ? resume(runId) : followUp(runId, ask),
  );
  const goOn = useCallback(
    (ask: string | null) => {
      setAsked(ask);
      void start(ask);
    },
    [start],
  );
  return {
    isBusy: going.state === "busy" || going.state === "done",
    problem: going.state === "failed" ? going.problem : null,
    goOn,
    again: () => goOn(asked),
    forget,
  };
}

interface GoOnTroubleProps {
  going: GoOn;
  onSettings: () => void;
}

/** What keeps a run from going on, with what can be done about it. */
export function GoOnTrouble({ going, onSettings }: GoOnTroubleProps) {
  const { problem, again } = going;
  if (problem === null) return null;
  if (isTrouble(problem.code)) return <Mending onGoOn={again} onClose={going.forget} />;
  return (
    <ProblemCard
      problem={problem}
      className="mt-3"
      actions={
        <>
          <Button onClick={again}>Try again</Button>
          <ModelButton problem={problem} onSettings={onSettings} />
        </>
      }
    />
  );
}

/** Helps from what is in the way of a sandbox to the work that waits for it. */
export function Mending({ onGoOn, onClose }: { onGoOn: () => void; onClose: () => void }) {
  const diagnosed = useDiagnosis(true);
  return (
    <TroubleDialog
      open
      onClose={onClose}
      diagnosed={diagnosed}
      settings={null}
      onGoOn={onGoOn}
      goOnLabel="Continue now"
    />
  );
}

const ofModel = new Set<Problem["code"]>(["model", "model_failed", "keychain"]);

/** Leads to the choice of what thinks, where that is what failed. */
export function ModelButton({ problem, onSettings }: { problem: Problem; onSettings: () => void }) {
  if (!ofModel.has(problem.code)) return null;
  return <Button onClick={onSettings}>Choose what thinks</Button>;
}
