import type { Artifact } from "../../api";
import { classes } from "../../shared";
import { TableGrid } from "./TableGrid";

interface TableChoiceProps {
  runId: string;
  tables: Artifact[];
  /** The path of the table to show; the first when it is none of them. */
  chosen: string | null;
  onChoose: (path: string) => void;
  /** Pixels. */
  height: number;
}

/** Some tables, of which one is shown. */
export function TableChoice({ runId, tables, chosen, onChoose, height }: TableChoiceProps) {
  const table = tables.find(({ path }) => path === chosen) ?? tables[0];
  if (table === undefined) return null;
  return (
    <>
      {tables.length > 1 && (
        <div role="group" aria-label="Table" className="mb-3 flex flex-wrap gap-2">
          {tables.map(({ path }) => (
            <button
              key={path}
              type="button"
              aria-pressed={path === table.path}
              onClick={() => onChoose(path)}
              className={classes(
                "rounded-md border px-3 py-1 text-left transition-colors duration-150",
                path === table.path
                  ? "border-accent bg-accent-wash text-accent-ink"
                  : "border-line text-quiet hover:border-line-strong hover:text-ink",
              )}
            >
              {path}
            </button>
          ))}
        </div>
      )}
      <TableGrid key={table.path} runId={runId} path={table.path} height={height} />
    </>
  );
}
