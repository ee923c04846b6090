import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { RunSummary } from "../../api";
import { setPlatform } from "../../platform";
import { HistoryScreen } from "./HistoryScreen";

const run = (id: string, title: string, status: RunSummary["status"]): RunSummary => ({
  id,
  title,
  request: title,
  started_at: "2026-01-05T10:00:00Z",
  ended_at: null,
  status,
  files: [`${id}.csv`],
  charts: 2,
});

let kept: RunSummary[];
const calls: [string, Record<string, unknown>][] = [];

beforeEach(() => {
  calls.length = 0;
  kept = [run("a", "Energy", "done"), run("b", "Survey", "interrupted")];
  setPlatform({
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      if (name === "delete_run") kept = kept.filter((each) => each.id !== args.run);
      const found = kept.filter((each) => each.title.toLowerCase().includes(String(args.search)));
      return Promise.resolve((name === "runs" ? found : null) as Answer);
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: () => "",
  });
});

it("opens a run and says how each ended", async () => {
  const open = vi.fn();
  render(<HistoryScreen onOpen={open} />);
  await userEvent.click(await screen.findByRole("button", { name: "Energy" }));
  expect(open.mock.calls).toEqual([["a"]]);
  expect(screen.getByText("Interrupted; open it to continue · b.csv · 2 charts")).toBeTruthy();
});

it("deletes only after it was confirmed", async () => {
  render(<HistoryScreen onOpen={vi.fn()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete Energy" }));
  await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
  expect(calls.some(([name]) => name === "delete_run")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Delete Energy" }));
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Energy" })).toBeNull());
  expect(calls).toContainEqual(["delete_run", { run: "a" }]);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "History" }));
});

it("searches, and says when nothing is found", async () => {
  render(<HistoryScreen onOpen={vi.fn()} />);
  await userEvent.type(screen.getByRole("searchbox"), "zebra");
  expect(await screen.findByText("No past run mentions “zebra”.")).toBeTruthy();
});

it("renames in place", async () => {
  render(<HistoryScreen onOpen={vi.fn()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Rename Survey" }));
  const name = screen.getByRole("textbox", { name: "Name of this run" });
  await userEvent.clear(name);
  await userEvent.type(name, "Staff survey{Enter}");
  expect(calls).toContainEqual(["rename_run", { run: "b", title: "Staff survey" }]);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Rename Survey" }));
});

it("is empty in plain words at first", async () => {
  kept = [];
  render(<HistoryScreen onOpen={vi.fn()} />);
  expect(await screen.findByText("Nothing has been asked yet.")).toBeTruthy();
});

it("says that a run has ended while the list is looked at", async () => {
  kept = [run("a", "Energy", "running")];
  render(<HistoryScreen onOpen={vi.fn()} />);
  expect(await screen.findByText("Going on · a.csv · 2 charts")).toBeTruthy();
  kept = [run("a", "Energy", "done")];
  expect(await screen.findByText("Finished · a.csv · 2 charts")).toBeTruthy();
});
