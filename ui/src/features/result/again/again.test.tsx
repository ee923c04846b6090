import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Change, FilesAdded, NewFileCheck, Problem } from "../../../api";
import { setPlatform } from "../../../platform";
import { mock } from "../../../platform/mock";
import {
  againRun,
  checkNewFile,
  comparison,
  nextYear,
  pastAgain,
} from "../../../platform/mock/again";
import { RunScreen } from "../../run/RunScreen";
import { againWords, changeWords } from "./changeWords";
import { choicesFor, firstMapping, movedColumns } from "./mapping";
import { RunAgain } from "./RunAgain";

const calls: [string, Record<string, unknown>][] = [];
let added: FilesAdded;
let check: NewFileCheck;
let refusals: Problem[];
const opened = vi.fn();

const problem = (over: Partial<Problem>): Problem => ({
  code: "input",
  message: "a.png is not a table.",
  hint: "",
  detail: "",
  ...over,
});

beforeEach(() => {
  calls.length = 0;
  opened.mockClear();
  refusals = [];
  added = { files: [nextYear], problems: [] };
  check = { ...checkNewFile("r1", nextYear.id), remarks: [] };
  setPlatform({
    ...mock,
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      const refusal = name === "run_again" ? refusals.shift() : undefined;
      if (refusal !== undefined) return Promise.reject(refusal as unknown as Error);
      const answers: Record<string, unknown> = {
        choose_files: added,
        check_new_file: check,
        run_again: "r2",
      };
      return Promise.resolve(answers[name] as Answer);
    },
  });
});

const called = (name: string) => calls.filter(([call]) => call === name).map(([, args]) => args);
const channel = expect.any(Function) as unknown;

async function press() {
  const user = userEvent.setup();
  render(<RunAgain runId="r1" onOpenRun={opened} onSettings={vi.fn()} />);
  await user.click(screen.getByRole("button", { name: "Run again on a new file" }));
  return user;
}

it("begins at once on a file that has all that the steps need", async () => {
  check = { ...check, missing: [] };
  await press();
  await waitFor(() => expect(opened).toHaveBeenCalledWith("r2"));
  expect(called("check_new_file")).toEqual([{ run: "r1", file: "file-4" }]);
  expect(called("run_again")).toEqual([{ run: "r1", file: "file-4", columns: [], channel }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks which column is which, with the likely one chosen", async () => {
  const user = await press();
  const dialog = await screen.findByRole("dialog", { name: "Run again on a new file" });
  expect(dialog.textContent).toContain(
    "building_energy_2026.csv takes the place of building_energy.csv. 8 steps will be done again. A model is asked only where a step does not work on the new file, and only if one is set.",
  );
  const select = within(dialog).getByRole("combobox", { name: "energy_kwh is now called" });
  expect(select).toHaveProperty("value", "consumption_kwh");
  await user.selectOptions(select, "");
  expect(screen.getByRole("button", { name: "Do it again" })).toHaveProperty("disabled", true);
  await user.selectOptions(select, "consumption_kwh");
  await user.click(screen.getByRole("button", { name: "Do it again" }));
  await waitFor(() => expect(opened).toHaveBeenCalledWith("r2"));
  const columns = [{ before: "energy_kwh", now: "consumption_kwh" }];
  expect(called("run_again")).toEqual([{ run: "r1", file: "file-4", columns, channel }]);
});

it("shows remarks before it begins, and leaves off when the person thinks better of it", async () => {
  check = { ...check, missing: [], remarks: ["The new file has no rows."] };
  const user = await press();
  expect(await screen.findByText("The new file has no rows.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(called("run_again")).toEqual([]);
});

it("says why a chosen file cannot be used", async () => {
  added = { files: [], problems: [problem({}), problem({ message: "b.csv is empty." })] };
  const user = await press();
  expect(await screen.findByText("a.png is not a table.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("b.csv is empty.")).toBeNull();
  expect(called("check_new_file")).toEqual([]);
});

it("keeps what was said when the run cannot begin, and tries again", async () => {
  refusals = [problem({ code: "storage", message: "The disk is full." })];
  const user = await press();
  await user.click(await screen.findByRole("button", { name: "Do it again" }));
  expect(await screen.findByText("The disk is full.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(opened).toHaveBeenCalledWith("r2"));
  const columns = [{ before: "energy_kwh", now: "consumption_kwh" }];
  const wish = { run: "r1", file: "file-4", columns, channel };
  expect(called("run_again")).toEqual([wish, wish]);
});

it("chooses only what is beyond doubt, and offers each column once", () => {
  const unsure: NewFileCheck = {
    ...check,
    needed: ["time", "sales", "costs", "region"],
    missing: [
      { name: "sales", proposals: ["sold"] },
      { name: "costs", proposals: ["sold", "paid"] },
      { name: "region", proposals: ["sold"] },
    ],
  };
  const mapping = firstMapping(unsure);
  expect(mapping).toEqual({ sales: "sold" });
  const columns = ["time", "sold", "paid", "area"];
  expect(choicesFor("sales", unsure, columns, mapping)).toEqual({
    proposals: ["sold"],
    others: ["paid", "area"],
  });
  expect(choicesFor("costs", unsure, columns, mapping)).toEqual({
    proposals: ["paid"],
    others: ["area"],
  });
  expect(movedColumns(unsure, mapping)).toBeNull();
  expect(movedColumns(unsure, { ...mapping, costs: "paid", region: "" })).toBeNull();
  expect(movedColumns(unsure, { ...mapping, costs: "paid", region: "area" })).toEqual([
    { before: "sales", now: "sold" },
    { before: "costs", now: "paid" },
    { before: "region", now: "area" },
  ]);
});

it.each([
  [{ change: "same" }, "as before"],
  [{ change: "changed", relative: null }, "changed"],
  [{ change: "changed", relative: 0.12 }, "+12 %"],
  [{ change: "changed", relative: -0.0397 }, "−4 %"],
  [{ change: "changed", relative: -0.0344 }, "−3.4 %"],
  [{ change: "changed", relative: 0.0006 }, "under 0.1 %"],
  [{ change: "changed", relative: 11.5 }, "+1,150 %"],
] satisfies [Change, string][])("%j is told as %s", (change, words) => {
  expect(changeWords(change)).toBe(words);
});

it("tells in a line how much changed", () => {
  const all = comparison("r2", pastAgain);
  const only = (count: number, from = 8) => ({
    ...all,
    figures: { ...all.figures, pairs: all.figures.pairs.slice(from, from + count) },
  });
  expect([
    againWords("b.csv", null),
    againWords("b.csv", all),
    againWords("b.csv", only(1, 0)),
    againWords("b.csv", only(3)),
    againWords("b.csv", only(1)),
    againWords("b.csv", only(0)),
  ]).toEqual([
    "Done again on b.csv",
    "Done again on b.csv; 8 of 27 figures changed",
    "Done again on b.csv; 1 of 1 figure changed",
    "Done again on b.csv; all 3 figures are as before",
    "Done again on b.csv; its one figure is as before",
    "Done again on b.csv; no figure stands in both reports",
  ]);
});

it("leads from the line to what changed, and from there to the earlier run", async () => {
  setPlatform(mock);
  const user = userEvent.setup();
  render(
    <RunScreen runId={againRun.id} onBack={vi.fn()} onOpenRun={opened} onSettings={vi.fn()} />,
  );
  await user.click(
    await screen.findByRole("button", {
      name: "Done again on building_energy_2026.csv; 8 of 27 figures changed",
    }),
  );
  const figures = screen.getByRole("region", { name: "Figures that changed" });
  const rows = within(figures).getAllByRole("row");
  expect(rows).toHaveLength(9);
  expect(rows[1]?.textContent).toBe("periods of unusual energy use stand out75−29 %");
  expect(screen.getByText("19 figures are as before").closest("details")?.open).toBe(false);
  const tables = within(screen.getByRole("region", { name: "Tables before and now" }));
  expect(tables.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "TableRows beforeRows nowColumns",
    "anomalies.csv12796New: weekday",
    "events.csv75as before",
    "silence.csvnot there1",
  ]);
  await user.click(screen.getByRole("button", { name: "Open the earlier run" }));
  expect(opened).toHaveBeenCalledWith("run-energy");
});

it("asks nothing about a run that does no other one again", async () => {
  setPlatform({
    ...mock,
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      return mock.invoke<Answer>(name, args);
    },
  });
  render(<RunScreen runId="run-survey" onBack={vi.fn()} onOpenRun={opened} onSettings={vi.fn()} />);
  await screen.findByRole("tab", { name: "Report" });
  expect(screen.queryByRole("tab", { name: "What changed" })).toBeNull();
  expect(called("compare")).toEqual([]);
});
