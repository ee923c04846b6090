import { useEffect, useRef } from "react";
import { counted } from "../../shared";
import { StepMark } from "./StepMark";
import { Lines } from "./Lines";
import { hasEnded, type Ask, type RunState } from "./state";
import { clock, phaseWords, restoredWords, shortenedWords } from "./words";

/** The work so far, line by line, with what goes on now at its foot. */
export function Timeline({ state, now }: { state: RunState; now: number }) {
  const ask = state.asks.length - 1;
  const earlier = state.steps.filter((step) => step.ask < ask);
  const present = state.steps.filter((step) => step.ask === ask);
  const scroller = useRef<HTMLDivElement>(null);
  const followed = useRef(true);
  useEffect(() => {
    const box = scroller.current;
    if (followed.current && box !== null) box.scrollTop = box.scrollHeight;
  }, [present.length, state.phase.kind]);

  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Steps"
      tabIndex={0}
      className="relative h-full overflow-y-auto px-2 py-3 focus-visible:-outline-offset-2"
      onScroll={(event) => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
        followed.current = scrollHeight - scrollTop - clientHeight < 80;
      }}
    >
      {earlier.length > 0 && (
        <details className="mb-2">
          <summary className="cursor-pointer px-3 py-1 text-sm text-quiet">
            {counted(earlier.length, "earlier step")}
          </summary>
          <Lines steps={earlier} now={now} />
        </details>
      )}
      <Lines steps={present} now={now} />
      <Aside ask={state.asks.at(-1)} />
      <Now state={state} now={now} />
    </div>
  );
}

/** Says that the sandbox was set up again, and that the model no longer reads all it has seen. */
export function Aside({ ask }: { ask: Ask | undefined }) {
  if (ask === undefined) return null;
  const lines = ask.restored.map(restoredWords);
  if (ask.shortened > 0) lines.push(shortenedWords(ask.shortened));
  return lines.map((line, at) => (
    <p key={at} className="px-3 py-1 pl-[2.15rem] text-sm text-quiet">
      {line}
    </p>
  ));
}

/** What goes on between the steps; a step that is under way has its own line. */
function Now({ state, now }: { state: RunState; now: number }) {
  const { kind } = state.phase;
  if (kind === "working" || kind === "asking" || hasEnded(state)) return <div className="h-9" />;
  return (
    <div className="flex min-h-9 items-baseline gap-3 px-3 py-1.5 text-quiet">
      <StepMark state="working" />
      <div className="min-w-0 flex-1">
        <p>{phaseWords(state.phase)}</p>
        {state.phase.kind === "queued" && (
          <p className="text-sm">
            It begins by itself when another run there has ended. Stop ends the wait.
          </p>
        )}
        {state.phase.kind === "waiting" && <Countdown state={state} now={now} />}
        {state.phase.kind === "thinking" && state.phase.text !== "" && (
          <p className="line-clamp-3 font-serif text-sm text-ink">{state.phase.text}</p>
        )}
      </div>
      <span className="pr-[1.6rem] text-xs">
        {state.since === null || kind === "waiting" ? "" : clock(now - state.since)}
      </span>
    </div>
  );
}

/** How long a wait still takes; the person who does not want to wait is told what stopping means. */
function Countdown({ state, now }: { state: RunState; now: number }) {
  if (state.phase.kind !== "waiting") return null;
  // The clock of the page may be a moment behind the wait's beginning.
  const left = state.phase.waitS * 1000 - Math.max(0, now - (state.since ?? now));
  return (
    <p className="text-sm text-ink">
      <span role="timer" aria-label="Time until it is asked again">
        {left > 0
          ? `It is asked again in ${clock(Math.ceil(left / 1000) * 1000)}.`
          : "It is asked again now."}
      </span>{" "}
      <span className="text-quiet">Stop ends the run and keeps what is finished.</span>
    </p>
  );
}
