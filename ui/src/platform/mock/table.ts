import type { Sort, TablePage } from "../../api/types";
import { energyAt, page } from "./energy";
import { scene } from "./scene";

interface Wanted {
  offset: number;
  limit: number;
  sort: Sort | null;
  filter: string;
}

const named = ["timestamp", "energy_kwh", "expected", "score", "hour"];
const more = Array.from({ length: Math.max(0, scene.columns - named.length) }, (_, at) => at + 1);
const columns = [...named, ...more.map((number) => `difference_to_week_${number}`)];

const unusual = page(0, 8760)
  .rows.map((row, hour) => {
    const expected = energyAt(hour % 168);
    const weeks = more.map((number) => String(((hour * number) % 97) - 48));
    const [time = "", energy = ""] = row;
    return [time, energy, expected.toFixed(1), String(hour % 7), String(hour % 24), ...weeks];
  })
  .filter((_, hour) => hour % 9 === 0);

const order = (left: string, right: string) => {
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? left.localeCompare(right) : a - b;
};

/** A page of a result table, sorted and filtered as the shell would. */
export function resultTable({ offset, limit, sort, filter }: Wanted): TablePage {
  const wanted = filter.toLowerCase();
  const matching = unusual.filter((row) => row.join(" ").toLowerCase().includes(wanted));
  if (sort) {
    const way = sort.descending ? -1 : 1;
    matching.sort((a, b) => way * order(a[sort.column] ?? "", b[sort.column] ?? ""));
  }
  return {
    columns,
    rows: matching.slice(offset, offset + limit),
    offset,
    total_rows: unusual.length,
    matching_rows: matching.length,
  };
}
