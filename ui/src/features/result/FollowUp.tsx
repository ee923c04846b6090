import { useState, type KeyboardEvent } from "react";
import type { RunView } from "../../api";
import { Button, counted, ProblemCard, TextBox, useCall } from "../../shared";
import { followUp, resume } from "../run/start";
import type { RunState } from "../run/state";

interface FollowUpProps {
  runId: string;
  state: RunState;
  view: RunView;
}

/** The box for a further question, and what asking it will take. */
export function FollowUp({ runId, state, view }: FollowUpProps) {
  const [text, setText] = useState("");
  const [asking, ask] = useCall((question: string) => followUp(runId, question));
  const isInterrupted = view.summary.status === "interrupted" && state.asks.at(-1)?.status === null;
  const [resuming, goOn] = useCall(() => resume(runId));
  const isBusy = [asking, resuming].some(({ state }) => state === "busy" || state === "done");
  const send = () => {
    if (text.trim() !== "" && !isBusy) void ask(text.trim());
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <section className="mx-auto mt-10 max-w-[39rem] border-t border-line pt-6">
      {isInterrupted && (
        <div className="mb-5">
          <p className="mb-2">
            This run broke off before it was finished. It can go on from its last finished step.
          </p>
          <Button tone="primary" busy={isBusy} onClick={() => void goOn()}>
            Continue
          </Button>
          {resuming.state === "failed" && (
            <ProblemCard problem={resuming.problem} className="mt-3" />
          )}
        </div>
      )}
      <TextBox
        label="Ask further"
        hint={sessionWords(state, view)}
        placeholder="A question about the same data"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={sendByKey}
      />
      <div className="mt-2 flex justify-end">
        <Button
          tone={isInterrupted ? "plain" : "primary"}
          busy={isBusy}
          disabled={text.trim() === ""}
          onClick={send}
        >
          Ask
        </Button>
      </div>
      {asking.state === "failed" && <ProblemCard problem={asking.problem} className="mt-3" />}
    </section>
  );
}

function sessionWords(state: RunState, view: RunView): string {
  if (view.live) return "The sandbox is still open: everything worked out so far is at hand.";
  const steps = state.steps.filter((step) => step.state === "good").length;
  return steps === 0
    ? "The sandbox has been closed. A new one will be opened for your question."
    : `The sandbox has been closed. Its ${counted(steps, "finished step")} will be run again first, then your question is answered.`;
}
