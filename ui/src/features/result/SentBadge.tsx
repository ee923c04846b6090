import { ArrowUpRight, Lock } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { SentSummary } from "../../api";
import { BadgeButton } from "../../shared";
import { sentWords } from "./sentWords";

// Few people open it, and what it draws with is not needed before.
const SentDialog = lazy(() =>
  import("./SentDialog").then((part) => ({ default: part.SentDialog })),
);

/** What left this computer for an answer, in a line that opens the whole of it. */
export function SentBadge({ runId, sent }: { runId: string; sent: SentSummary }) {
  const [open, setOpen] = useState(false);
  const stayed = sent.requests === 0 || sent.stays_here;
  return (
    <>
      <BadgeButton
        tone={stayed ? "found" : "derived"}
        icon={stayed ? <Lock size={13} /> : <ArrowUpRight size={14} />}
        onClick={() => setOpen(true)}
      >
        {sentWords(sent)}
      </BadgeButton>
      {open && (
        <Suspense>
          <SentDialog runId={runId} summary={sent} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
