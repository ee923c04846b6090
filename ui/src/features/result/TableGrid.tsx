import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Sort, TablePage } from "../../api";
import {
  areFigures,
  Button,
  columnWidth,
  count,
  counted,
  EmptyState,
  ProblemCard,
  VirtualGrid,
  Wait,
  type GridColumn,
} from "../../shared";
import { CopyTable } from "./CopyTable";
import { usePages } from "./usePages";

interface TableGridProps {
  runId: string;
  path: string;
  /** Pixels. */
  height: number;
}

/** A result table that can be sorted, filtered and scrolled at any size. */
export function TableGrid({ runId, path, height }: TableGridProps) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [filter, setFilter] = useState("");
  const pages = usePages(runId, path, sort, useDeferredValue(filter.trim()));
  const { first } = pages;
  // Widths are those of the first rows that came: a filter does not make the columns jump.
  const [shape, setShape] = useState<TablePage | null>(null);
  if (shape === null && first !== null) setShape(first);

  if (pages.problem !== null) {
    return (
      <ProblemCard
        problem={pages.problem}
        actions={<Button onClick={pages.again}>Try again</Button>}
      />
    );
  }
  if (first === null || shape === null) return <Wait label={`Opening ${path}`} />;

  const columns = shape.columns.map((name, at): GridColumn => {
    const cells = shape.rows.slice(0, 60).map((row) => row[at] ?? "");
    const sorted = sort?.column !== at ? "none" : sort.descending ? "descending" : "ascending";
    return {
      name,
      width: columnWidth(`${name}   `, cells),
      align: areFigures(cells) ? "end" : "start",
      sorted,
      head: <SortButton name={name} sorted={sorted} onSort={() => setSort(nextSort(sort, at))} />,
    };
  });
  const total = first.total_rows;
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="relative w-64 max-w-full">
          <Search size={14} aria-hidden className="absolute top-2.5 left-2.5 text-quiet" />
          <input
            type="search"
            aria-label={`Show only rows of ${path} with`}
            placeholder="Show only rows with …"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="w-full rounded-md border border-line-strong bg-raised py-1 pr-2 pl-8 placeholder:text-quiet"
          />
        </div>
        <p role="status" className="text-quiet">
          {filter.trim() !== "" && total !== null
            ? `${count(pages.rows)} of ${counted(total, "row")}`
            : counted(pages.rows, "row")}
        </p>
        <CopyTable runId={runId} path={path} />
      </div>
      <div className="overflow-hidden rounded-md border border-line bg-raised">
        <VirtualGrid
          label={path}
          columns={columns}
          rows={pages.rows}
          cell={pages.cell}
          onSight={pages.onSight}
          height={height}
        />
        {pages.isCurrent && pages.rows === 0 && (
          <EmptyState
            title={
              filter.trim() === "" ? "The table has no rows." : `No row has “${filter.trim()}”.`
            }
          >
            {filter.trim() !== "" && <Button onClick={() => setFilter("")}>Show all rows</Button>}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** Ascending, then descending, then as the file has it. */
function nextSort(sort: Sort | null, column: number): Sort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}

interface SortButtonProps {
  name: string;
  sorted: GridColumn["sorted"];
  onSort: () => void;
}

function SortButton({ name, sorted, onSort }: SortButtonProps) {
  return (
    <button
      type="button"
      onClick={onSort}
      title={`Sort by ${name}`}
      className="flex min-w-0 items-center gap-1 rounded-sm hover:text-accent-ink"
    >
      <span className="truncate">{name}</span>
      {sorted === "ascending" && <ArrowUp size={13} aria-hidden className="shrink-0" />}
      {sorted === "descending" && <ArrowDown size={13} aria-hidden className="shrink-0" />}
    </button>
  );
}
