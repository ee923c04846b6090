import type { ReadingProgress } from "../../api";
import { Button, Named, ProblemCard, Wait } from "../../shared";
import type { Reading } from "./desk";

interface SeenProps {
  reading: Reading;
  onRead: () => void;
  onStop: () => void;
}

/** What the whole file says at a glance, or how far the reading of it has come. */
export function Seen({ reading, onRead, onStop }: SeenProps) {
  switch (reading.state) {
    case "reading":
      return reading.progress === undefined ? (
        <Wait label="Reading all rows …" />
      ) : (
        <Read progress={reading.progress} onStop={onStop} />
      );
    case "stopped":
      return (
        <div className="flex flex-wrap items-center gap-3 text-quiet">
          Only the first rows were read. You can ask your question all the same.
          <Button onClick={onRead}>Read all rows</Button>
        </div>
      );
    case "failed":
      return (
        <ProblemCard
          problem={reading.problem}
          actions={<Button onClick={onRead}>Read it again</Button>}
        />
      );
    case "read":
      return <Findings findings={reading.profile.findings} />;
  }
}

function Read({ progress, onStop }: { progress: ReadingProgress; onStop: () => void }) {
  const percent = Math.floor((progress.bytes / Math.max(1, progress.of)) * 100);
  return (
    <div className="flex flex-wrap items-center gap-3 text-quiet">
      <label className="flex items-center gap-3">
        Reading all rows
        <progress value={progress.bytes} max={progress.of} className="h-1.5 w-40 accent-accent" />
      </label>
      <span className="w-10 tabular-nums">{percent} %</span>
      <Button tone="quiet" onClick={onStop}>
        Stop
      </Button>
      <span>You can ask your question now; it does not have to wait.</span>
    </div>
  );
}

function Findings({ findings }: { findings: string[] }) {
  if (findings.length === 0) {
    return <p className="text-sm text-quiet">Nothing in the table stands out at a glance.</p>;
  }
  return (
    <>
      <h3 className="text-sm font-semibold text-quiet">Seen at a glance</h3>
      <ul className="mt-1 grid gap-x-8 text-sm sm:grid-cols-2">
        {findings.map((finding) => (
          <li key={finding} className="flex gap-2">
            <span aria-hidden="true" className="text-accent">
              —
            </span>
            <span>
              <Named text={finding} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
