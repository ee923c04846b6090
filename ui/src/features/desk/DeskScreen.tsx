import { Plus, X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { Problem } from "../../api";
import { Button, classes, IconButton, ProblemCard } from "../../shared";
import { ActionBar, type RowsChoice, type Setting } from "./ActionBar";
import { AskBox } from "./AskBox";
import { suggestionsOf } from "./desk";
import { FileSheet } from "./FileSheet";
import type { DeskControls } from "./useDesk";

interface DeskScreenProps {
  controls: DeskControls;
  /** Null where no language model thinks. */
  rows: RowsChoice | null;
  setting: Setting;
  onSetting: () => void;
  busy: boolean;
  onAnalyse: () => void;
  /** Why the last press of Analyse started nothing. */
  refusal: ReactNode;
}

/** The files, the question, and the press that starts the work. */
export function DeskScreen(props: DeskScreenProps) {
  const { controls, rows, setting, onSetting, busy, onAnalyse, refusal } = props;
  const { desk, change, choose, remove, read, reread, stopReading } = controls;
  useAnalyseKey(busy ? null : onAnalyse);
  const shown = desk.files.find((file) => file.id === desk.shown) ?? desk.files[0];
  const several = desk.files.length > 1;
  const more = (
    <Button
      tone="quiet"
      icon={<Plus size={16} aria-hidden="true" />}
      onClick={choose}
      className="shrink-0"
    >
      Add files
    </Button>
  );

  return (
    <div className="flex grow flex-col">
      <div className="mx-auto grid w-full max-w-5xl grow content-start gap-5 px-6 pt-4 pb-6">
        <h1 className="sr-only">Your data</h1>
        {several && (
          <div className="flex flex-wrap items-center gap-2">
            {desk.files.map((file) => (
              <button
                key={file.id}
                type="button"
                aria-pressed={file.id === shown?.id}
                onClick={() => change({ do: "show", file: file.id })}
                className={classes(
                  "max-w-64 truncate rounded-md border px-3 py-1 transition-colors duration-150",
                  file.id === shown?.id
                    ? "border-accent bg-accent-wash text-ink"
                    : "border-line text-quiet hover:border-line-strong hover:text-ink",
                )}
              >
                {file.name}
              </button>
            ))}
            {more}
          </div>
        )}
        <Problems
          problems={desk.problems}
          onDismiss={(problem) => change({ do: "dismiss", problem })}
        />
        {shown !== undefined && (
          <FileSheet
            file={shown}
            reading={desk.readings[shown.id] ?? { state: "reading" }}
            onRemove={() => remove(shown.id)}
            version={desk.versions[shown.id] ?? 0}
            onRead={() => read(shown.id)}
            onReread={(settings) => reread(shown.id, settings)}
            onStop={() => stopReading(shown.id)}
            leftOut={desk.leaveOut.flatMap((each) => (each.file === shown.id ? each.choice : []))}
            onChoose={(choice, what) => change({ do: what, file: shown.id, choice })}
            aside={several ? null : more}
          />
        )}
        <AskBox
          ask={desk.ask}
          meaning={desk.meaning}
          suggestions={suggestionsOf(desk)}
          onAsk={(ask) => change({ do: "ask", ask })}
          onMean={(meaning) => change({ do: "mean", meaning })}
        />
        {refusal !== false && refusal !== null && <InSight>{refusal}</InSight>}
      </div>
      <ActionBar
        charts={desk.charts}
        tables={desk.tables}
        onWant={(want) => change({ do: "want", ...want })}
        rows={rows}
        setting={setting}
        onSetting={onSetting}
        busy={busy}
        onAnalyse={onAnalyse}
      />
    </div>
  );
}

/** Brings what it holds into sight: the press that led to it may have been far below it. */
function InSight({ children }: { children: ReactNode }) {
  const held = useRef<HTMLDivElement>(null);
  useEffect(() => held.current?.scrollIntoView({ block: "nearest" }), []);
  return <div ref={held}>{children}</div>;
}

interface ProblemsProps {
  problems: Problem[];
  onDismiss: (problem: Problem) => void;
}

/** What could not be taken onto the desk; each line can be put away. */
export function Problems({ problems, onDismiss }: ProblemsProps) {
  return problems.map((problem, index) => (
    <div key={index} className="relative">
      <ProblemCard problem={problem} className="pr-12" />
      <IconButton
        label="Put this message away"
        icon={<X size={16} aria-hidden="true" />}
        onClick={() => onDismiss(problem)}
        className="absolute top-2 right-2"
      />
    </div>
  ));
}

function useAnalyseKey(analyse: (() => void) | null) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || analyse === null) return;
      event.preventDefault();
      analyse();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [analyse]);
}
