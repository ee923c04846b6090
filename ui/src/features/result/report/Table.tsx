import type { Block, Inline } from "../../../api";
import { Inlines } from "./Inlines";

interface TableProps {
  table: Extract<Block, { block: "table" }>;
  dir: "auto" | undefined;
}

/** A table, which scrolls by itself where it is wide. */
export function Table({ table: { columns, head, rows }, dir }: TableProps) {
  const cell = (Cell: "th" | "td") => (content: Inline[], at: number) => (
    <Cell key={at} data-align={columns[at] ?? "start"} scope={Cell === "th" ? "col" : undefined}>
      <Inlines content={content} />
    </Cell>
  );
  return (
    <div className="report-table report-wide" role="region" aria-label="Table" tabIndex={0}>
      <table dir={dir}>
        <thead>
          <tr>{head.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
