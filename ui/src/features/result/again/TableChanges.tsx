import type { TableDifference } from "../../../api";
import { Named } from "../../../shared";
import { columnWords, rowWords } from "./changeWords";
import { Cell, ChangeTable, type Head } from "./ChangeTable";

const HEADS: Head[] = [
  { label: "Table", align: "start" },
  { label: "Rows before", align: "end" },
  { label: "Rows now", align: "end" },
  { label: "Columns", align: "start" },
];

/** The result tables of two runs side by side. */
export function TableChanges({ tables }: { tables: TableDifference[] }) {
  return (
    <section aria-labelledby="changed-tables" className="min-w-0">
      <h2 id="changed-tables" className="mb-2 text-lg font-semibold">
        The tables
      </h2>
      <ChangeTable label="Tables before and now" heads={HEADS}>
        {tables.map((table) => (
          <tr key={table.path} className="align-baseline">
            <Cell>{table.path}</Cell>
            <Cell align="end">{rowWords(table.rows_before)}</Cell>
            <Cell align="end" strong>
              {rowWords(table.rows_now)}
            </Cell>
            <Cell>
              <Columns table={table} />
            </Cell>
          </tr>
        ))}
      </ChangeTable>
    </section>
  );
}

function Columns({ table }: { table: TableDifference }) {
  const words = columnWords(table);
  if (words.length === 0) {
    const isInBoth = table.rows_before !== null && table.rows_now !== null;
    return <span className="text-quiet">{isInBoth && "as before"}</span>;
  }
  return words.map((each) => (
    <span key={each} className="block">
      <Named text={each} />
    </span>
  ));
}
