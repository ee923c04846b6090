import type { FileCard, FileProfile, RunSummary, Settings, Table } from "../../api/types";
import { page } from "./energy";

export const table: Table = {
  path: "input/building_energy.csv",
  format: "csv",
  rows: 8760,
  encoding: "utf-8",
  delimiter: ",",
  decimal: ".",
  header_row: 1,
  read_with: "pd.read_csv('input/building_energy.csv')",
  columns: [
    {
      name: "timestamp",
      kind: "timestamp",
      missing: 0,
      distinct: 8760,
      first: "2025-01-01 00:00:00",
      last: "2025-12-31 23:00:00",
      step_s: 3600,
      date_format: "%Y-%m-%d %H:%M:%S",
    },
    {
      name: "energy_kwh",
      kind: "decimal",
      missing: 0,
      distinct: 633,
      min: 12.9,
      max: 148.7,
      mean: 31.4,
      unit: "kWh",
    },
    {
      name: "outdoor_temp_c",
      kind: "decimal",
      missing: 41,
      distinct: 402,
      min: -7.1,
      max: 85,
      mean: 11.2,
      unit: "°C",
    },
  ],
  first_rows: page(0, 5).rows,
  notes: [],
};

const columnsOf = (all: Table["columns"]): FileProfile["columns"] =>
  all.map(({ name, kind, missing }) => ({ name, kind, missing }));

export const profile: FileProfile = {
  table,
  columns: columnsOf(table.columns),
  decisions: [
    {
      id: "encoding",
      about: "Encoding",
      value: "utf-8",
      label: "UTF-8",
      evidence: "All of it is valid UTF-8.",
      alternatives: [{ value: "windows-1252", label: "Windows-1252" }],
    },
    {
      id: "delimiter",
      about: "Between the cells",
      value: "comma",
      label: "Comma",
      evidence: "300 of the first 300 rows have 3 cells.",
      alternatives: [],
    },
    {
      id: "type:energy_kwh",
      about: "Values of `energy_kwh`",
      value: "decimal",
      label: "Numbers",
      evidence: "8,760 of 8,760 values are numbers.",
      alternatives: [{ value: "text", label: "Text" }],
    },
  ],
  settings: {} as FileProfile["settings"],
  ledger: { rows_read: 8760, damaged_characters: 0 },
  shapes: [
    null,
    [310, 2480, 1950, 640, 220, 160, 210, 380, 760, 940, 520, 150, 30, 8, 1, 0, 0, 0, 0, 0, 0, 1],
    [40, 160, 420, 780, 1080, 1290, 1340, 1210, 990, 720, 410, 200, 70, 9, 0, 0, 0, 0, 0, 0, 0, 30],
  ],
  findings: [
    "One row an hour from 1 Jan 2025 to 31 Dec 2025, without a gap.",
    "`energy_kwh` shows 45.3 thirty-six times in a row from 12 Mar, 07:00.",
    "`outdoor_temp_c` reads 85 for 30 hours in October, far above the rest.",
    "`outdoor_temp_c` is missing in 41 rows (0.5 %).",
  ],
  suggestions: [
    "Find unusual energy use and explain it",
    "How does energy_kwh follow outdoor_temp_c?",
    "At what hours is energy_kwh highest?",
    "What changed in energy_kwh over the year?",
  ],
  choices: [
    {
      id: "repeats",
      question: "12 rows repeat an earlier one, cell for cell.",
      keep: "Keep all 8,760 rows",
      leave_out: "Leave the 12 repeats out: 8,748 remain",
    },
    {
      id: "gaps:outdoor_temp_c",
      question: "41 rows have no `outdoor_temp_c`.",
      keep: "Keep all 8,760 rows",
      leave_out: "Leave 41 rows out: 8,719 remain",
    },
  ],
};

export const card: FileCard = {
  id: "file-1",
  name: "building_energy.csv",
  size: 262_331,
  preview: page(0, 60),
  note: "",
};

export const longName: FileCard = {
  ...card,
  id: "file-3",
  name: "Abrechnungen_Gebäude_Nord_und_Süd_2019-2025_bereinigt_final_v3 (Kopie 2) ohne_Testzeilen_neu_exportiert_am_2025-11-28_um_17-04-55_von_der_Leittechnik.csv",
};

/** A table of many columns and rows, to try wide grids with. */
export const wide: FileCard = {
  id: "file-2",
  name: "survey_2024_all_answers.xlsx",
  size: 48_210_400,
  note: "",
  preview: {
    columns: ["respondent", ...Array.from({ length: 119 }, (_, n) => `question_${n + 1}`)],
    rows: Array.from({ length: 80 }, (_, row) => [
      `R-${String(row + 1).padStart(5, "0")}`,
      ...Array.from({ length: 119 }, (_, n) => String((row * 7 + n * 3) % 5)),
    ]),
    offset: 0,
    total_rows: null,
    matching_rows: null,
  },
};

export const wideProfile: FileProfile = {
  columns: wide.preview.columns.map((name) => ({ name, kind: "integer" as const, missing: 0 })),
  decisions: [],
  settings: {} as FileProfile["settings"],
  ledger: { rows_read: 41_230, damaged_characters: 0 },
  table: {
    ...table,
    path: "input/survey_2024_all_answers.xlsx",
    format: "xlsx",
    sheet: "Answers",
    rows: 41_230,
    encoding: null,
    delimiter: null,
    columns: wide.preview.columns.map((name, n) => ({
      name,
      kind: n === 0 ? ("identifier" as const) : ("integer" as const),
      missing: n * 3,
      distinct: n === 0 ? null : 5,
      min: n === 0 ? null : 0,
      max: n === 0 ? null : 4,
      mean: n === 0 ? null : 2,
    })),
    first_rows: wide.preview.rows.slice(0, 5),
  },
  shapes: wide.preview.columns.map((_, n) => (n === 0 ? null : [12, 30, 44, 25, 9])),
  findings: ["Each row is one respondent; no respondent appears twice."],
  suggestions: ["Which answers in question_1 differ most by question_2?", "Anything unusual?"],
  choices: [],
};

export const summaries: RunSummary[] = [
  {
    id: "run-energy",
    title: "Energy 2025: 7 unusual periods",
    request: "Find unusual energy use and explain it",
    started_at: "2025-11-29T15:02:11Z",
    ended_at: "2025-11-29T15:02:39Z",
    status: "done",
    files: ["building_energy.csv"],
    charts: 3,
  },
  {
    id: "run-survey",
    title: "Staff survey: overview",
    request: "Give me an overview of the answers",
    started_at: "2025-11-24T09:40:00Z",
    ended_at: "2025-11-24T09:40:51Z",
    status: "incomplete",
    files: ["survey_2024_all_answers.xlsx"],
    charts: 2,
  },
  {
    id: "run-delivery",
    title: "Which regions differ most in delivery days?",
    request: "Which regions differ most in delivery days?",
    started_at: "2025-11-20T16:11:00Z",
    ended_at: null,
    status: "interrupted",
    files: ["deliveries_q3.csv", "regions.csv"],
    charts: 0,
  },
];

export const settings: Settings = {
  theme: "system",
  model: { kind: "built_in" },
  rows: "shown",
  limits: { steps: 80, tokens: 2_000_000, minutes: 30, cents: null },
  extra_ca: null,
  runtime: "auto",
  image: null,
  docker_host: null,
  hosted: {
    base_url: "https://api.openai.com/v1",
    model: "gpt-4.1-mini",
    key_place: null,
    key: null,
  },
  wishes: "",
  last_remote: null,
};
