import type {
  AgainOf,
  Comparison,
  FileCard,
  FigurePair,
  MovedColumn,
  NewFileCheck,
  RunSummary,
} from "../../api/types";
import { card } from "./profile";

/** Runs of the practice host that do the sample's run again on the next year. */

/** The next year of the sample, in which one column is called otherwise. */
export const nextYear: FileCard = {
  ...card,
  id: "file-4",
  name: "building_energy_2026.csv",
  preview: { ...card.preview, columns: ["timestamp", "consumption_kwh", "outdoor_temp_c"] },
};

export const againRun: RunSummary = {
  id: "run-energy-2026",
  title: "Energy 2026: the same questions",
  request: "Find unusual energy use and explain it",
  started_at: "2025-11-29T16:20:00Z",
  ended_at: "2025-11-29T16:20:24Z",
  status: "done",
  files: [nextYear.name],
  charts: 3,
};

export const againOf = (run: string, file: string, columns: MovedColumn[]): AgainOf => ({
  run,
  file: { before: card.name, now: file },
  columns,
});

export const pastAgain = againOf("run-energy", nextYear.name, [
  { before: "energy_kwh", now: "consumption_kwh" },
]);

export function checkNewFile(run: string, file: string): NewFileCheck {
  const isNextYear = file === nextYear.id;
  return {
    run,
    file: isNextYear ? nextYear.name : card.name,
    instead_of: card.name,
    steps: 8,
    needed: ["timestamp", "energy_kwh", "outdoor_temp_c"],
    missing: isNextYear ? [{ name: "energy_kwh", proposals: ["consumption_kwh"] }] : [],
    remarks: isNextYear
      ? ["`outdoor_temp_c` held decimal numbers before and holds whole numbers now."]
      : [],
  };
}

const pair = (
  place: string,
  before: string,
  now: string,
  relative?: number | null,
): Omit<FigurePair, "before_figure" | "now_figure"> => ({
  place,
  before,
  now,
  change: relative === undefined ? { change: "same" } : { change: "changed", relative },
});

const changed = [
  pair("periods of unusual energy use stand out", "7", "5", -2 / 7),
  pair("stand out between", "1 Jan 2025", "1 Jan 2026", null),
  pair("of stuck readings", "1", "2", 1),
  pair("the same reading, kWh, times in a row", "45.3", "47.1", 0.0397),
  pair("times in a row, where is usual", "36", "31", -0.1389),
  pair("The usual reading at night", "17.8", "17.81", 0.0006),
  pair("Added up over the year, in kWh", "275,107", "3,301,284", 11),
  pair("of readings lie outside of what is usual", "1.4 %", "1.1 %", null),
];

const same = Array.from({ length: 19 }, (_, at) =>
  pair(`hours of the week number ${at + 1} are looked at`, String(at * 8), String(at * 8)),
);

export const comparison = (now: string, again: AgainOf): Comparison => ({
  before: again.run,
  now,
  file_before: again.file.before,
  file_now: again.file.now,
  figures: {
    pairs: [...changed, ...same].map((each, at) => ({
      ...each,
      before_figure: at,
      now_figure: at,
    })),
    only_before: ["On 28 Oct 2025 a single spike of 148.7 kWh came at 03:00."],
    only_now: ["From 2 Feb 2026 the meter was silent for 11 hours."],
  },
  tables: [
    {
      path: "anomalies.csv",
      rows_before: 127,
      rows_now: 96,
      columns_gone: [],
      columns_new: ["weekday"],
    },
    { path: "events.csv", rows_before: 7, rows_now: 5, columns_gone: [], columns_new: [] },
    { path: "silence.csv", rows_before: null, rows_now: 1, columns_gone: [], columns_new: [] },
  ],
});
