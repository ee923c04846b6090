import { memo } from "react";
import { artifactUrl, type Artifact, type Document } from "../../api";
import { Report } from "../result/report/Report";
import type { SavedFile } from "./state";

const isChart = ({ path }: SavedFile) => /\.(png|svg|jpe?g|webp)$/i.test(path);

interface DraftsProps {
  runId: string;
  files: ReadonlyMap<string, SavedFile>;
  report: Document | null;
  artifacts: readonly Artifact[];
}

/** What a run has made so far: charts in their row, the report on its sheet. */
export const Drafts = memo(function Drafts({ runId, files, report, artifacts }: DraftsProps) {
  const charts = [...files.values()].filter(isChart);
  return (
    <div
      role="region"
      aria-label="What has been made so far"
      tabIndex={0}
      className="min-h-0 min-w-0 overflow-y-auto bg-sunken px-6 py-5 focus-visible:-outline-offset-2 max-sm:px-3"
    >
      <ul className="flex h-28 gap-3 overflow-x-auto pb-2" aria-label="Charts so far">
        {charts.map((file) => (
          <li
            key={file.path}
            className="rise grid h-full w-44 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-chart p-1"
          >
            <img
              src={artifactUrl(runId, file.path, file.versions)}
              alt={file.path}
              loading="lazy"
              decoding="async"
              className="size-full min-h-0 object-contain"
            />
          </li>
        ))}
        {Array.from({ length: Math.max(0, 3 - charts.length) }, (_, at) => (
          <li
            key={at}
            aria-hidden
            className="grid h-full w-44 shrink-0 place-items-center rounded-md border border-dashed border-line text-sm text-quiet"
          >
            {charts.length === 0 && at === 0 ? "Charts appear here" : ""}
          </li>
        ))}
      </ul>
      <div className="mt-3 min-h-[60vh] rounded-md border border-line bg-raised px-8 py-7 max-sm:px-4">
        {report === null ? <Blank /> : <Report document={report} runId={runId} files={artifacts} />}
      </div>
    </div>
  );
});

/** The sheet before anything is written on it. */
function Blank() {
  return (
    <div>
      <p className="font-serif text-lg text-quiet">The report will stand here.</p>
      <div aria-hidden className="mt-6 space-y-3">
        {["w-11/12", "w-full", "w-10/12", "w-7/12"].map((width) => (
          <div key={width} className={`h-2 rounded-full bg-sunken ${width}`} />
        ))}
      </div>
    </div>
  );
}
