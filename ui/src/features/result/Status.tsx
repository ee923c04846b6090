import type { ReportCheck, RunView } from "../../api";
import { Button, classes, ProblemCard } from "../../shared";
import type { RunState } from "../run/state";
import { ending } from "../run/words";
import { endOf, remedyOf, type Remedy } from "./end";
import { EvidenceBadge } from "./EvidenceBadge";
import { SentBadge } from "./SentBadge";
import { GoOnTrouble, ModelButton, useGoOn } from "./GoOn";

const TONES = { good: "bg-found", short: "bg-accent", bad: "bg-missing" } as const;

interface StatusProps {
  runId: string;
  state: RunState;
  view: RunView;
  /** What is known of the report's figures; null while that is being found out, and where it cannot be. */
  checked: ReportCheck | null;
  /** Leads to the box for a further question. */
  onRephrase: () => void;
  onSettings: () => void;
  onOpenStep: (step: number, line: string | null) => void;
}

/** How the run ended, what is missing of it, what went wrong, and what can be done about it. */
export function Status(props: StatusProps) {
  const { runId, state, view, checked, onRephrase, onSettings, onOpenStep } = props;
  const going = useGoOn(runId);
  const end = endOf(state, view.summary);
  const remarks = state.asks.at(-1)?.remarks ?? [];
  const problem = state.phase.kind === "ended" ? state.phase.problem : null;
  const { tone, sentence } = ending(end);
  const remedy = remedyOf(end, remarks);
  const apply = (chosen: Remedy) => {
    if (chosen.kind === "rephrase") onRephrase();
    else going.goOn(chosen.kind === "ask" ? chosen.ask : null);
  };
  const elsewhere = end === "paused" && <Button onClick={onSettings}>Choose what thinks</Button>;
  const button = remedy.kind !== "none" && (
    <Button tone="primary" busy={going.isBusy} onClick={() => apply(remedy)}>
      {remedy.label}
    </Button>
  );

  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div role="status" className="min-w-0">
          <p className="flex items-baseline gap-2.5">
            <span aria-hidden className={classes("size-2 shrink-0 rotate-45", TONES[tone])} />
            <span className={tone === "bad" ? "text-missing" : ""}>{sentence}</span>
          </p>
          {remarks.length > 0 && (
            <ul className="mt-1 ml-[1.15rem] list-disc pl-4 text-quiet">
              {remarks.map((remark) => (
                <li key={remark}>{remark}</li>
              ))}
            </ul>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {checked !== null && <EvidenceBadge checked={checked} onOpenStep={onOpenStep} />}
          <SentBadge runId={runId} sent={view.sent} />
        </div>
      </div>
      {problem === null ? (
        <div className="mt-2.5 flex flex-wrap gap-2 pl-[1.15rem] empty:hidden">
          {button}
          {elsewhere}
        </div>
      ) : (
        <ProblemCard
          problem={problem}
          className="mt-3"
          actions={
            <>
              {button}
              <ModelButton problem={problem} onSettings={onSettings} />
            </>
          }
        />
      )}
      <GoOnTrouble going={going} onSettings={onSettings} />
    </div>
  );
}
