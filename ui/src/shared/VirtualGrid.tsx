import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { classes } from "./classes";

export interface GridColumn {
  name: string;
  /** Pixels; see `columnWidth`. */
  width: number;
  align?: "start" | "end";
  /** Takes the place of the plain name in the head. */
  head?: ReactNode;
  sorted?: "ascending" | "descending" | "none";
}

interface VirtualGridProps {
  label: string;
  columns: GridColumn[];
  rows: number;
  /** The text of a cell; undefined while its page has not come. */
  cell: (row: number, column: number) => string | undefined;
  /** The rows that are now in sight, so that their pages can be asked for. */
  onSight?: (first: number, last: number) => void;
  /** The tallest the scrolling window may be: pixels, or a length of CSS. */
  height: number | string;
  headHeight?: number;
}

const rowHeight = 28;
/** A page taller than about 33 million pixels is cut off by the web view. */
const mostRows = 1_000_000;

/** Pixels that show a name and most of its cells. */
export function columnWidth(name: string, cells: (string | undefined)[]): number {
  const longest = Math.max(...cells.map((cell) => cell?.length ?? 0), name.length + 1);
  return Math.min(280, Math.max(72, Math.ceil(longest * 7.8) + 24));
}

const figure = /^-?[\d.,]+(e[+-]?\d+)?%?$/i;

/** Whether the cells of a column are figures, which stand on its right side. */
export function areFigures(cells: (string | undefined)[]): boolean {
  const filled = cells.filter((cell) => cell !== undefined && cell !== "");
  return filled.length > 0 && filled.every((cell) => figure.test(cell ?? ""));
}

/** A table of any size: only the rows and columns in sight are drawn. */
export function VirtualGrid(props: VirtualGridProps) {
  const { label, columns, rows, cell, onSight, height, headHeight = 32 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setRoom(box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  // Few columns share what the window leaves over, so that rows reach its edge.
  const needed = columns.reduce((sum, column) => sum + column.width, 0);
  const spare = Math.max(0, Math.floor((room - needed) / Math.max(1, columns.length)));

  const drawn = Math.min(rows, mostRows);
  const down = useVirtualizer({
    count: drawn,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (columns[index]?.width ?? 120) + spare,
    overscan: 2,
  });

  const widths = columns.map((column) => column.width).join();
  useEffect(() => across.measure(), [across, widths, spare]);

  const seen = down.getVirtualItems();
  const first = seen[0]?.index ?? 0;
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows > 0) onSight?.(first, last);
  }, [onSight, first, last, rows]);

  const width = across.getTotalSize();
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      style={{
        height: headHeight + drawn * rowHeight + 16,
        maxHeight: height,
      }}
      className="overflow-auto overscroll-contain font-mono text-sm focus-visible:-outline-offset-2"
    >
      <div
        role="row"
        aria-rowindex={1}
        style={{ width, height: headHeight }}
        className="sticky top-0 z-10 min-w-full border-b border-line bg-sunken font-sans"
      >
        {across.getVirtualItems().map((item) => {
          const column = columns[item.index];
          return (
            <div
              key={item.key}
              role="columnheader"
              aria-colindex={item.index + 1}
              aria-sort={column?.sorted}
              style={{ left: item.start, width: item.size, height: headHeight }}
              className={classes(
                "absolute flex items-center overflow-hidden px-3 font-semibold",
                column?.align === "end" && "justify-end",
              )}
            >
              {column?.head ?? <span className="truncate">{column?.name}</span>}
            </div>
          );
        })}
      </div>
      <div role="rowgroup" style={{ width, height: down.getTotalSize() }} className="relative">
        {seen.map((row) => (
          <div
            key={row.key}
            role="row"
            aria-rowindex={row.index + 2}
            style={{ top: row.start, height: rowHeight }}
            className="absolute inset-x-0 border-b border-line/60"
          >
            {across.getVirtualItems().map((item) => {
              const text = cell(row.index, item.index);
              return (
                <div
                  key={item.key}
                  role="cell"
                  aria-colindex={item.index + 1}
                  title={text !== undefined && text.length > 32 ? text : undefined}
                  style={{ left: item.start, width: item.size, height: rowHeight }}
                  className={classes(
                    "absolute truncate px-3 leading-7",
                    columns[item.index]?.align === "end" && "text-right",
                    text === undefined && "text-faint",
                  )}
                >
                  {text ?? "…"}
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
