import type {
  FileCard,
  FileProfile,
  FilesAdded,
  LeaveOut,
  Problem,
  ReadingProgress,
  Rows,
  RunAsk,
} from "../../api";

/** How far the full pass over a file has come. */
export type Reading =
  | { state: "reading"; progress?: ReadingProgress }
  | { state: "stopped" }
  | { state: "read"; profile: FileProfile }
  | { state: "failed"; problem: Problem };

/** What lies on the desk before a run. */
export interface Desk {
  files: FileCard[];
  readings: Record<string, Reading>;
  /** How often a file's rows have become others, because it is read in another way. */
  versions: Record<string, number>;
  /** The file whose sheet is on top. */
  shown: string | null;
  problems: Problem[];
  /** The choices by which rows are left out; whatever is not named here is kept. */
  leaveOut: LeaveOut[];
  ask: string;
  meaning: string;
  charts: boolean;
  tables: boolean;
  /** Whether the model gets to read rows; null as the settings have it. */
  rows: Rows | null;
}

export const emptyDesk: Desk = {
  files: [],
  readings: {},
  versions: {},
  shown: null,
  problems: [],
  leaveOut: [],
  ask: "",
  meaning: "",
  charts: true,
  tables: true,
  rows: null,
};

export type DeskAction =
  | { do: "add"; added: FilesAdded }
  | { do: "remove"; file: string }
  | { do: "show"; file: string }
  | { do: "read"; file: string; reading: Reading }
  | { do: "reread"; card: FileCard }
  | { do: "fail"; problem: Problem }
  | { do: "dismiss"; problem: Problem }
  | { do: "keep" | "leave_out"; file: string; choice: string }
  | { do: "ask"; ask: string }
  | { do: "mean"; meaning: string }
  | { do: "want"; charts?: boolean; tables?: boolean }
  | { do: "rows"; rows: Rows };

export function deskAfter(desk: Desk, action: DeskAction): Desk {
  switch (action.do) {
    case "add":
      return afterAdding(desk, action.added);
    case "remove":
      return afterRemoving(desk, action.file);
    case "show":
      return { ...desk, shown: action.file };
    case "read":
      // A reading that ends after its file was removed has nowhere to go.
      return desk.files.some((file) => file.id === action.file)
        ? { ...desk, readings: { ...desk.readings, [action.file]: action.reading } }
        : desk;
    case "reread":
      return afterRereading(desk, action.card);
    case "fail":
      return { ...desk, problems: [...desk.problems, action.problem] };
    case "dismiss":
      return { ...desk, problems: desk.problems.filter((problem) => problem !== action.problem) };
    case "keep":
      return { ...desk, leaveOut: without(desk.leaveOut, action) };
    case "leave_out": {
      const { file, choice } = action;
      return { ...desk, leaveOut: [...without(desk.leaveOut, action), { file, choice }] };
    }
    case "ask":
      return { ...desk, ask: action.ask };
    case "mean":
      return { ...desk, meaning: action.meaning };
    case "want":
      return {
        ...desk,
        charts: action.charts ?? desk.charts,
        tables: action.tables ?? desk.tables,
      };
    case "rows":
      return { ...desk, rows: action.rows };
  }
}

const without = (all: LeaveOut[], { file, choice }: LeaveOut) =>
  all.filter((each) => each.file !== file || each.choice !== choice);

function afterAdding(desk: Desk, added: FilesAdded): Desk {
  const known = new Set(desk.files.map((file) => file.id));
  const fresh = added.files.filter((file) => !known.has(file.id));
  const notes = new Set(fresh.map((file) => file.note).filter((note) => note !== ""));
  return {
    ...desk,
    files: [...desk.files, ...fresh],
    shown: added.files[0]?.id ?? desk.shown,
    meaning: desk.meaning === "" ? [...notes].join("\n") : desk.meaning,
    problems: added.problems,
  };
}

function afterRereading(desk: Desk, card: FileCard): Desk {
  return {
    ...desk,
    files: desk.files.map((file) => (file.id === card.id ? card : file)),
    versions: { ...desk.versions, [card.id]: (desk.versions[card.id] ?? 0) + 1 },
    // What could be left out was counted in the rows as they were.
    leaveOut: desk.leaveOut.filter((each) => each.file !== card.id),
  };
}

function afterRemoving(desk: Desk, file: string): Desk {
  const files = desk.files.filter((kept) => kept.id !== file);
  if (files.length === 0) {
    const { charts, tables, rows } = desk;
    return { ...emptyDesk, charts, tables, rows };
  }
  const readings = Object.fromEntries(Object.entries(desk.readings).filter(([id]) => id !== file));
  const shown = desk.shown === file ? (files[0]?.id ?? null) : desk.shown;
  const leaveOut = desk.leaveOut.filter((each) => each.file !== file);
  return { ...desk, files, readings, shown, leaveOut };
}

/** What an empty question box asks for. */
export const overview = "Give me an overview of this data";

/** What is asked for; where the desk says nothing of rows, `rows` counts. */
export const askOf = (desk: Desk, rows: Rows): RunAsk => ({
  files: desk.files.map((file) => file.id),
  ask: desk.ask.trim() || overview,
  meaning: desk.meaning.trim(),
  charts: desk.charts,
  tables: desk.tables,
  rows: desk.rows ?? rows,
  leave_out: desk.leaveOut,
});

/** Up to five questions, those of the shown file first. */
export function suggestionsOf(desk: Desk): string[] {
  const order = [desk.shown, ...desk.files.map((file) => file.id)];
  const all = order.flatMap((id) => {
    const reading = id === null ? undefined : desk.readings[id];
    return reading?.state === "read" ? reading.profile.suggestions : [];
  });
  return [...new Set(all)].slice(0, 5);
}
