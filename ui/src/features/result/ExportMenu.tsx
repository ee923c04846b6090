import { ChevronDown, FileArchive, Folder } from "lucide-react";
import { Button, Menu } from "../../shared";
import { SavingNotice, type Saving } from "./Saving";

/** The ways to take a run along, one line each. */
const FORMATS = [
  { format: "folder", label: "As a folder", icon: <Folder size={16} aria-hidden /> },
  { format: "zip", label: "As one zip file", icon: <FileArchive size={16} aria-hidden /> },
] as const;

/** Takes the run out of the app, and says where it or one of its files went. */
export function ExportMenu({ saving }: { saving: Saving }) {
  return (
    <div>
      <Menu
        items={FORMATS.map(({ format, ...item }) => ({
          ...item,
          onChoose: () => saving.save({ kind: "run", format }),
        }))}
      >
        <Button tone="primary" busy={saving.call.state === "busy"} className="w-28">
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      </Menu>
      <SavingNotice
        saving={saving}
        className="rise absolute top-full right-4 z-30 mt-2 w-96 max-w-[calc(100vw-2rem)] shadow-float"
      />
    </div>
  );
}
