import { ArrowLeft } from "lucide-react";
import type { RunSummary } from "../../api";
import { duration, IconButton, when } from "../../shared";
import type { Step } from "../run/state";
import { RunAgain } from "./again/RunAgain";
import { ExportMenu } from "./ExportMenu";
import type { Saving } from "./Saving";
import { Title } from "./Title";

interface ResultHeadProps {
  runId: string;
  summary: RunSummary;
  steps: Step[];
  saving: Saving;
  onBack: () => void;
  onOpenRun: (run: string) => void;
  onSettings: () => void;
}

/** The run's name, what it was about, and the ways to do it again and to take it along. */
export function ResultHead(props: ResultHeadProps) {
  const { runId, summary, steps, saving, onBack, onOpenRun, onSettings } = props;
  // Not from the start to the end: days may lie between a question and the next.
  const worked = steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  const about = [
    summary.files.join(", "),
    when(summary.started_at),
    worked === 0 ? "" : `${duration(worked)} of work`,
  ].filter((part) => part !== "");
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper px-4 py-2.5">
      <div className="flex items-center gap-3">
        <IconButton label="Back" icon={<ArrowLeft size={18} />} onClick={onBack} />
        <Title runId={runId} title={summary.title || summary.request} />
        <p className="hidden max-w-1/3 shrink-0 truncate text-quiet lg:block">
          {about.join(" · ")}
        </p>
        {steps.some((step) => step.state === "good") && (
          <RunAgain runId={runId} onOpenRun={onOpenRun} onSettings={onSettings} />
        )}
        <ExportMenu runId={runId} saving={saving} />
      </div>
    </header>
  );
}
