import { useState } from "react";
import type { FigureCheck, ReportCheck } from "../../api";
import { Button, Choice, Dialog } from "../../shared";
import { evidenceWords, isMissing, placeOf, sourceOf } from "./evidenceWords";

interface EvidenceDialogProps {
  checked: ReportCheck;
  onClose: () => void;
  onOpenStep: (step: number, line: string | null) => void;
}

/** Every figure of a report with where it comes from; those that were not found come first. */
export function EvidenceDialog({ checked, onClose, onOpenStep }: EvidenceDialogProps) {
  const missing = checked.figures.filter(isMissing);
  const [shown, show] = useState<"missing" | "all">(missing.length > 0 ? "missing" : "all");
  return (
    <Dialog
      open
      onClose={onClose}
      title={evidenceWords(checked.summary)}
      description="Numbers, dates and quoted words of the report, matched with what the steps printed and saved. A match shows where a figure comes from, not that it is the right one to use."
      wide="picture"
    >
      {missing.length > 0 && (
        <div className="mb-3">
          <Choice
            label="Which figures"
            direction="across"
            value={shown}
            onChange={show}
            options={[
              { value: "missing", label: `Not found (${missing.length})` },
              { value: "all", label: `All (${checked.figures.length})` },
            ]}
          />
        </div>
      )}
      <ul aria-label="Figures" className="divide-y divide-line">
        {(shown === "missing" ? missing : checked.figures).map((figure, at) => (
          <FigureLine key={at} figure={figure} onOpenStep={onOpenStep} />
        ))}
      </ul>
    </Dialog>
  );
}

interface FigureLineProps {
  figure: FigureCheck;
  onOpenStep: EvidenceDialogProps["onOpenStep"];
}

function FigureLine({ figure, onOpenStep }: FigureLineProps) {
  const place = placeOf(figure.verdict);
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2 text-sm [contain-intrinsic-height:auto_4rem] [content-visibility:auto] sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="font-semibold break-words tabular-nums">{figure.text}</span>
      <span className="min-w-0">
        <span className={isMissing(figure) ? "text-missing" : ""}>{sourceOf(figure.verdict)}</span>
        <span className="block truncate text-quiet">in “{figure.place}”</span>
      </span>
      {place !== null && (
        <span>
          <Button onClick={() => onOpenStep(place.step, place.line)}>Open step {place.step}</Button>
        </span>
      )}
    </li>
  );
}
