import { useEffect, useId, useRef, useState } from "react";
import { answerQuestion, within, type Question } from "../../api";
import { Button, Card, Field, ProblemCard, useCall } from "../../shared";

/** Names of the two ways to answer that are no choice; no choice is empty or a blank. */
const LEAVE = "";
const OWN = " ";

interface QuestionCardProps {
  runId: string;
  question: Question;
}

/** What the model wants to know: answers to choose from, one's own, or none. The run waits meanwhile. */
export function QuestionCard({ runId, question }: QuestionCardProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const [own, setOwn] = useState("");
  const [pressed, press] = useState("");
  const [telling, tell] = useCall((answer: string | null) =>
    within(15, answerQuestion(runId, answer)),
  );
  const say = (button: string, answer: string | null) => {
    press(button);
    void tell(answer);
  };
  // Told once, the card stays as it is until the run goes on.
  const busy = telling.state === "busy" || telling.state === "done";
  const stateOf = (button: string) => ({
    busy: busy && pressed === button,
    disabled: busy && pressed !== button,
  });
  useEffect(() => {
    // Read aloud from the question; the run waits, so nothing else is under way that it could disturb.
    card.current?.focus();
    return () => {
      // The card goes with the answer; what had the focus inside it must not leave it nowhere.
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector("main")?.focus();
      });
    };
  }, []);
  return (
    <div className="border-b border-line bg-sunken px-6 py-4 max-sm:px-3">
      <Card
        ref={card}
        role="group"
        tabIndex={-1}
        aria-labelledby={`${id}-text`}
        aria-describedby={`${id}-hint`}
        className="rise mx-auto grid max-w-3xl gap-3 border-accent! px-5 py-4 outline-none"
      >
        <div>
          <h2 id={`${id}-text`} className="font-serif text-lg">
            {question.text}
          </h2>
          <p id={`${id}-hint`} className="text-sm text-quiet">
            The work waits for you. Without an answer within ten minutes it goes on with “
            {question.default}”.
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {question.choices.map((choice) => (
            <Button
              key={choice}
              {...stateOf(choice)}
              onClick={() => say(choice, choice)}
              className="text-left"
            >
              {choice}
            </Button>
          ))}
          <Button tone="quiet" {...stateOf(LEAVE)} onClick={() => say(LEAVE, null)}>
            You decide
          </Button>
        </div>
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (own.trim() !== "" && !busy) say(OWN, own.trim());
          }}
        >
          <Field
            label="Or in your own words"
            maxLength={300}
            value={own}
            onChange={(event) => setOwn(event.target.value)}
            className="min-w-48 grow"
          />
          <Button
            type="submit"
            busy={busy && pressed === OWN}
            disabled={own.trim() === "" || (busy && pressed !== OWN)}
          >
            Answer
          </Button>
        </form>
        {telling.state === "failed" && <ProblemCard problem={telling.problem} />}
      </Card>
    </div>
  );
}
