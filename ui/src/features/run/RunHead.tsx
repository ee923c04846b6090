import { ArrowLeft, Square } from "lucide-react";
import { stopRun, within } from "../../api";
import { Button, counted, IconButton, placeWords, ProblemCard, useCall } from "../../shared";
import { nothingUsed } from "./state";
import type { KnownRun } from "./store";
import { clock, phaseWords, usedWords } from "./words";

interface RunHeadProps {
  runId: string;
  known: KnownRun;
  now: number;
  onBack: () => void;
}

/** What is being asked, for how long, and the button that stops it. */
export function RunHead({ runId, known, now, onBack }: RunHeadProps) {
  const { state, view } = known;
  const [stopping, stop] = useCall(() => within(15, stopRun(runId)));
  const ask = state.asks.at(-1);
  const question = ask?.text || view?.summary.request || "Your question";
  const begun = ask?.startedAt ?? Date.parse(view?.summary.started_at ?? "");
  const used = usedWords(ask?.used ?? nothingUsed);
  const steps = state.steps.filter((step) => step.ask === state.asks.length - 1).length;
  return (
    <header className="border-b border-line bg-paper px-4 py-2.5 max-md:sticky max-md:top-0 max-md:z-20">
      <div className="flex items-center gap-3">
        <IconButton label="Back" icon={<ArrowLeft size={18} />} onClick={onBack} />
        <h1 className="min-w-0 flex-1 truncate font-serif text-lg" title={question}>
          {question}
        </h1>
        <p className="shrink-0 text-quiet">
          {used !== "" && (
            <span
              title="Pieces of words that the model has read and written so far"
              className="mr-4 max-lg:hidden"
            >
              {used}
            </span>
          )}
          <span className="inline-block min-w-16 text-right">{counted(steps, "step")}</span>
          <span
            role="timer"
            aria-label="Time so far"
            className="ml-4 inline-block min-w-12 text-right text-ink"
          >
            {Number.isNaN(begun) ? "" : clock(now - begun)}
          </span>
        </p>
        <Button
          icon={<Square size={12} fill="currentColor" aria-hidden />}
          busy={stopping.state === "busy" || stopping.state === "done"}
          onClick={() => void stop()}
          className="w-28"
        >
          {stopping.state === "busy" || stopping.state === "done" ? "Stopping" : "Stop"}
        </Button>
      </div>
      {state.place?.ready.runtime === "hosted" && (
        <p className="pl-11 text-sm font-semibold">Runs in: {placeWords(state.place.ready)}</p>
      )}
      {used !== "" && <p className="pl-11 text-sm text-quiet lg:hidden">{used}</p>}
      {stopping.state === "failed" && <ProblemCard problem={stopping.problem} className="mt-2" />}
      <p role="status" className="sr-only">
        {phaseWords(state.phase)}
      </p>
    </header>
  );
}
