import { useEffect, useState } from "react";
import { runs, type RunSummary } from "../../api";
import { when } from "../../shared";

const states: Partial<Record<RunSummary["status"], string>> = {
  running: "running",
  interrupted: "interrupted",
  incomplete: "incomplete",
  stopped: "stopped",
  paused: "paused",
  out_of_budget: "not finished",
  stuck: "not finished",
  failed: "failed",
};

interface RecentProps {
  onOpen: (run: string) => void;
  onHistory: () => void;
}

/** The last few runs, to go on where one left off. */
export function Recent({ onOpen, onHistory }: RecentProps) {
  const [recent, setRecent] = useState<RunSummary[]>([]);
  useEffect(() => {
    let wanted = true;
    // Without a list the page is still whole; History says what went wrong.
    runs("").then(
      (found) => wanted && setRecent(found),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, []);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent" className="rise w-full">
      <div className="flex items-baseline justify-between border-b border-line pb-1">
        <h2 id="recent" className="text-sm font-semibold text-quiet">
          Recent
        </h2>
        {recent.length > 5 && (
          <button type="button" onClick={onHistory} className="text-sm text-accent-ink underline">
            All runs
          </button>
        )}
      </div>
      <ul>
        {recent.slice(0, 5).map((run) => (
          <li key={run.id} className="border-b border-line">
            <button
              type="button"
              onClick={() => onOpen(run.id)}
              className="flex w-full items-baseline gap-3 px-1 py-2 text-left transition-colors duration-150 hover:bg-sunken"
            >
              <span className="min-w-0 grow truncate">{run.title}</span>
              {states[run.status] !== undefined && (
                <span className="shrink-0 text-sm text-accent-ink">{states[run.status]}</span>
              )}
              <span className="hidden max-w-56 shrink-0 truncate text-sm text-quiet sm:inline">
                {run.files.join(", ")}
              </span>
              <time
                dateTime={run.started_at}
                className="w-24 shrink-0 text-right text-sm text-quiet"
              >
                {when(run.started_at)}
              </time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
