import type { Ref } from "react";
import type { Document, ReportCheck, RunView } from "../../api";
import type { RunState } from "../run/state";
import { FollowUp } from "./FollowUp";
import { CheckedReport } from "./report/CheckedReport";
import { Report } from "./report/Report";

interface FindingsProps {
  runId: string;
  state: RunState;
  view: RunView;
  /** What is known of the report's figures. */
  checked: ReportCheck | null;
  onOpenFile: (path: string) => void;
  onOpenChart: (path: string) => void;
  onOpenStep: (step: number, line: string | null) => void;
  /** The field for a further question, for whoever leads there. */
  field: Ref<HTMLTextAreaElement>;
  onSettings: () => void;
}

const isEmpty = ({ blocks }: Document) => blocks.length === 0;

/** The report, the answers to further questions, and the box for the next one. */
export function Findings(props: FindingsProps) {
  const { runId, state, view, checked, onOpenFile, onOpenChart, onOpenStep } = props;
  const page = { runId, files: view.artifacts, onOpenFile, onOpenChart };
  const [first, ...further] = view.answers;
  const findings = view.report ?? first;
  return (
    <div className="mx-auto max-w-4xl py-8">
      {findings === undefined || isEmpty(findings) ? (
        <Nothing>No report was written.</Nothing>
      ) : (
        <CheckedReport document={findings} checked={checked} onOpenStep={onOpenStep} {...page} />
      )}
      {state.asks.slice(1).map((ask, at) => {
        const answer = further[at];
        return (
          <section key={at} className="mt-10">
            <h2 className="mx-auto max-w-[39rem] border-l-2 border-accent pl-3 text-lg font-semibold">
              {ask.text}
            </h2>
            <div className="mt-3">
              {/* The stored run is a moment behind the events that tell of the question. */}
              {answer !== undefined &&
                (isEmpty(answer) ? (
                  <Nothing>No answer was given.</Nothing>
                ) : (
                  <Report document={answer} {...page} />
                ))}
            </div>
          </section>
        );
      })}
      <FollowUp
        key={state.asks.length}
        runId={runId}
        state={state}
        view={view}
        field={props.field}
        onSettings={props.onSettings}
      />
    </div>
  );
}

/** What stands where nothing was written. */
function Nothing({ children }: { children: string }) {
  return <p className="mx-auto max-w-[39rem] font-serif text-lg text-quiet">{children}</p>;
}
