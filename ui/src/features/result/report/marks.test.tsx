import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Document, Inline, ReportCheck, Verdict } from "../../../api";
import { documentOf, paragraph, text } from "../../../platform/mock/document";
import { CheckedReport } from "./CheckedReport";
import { checksOf } from "./marks";

const verdicts: [string, Verdict][] = [
  ["41.2", { verdict: "printed", step: 2, line: 3, words: "mean 41.23" }],
  ["7", { verdict: "tabled", step: 3, path: "a.csv", row: 4, column: "count" }],
  ["99", { verdict: "not_found" }],
  ["12", { verdict: "derived", how: "30 − 18", from: [0, 1] }],
  ["98", { verdict: "not_found" }],
  ["5", { verdict: "asked" }],
];

const figures: Inline[] = verdicts.flatMap(([words], number) => [
  text(" and "),
  { inline: "figure", text: words, number },
]);
const report: Document = {
  ...documentOf(paragraph(...figures)),
  figures: verdicts.map(([words]) => ({ text: words, kind: "number", place: "" })),
};
const checked: ReportCheck = {
  figures: verdicts.map(([words, verdict]) => ({ text: words, place: "", verdict })),
  summary: { figures: 6, computed: 3, given: 1, not_found: 2 },
};

const onOpenStep = vi.fn();
const onOpenFile = vi.fn();
const page = (document: Document, known: ReportCheck | null) => (
  <CheckedReport
    document={document}
    checked={known}
    runId="r1"
    files={[]}
    onOpenFile={onOpenFile}
    onOpenChart={vi.fn()}
    onOpenStep={onOpenStep}
  />
);

beforeEach(() => {
  onOpenStep.mockClear();
  onOpenFile.mockClear();
  window.getSelection()?.removeAllRanges();
});

const mark = (name: string) => screen.getByRole("button", { name });
const note = (name: RegExp) => screen.findByRole("dialog", { name });

it("figures are marked when they have been looked for, and nothing else changes", () => {
  const { container, rerender } = render(page(report, null));
  const before = [...container.querySelectorAll("article *")];
  expect(screen.queryAllByRole("button")).toEqual([]);
  rerender(page(report, checked));
  expect([...container.querySelectorAll("article *")]).toEqual(before);
  expect(screen.getAllByRole("button").map((each) => each.dataset.mark)).toEqual([
    "found",
    "found",
    "missing",
    "derived",
    "missing",
    "given",
  ]);
  expect(mark("99, not found").textContent).toBe("99");
});

it("a press opens a note, whose button opens the step at the line", async () => {
  render(page(report, checked));
  await userEvent.click(mark("41.2"));
  const opened = await note(/^41.2/);
  expect(opened.textContent).toContain("Printed in step 2:mean 41.23");
  await userEvent.click(within(opened).getByRole("button", { name: "Open step 2" }));
  expect(onOpenStep.mock.calls).toEqual([[2, "mean 41.23"]]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(mark("41.2"));
});

it("a second press closes the note, and one on another figure moves it", async () => {
  render(page(report, checked));
  await userEvent.click(mark("41.2"));
  await note(/^41.2/);
  await userEvent.click(mark("12"));
  expect((await note(/^12/)).textContent).toContain("30 − 18");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  await userEvent.click(mark("12"));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("a figure of a table leads there, one of unknown origin nowhere", async () => {
  render(page(report, checked));
  await userEvent.click(mark("7"));
  await userEvent.click(within(await note(/^7/)).getByRole("button", { name: "Open the table" }));
  expect(onOpenFile.mock.calls).toEqual([["a.csv"]]);
  await userEvent.click(mark("99, not found"));
  const opened = await note(/^99/);
  expect(opened.textContent).toContain("No step of this run has computed it.");
  expect(within(opened).queryByRole("button")).toBeNull();
});

it("Tab comes to one mark, other keys lead to the others", async () => {
  const user = userEvent.setup();
  render(
    <>
      {page(report, checked)}
      <button type="button">behind</button>
    </>,
  );
  const at = () => document.activeElement?.textContent;
  await user.tab();
  expect(at()).toBe("99");
  await user.keyboard("{ArrowRight}");
  expect(at()).toBe("12");
  await user.keyboard("n");
  expect(at()).toBe("98");
  await user.keyboard("{Shift>}N{/Shift}");
  expect(at()).toBe("99");
  await user.keyboard("{Home}");
  expect(at()).toBe("41.2");
  await user.keyboard("{End}{ArrowLeft}{ArrowLeft}");
  expect(at()).toBe("12");
  await user.tab();
  expect(at()).toBe("behind");
  await user.tab({ shift: true });
  expect(at()).toBe("12");
  await user.keyboard("{Enter}");
  await note(/^12/);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(at()).toBe("12");
  await user.keyboard(" ");
  await note(/^12/);
});

it("words that were marked for copying open nothing", async () => {
  render(page(report, checked));
  window.getSelection()?.selectAllChildren(mark("41.2"));
  act(() => mark("41.2").click());
  await act(() => new Promise((done) => setTimeout(done, 50)));
  expect(screen.queryByRole("dialog")).toBeNull();
  window.getSelection()?.removeAllRanges();
  act(() => mark("41.2").click());
  await note(/^41.2/);
});

it("nothing is marked within what is pressed for something else", () => {
  const figure: Inline = { inline: "figure", text: "41.2", number: 0 };
  const linked: Inline = { inline: "link", to: { to: "place", id: "x" }, content: [figure] };
  render(page({ ...report, blocks: [paragraph(linked)] }, checked));
  expect(screen.queryAllByRole("button")).toEqual([]);
});

it("a figure that was looked for before the report was written anew is not marked", () => {
  const anew = { ...report, figures: report.figures.slice(1) };
  expect(checksOf(anew, checked)).toEqual([null, null, null, null, null]);
});
