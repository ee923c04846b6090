import type { Artifact } from "../../api";
import { classes, EmptyState } from "../../shared";
import { TableGrid } from "./TableGrid";

interface TablesProps {
  runId: string;
  tables: Artifact[];
  chosen: string | null;
  onChoose: (path: string) => void;
}

/** The tables of a run, one at a time. */
export function Tables({ runId, tables, chosen, onChoose }: TablesProps) {
  const table = tables.find((each) => each.path === chosen) ?? tables[0];
  if (table === undefined) {
    return <EmptyState title="No tables were written.">Ask for one under the report.</EmptyState>;
  }
  return (
    <div className="py-6">
      {tables.length > 1 && (
        <div role="group" aria-label="Table" className="mb-4 flex flex-wrap gap-2">
          {tables.map(({ path }) => (
            <button
              key={path}
              type="button"
              aria-pressed={path === table.path}
              onClick={() => onChoose(path)}
              className={classes(
                "rounded-md border px-3 py-1 transition-colors duration-150",
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
      <TableGrid key={table.path} runId={runId} path={table.path} height={520} />
    </div>
  );
}
