import { useEffect, useState } from "react";
import { dataStory, within, type Attempt, type StepChange } from "../../api";
import { Button, count, useCall } from "../../shared";
import { kindWords, leftWords, missingWords, rowsBefore } from "./storyWords";

/** Changes that are shown before the rest is asked for. */
const SHOWN = 20;

interface DataStoryProps {
  runId: string;
  /** Opens a step. */
  onOpenStep: (step: number, line: string | null) => void;
}

/** The rows before and after each choice, and the steps that the report does not rest on. */
export function DataStory({ runId, onOpenStep }: DataStoryProps) {
  const [told, tell] = useCall(() => within(60, dataStory(runId)));
  useEffect(() => void tell(), [tell]);
  if (told.state !== "done") return null;
  const { changes, attempts } = told.answer;
  return (
    <>
      {changes.length > 0 && <Changes changes={changes} onOpenStep={onOpenStep} />}
      {attempts.length > 0 && <Attempts attempts={attempts} onOpenStep={onOpenStep} />}
    </>
  );
}

interface ChangesProps {
  changes: StepChange[];
  onOpenStep: DataStoryProps["onOpenStep"];
}

function Changes({ changes, onOpenStep }: ChangesProps) {
  const [all, showAll] = useState(false);
  const shown = all ? changes : changes.slice(0, SHOWN);
  return (
    <section className="col-span-full min-w-0">
      <h2 id="story-changes" className="text-lg font-semibold">
        What happened to the data
      </h2>
      <p className="mb-2 text-sm text-quiet">
        Every step that left out rows, filled values or put tables together, as the code itself
        tells it.
      </p>
      {/* A table that is wider than the window is scrolled with the keys too. */}
      <div
        role="region"
        aria-labelledby="story-changes"
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-raised"
      >
        <table className="w-full text-sm">
          <thead className="text-left text-quiet">
            <tr>
              <Head>Step</Head>
              <Head>What</Head>
              <Head>Table</Head>
              <Head end>Rows before</Head>
              <Head end>Rows after</Head>
              <Head end>Missing values</Head>
              <Head>Code</Head>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {shown.map(({ step, change }, at) => (
              <tr key={at} className="align-baseline">
                <td className="px-2 py-1">
                  <StepButton step={step} onOpenStep={onOpenStep} />
                </td>
                <td className="px-2 py-1 whitespace-nowrap">{kindWords(change.kind)}</td>
                <td className="px-2 py-1 font-mono break-all">
                  {change.name ?? <span className="font-sans text-quiet">not kept</span>}
                </td>
                <td className="px-2 py-1 text-right tabular-nums">{rowsBefore(change)}</td>
                <td className="px-2 py-1 text-right font-semibold tabular-nums">
                  {count(change.rows_after)}
                </td>
                <td className="px-2 py-1 text-right whitespace-nowrap tabular-nums">
                  {missingWords(change)}
                </td>
                <td className="max-w-80 px-2 py-1">
                  <code className="block truncate" title={change.code}>
                    {change.code}
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < changes.length && (
        <div className="mt-2">
          <Button onClick={() => showAll(true)}>Show all {changes.length}</Button>
        </div>
      )}
    </section>
  );
}

function Head({ children, end = false }: { children: string; end?: boolean }) {
  return (
    <th scope="col" className={`px-2 py-1 font-normal ${end ? "text-right" : ""}`}>
      {children}
    </th>
  );
}

function StepButton({ step, onOpenStep }: { step: number } & Pick<DataStoryProps, "onOpenStep">) {
  return (
    <button
      type="button"
      aria-label={`Open step ${step}`}
      onClick={() => onOpenStep(step, null)}
      className="min-w-8 rounded px-1 text-left underline"
    >
      {step}
    </button>
  );
}

interface AttemptsProps {
  attempts: Attempt[];
  onOpenStep: DataStoryProps["onOpenStep"];
}

function Attempts({ attempts, onOpenStep }: AttemptsProps) {
  return (
    <section aria-labelledby="story-attempts" className="col-span-full min-w-0">
      <h2 id="story-attempts" className="text-lg font-semibold">
        Tried and left
      </h2>
      <p className="mb-2 text-sm text-quiet">
        Steps that failed, were made anew, or that nothing in the report rests on.
      </p>
      <ul aria-labelledby="story-attempts" className="divide-y divide-line">
        {attempts.map(({ step, title, reason }) => (
          <li key={step} className="flex flex-wrap items-baseline gap-x-3 py-1 text-sm">
            <StepButton step={step} onOpenStep={onOpenStep} />
            <span>{title}</span>
            <span className="min-w-0 break-words text-quiet">{leftWords(reason)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
