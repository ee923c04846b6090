import { Popover as Radix } from "radix-ui";
import { useId, useMemo } from "react";
import type { FigureCheck } from "../../../api";
import { Button, classes } from "../../../shared";
import { explained, placeOf } from "../evidenceWords";
import { markOf, type Mark } from "./marks";
import { markAt } from "./useMarkKeys";

const HEADS: Record<Mark, string> = {
  found: "Found",
  derived: "Derived",
  given: "Given",
  missing: "Not found",
};

const COLOURS: Record<Mark, string> = {
  found: "text-found",
  derived: "text-derived",
  given: "text-quiet",
  missing: "text-missing",
};

interface MarkNoteProps {
  /** The figure in the page. */
  mark: HTMLElement;
  check: FigureCheck;
  onClose: () => void;
  onOpenStep: (step: number, line: string | null) => void;
  onOpenFile: (path: string) => void;
}

/** A note beside a figure that says where it comes from, and leads there. */
export function MarkNote({ mark, check, onClose, onOpenStep, onOpenFile }: MarkNoteProps) {
  const title = useId();
  const anchor = useMemo(() => ({ current: mark }), [mark]);
  const { verdict } = check;
  const kind = markOf(verdict);
  const { sentence, quoted } =
    kind === "missing"
      ? { sentence: "No step of this run has computed it.", quoted: null }
      : explained(verdict);
  const step = placeOf(verdict);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-labelledby={title}
          onEscapeKeyDown={() => mark.focus()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // A press on a figure, this or another, is not one beside the note.
          onInteractOutside={(event) => {
            if (event.target !== null && markAt(event.target) !== null) event.preventDefault();
          }}
          className="rise z-30 max-h-(--radix-popover-content-available-height) max-w-88 min-w-48 overflow-auto rounded-md border border-line bg-raised px-3.5 py-2.5 text-sm shadow-float outline-none"
        >
          <p id={title} className="font-semibold tabular-nums">
            <bdi>{check.text}</bdi>
            <span className={classes("ml-2 font-normal", COLOURS[kind])}>{HEADS[kind]}</span>
          </p>
          <p className="mt-1">{sentence}</p>
          {quoted !== null && (
            <p dir="auto" className="mt-1 rounded-sm bg-sunken px-2 py-1 font-mono text-xs">
              {quoted}
            </p>
          )}
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {step !== null && (
              <Button onClick={() => onOpenStep(step.step, step.line)}>
                Open step {step.step}
              </Button>
            )}
            {verdict.verdict === "tabled" && (
              <Button onClick={() => onOpenFile(verdict.path)}>Open the table</Button>
            )}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
