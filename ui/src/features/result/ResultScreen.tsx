import { useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { RunView } from "../../api";
import { Tabs } from "../../shared";
import { stepKey, type RunState, type Step } from "../run/state";
import { AgainLine } from "./again/AgainLine";
import { useComparison } from "./again/useComparison";
import { WhatChanged } from "./again/WhatChanged";
import { ChartDialog } from "./ChartDialog";
import { Charts } from "./Charts";
import { Files } from "./Files";
import { Findings } from "./Findings";
import { How } from "./How";
import { ResultHead } from "./ResultHead";
import { useSaving } from "./Saving";
import { StepDialog } from "./StepDialog";
import { Status } from "./Status";
import { Strip } from "./Strip";
import { Tables } from "./Tables";
import { useReportCheck } from "./useReportCheck";

interface ResultScreenProps {
  runId: string;
  state: RunState;
  view: RunView;
  onBack: () => void;
  /** Leads to another run. */
  onOpenRun: (run: string) => void;
  onSettings: () => void;
}

/** A run that has ended: how it ended, its steps in one line, and what it has left. */
export function ResultScreen(props: ResultScreenProps) {
  const { runId, state, view, onBack, onOpenRun, onSettings } = props;
  const [tab, setTab] = useState("report");
  const [chart, setChart] = useState<string | null>(null);
  const [table, setTable] = useState<string | null>(null);
  const [step, setStep] = useState<{ key: string; line: string | null } | null>(null);
  const saving = useSaving(runId);
  const checked = useReportCheck(runId, view.report);
  const compared = useComparison(runId, view.record.again);
  const charts = view.artifacts.filter((file) => file.kind === "chart");
  const tables = view.artifacts.filter((file) => file.kind === "table");
  const opened = charts.find((file) => file.path === chart);
  // The report is read again only when these change.
  const { artifacts } = view;
  const openStep = useCallback((opened: Step) => setStep({ key: stepKey(opened), line: null }), []);
  const openStepAt = (number: number, line: string | null) => {
    const opened = state.steps.find((each) => each.step === number);
    if (opened !== undefined) setStep({ key: stepKey(opened), line });
  };
  const openFile = useCallback(
    (path: string) => {
      const kind = artifacts.find((file) => file.path === path)?.kind;
      if (kind === "chart") setChart(path);
      else if (kind === "table") {
        setTable(path);
        setTab("tables");
      } else setTab(kind === "report" ? "report" : "files");
    },
    [artifacts],
  );

  const field = useRef<HTMLTextAreaElement>(null);
  const rephrase = () => {
    // A field that is not shown takes no focus.
    flushSync(() => setTab("report"));
    field.current?.focus();
  };

  const tabs = [
    {
      id: "report",
      label: "Report",
      keeps: true,
      content: (
        <Findings
          runId={runId}
          state={state}
          view={view}
          checked={checked}
          onOpenFile={openFile}
          onOpenChart={setChart}
          onOpenStep={openStepAt}
          field={field}
          onSettings={onSettings}
        />
      ),
    },
    ...(compared === null
      ? []
      : [
          {
            id: "changed",
            label: "What changed",
            content: <WhatChanged compared={compared} onOpenRun={onOpenRun} />,
          },
        ]),
    {
      id: "charts",
      label: "Charts",
      count: charts.length,
      content: <Charts runId={runId} charts={charts} onOpen={setChart} />,
    },
    {
      id: "tables",
      label: "Tables",
      count: tables.length,
      content: <Tables runId={runId} tables={tables} chosen={table} onChoose={setTable} />,
    },
    {
      id: "files",
      label: "Files",
      count: view.artifacts.length,
      content: (
        <Files
          files={view.artifacts}
          steps={state.steps}
          onOpen={openFile}
          onOpenStep={openStep}
          onSave={(path) => saving.save({ kind: "file", path, version: null })}
        />
      ),
    },
    {
      id: "how",
      label: "How this was worked out",
      content: <How runId={runId} state={state} record={view.record} onOpenStep={openStepAt} />,
    },
  ];

  return (
    <div>
      <ResultHead
        runId={runId}
        summary={view.summary}
        steps={state.steps}
        saving={saving}
        onBack={onBack}
        onOpenRun={onOpenRun}
        onSettings={onSettings}
      />
      <div className="mx-auto max-w-5xl px-6 pt-4 pb-12">
        <Status
          runId={runId}
          state={state}
          view={view}
          checked={checked}
          onRephrase={rephrase}
          onSettings={onSettings}
          onOpenStep={openStepAt}
        />
        {compared !== null && <AgainLine compared={compared} onOpen={() => setTab("changed")} />}
        <Strip steps={state.steps} onOpen={openStep} />
        <Tabs label="What this run has left" tabs={tabs} value={tab} onChange={setTab} />
      </div>
      {opened !== undefined && (
        <ChartDialog
          key={opened.path}
          runId={runId}
          chart={opened}
          tables={tables}
          steps={state.steps}
          onClose={() => setChart(null)}
        />
      )}
      <StepDialog
        step={state.steps.find((each) => stepKey(each) === step?.key) ?? null}
        line={step?.line ?? null}
        onClose={() => setStep(null)}
      />
    </div>
  );
}
