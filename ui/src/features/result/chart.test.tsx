import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Artifact } from "../../api";
import { setPlatform } from "../../platform";
import { newStep } from "../run/state";
import { ChartDialog } from "./ChartDialog";

const calls: [string, Record<string, unknown>][] = [];
const chart: Artifact = { path: "charts/usual_week.png", size: 9, kind: "chart", versions: 2 };
const table: Artifact = { path: "week.csv", size: 9, kind: "table", versions: 1 };
const page = { columns: ["hour"], rows: [["1"]], offset: 0, total_rows: 1, matching_rows: 1 };

beforeEach(() => {
  calls.length = 0;
  const answers: Record<string, unknown> = {
    save_artifact: { id: "e1", place: "/home/you/week.png", remarks: [] },
    table_page: page,
  };
  setPlatform({
    invoke: <Answer,>(name: string, args: Record<string, unknown> = {}) => {
      calls.push([name, args]);
      return Promise.resolve((answers[name] ?? null) as Answer);
    },
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: (_, path, version) => `${path}?v=${version}`,
  });
});

function show(onClose = vi.fn()) {
  const step = { ...newStep(0, 1, null), saved: [chart.path, table.path] };
  render(
    <ChartDialog runId="r1" chart={chart} tables={[table]} steps={[step]} onClose={onClose} />,
  );
  return onClose;
}

const size = () => screen.getByText(/^\d+ %$/).textContent;

it("is saved in the version that is shown, and its place can be opened", async () => {
  show();
  await userEvent.click(screen.getByRole("button", { name: "v1" }));
  await userEvent.click(screen.getByRole("button", { name: "Save as" }));
  expect(await screen.findByText("Saved as /home/you/week.png")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show in folder" }));
  expect(calls.filter(([name]) => name !== "table_page")).toEqual([
    ["save_artifact", { run: "r1", path: "charts/usual_week.png", version: 1 }],
    ["reveal", { export: "e1" }],
  ]);
});

it("grows and shrinks by buttons, keys and the wheel, and never below the size that fits", async () => {
  show();
  await userEvent.click(screen.getByRole("button", { name: "Larger" }));
  expect(size()).toBe("125 %");
  await userEvent.keyboard("+");
  expect(size()).toBe("156 %");
  await userEvent.keyboard("0");
  expect(size()).toBe("100 %");
  await userEvent.keyboard("-");
  expect(size()).toBe("100 %");
  const box = screen.getByRole("region", { name: "Chart" });
  fireEvent.wheel(box, { deltaY: -200 });
  expect(size()).toBe("149 %");
  fireEvent.wheel(box, { deltaY: 400 });
  expect(size()).toBe("100 %");
});

it("typing into the filter of its table does not change its size", async () => {
  show();
  await userEvent.type(await screen.findByRole("searchbox"), "+0-");
  expect(size()).toBe("100 %");
  expect(screen.getByRole("heading", { name: "The table made in the same step" })).toBeTruthy();
});

it("an earlier version stands without the table, which is newer", async () => {
  show();
  await screen.findByRole("searchbox");
  await userEvent.click(screen.getByRole("button", { name: "v1" }));
  expect(screen.queryByRole("searchbox")).toBeNull();
});

it("is copied by keys too, and a window that cannot copy says what can be done instead", async () => {
  show();
  const copy = screen.getByRole("button", { name: "Copy image" });
  for (let press = 0; press < 20 && document.activeElement !== copy; press += 1) {
    await userEvent.tab();
  }
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText(/“Save as” keeps it as a file/)).toBeTruthy();
});

it("Escape closes it", async () => {
  const closed = show();
  await userEvent.keyboard("{Escape}");
  expect(closed).toHaveBeenCalledOnce();
});
