import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { Artifact, Document, ReportCheck } from "../../../api";
import { checksOf, markOf } from "./marks";
import { Report } from "./Report";
import { markAt, useMarkKeys } from "./useMarkKeys";

const MarkNote = lazy(() => import("./MarkNote").then((part) => ({ default: part.MarkNote })));

interface CheckedReportProps {
  document: Document;
  /** What is known of its figures; null while that is being found out, and where it cannot be. */
  checked: ReportCheck | null;
  runId: string;
  files: readonly Artifact[];
  onOpenFile: (path: string) => void;
  onOpenChart: (path: string) => void;
  /** Opens a step, at a line that it printed. */
  onOpenStep: (step: number, line: string | null) => void;
}

/** A report whose figures say where they come from: each opens a note beside it. */
export function CheckedReport({ checked, onOpenStep, ...page }: CheckedReportProps) {
  const { document, onOpenFile } = page;
  const checks = useMemo(() => checksOf(document, checked), [document, checked]);
  const marks = useMemo(() => checks.map((check) => check && markOf(check.verdict)), [checks]);
  const [opened, setOpened] = useState<HTMLElement | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const press = (mark: HTMLElement) => setOpened(mark === opened ? null : mark);
  const keys = useMarkKeys(place, marks, press);
  const check = opened === null ? null : (checks[Number(opened.dataset.number)] ?? null);

  useEffect(() => {
    opened?.setAttribute("aria-expanded", "true");
    return () => opened?.removeAttribute("aria-expanded");
  }, [opened]);

  /** The note closes before anything else opens, and the focus is back where it came from. */
  const leave = (go: () => void) => {
    opened?.focus();
    setOpened(null);
    go();
  };

  return (
    <>
      <div
        ref={place}
        {...keys}
        onClick={(event) => {
          const mark = markAt(event.target);
          // A press that ends in marked words was meant to mark them.
          const isMarking = window.getSelection()?.isCollapsed === false;
          if (mark !== null && !isMarking) press(mark);
        }}
      >
        <Report {...page} marks={marks} />
      </div>
      {opened !== null && check !== null && (
        <Suspense>
          <MarkNote
            mark={opened}
            check={check}
            onClose={() => setOpened(null)}
            onOpenStep={(step, line) => leave(() => onOpenStep(step, line))}
            onOpenFile={(path) => leave(() => onOpenFile(path))}
          />
        </Suspense>
      )}
    </>
  );
}
