import type { DataStory, TableChange } from "../../api/types";

const change = (over: Partial<TableChange> & Pick<TableChange, "kind" | "code">): TableChange => ({
  line: 2,
  name: "readings",
  from: [],
  rows_before: 8760,
  rows_after: 8760,
  columns_before: 3,
  columns_after: 3,
  missing_before: null,
  missing_after: null,
  ...over,
});

/** What happened to the data of the practice run. */
export const dataStory = (): DataStory => ({
  changes: [
    {
      step: 1,
      change: change({
        kind: "read",
        code: "readings = pd.read_csv('input/building_energy.csv', parse_dates=['timestamp'])",
        rows_before: null,
        columns_before: null,
      }),
    },
    {
      step: 2,
      change: change({
        kind: "filter",
        name: "workdays",
        from: [{ name: "readings", rows: 8760 }],
        rows_after: 6264,
        code: "workdays = readings[readings['timestamp'].dt.dayofweek < 5]",
      }),
    },
    {
      step: 3,
      change: change({
        kind: "drop_missing",
        name: null,
        from: [{ name: "readings", rows: 8760 }],
        rows_after: 8724,
        missing_before: 36,
        missing_after: 0,
        code: "pattern = readings.dropna().groupby(hour_of_week)['energy_kwh'].median()",
      }),
    },
  ],
  attempts: [{ step: 2, title: "Looking at the weekdays only", reason: { left: "unused" } }],
});
