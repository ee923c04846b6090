import { BarChart3, Download, File, FileText, Table2 } from "lucide-react";
import type { Artifact } from "../../api";
import { bytes, EmptyState, IconButton } from "../../shared";
import type { Step } from "../run/state";

const KINDS = {
  report: { words: "Report", icon: <FileText size={16} aria-hidden /> },
  chart: { words: "Chart", icon: <BarChart3 size={16} aria-hidden /> },
  table: { words: "Table", icon: <Table2 size={16} aria-hidden /> },
  other: { words: "File", icon: <File size={16} aria-hidden /> },
} as const;

interface FilesProps {
  files: Artifact[];
  steps: Step[];
  onOpen: (path: string) => void;
  onOpenStep: (step: Step) => void;
  onSave: (path: string) => void;
}

/** Every file that the run has left, and the step that made it. */
export function Files({ files, steps, onOpen, onOpenStep, onSave }: FilesProps) {
  if (files.length === 0) return <EmptyState title="No files were made." />;
  return (
    <table className="my-6 w-full text-left">
      <thead className="border-b border-line-strong text-sm text-quiet">
        <tr>
          <th className="py-1.5 pr-3 font-normal">Name</th>
          <th className="px-3 font-normal max-sm:hidden">Kind</th>
          <th className="px-3 text-right font-normal">Size</th>
          <th className="px-3 font-normal">Made in</th>
          <th className="w-8 font-normal">
            <span className="sr-only">Save</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => {
          const step = steps.findLast((each) => each.saved.includes(file.path));
          return (
            <tr key={file.path} className="border-b border-line">
              <td className="py-2 pr-3">
                <span className="flex items-center gap-2.5">
                  <span className="text-quiet">{KINDS[file.kind].icon}</span>
                  {file.kind === "other" ? (
                    file.path
                  ) : (
                    <button
                      type="button"
                      onClick={() => onOpen(file.path)}
                      className="rounded-sm text-left hover:text-accent-ink hover:underline"
                    >
                      {file.path}
                    </button>
                  )}
                </span>
              </td>
              <td className="px-3 whitespace-nowrap text-quiet max-sm:hidden">
                {KINDS[file.kind].words}
              </td>
              <td className="px-3 text-right whitespace-nowrap text-quiet">{bytes(file.size)}</td>
              <td className="px-3">
                {step !== undefined && (
                  <button
                    type="button"
                    onClick={() => onOpenStep(step)}
                    className="rounded-sm text-left text-quiet hover:text-accent-ink hover:underline"
                  >
                    Step {step.step}: {step.title}
                  </button>
                )}
              </td>
              <td>
                <IconButton
                  label={`Save ${file.path} as`}
                  icon={<Download size={15} aria-hidden />}
                  onClick={() => onSave(file.path)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
