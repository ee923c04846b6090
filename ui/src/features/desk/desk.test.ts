import { expect, test } from "vitest";
import type { FileCard, FileProfile, Problem } from "../../api";
import { askOf, deskAfter, emptyDesk, overview, suggestionsOf, type Desk } from "./desk";

const file = (id: string, note = ""): FileCard => ({
  id,
  name: `${id}.csv`,
  size: 10,
  note,
  preview: { columns: ["a"], rows: [["1"]], offset: 0, total_rows: null, matching_rows: null },
});

const problem: Problem = { code: "input", message: "“x” is a folder.", hint: "", detail: "" };

const profile = (suggestions: string[]) => ({ suggestions }) as FileProfile;

const add = (desk: Desk, files: FileCard[], problems: Problem[] = []) =>
  deskAfter(desk, { do: "add", added: { files, problems } });

test("a dropped file is put on top and brings its note", () => {
  const desk = add(add(emptyDesk, [file("a", "amounts in thousands")]), [file("b", "ignored")]);
  expect(desk.files.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(desk.shown).toBe("b");
  expect(desk.meaning).toBe("amounts in thousands");
});

test("the same file dropped twice lies there once", () => {
  expect(add(add(emptyDesk, [file("a")]), [file("a")]).files).toHaveLength(1);
});

test("what could not be taken is said beside what could", () => {
  const desk = add(emptyDesk, [file("a")], [problem]);
  expect(desk.problems).toEqual([problem]);
  expect(deskAfter(desk, { do: "dismiss", problem }).problems).toEqual([]);
});

test("taking away the shown file shows the next, the last one clears the desk", () => {
  let desk = add(emptyDesk, [file("a"), file("b")]);
  desk = deskAfter(desk, { do: "ask", ask: "Why?" });
  desk = deskAfter(desk, { do: "remove", file: "a" });
  expect(desk.shown).toBe("b");
  expect(desk.ask).toBe("Why?");
  desk = deskAfter(desk, { do: "remove", file: "b" });
  expect(desk).toEqual(emptyDesk);
});

test("a reading that ends after its file left is let go", () => {
  const desk = deskAfter(emptyDesk, { do: "read", file: "a", reading: { state: "reading" } });
  expect(desk.readings).toEqual({});
});

test("an empty question asks for an overview", () => {
  const desk = deskAfter(add(emptyDesk, [file("a")]), { do: "want", charts: false });
  expect(askOf({ ...desk, ask: "  " }, "shown")).toEqual({
    files: ["a"],
    ask: overview,
    meaning: "",
    charts: false,
    tables: true,
    rows: "shown",
    leave_out: [],
  });
});

test("rows are left out only when chosen, and kept again when chosen otherwise", () => {
  const leave = (desk: Desk, file: string, choice: string) =>
    deskAfter(desk, { do: "leave_out", file, choice });
  let desk = add(emptyDesk, [file("a"), file("b")]);
  expect(askOf(desk, "shown").leave_out).toEqual([]);
  desk = leave(leave(leave(desk, "a", "repeats"), "a", "gaps:x"), "b", "repeats");
  desk = leave(desk, "a", "repeats");
  desk = deskAfter(desk, { do: "keep", file: "a", choice: "gaps:x" });
  expect(askOf(desk, "shown").leave_out).toEqual([
    { file: "b", choice: "repeats" },
    { file: "a", choice: "repeats" },
  ]);
  desk = deskAfter(desk, { do: "remove", file: "a" });
  expect(askOf(desk, "shown").leave_out).toEqual([{ file: "b", choice: "repeats" }]);
});

test("a note that two files share is brought once", () => {
  expect(add(emptyDesk, [file("a", "in thousands"), file("b", "in thousands")]).meaning).toBe(
    "in thousands",
  );
});

test("suggestions come from the shown file first, each once, five at most", () => {
  let desk = add(emptyDesk, [file("a"), file("b")]);
  const read = (id: string, suggestions: string[]) =>
    deskAfter(desk, {
      do: "read",
      file: id,
      reading: { state: "read", profile: profile(suggestions) },
    });
  desk = read("a", ["1", "2", "3"]);
  desk = read("b", ["4", "2", "5", "6"]);
  desk = deskAfter(desk, { do: "show", file: "b" });
  expect(suggestionsOf(desk)).toEqual(["4", "2", "5", "6", "1"]);
});

test("rows are kept here as the settings say, until the desk says otherwise", () => {
  const desk = add(emptyDesk, [file("a")]);
  expect(askOf(desk, "kept_here").rows).toBe("kept_here");
  const shown = deskAfter(desk, { do: "rows", rows: "shown" });
  expect(askOf(shown, "kept_here").rows).toBe("shown");
  expect(deskAfter(shown, { do: "remove", file: "a" }).rows).toBe("shown");
});
