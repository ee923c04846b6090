import { ChevronDown, FileArchive, Folder } from "lucide-react";
import { exportRun, reveal, within } from "../../api";
import { Button, Menu, Notice, ProblemCard, useCall } from "../../shared";

/** The ways to take a run along, one line each. */
const FORMATS = [
  { format: "folder", label: "As a folder", icon: <Folder size={16} aria-hidden /> },
  { format: "zip", label: "As one zip file", icon: <FileArchive size={16} aria-hidden /> },
] as const;

/** Takes the run out of the app, and says where it went. */
export function ExportMenu({ runId }: { runId: string }) {
  // The dialog waits for the person, so this call has no time limit.
  const [exporting, start, reset] = useCall((format: "folder" | "zip") => exportRun(runId, format));
  const [, show] = useCall((id: string) => within(15, reveal(id)));
  const exported = exporting.state === "done" ? exporting.answer : null;
  return (
    <div>
      <Menu
        items={FORMATS.map(({ format, ...item }) => ({
          ...item,
          onChoose: () => void start(format),
        }))}
      >
        <Button tone="primary" busy={exporting.state === "busy"} className="w-28">
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      </Menu>
      {exported !== null && (
        <Notice
          tone="good"
          className="rise absolute top-full right-4 z-30 mt-2 w-96 shadow-float"
          actions={
            <>
              <Button onClick={() => void show(exported.id)}>Open the place</Button>
              <Button tone="quiet" onClick={reset}>
                Close
              </Button>
            </>
          }
        >
          Exported to {exported.place}
        </Notice>
      )}
      {exporting.state === "failed" && (
        <ProblemCard
          problem={exporting.problem}
          className="absolute top-full right-4 z-30 mt-2 w-96 shadow-float"
          actions={
            <Button tone="quiet" onClick={reset}>
              Close
            </Button>
          }
        />
      )}
    </div>
  );
}
