import { useMemo } from "react";
import type { Column, FileCard, FileProfile } from "../../api";
import {
  areFigures,
  BarShape,
  classes,
  columnWidth,
  VirtualGrid,
  type GridColumn,
} from "../../shared";
import { usePages } from "./usePages";
import { extentOf, kindOf, missingOf, shapeLabel } from "./words";

const numeric = new Set(["integer", "decimal"]);

/** The file's own rows, under a strip that says what each column holds. */
export function Preview({ file, profile }: { file: FileCard; profile: FileProfile | null }) {
  const { cell, onSight } = usePages(file);
  const columns = useMemo<GridColumn[]>(
    () =>
      file.preview.columns.map((name, index) => {
        const column = profile?.table.columns[index];
        const cells = file.preview.rows.slice(0, 40).map((row) => row[index]);
        // The rows are there before the column is known; they stay on the side where they first were.
        const isAtEnd = column === undefined ? areFigures(cells) : numeric.has(column.kind);
        return {
          name,
          width: Math.max(168, columnWidth(name, cells)),
          align: isAtEnd ? "end" : "start",
          head: (
            <ColumnHead
              name={name}
              column={column}
              isAtEnd={isAtEnd}
              shape={profile?.shapes[index] ?? null}
              rows={profile?.table.rows ?? 0}
            />
          ),
        };
      }),
    [file, profile],
  );

  return (
    <VirtualGrid
      label={`Rows of ${file.name}`}
      columns={columns}
      rows={profile?.table.rows ?? file.preview.total_rows ?? file.preview.rows.length}
      cell={cell}
      onSight={onSight}
      height="max(210px, 33vh)"
      headHeight={98}
    />
  );
}

interface ColumnHeadProps {
  name: string;
  column: Column | undefined;
  isAtEnd: boolean;
  shape: number[] | null;
  rows: number;
}

function ColumnHead({ name, column, isAtEnd, shape, rows }: ColumnHeadProps) {
  const missing = column === undefined ? "" : missingOf(column, rows);
  return (
    <div
      className={classes(
        "flex h-full w-full min-w-0 flex-col py-2",
        isAtEnd ? "items-end text-right" : "items-start text-left",
      )}
    >
      <span className="max-w-full truncate" title={name}>
        {name}
      </span>
      <span className="max-w-full truncate text-xs font-normal text-quiet">
        {column === undefined ? "" : kindOf(column)}
      </span>
      <span className="mt-auto h-6 w-full max-w-36">
        {column !== undefined && shape !== null && (
          <BarShape
            heights={shape}
            label={shapeLabel(column)}
            className="rise h-full w-full text-accent"
          />
        )}
      </span>
      <span className="max-w-full truncate text-xs font-normal text-quiet">
        {missing !== "" && <span className="text-accent-ink">{missing}</span>}
        {missing !== "" && column !== undefined && extentOf(column) !== "" && " · "}
        {column === undefined ? "" : extentOf(column)}
      </span>
    </div>
  );
}
