import { useEffect, useState } from "react";
import { stopExport, within, type ExportProgress } from "../../api";
import { Button, count, Notice, useCall } from "../../shared";

/** What is done sooner needs no word, in milliseconds. */
const SOON_MS = 400;

interface ExportingNoticeProps {
  progress: ExportProgress;
  className?: string;
}

/** How far an export has come, with the way to end it. */
export function ExportingNotice({ progress, className }: ExportingNoticeProps) {
  const [isDue, setDue] = useState(false);
  const [stopping, stop] = useCall(() => within(15, stopExport()));
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isDue) return null;
  const { done, of } = progress;
  return (
    <Notice
      layout="beside"
      className={className}
      actions={
        <Button busy={stopping.state === "busy"} onClick={() => void stop()}>
          Stop
        </Button>
      }
    >
      <span className="tabular-nums">Exporting … {of > 0 && `${count(done)} of ${count(of)}`}</span>
      {stopping.state === "failed" && <p className="text-missing">{stopping.problem.message}</p>}
    </Notice>
  );
}
