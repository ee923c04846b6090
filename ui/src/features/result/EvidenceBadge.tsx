import { CircleHelp, SearchCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { checkReport, within } from "../../api";
import { useCall } from "../../shared";
import { evidenceWords } from "./evidenceWords";

const EvidenceDialog = lazy(() =>
  import("./EvidenceDialog").then((part) => ({ default: part.EvidenceDialog })),
);

interface EvidenceBadgeProps {
  runId: string;
  /** Opens a step, at a line that it printed. */
  onOpenStep: (step: number, line: string | null) => void;
}

/** How many figures of the report were computed, in a line that opens the whole list. */
export function EvidenceBadge({ runId, onOpenStep }: EvidenceBadgeProps) {
  const [open, setOpen] = useState(false);
  const [checked, check] = useCall(() => within(60, checkReport(runId)));
  useEffect(() => void check(), [check]);
  // A report that cannot be checked, or holds no figure, says nothing here.
  if (checked.state !== "done" || checked.answer.summary.figures === 0) return null;
  const { summary } = checked.answer;
  const isWhole = summary.not_found === 0;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line bg-raised px-3 py-0.5 text-left text-sm text-quiet transition-colors duration-150 hover:border-line-strong hover:text-ink"
      >
        <span aria-hidden="true" className={isWhole ? "text-found" : "text-missing"}>
          {isWhole ? <SearchCheck size={14} /> : <CircleHelp size={14} />}
        </span>
        {evidenceWords(summary)}
      </button>
      {open && (
        <Suspense>
          <EvidenceDialog
            checked={checked.answer}
            onClose={() => setOpen(false)}
            onOpenStep={(step, line) => {
              setOpen(false);
              onOpenStep(step, line);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
