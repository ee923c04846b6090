import { CircleHelp, SearchCheck } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ReportCheck } from "../../api";
import { BadgeButton } from "../../shared";
import { evidenceWords } from "./evidenceWords";

const EvidenceDialog = lazy(() =>
  import("./EvidenceDialog").then((part) => ({ default: part.EvidenceDialog })),
);

interface EvidenceBadgeProps {
  checked: ReportCheck;
  /** Opens a step, at a line that it printed. */
  onOpenStep: (step: number, line: string | null) => void;
}

/** How many figures of the report were computed, in a line that opens the whole list. */
export function EvidenceBadge({ checked, onOpenStep }: EvidenceBadgeProps) {
  const [open, setOpen] = useState(false);
  const { summary } = checked;
  // A report that holds no figure says nothing here.
  if (summary.figures === 0) return null;
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
            checked={checked}
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
