import { ArrowUpRight, Lock } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { SentSummary } from "../../api";
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
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line bg-raised px-3 py-0.5 text-left text-sm text-quiet transition-colors duration-150 hover:border-line-strong hover:text-ink"
      >
        <span aria-hidden="true" className={stayed ? "text-found" : "text-derived"}>
          {stayed ? <Lock size={13} /> : <ArrowUpRight size={14} />}
        </span>
        {sentWords(sent)}
      </button>
      {open && (
        <Suspense>
          <SentDialog runId={runId} summary={sent} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
