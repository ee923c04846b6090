import type { Artifact } from "../../api";
import { EmptyState } from "../../shared";
import { TableChoice } from "./TableChoice";

interface TablesProps {
  runId: string;
  tables: Artifact[];
  chosen: string | null;
  onChoose: (path: string) => void;
}

/** The tables of a run, one at a time. */
export function Tables({ runId, tables, chosen, onChoose }: TablesProps) {
  if (tables.length === 0) {
    return <EmptyState title="No tables were written.">Ask for one under the report.</EmptyState>;
  }
  return (
    <div className="py-6">
      <TableChoice runId={runId} tables={tables} chosen={chosen} onChoose={onChoose} height={520} />
    </div>
  );
}
