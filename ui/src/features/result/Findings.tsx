import type { Ref } from "react";
import type { RunView } from "../../api";
import type { Ask, RunState } from "../run/state";
import { FollowUp } from "./FollowUp";
import { Report } from "./Report";

interface FindingsProps {
  runId: string;
  state: RunState;
  view: RunView;
  onOpenFile: (path: string) => void;
  onOpenChart: (path: string) => void;
  /** The field for a further question, for whoever leads there. */
  field: Ref<HTMLTextAreaElement>;
  onSettings: () => void;
}

/** The report, the answers to further questions, and the box for the next one. */
export function Findings(props: FindingsProps) {
  const { runId, state, view, onOpenFile, onOpenChart, field, onSettings } = props;
  const [first, ...further] = state.asks;
  const page = { runId, files: view.artifacts, onOpenFile, onOpenChart };
  const text = view.report ?? first?.answer ?? "";
  return (
    <div className="mx-auto max-w-4xl py-8">
      {text === "" ? (
        <p className="mx-auto max-w-[39rem] font-serif text-lg text-quiet">
          No report was written.
        </p>
      ) : (
        <Report markdown={text} {...page} />
      )}
      {further.map((ask, at) => (
        <section key={at} className="mt-10">
          <h2 className="mx-auto max-w-[39rem] border-l-2 border-accent pl-3 text-lg font-semibold">
            {ask.text}
          </h2>
          <div className="mt-3">
            <Report markdown={answerOf(ask)} {...page} />
          </div>
        </section>
      ))}
      <FollowUp
        key={state.asks.length}
        runId={runId}
        state={state}
        view={view}
        field={field}
        onSettings={onSettings}
      />
    </div>
  );
}

function answerOf(ask: Ask): string {
  return ask.answer || "No answer was given.";
}
