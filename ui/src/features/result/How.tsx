import type { RunRecord } from "../../api";
import { Lines } from "../run/Lines";
import { Aside } from "../run/Timeline";
import type { RunState } from "../run/state";
import { usedWords } from "../run/words";
import { DataStory } from "./DataStory";
import { Record } from "./Record";

interface HowProps {
  runId: string;
  state: RunState;
  record: RunRecord;
  /** Opens a step, at a line that it printed. */
  onOpenStep: (step: number, line: string | null) => void;
}

/** What happened to the data, every step with its code and output, and what was in force while they ran. */
export function How({ runId, state, record, onOpenStep }: HowProps) {
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-8 py-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <DataStory runId={runId} onOpenStep={onOpenStep} />
      <section aria-labelledby="how-steps">
        <h2 id="how-steps" className="mb-2 text-lg font-semibold">
          The steps
        </h2>
        {state.asks.map((ask, at) => {
          const steps = state.steps.filter((step) => step.ask === at);
          return (
            <div key={at} className="mb-4">
              <p className="mb-1 font-serif text-quiet">{ask.text || record.request}</p>
              <div className="-mx-3">
                <Lines steps={steps} now={null} />
                <Aside ask={ask} />
              </div>
              {usedWords(ask.used) !== "" && (
                <p className="mt-1 text-sm text-quiet">Used: {usedWords(ask.used)}</p>
              )}
              {ask.gaps.length > 0 && (
                <p className="mt-1 text-sm text-quiet">
                  It was sent back once because something was missing: {ask.gaps.join("; ")}
                </p>
              )}
            </div>
          );
        })}
      </section>
      <Record record={record} facts={state.facts} place={state.place} />
    </div>
  );
}
