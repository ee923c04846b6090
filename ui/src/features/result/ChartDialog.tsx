import { Copy, Minus, Plus } from "lucide-react";
import { useState } from "react";
import { artifactUrl, type Artifact } from "../../api";
import { Button, classes, Dialog, IconButton, useCall } from "../../shared";
import type { Step } from "../run/state";
import { chartName } from "./Charts";
import { copyPicture } from "./copyPicture";
import { TableGrid } from "./TableGrid";

interface ChartDialogProps {
  runId: string;
  chart: Artifact | null;
  tables: Artifact[];
  steps: Step[];
  onClose: () => void;
}

const ZOOMS = [1, 1.5, 2, 3, 4];

/** A chart at full size, with its earlier versions and the table it was drawn from. */
export function ChartDialog({ runId, chart, tables, steps, onClose }: ChartDialogProps) {
  const [zoom, setZoom] = useState(0);
  const [version, setVersion] = useState(chart?.versions ?? 1);
  const [copying, copy] = useCall(copyPicture);
  if (chart === null) return null;
  const address = artifactUrl(runId, chart.path, version);
  const table = tableOf(chart.path, tables, steps);
  return (
    <Dialog open onClose={onClose} title={chartName(chart.path)} wide="picture">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <IconButton
          label="Smaller"
          icon={<Minus size={16} />}
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        />
        <span className="min-w-12 text-center text-quiet">{(ZOOMS[zoom] ?? 1) * 100} %</span>
        <IconButton
          label="Larger"
          icon={<Plus size={16} />}
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        />
        <Versions count={chart.versions} chosen={version} onChoose={setVersion} />
        <span className="grow" />
        <span role="status" className="text-sm text-quiet">
          {copying.state === "done" && "Copied."}
          {copying.state === "failed" &&
            "This window cannot copy pictures. Export keeps them as files."}
        </span>
        <Button icon={<Copy size={15} aria-hidden />} onClick={() => void copy(address)}>
          Copy image
        </Button>
      </div>
      <div
        role="region"
        aria-label="Chart"
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-md border border-line bg-chart p-2"
      >
        <img
          src={address}
          alt={chartName(chart.path)}
          style={{ width: `${(ZOOMS[zoom] ?? 1) * 100}%` }}
          className="block max-w-none [aspect-ratio:auto_12/5]"
        />
      </div>
      {table !== undefined && (
        <div className="mt-5">
          <h3 className="mb-2 font-semibold">{table.path}, made in the same step</h3>
          <TableGrid runId={runId} path={table.path} height={260} />
        </div>
      )}
    </Dialog>
  );
}

/** The one table that the step which drew the chart has made as well. */
function tableOf(chart: string, tables: Artifact[], steps: Step[]): Artifact | undefined {
  const step = steps.findLast((each) => each.saved.includes(chart));
  const made = tables.filter((table) => step?.saved.includes(table.path));
  return made.length === 1 ? made[0] : undefined;
}

interface VersionsProps {
  count: number;
  chosen: number;
  onChoose: (version: number) => void;
}

function Versions({ count, chosen, onChoose }: VersionsProps) {
  if (count < 2) return null;
  return (
    <div role="group" aria-label="Version" className="ml-2 flex rounded-md border border-line">
      {Array.from({ length: count }, (_, at) => at + 1).map((version) => (
        <button
          key={version}
          type="button"
          aria-pressed={version === chosen}
          onClick={() => onChoose(version)}
          className={classes(
            "px-2.5 py-0.5 first:rounded-l-md last:rounded-r-md",
            version === chosen ? "bg-accent-wash text-accent-ink" : "text-quiet hover:text-ink",
          )}
        >
          v{version}
        </button>
      ))}
    </div>
  );
}
