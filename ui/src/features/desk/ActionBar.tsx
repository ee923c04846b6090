import { ArrowRight } from "lucide-react";
import { useId } from "react";
import { Button, classes, Switch, Tick } from "../../shared";

/** Where a run happens and what thinks in it, in a few words each. */
export interface Setting {
  runs: string;
  thinks: string;
  /** What is being looked at, is fine, or needs the person. */
  state: "checking" | "ready" | "trouble";
  /** Whether the files leave this computer for where it happens. */
  leaves: boolean;
}

/** Whether the model gets to read rows of the files; for one question. */
export interface RowsChoice {
  kept: boolean;
  /** What that means, in a sentence. */
  meaning: string;
  onKeep: (kept: boolean) => void;
}

interface ActionBarProps {
  charts: boolean;
  tables: boolean;
  onWant: (want: { charts?: boolean; tables?: boolean }) => void;
  /** Null where no language model thinks. */
  rows: RowsChoice | null;
  setting: Setting;
  onSetting: () => void;
  busy: boolean;
  onAnalyse: () => void;
}

const dots: Record<Setting["state"], string> = {
  checking: "bg-faint",
  ready: "bg-found",
  trouble: "bg-missing",
};

/** What should come out, where it happens, and the press that starts it. Always in sight. */
export function ActionBar(props: ActionBarProps) {
  const { charts, tables, onWant, rows, setting, onSetting, busy, onAnalyse } = props;
  const id = useId();
  return (
    <div className="z-20 border-t border-line bg-paper [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-0">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-2 px-6 py-3">
        <div
          role="group"
          aria-labelledby={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1"
        >
          <span id={id} className="mr-1 text-quiet">
            Give me
          </span>
          <Tick label="a report" on disabled onChange={() => undefined} />
          <Tick label="charts" on={charts} onChange={(next) => onWant({ charts: next })} />
          <Tick label="tables" on={tables} onChange={(next) => onWant({ tables: next })} />
        </div>
        <button
          type="button"
          onClick={onSetting}
          className="ml-auto flex min-w-0 items-center gap-2.5 rounded-md px-2 py-1 text-left text-sm text-quiet transition-colors duration-150 hover:bg-sunken hover:text-ink"
        >
          <span
            aria-hidden="true"
            className={`size-2 shrink-0 rounded-full ${dots[setting.state]}`}
          />
          <span>
            <span className={classes(setting.leaves && "font-semibold text-ink")}>
              Runs in: {setting.runs}
            </span>
            <br />
            Thinks: {setting.thinks}
          </span>
          <span className="underline decoration-line-strong underline-offset-2">Change</span>
        </button>
        <Button
          tone="primary"
          busy={busy}
          onClick={onAnalyse}
          aria-keyshortcuts="Control+Enter"
          title="Ctrl+Enter"
          className="min-h-10 px-5"
        >
          Analyse
          {!busy && <ArrowRight size={18} aria-hidden="true" />}
        </Button>
        {rows !== null && (
          <div className="-mt-0.5 flex w-full flex-wrap items-center gap-x-4 gap-y-1 text-sm">
            <Switch label="Keep my rows on this computer" on={rows.kept} onChange={rows.onKeep} />
            <span role="status" className="text-quiet">
              {rows.meaning}
            </span>
          </div>
        )}
      </div>
    </div>
  );
}
