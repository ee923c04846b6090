import { Circle, CircleAlert, CircleCheck, Square } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { stopTest, testModel, within, type Probe, type RemoteModel } from "../../../api";
import { Button, ProblemCard, Spinner, useCall } from "../../../shared";
import { probeWords, type Finding } from "../words";

interface ConnectionTestProps {
  model: RemoteModel;
  /** Enough is known to ask it. */
  ready: boolean;
  /** What the model was seen to do. */
  onFound?: (probe: Probe) => void;
  /** More that can be done, beside the button. */
  beside?: ReactNode;
}

/** Lets the model do for once what an analysis will ask of it, and says what of that works. */
export function ConnectionTest({ model, ready, onFound, beside }: ConnectionTestProps) {
  // What was changed while the test went on must not be undone by its result.
  const told = useRef(onFound);
  useEffect(() => {
    told.current = onFound;
  });
  const [testing, start] = useCall(async () => {
    // A model that has to be loaded first may take minutes; the person can stop it.
    const probe = await testModel(model);
    told.current?.(probe);
    return probe;
  });
  const [stopping, stop] = useCall(() => within(15, stopTest()));
  const busy = testing.state === "busy";
  useEffect(() => (busy ? () => void stopTest().catch(() => undefined) : undefined), [busy]);

  if (testing.state === "busy") {
    return (
      <div className="rounded-md border border-line bg-raised px-4 py-3">
        <Progress />
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            icon={<Square size={12} fill="currentColor" aria-hidden="true" />}
            busy={stopping.state === "busy"}
            onClick={() => void stop()}
          >
            Stop the test
          </Button>
        </div>
      </div>
    );
  }
  const again = (
    <Button disabled={!ready} onClick={() => void start()}>
      {testing.state === "idle" ? "Test the connection" : "Test it again"}
    </Button>
  );
  return (
    <div className="grid gap-3">
      {testing.state === "done" && <Findings findings={probeWords(testing.answer)} />}
      {testing.state === "failed" && testing.problem.code !== "stopped" && (
        <ProblemCard problem={testing.problem} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {again}
        {beside}
        <span role="status" className="text-sm text-quiet">
          {testing.state === "failed" &&
            testing.problem.code === "stopped" &&
            "The test was stopped."}
        </span>
      </div>
    </div>
  );
}

/** After so many seconds the wait is explained. */
const LONG_S = 15;

function Progress() {
  const [seconds, count] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => count((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="flex items-start gap-3">
      <span className="mt-1">
        <Spinner />
      </span>
      <div role="status" className="grow">
        <p>The model is asked to count the lines of a file that does not exist.</p>
        <p className="text-sm text-quiet">
          {seconds < LONG_S
            ? "Nothing of your data is sent."
            : "It takes its time. A model on this computer may have to be loaded first, which can take minutes."}
        </p>
      </div>
      <span role="timer" aria-label="Time so far" className="shrink-0 text-quiet">
        {seconds} s
      </span>
    </div>
  );
}

const signs = {
  good: <CircleCheck size={18} className="text-found" />,
  short: <Circle size={18} className="text-derived" />,
  bad: <CircleAlert size={18} className="text-missing" />,
};

function Findings({ findings }: { findings: Finding[] }) {
  return (
    <div role="status" aria-label="What the test has shown">
      <ul className="grid gap-1.5">
        {findings.map(({ tone, text }) => (
          <li key={text} className="flex gap-2.5">
            <span aria-hidden="true" className="mt-0.5 shrink-0">
              {signs[tone]}
            </span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
