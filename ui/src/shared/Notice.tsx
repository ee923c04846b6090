import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";
import type { Problem } from "../api";
import { classes } from "./classes";

type Tone = "plain" | "good" | "bad";

const signs: Record<Tone, ReactNode> = {
  plain: <Info size={18} className="text-derived" />,
  good: <CircleCheck size={18} className="text-found" />,
  bad: <CircleAlert size={18} className="text-missing" />,
};

interface NoticeProps {
  tone?: Tone;
  children: ReactNode;
  /** Buttons for the next step. */
  actions?: ReactNode;
  /** Whether the buttons stand below the words, or beside them where there is room. */
  layout?: "below" | "beside";
  className?: string;
}

/** A sentence the person should not miss, with what can be done about it. */
export function Notice(props: NoticeProps) {
  const { tone = "plain", children, actions, layout = "below", className } = props;
  const isBeside = layout === "beside";
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={classes(
        "flex items-start gap-3 rounded-md border px-4",
        isBeside ? "py-1.5" : "py-3",
        tone === "bad" ? "border-missing/35 bg-missing-wash" : "border-line bg-raised",
        className,
      )}
    >
      <span aria-hidden="true" className={classes("shrink-0", isBeside ? "mt-1.5" : "mt-0.5")}>
        {signs[tone]}
      </span>
      <div
        className={classes(
          "min-w-0 grow",
          isBeside && "flex flex-wrap items-center justify-between gap-x-4 gap-y-2",
        )}
      >
        {isBeside ? <div className="min-w-0">{children}</div> : children}
        {actions !== undefined && (
          <div className={classes("flex flex-wrap gap-2", !isBeside && "mt-3")}>{actions}</div>
        )}
      </div>
    </div>
  );
}

interface ProblemCardProps {
  problem: Problem;
  /** The next step as a button, where one exists. */
  actions?: ReactNode;
  className?: string;
}

/** A failure in the person's words: what happened, what to do next, and the details in a fold. */
export function ProblemCard({ problem, actions, className }: ProblemCardProps) {
  return (
    <Notice tone="bad" actions={actions} className={className}>
      <p className="font-semibold">{problem.message}</p>
      {problem.hint !== "" && <p>{problem.hint}</p>}
      {problem.detail !== "" && (
        <details className="mt-1 text-sm">
          <summary className="w-fit cursor-pointer text-quiet hover:text-ink">Details</summary>
          <pre
            tabIndex={0}
            className="mt-1 max-h-48 overflow-auto font-mono text-xs whitespace-pre-wrap"
          >
            {problem.detail}
          </pre>
        </details>
      )}
    </Notice>
  );
}
