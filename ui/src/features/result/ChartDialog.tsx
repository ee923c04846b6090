import { Copy, Download } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { artifactUrl, type Artifact } from "../../api";
import { Button, Dialog, useCall } from "../../shared";
import type { Step } from "../run/state";
import { chartName } from "./Charts";
import { ChartView, useChartZoom, zoomByKey } from "./ChartView";
import { copyPicture } from "./copyPicture";
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
  const { zoom, ...view } = useChartZoom();
  const [copying, copy] = useCall(copyPicture);
  const saving = useSaving(runId);
  const address = artifactUrl(runId, chart.path, version);
  const name = chartName(chart.path);
  // A table is shown as it is now, which says nothing of an earlier version.
  const shown = version === chart.versions ? tablesOf(chart.path, tables, steps) : null;

  const zoomKey = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement;
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
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
      <ChartView address={address} name={name} zoom={zoom} {...view}>
        <Versions count={chart.versions} chosen={version} onChoose={setVersion} />
      </ChartView>
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
