import { isPart, type Chart } from "./chart";

/** Marks whose length tells a value, so that the axis of the value must keep its zero. */
const FROM_ZERO = ["bar", "area"];
/** Marks of many rows that are one shape: only points on it tell of one row. */
const SHAPES = ["line", "area"];
/** How large such a point is to the pointer, in square pixels. */
const POINT = 150;
/** Views beside or over each other, by the name under which a chart holds them. */
const GROUPS = ["hconcat", "vconcat", "concat"];

/**
 * The chart with what a person expects to take hold of, where it says nothing of it itself: it fills its
 * place, its axes can be zoomed and moved, and each row of a line answers to the pointer.
 */
export function withGrips(chart: Chart): Chart {
  const held = hasGrip(chart) ? chart : zoomable(chart, { count: 0 });
  return filling(told(held));
}

/**
 * Lets the pointer reach every drawn mark that has something to tell. Of views over each other only the one
 * with the grip would be reached. Where marks are picked, it stays so: what lies over them must not be hit.
 */
export function reached(chart: Chart, marks: unknown): void {
  if (isPicked(chart) || !Array.isArray(marks)) return;
  for (const mark of marks.filter(isPart)) {
    const encode = isPart(mark["encode"]) ? mark["encode"] : {};
    if (isPart(encode["update"]) && "tooltip" in encode["update"]) mark["interactive"] = true;
    reached(chart, mark["marks"]);
  }
}

function isPicked(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(isPicked);
  if (!isPart(part)) return false;
  const { select } = part;
  if (select === "point" || (isPart(select) && select["type"] === "point")) return true;
  return Object.entries(part).some(
    ([key, value]) => (isView(key) || key === "params") && isPicked(value),
  );
}

/** Whether a chart brings an interaction of its own. */
function hasGrip(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasGrip);
  if (!isPart(part)) return false;
  if (
    Array.isArray(part["params"]) &&
    part["params"].some((each) => isPart(each) && each["select"])
  ) {
    return true;
  }
  return Object.entries(part).some(([key, value]) => isView(key) && hasGrip(value));
}

const isView = (key: string) => key === "layer" || key === "spec" || GROUPS.includes(key);

const parts = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).filter(isPart) : []);

/** Gives every view one grip; of views that lie over each other the first that can be held gets it. */
function zoomable(view: Chart, given: { count: number }, around: Chart = {}): Chart {
  const encoding = { ...around, ...(isPart(view["encoding"]) ? view["encoding"] : {}) };
  const group = GROUPS.find((name) => Array.isArray(view[name]));
  if (group !== undefined) {
    return { ...view, [group]: parts(view[group]).map((each) => zoomable(each, given)) };
  }
  if (isPart(view["spec"])) return { ...view, spec: zoomable(view["spec"], given) };
  if (Array.isArray(view["layer"])) {
    const before = given.count;
    const layer = parts(view["layer"]).map((each) =>
      given.count > before ? each : zoomable(each, given, encoding),
    );
    return { ...view, layer };
  }
  const axes = ["x", "y"].filter((axis) => canZoom(axis, encoding, markOf(view)));
  if (markOf(view) === null || axes.length === 0) return view;
  given.count += 1;
  const select = { type: "interval", encodings: axes };
  const grip = { name: `grip_${given.count}`, select, bind: "scales" };
  const params = Array.isArray(view["params"]) ? (view["params"] as unknown[]) : [];
  return { ...view, params: [...params, grip] };
}

function canZoom(axis: string, encoding: Chart, mark: string | null): boolean {
  const channel = encoding[axis];
  if (!isPart(channel) || channel["bin"] || channel["timeUnit"]) return false;
  if (channel["type"] === "temporal") return true;
  const isValue = channel["type"] === "quantitative" || channel["aggregate"] !== undefined;
  return isValue && !FROM_ZERO.includes(mark ?? "");
}

function markOf({ mark }: Chart): string | null {
  const name = isPart(mark) ? mark["type"] : mark;
  return typeof name === "string" ? name : null;
}

/** Puts points that are not seen on lines and areas, for the pointer to find. */
function told(view: Chart): Chart {
  const found = { ...view };
  for (const [key, value] of Object.entries(view)) {
    if (!isView(key)) continue;
    found[key] = Array.isArray(value)
      ? parts(value).map(told)
      : isPart(value)
        ? told(value)
        : value;
  }
  const mark = isPart(view["mark"]) ? view["mark"] : { type: view["mark"] };
  if (SHAPES.includes(String(mark["type"])) && mark["point"] === undefined) {
    found["mark"] = { ...mark, point: { opacity: 0, size: POINT } };
  }
  return found;
}

/** Lets a single view take the size of its place, unless its rows or columns have a size of their own. */
function filling(chart: Chart): Chart {
  if (markOf(chart) === null && !Array.isArray(chart["layer"])) return chart;
  const encoding = isPart(chart["encoding"]) ? chart["encoding"] : {};
  if ("facet" in encoding || "row" in encoding || "column" in encoding) return chart;
  const sized = { ...chart, width: isPart(chart["width"]) ? chart["width"] : "container" };
  return isSteps(chart["height"], encoding["y"]) ? sized : { ...sized, height: "container" };
}

/** Whether the height follows from how many rows of names there are. */
function isSteps(height: unknown, y: unknown): boolean {
  if (isPart(height)) return true;
  const isNames = isPart(y) && (y["type"] === "nominal" || y["type"] === "ordinal");
  return isNames && typeof height !== "number";
}
