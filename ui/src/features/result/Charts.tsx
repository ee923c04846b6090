import { MousePointerClick } from "lucide-react";
import { artifactUrl, type Artifact } from "../../api";
import { EmptyState } from "../../shared";

interface ChartsProps {
  runId: string;
  charts: Artifact[];
  onOpen: (path: string) => void;
}

/** "charts/unusual_periods.png" -> "Unusual periods" */
export function chartName(path: string): string {
  const file = path.split("/").at(-1) ?? path;
  const words = file.replace(/\.\w+$/, "").replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All charts side by side; each opens large. */
export function Charts({ runId, charts, onOpen }: ChartsProps) {
  if (charts.length === 0) {
    return <EmptyState title="No charts were drawn.">Ask for one under the report.</EmptyState>;
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-5 py-6">
      {charts.map((chart) => (
        <li
          key={chart.path}
          className="[contain-intrinsic-height:auto_13rem] [content-visibility:auto]"
        >
          <button
            type="button"
            onClick={() => onOpen(chart.path)}
            className="group block w-full rounded-md text-left focus-visible:-outline-offset-2"
          >
            <span className="grid h-44 place-items-center overflow-hidden rounded-md border border-line bg-chart p-2 transition-colors duration-150 group-hover:border-line-strong">
              <img
                src={artifactUrl(runId, chart.path, chart.versions)}
                alt=""
                loading="lazy"
                decoding="async"
                className="max-h-full max-w-full object-contain"
              />
            </span>
            <span className="mt-1.5 flex items-baseline justify-between gap-3">
              <span className="truncate">{chartName(chart.path)}</span>
              <span className="flex shrink-0 gap-3 text-sm text-quiet">
                {chart.interactive !== undefined && (
                  <span className="flex items-center gap-1">
                    <MousePointerClick size={14} aria-hidden /> Interactive
                  </span>
                )}
                {chart.versions > 1 && <span>{chart.versions} versions</span>}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
