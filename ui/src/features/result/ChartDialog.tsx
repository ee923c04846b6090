import { Copy, Download } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { artifactUrl, type Artifact } from "../../api";
import { Button, Dialog, useCall } from "../../shared";
import type { Step } from "../run/state";
import { chartName } from "./Charts";
import { ChartView, useChartZoom, zoomByKey } from "./ChartView";
import { copyPicture } from "./copyPicture";
import { InteractiveChart } from "./interactive/InteractiveChart";
import { ViewChoice } from "./interactive/ViewChoice";
import { SavingNotice, useSaving } from "./Saving";
import { TableChoice } from "./TableChoice";
import { tablesOf } from "./tablesOf";
import { Versions } from "./Versions";

interface ChartDialogProps {
  runId: string;
  chart: Artifact;
  tables: Artifact[];
  steps: Step[];
  onClose: () => void;
}

/** A chart at full size, with its earlier versions and the table it was drawn from. */
export function ChartDialog({ runId, chart, tables, steps, onClose }: ChartDialogProps) {
  const [version, setVersion] = useState(chart.versions);
  const [table, setTable] = useState<string | null>(null);
  const { zoom, ...frame } = useChartZoom();
  const [copying, copy] = useCall(copyPicture);
  const saving = useSaving(runId);
  const [view, setView] = useState<"interactive" | "picture">("interactive");
  const [unfit, setUnfit] = useState<string | null>(null);
  const address = artifactUrl(runId, chart.path, version);
  const name = chartName(chart.path);
  const isNewest = version === chart.versions;
  // A table is shown as it is now, which says nothing of an earlier version.
  const shown = isNewest ? tablesOf(chart.path, tables, steps) : null;

  // The chart's file has no earlier versions here, and where it cannot be drawn the picture stays.
  const { interactive } = chart;
  const canAnswer = interactive !== undefined && isNewest && unfit === null;
  const answers = canAnswer && view === "interactive";
  const controls = (
    <>
      {canAnswer && <ViewChoice chosen={view} onChoose={setView} />}
      <Versions count={chart.versions} chosen={version} onChoose={setVersion} />
    </>
  );

  const zoomKey = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement;
    if (answers || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    if (zoomByKey(zoom, event.key)) event.preventDefault();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      wide="picture"
      onKeyDown={zoomKey}
      actions={
        <>
          <SavingNotice saving={saving} layout="beside" className="w-full" />
          <span role="status" className="mr-auto self-center text-sm text-quiet">
            {copying.state === "done" && "Copied."}
            {copying.state === "failed" &&
              "This window could not copy the picture. “Save as” keeps it as a file."}
          </span>
          <Button
            icon={<Copy size={15} aria-hidden />}
            busy={copying.state === "busy"}
            onClick={() => void copy(address)}
          >
            Copy image
          </Button>
          <Button
            icon={<Download size={15} aria-hidden />}
            busy={saving.call.state === "busy"}
            onClick={() => saving.save({ kind: "file", path: chart.path, version })}
          >
            Save as
          </Button>
        </>
      }
    >
      {answers ? (
        <InteractiveChart address={artifactUrl(runId, interactive)} name={name} onUnfit={setUnfit}>
          {controls}
        </InteractiveChart>
      ) : (
        <ChartView address={address} name={name} zoom={zoom} {...frame}>
          {controls}
        </ChartView>
      )}
      {unfit !== null && isNewest && (
        <p role="status" className="mt-2 text-sm text-quiet">
          This is the picture of an interactive chart that cannot be shown: {unfit}.
        </p>
      )}
      {shown !== null && shown.tables.length > 0 && (
        <section aria-labelledby="chart-tables" className="mt-5">
          <h3 id="chart-tables" className="mb-2 font-semibold">
            {shown.tables.length === 1 ? "The table" : "The tables"}{" "}
            <span className="font-normal text-quiet">{shown.words}</span>
          </h3>
          <TableChoice
            runId={runId}
            tables={shown.tables}
            chosen={table}
            onChoose={setTable}
            height={260}
          />
        </section>
      )}
    </Dialog>
  );
}
