import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { DataStory as Story, TableChange } from "../../api";
import { setPlatform } from "../../platform";
import { DataStory } from "./DataStory";
import { leftWords, rowsBefore } from "./storyWords";

const change = (over: Partial<TableChange>): TableChange => ({
  kind: "drop_missing",
  line: 3,
  code: "clean = df.dropna()",
  name: "clean",
  from: [{ name: "df", rows: 1800 }],
  rows_before: 1800,
  rows_after: 1200,
  columns_before: 4,
  columns_after: 4,
  missing_before: 600,
  missing_after: 0,
  ...over,
});

const story: Story = {
  changes: [
    { step: 2, change: change({}) },
    {
      step: 3,
      change: change({ kind: "fill", name: null, rows_after: 1800, code: "df.fillna(0)" }),
    },
  ],
  attempts: [{ step: 2, title: "Leaving out", reason: { left: "unused" } }],
};

const answer = (told: Story) =>
  setPlatform({
    invoke: <Answer,>() => Promise.resolve(told) as Promise<Answer>,
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });

it("field_099 shows the rows of each choice and the choice that was left", async () => {
  answer(story);
  const onOpenStep = vi.fn();
  const user = userEvent.setup();
  render(<DataStory runId="r" onOpenStep={onOpenStep} />);
  const table = await screen.findByRole("table");
  const rows = within(table).getAllByRole("row").slice(1);
  const cells = (row: HTMLElement) =>
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  expect(rows.map(cells)).toEqual([
    ["2", "Missing left out", "clean", "1,800", "1,200", "600 → 0", "clean = df.dropna()"],
    ["3", "Missing filled", "not kept", "1,800", "1,800", "600 → 0", "df.fillna(0)"],
  ]);
  await user.click(within(table).getByRole("button", { name: "Open step 3" }));
  const left = screen.getByRole("list", { name: "Tried and left" });
  expect(left.textContent).toBe("2Leaving outNothing in the report rests on it.");
  await user.click(within(left).getByRole("button", { name: "Open step 2" }));
  expect(onOpenStep.mock.calls).toEqual([
    [3, null],
    [2, null],
  ]);
});

it("shows a long story in part until all of it is wanted", async () => {
  const changes = Array.from({ length: 22 }, (_, at) => ({ step: at + 1, change: change({}) }));
  answer({ changes, attempts: [] });
  const user = userEvent.setup();
  render(<DataStory runId="r" onOpenStep={() => undefined} />);
  expect(within(await screen.findByRole("table")).getAllByRole("row")).toHaveLength(21);
  await user.click(screen.getByRole("button", { name: "Show all 22" }));
  expect(within(screen.getByRole("table")).getAllByRole("row")).toHaveLength(23);
  expect(screen.queryByRole("list")).toBeNull();
});

it("says nothing where nothing happened", async () => {
  answer({ changes: [], attempts: [] });
  const { container } = render(<DataStory runId="r" onOpenStep={() => undefined} />);
  await Promise.resolve();
  expect(container.textContent).toBe("");
});

it("puts rows and reasons into words", () => {
  const joined = change({
    from: [
      { name: "sales", rows: 1800 },
      { name: "regions", rows: 4 },
    ],
  });
  expect(rowsBefore(joined)).toBe("1,800 of sales, 4 of regions");
  expect(rowsBefore(change({ rows_before: null, from: [] }))).toBe("");
  expect([
    leftWords({ left: "failed", message: "KeyError: 'x'" }),
    leftWords({ left: "replaced", by: 3, paths: ["charts/a.png"] }),
    leftWords({ left: "removed", by: 4, paths: ["a.csv", "b.csv"] }),
  ]).toEqual([
    "It failed: KeyError: 'x'",
    "Step 3 made charts/a.png anew.",
    "Step 4 deleted a.csv, b.csv.",
  ]);
});
