import { CircleHelp, SearchCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { checkReport, within } from "../../api";
import { BadgeButton, useCall } from "../../shared";
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
      <BadgeButton
        tone={isWhole ? "found" : "missing"}
        icon={isWhole ? <SearchCheck size={14} /> : <CircleHelp size={14} />}
        onClick={() => setOpen(true)}
      >
        {evidenceWords(summary)}
      </BadgeButton>
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
