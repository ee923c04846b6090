import { Search } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { asProblem, runs, within, type Problem, type RunSummary } from "../../api";
import { Button, counted, EmptyState, ProblemCard, Wait } from "../../shared";
import { HistoryRow } from "./HistoryRow";

type Listed =
  | { state: "reading" }
  | { state: "read"; search: string; runs: RunSummary[] }
  | { state: "failed"; problem: Problem };

/** Letters typed in quick succession are searched for together. */
const PAUSE_MS = 150;
/** While a run goes on, the list is read anew this often. */
const GOING_ON_MS = 2000;

/** All past runs, the newest first. */
export function HistoryScreen({ onOpen }: { onOpen: (run: string) => void }) {
  const [search, setSearch] = useState("");
  const [listed, setListed] = useState<Listed>({ state: "reading" });

  const read = useCallback(async () => {
    try {
      const found = await within(20, runs(search.trim()));
      return { state: "read", search: search.trim(), runs: found } satisfies Listed;
    } catch (thrown) {
      return { state: "failed", problem: asProblem(thrown) } satisfies Listed;
    }
  }, [search]);

  /** Reads the list after a while; answers with what calls that off. */
  const readAfter = useCallback(
    (wait_ms: number) => {
      let isNewest = true;
      const timer = setTimeout(
        () => void read().then((next) => isNewest && setListed(next)),
        wait_ms,
      );
      return () => {
        isNewest = false;
        clearTimeout(timer);
      };
    },
    [read],
  );

  useEffect(() => readAfter(PAUSE_MS), [readAfter]);

  useEffect(() => {
    const goesOn = listed.state === "read" && listed.runs.some((run) => run.status === "running");
    return goesOn ? readAfter(GOING_ON_MS) : undefined;
  }, [listed, readAfter]);

  const heading = useRef<HTMLHeadingElement>(null);
  const again = () => void read().then(setListed);
  const deleted = async () => {
    const next = await read();
    flushSync(() => setListed(next));
    // The row that had the focus is gone.
    heading.current?.focus();
  };
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-8 sm:px-6">
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-2xl outline-none">
          History
        </h1>
        <div className="relative w-full sm:w-72">
          <Search size={15} aria-hidden className="absolute top-2.5 left-3 text-quiet" />
          <input
            type="search"
            aria-label="Search past runs"
            placeholder="Search past runs"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="w-full rounded-md border border-line-strong bg-raised py-1.5 pr-3 pl-9 placeholder:text-quiet"
          />
        </div>
      </div>
      <Found listed={listed} onOpen={onOpen} onChanged={again} onDeleted={() => void deleted()} />
    </div>
  );
}

interface FoundProps {
  listed: Listed;
  onOpen: (run: string) => void;
  onChanged: () => void;
  onDeleted: () => void;
}

function Found({ listed, onOpen, onChanged, onDeleted }: FoundProps) {
  if (listed.state === "reading") return <Wait label="Looking for past runs" />;
  if (listed.state === "failed") {
    return (
      <ProblemCard
        problem={listed.problem}
        actions={<Button onClick={onChanged}>Try again</Button>}
      />
    );
  }
  if (listed.runs.length === 0) {
    return listed.search === "" ? (
      <EmptyState title="Nothing has been asked yet.">
        Every question you ask of your data is kept here, with its report and charts.
      </EmptyState>
    ) : (
      <EmptyState title={`No past run mentions “${listed.search}”.`} />
    );
  }
  return (
    <>
      <p role="status" className="sr-only">
        {counted(listed.runs.length, "run")}
      </p>
      <ul className="border-t border-line">
        {listed.runs.map((run) => (
          <HistoryRow
            key={run.id}
            run={run}
            onOpen={onOpen}
            onChanged={onChanged}
            onDeleted={onDeleted}
          />
        ))}
      </ul>
    </>
  );
}
