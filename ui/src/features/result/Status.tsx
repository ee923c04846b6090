import type { RunView } from "../../api";
import { classes, ProblemCard } from "../../shared";
import type { RunState } from "../run/state";
import { ending } from "../run/words";

const TONES = { good: "bg-found", short: "bg-accent", bad: "bg-missing" } as const;

/** How the run ended, what is missing of it, and what went wrong. */
export function Status({ state, view }: { state: RunState; view: RunView }) {
  const last = state.asks.at(-1);
  const problem = state.phase.kind === "ended" ? state.phase.problem : null;
  const status = last?.status ?? view.summary.status;
  const { tone, sentence } = ending(status);
  return (
    <div role="status" className="mb-3">
      <p className="flex items-baseline gap-2.5">
        <span aria-hidden className={classes("size-2 shrink-0 rotate-45", TONES[tone])} />
        <span className={tone === "bad" ? "text-missing" : ""}>{sentence}</span>
      </p>
      {last !== undefined && last.remarks.length > 0 && (
        <ul className="mt-1 ml-[1.15rem] list-disc pl-4 text-quiet">
          {last.remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      {problem !== null && <ProblemCard problem={problem} className="mt-3" />}
    </div>
  );
}
