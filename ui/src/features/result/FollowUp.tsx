import { useState, type KeyboardEvent, type Ref } from "react";
import type { RunView } from "../../api";
import { Button, counted, TextBox } from "../../shared";
import type { RunState } from "../run/state";
import { GoOnTrouble, useGoOn } from "./GoOn";

interface FollowUpProps {
  runId: string;
  state: RunState;
  view: RunView;
  /** The field itself, for whoever leads there. */
  field: Ref<HTMLTextAreaElement>;
  onSettings: () => void;
}

/** The box for a further question, and what asking it will take. */
export function FollowUp({ runId, state, view, field, onSettings }: FollowUpProps) {
  const [text, setText] = useState("");
  const going = useGoOn(runId);
  const send = () => {
    if (text.trim() !== "" && !going.isBusy) going.goOn(text.trim());
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <section className="mx-auto mt-10 max-w-[39rem] border-t border-line pt-6">
      <TextBox
        ref={field}
        label="Ask further"
        hint={sessionWords(state, view)}
        placeholder="A question about the same data"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={sendByKey}
      />
      <div className="mt-2 flex justify-end">
        <Button
          tone="primary"
          busy={going.isBusy}
          disabled={text.trim() === ""}
          onClick={send}
          title="Enter"
        >
          Ask
        </Button>
      </div>
      <GoOnTrouble going={going} onSettings={onSettings} />
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
