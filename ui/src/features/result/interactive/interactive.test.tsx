import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Artifact } from "../../../api";
import { setPlatform } from "../../../platform";
import { ChartDialog } from "../ChartDialog";
import { Charts } from "../Charts";
import type { Tip } from "./tip";
import type { Chart } from "./chart";

/** What was drawn: jsdom has no canvas. */
const drawn: { chart: Chart; tell: (tip: Tip | null) => void }[] = [];
let finished = 0;
vi.mock("./draw", () => ({
  draw: async (
    chart: Chart,
    _place: HTMLElement,
    _name: string,
    tell: (tip: Tip | null) => void,
  ) => {
    drawn.push({ chart, tell });
    return { finish: () => (finished += 1) };
  },
}));

const chart: Artifact = {
  path: "charts/usual_week.png",
  size: 9,
  kind: "chart",
  versions: 2,
  interactive: "charts/usual_week.vl.json",
};
const good = JSON.stringify({ mark: "point", encoding: {}, data: { values: [{ kwh: 3 }] } });

let asked: string[];
const answer = (text: string | null) =>
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return { ok: text !== null, blob: async () => new Blob([text ?? ""]) };
  });

beforeEach(() => {
  drawn.length = 0;
  finished = 0;
  asked = [];
  answer(good);
  setPlatform({
    invoke: <Answer,>() => Promise.resolve(null as Answer),
    listen: () => () => undefined,
    channel: (take) => take,
    artifactUrl: (_, path, version) => `${path}?v=${version}`,
  });
});

const show = () =>
  render(<ChartDialog runId="r1" chart={chart} tables={[]} steps={[]} onClose={() => undefined} />);
const isPicture = () => screen.queryByRole("img", { name: "Usual week" }) !== null;

it("answers first, and the picture is one press away", async () => {
  show();
  await waitFor(() => expect(drawn.length).toBe(1));
  expect(asked).toEqual(["charts/usual_week.vl.json?v=undefined"]);
  expect(drawn[0]?.chart["data"]).toEqual({ values: [{ kwh: 3 }] });
  expect(isPicture()).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Picture" }));
  expect(isPicture()).toBe(true);
  expect(finished).toBe(1);
  await userEvent.click(screen.getByRole("button", { name: "Interactive" }));
  await waitFor(() => expect(drawn.length).toBe(2));
});

it("tells the values under the pointer as text", async () => {
  show();
  await waitFor(() => expect(drawn.length).toBe(1));
  const rows = [{ name: "kwh", value: "<b>3</b>" }];
  act(() => drawn[0]?.tell({ rows, x: 10, y: 10 }));
  expect(screen.getByRole("tooltip").textContent).toBe("kwh<b>3</b>");
  act(() => drawn[0]?.tell(null));
  expect(screen.queryByRole("tooltip")).toBeNull();
});

it.each([
  [
    "would fetch something from elsewhere",
    '{"mark": "point", "data": {"url": "https://a.example"}}',
  ],
  ["its file is damaged", "{"],
  ["its file is not there any more", null],
])("%s: the picture stays, with the reason", async (reason, text) => {
  answer(text);
  show();
  expect(await screen.findByText(new RegExp(`cannot be shown: .*${reason}`))).toBeTruthy();
  expect([isPicture(), drawn.length]).toEqual([true, 0]);
  expect(screen.queryByRole("button", { name: "Interactive" })).toBeNull();
});

it("an earlier version is a picture", async () => {
  show();
  await waitFor(() => expect(drawn.length).toBe(1));
  await userEvent.click(screen.getByRole("button", { name: "v1" }));
  expect(isPicture()).toBe(true);
  expect(screen.queryByRole("button", { name: "Interactive" })).toBeNull();
});

it("is marked among the charts", () => {
  const plain = { ...chart, path: "charts/plain.png", versions: 1, interactive: undefined };
  render(<Charts runId="r1" charts={[chart, plain]} onOpen={() => undefined} />);
  const names = screen.getAllByRole("button").map((each) => each.textContent);
  expect(names).toEqual(["Usual week Interactive2 versions", "Plain"]);
});
