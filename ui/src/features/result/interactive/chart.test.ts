import { compile, type TopLevelSpec } from "vega-lite";
import { expect, it } from "vitest";
import { MAX_BYTES, readChart, type Chart } from "./chart";
import { reached, withGrips } from "./grips";
import { look } from "./look";
import { rowsOf } from "./tip";

const encoding = {
  x: { field: "day", type: "temporal" },
  y: { field: "kwh", type: "quantitative" },
};
const points: Chart = {
  mark: "point",
  encoding,
  data: { values: [{ day: "2025-01-01", kwh: 3 }] },
};

const read = (chart: unknown) => readChart(JSON.stringify(chart));

it("a chart that holds its rows is taken as it is, whatever the rows say", () => {
  const rows = { values: [{ day: "2025-01-01", kwh: 3, url: "https://a.example", href: "x" }] };
  const chart = { ...points, data: rows, datasets: { a: [{ url: "https://b.example" }] } };
  expect(read(chart)).toEqual(chart);
});

it.each([
  ["a list", [points], "of another kind"],
  ["a chart of Vega", { ...points, $schema: "https://vega.github.io/schema/vega/v6.json" }, "kind"],
  ["rows from elsewhere", { ...points, data: { url: "https://a.example/d.csv" } }, "fetch"],
  ["rows from a file", { layer: [{ data: { url: "file:///etc/passwd" } }] }, "fetch"],
  [
    "a picture from elsewhere",
    { ...points, mark: { type: "image", url: "//a.example/p" } },
    "fetch",
  ],
  ["a link", { ...points, mark: { type: "point", href: "javascript:alert(1)" } }, "fetch"],
  ["rows from elsewhere that are looked up", lookedUp("https://a.example/d.csv"), "fetch"],
  ["rows without end", { ...points, data: { sequence: { start: 0, stop: 1e9 } } }, "too many rows"],
  ["rows by no step", { ...points, data: { sequence: { stop: 1, step: 0 } } }, "too many rows"],
  ["charts within charts", nested(40), "too deep"],
  ["a file that is too large", { ...points, usermeta: "x".repeat(MAX_BYTES) }, "too large"],
])("%s: refused with a plain reason", (_what, chart, reason) => {
  expect(() => read(chart)).toThrow(reason);
});

function lookedUp(url: string) {
  return { ...points, transform: [{ lookup: "a", from: { data: { url }, key: "a" } }] };
}

function nested(depth: number): Chart {
  return depth === 0 ? points : { hconcat: [nested(depth - 1)] };
}

it("what is no JSON is refused with a plain reason", () => {
  expect(() => readChart('{"mark": NaN}')).toThrow("damaged");
});

const grip = (number: number, encodings: string[]) => ({
  name: `grip_${number}`,
  select: { type: "interval", encodings },
  bind: "scales",
});

it("a chart without an interaction fills its place and can be zoomed", () => {
  expect(withGrips(points)).toEqual({
    ...points,
    params: [grip(1, ["x", "y"])],
    width: "container",
    height: "container",
  });
});

it("bars keep their zero, and their names keep their room", () => {
  const bars = {
    mark: "bar",
    encoding: { x: encoding.y, y: { field: "region", type: "nominal" } },
  };
  expect(withGrips(bars)).toEqual({ ...bars, width: "container" });
  expect(withGrips({ mark: "area", encoding }).params).toEqual([grip(1, ["x"])]);
});

it("an interaction of its own is left alone", () => {
  const params = [{ name: "picked", select: "point" }];
  expect(withGrips({ ...points, params }).params).toEqual(params);
  const brushed = { hconcat: [{ ...points, params }, points] };
  expect(withGrips(brushed)).toEqual(brushed);
});

it("views beside each other have a grip each, views over each other share one", () => {
  const { hconcat } = withGrips({ hconcat: [points, { layer: [points, points] }] });
  expect(hconcat).toEqual([
    { ...points, params: [grip(1, ["x", "y"])] },
    { layer: [{ ...points, params: [grip(2, ["x", "y"])] }, points] },
  ]);
});

/** The marks of a chart as they are drawn: which of them the pointer reaches, and which tell something. */
function marks(chart: Chart): unknown[] {
  const { spec } = compile(chart as unknown as TopLevelSpec, { config: look });
  reached(chart, spec.marks);
  const found: unknown[] = [];
  const walk = (each: { type: string; interactive?: unknown; encode?: Chart; marks?: unknown }) => {
    if (each.type !== "group")
      found.push([each.type, each.interactive, "tooltip" in (each.encode?.update as Chart)]);
    for (const inner of (each.marks ?? []) as never[]) walk(inner);
  };
  for (const each of (spec.marks ?? []) as never[]) walk(each);
  return found;
}

it("a line tells of its rows by points that are reached, not by its shape", () => {
  expect(marks(withGrips({ ...points, mark: "line" }))).toEqual([
    ["line", true, false],
    ["symbol", true, true],
  ]);
});

it("where marks are picked, what lies over them is not in the way", () => {
  const picking = { ...points, mark: "bar", params: [{ name: "picked", select: "point" }] };
  const label = { mark: "text", encoding };
  expect(marks({ data: points.data, layer: [picking, label] })).toEqual([
    ["rect", true, true],
    ["text", false, true],
  ]);
});

it("a tooltip is text, and not more of it than can be read", () => {
  expect(rowsOf({ time: "Mar 1, 2025 00:00", kwh: 4.5, "<b>": { a: 1 } })).toEqual([
    { name: "time", value: "Mar 1, 2025" },
    { name: "kwh", value: "4.5" },
    { name: "<b>", value: '{"a":1}' },
  ]);
  expect(rowsOf("x".repeat(300))[0]?.value.length).toBe(200);
  expect(rowsOf(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, at]))).length).toBe(
    12,
  );
  expect([rowsOf(null), rowsOf(undefined), rowsOf("")]).toEqual([[], [], []]);
});
