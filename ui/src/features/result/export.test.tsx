import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Exported, ExportForm, ExportProgress, ForClipboard, Problem } from "../../api";
import { setPlatform } from "../../platform";
import { CopyTable } from "./CopyTable";
import { ExportMenu } from "./ExportMenu";
import { useSaving } from "./Saving";

const calls: [string, Record<string, unknown>][] = [];
const written: Record<string, string>[] = [];
let answers: Record<string, () => unknown>;
/** Plays the shell's part in the export that goes on. */
let shell: {
  tell: (progress: ExportProgress) => void;
  end: (exported: Exported | null) => void;
  fail: (problem: Problem) => void;
};

const forms: ExportForm[] = [
  { id: "pdf", label: "PDF", purpose: "To print and to send", extension: "pdf" },
  { id: "slides", label: "Slides", purpose: "To be shown", extension: "odp" },
];
const told = (part: Partial<ForClipboard>): ForClipboard => ({
  html: null,
  text: "words",
  remark: null,
  ...part,
});
const stopped: Problem = { code: "stopped", message: "Stopped.", hint: "", detail: "" };

class Item {
  constructor(readonly parts: Record<string, Promise<Blob>>) {}
}

beforeEach(() => {
  vi.restoreAllMocks();
  calls.length = 0;
  written.length = 0;
  answers = {
    forms: () => forms,
    export_run: () =>
      new Promise((end, fail) => {
        const tell = calls.at(-1)?.[1].channel as typeof shell.tell;
        shell = { tell, end, fail };
      }),
    stop_export: () => shell.fail(stopped),
    copy_report: () => told({ html: "<h1>Waiting</h1>", text: "# Waiting" }),
    copy_summary: () => told({ text: "In short" }),
    copy_table: () => told({ text: "a\tb\n", remark: "The first 1 of 2 rows were copied." }),
  };
  setPlatform({
    invoke: async <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      return (await answers[name]?.()) as Answer;
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
  vi.stubGlobal("ClipboardItem", Item);
});

function Shown() {
  return <ExportMenu runId="r1" saving={useSaving("r1")} />;
}

async function open() {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "write").mockImplementation(async ([item]) => {
    const parts = Object.entries((item as unknown as Item).parts);
    const read = parts.map(async ([kind, blob]) => [kind, await (await blob).text()]);
    written.push(Object.fromEntries(await Promise.all(read)) as Record<string, string>);
  });
  render(<Shown />);
  await user.click(screen.getByRole("button", { name: "Export" }));
  await screen.findByRole("menuitem", { name: /^PDF/ });
  return user;
}

const choose = async (name: string | RegExp) => {
  const user = await open();
  await user.click(screen.getByRole("menuitem", { name }));
  return user;
};

it("offers the forms that the shell has, also those that it does not know itself", async () => {
  await open();
  const items = screen.getAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual([
    "PDF To print and to send",
    "Slides To be shown",
    "The report",
    "A summary for an e-mail",
  ]);
  expect(items.every((item) => item.querySelector("svg") !== null)).toBe(true);
  const copy = screen.getByRole("group", { name: "Copy" });
  expect(within(copy).getAllByRole("menuitem")).toHaveLength(2);
});

it("says how far an export has come once it takes a while, and what it came to", async () => {
  await choose(/^Slides/);
  expect(calls.at(-1)).toEqual([
    "export_run",
    { run: "r1", form: "slides", channel: expect.any(Function) as unknown },
  ]);
  expect(screen.getByRole("button", { name: "Export" }).ariaBusy).toBe("true");
  act(() => shell.tell({ done: 3, of: 12 }));
  expect(screen.queryByText(/Exporting/)).toBeNull();
  expect(await screen.findByText("Exporting … 3 of 12")).toBeTruthy();
  act(() => shell.tell({ done: 4, of: 12 }));
  expect(screen.getByText("Exporting … 4 of 12")).toBeTruthy();
  act(() => shell.end({ id: "e1", place: "/home/you/a.odp", remarks: ["One chart is small."] }));
  expect(await screen.findByText("Saved as /home/you/a.odp")).toBeTruthy();
  expect(screen.getByText("One chart is small.")).toBeTruthy();
  expect(screen.queryByText(/Exporting/)).toBeNull();
});

it("ends an export that is stopped without calling it a failure", async () => {
  const user = await choose(/^PDF/);
  act(() => shell.tell({ done: 0, of: 2 }));
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  expect(await screen.findByText("The export was stopped.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(calls.filter(([name]) => name === "stop_export")).toHaveLength(1);
});

it("says nothing when the person closed the dialog", async () => {
  await choose(/^PDF/);
  act(() => shell.end(null));
  await waitFor(() => expect(screen.getByRole("button", { name: "Export" }).ariaBusy).toBeNull());
  expect(screen.queryByText(/Saved|Exporting/)).toBeNull();
});

it("copies the report as rich and as plain text", async () => {
  await choose("The report");
  expect(await screen.findByText("Copied.")).toBeTruthy();
  expect(written).toEqual([{ "text/html": "<h1>Waiting</h1>", "text/plain": "# Waiting" }]);
});

it("copies a summary as plain text alone", async () => {
  await choose("A summary for an e-mail");
  expect(await screen.findByText("Copied.")).toBeTruthy();
  expect(written).toEqual([{ "text/plain": "In short" }]);
});

it("says why nothing was copied: the shell's reason, or the window's", async () => {
  const none: Problem = { ...stopped, code: "input", message: "This run has left no report." };
  answers.copy_report = () => Promise.reject(none as unknown as Error);
  const user = await choose("The report");
  expect(await screen.findByText("This run has left no report.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
  vi.spyOn(navigator.clipboard, "write").mockRejectedValue(new Error("not allowed"));
  await user.click(screen.getByRole("button", { name: "Export" }));
  await user.click(screen.getByRole("menuitem", { name: "A summary for an e-mail" }));
  expect(await screen.findByText("This window could not copy.")).toBeTruthy();
});

it("the clipboard is asked for within the press, before the words are there", async () => {
  answers.copy_table = () => new Promise(() => undefined);
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, "write").mockResolvedValue();
  render(<CopyTable runId="r1" path="a.csv" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(write).toHaveBeenCalledOnce();
});

it("copies a table and says what was left out", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "write").mockResolvedValue();
  render(<CopyTable runId="r1" path="a.csv" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("Copied. The first 1 of 2 rows were copied.")).toBeTruthy();
  expect(calls.at(-1)).toEqual(["copy_table", { run: "r1", path: "a.csv" }]);
});
