import type { Config } from "vega-lite";

/** The look of the charts that the sandbox draws, for those that bring none: sandbox/draw.py has the same. */
export const look: Config = {
  background: "white",
  font: "'Source Sans 3 Variable', 'Noto Sans', sans-serif",
  // Hours matter: the usual form leaves them out.
  timeFormat: "%b %-d, %Y %H:%M",
  mark: { color: "#0072B2", tooltip: true },
  // A line is one shape: the points on it tell of their rows, the shape itself would tell of the first.
  line: { strokeWidth: 2, tooltip: null },
  area: { tooltip: null },
  trail: { tooltip: null },
  view: { continuousWidth: 640, continuousHeight: 360, discreteHeight: { step: 26 }, stroke: null },
  title: { anchor: "start", color: "#1F2733", fontSize: 16, subtitleColor: "#4A5361", offset: 10 },
  axis: {
    domainColor: "#9AA1AB",
    tickColor: "#9AA1AB",
    gridColor: "#E7EAEE",
    labelColor: "#4A5361",
    labelFontSize: 12,
    labelLimit: 240,
    titleColor: "#2B3440",
    titleFontSize: 13,
    titleFontWeight: "normal",
    titlePadding: 8,
  },
  legend: {
    labelColor: "#4A5361",
    labelFontSize: 12,
    labelLimit: 240,
    titleColor: "#2B3440",
    titleFontSize: 12,
  },
  header: {
    labelColor: "#4A5361",
    labelFontSize: 12,
    titleColor: "#2B3440",
    titleFontSize: 13,
  },
  range: {
    category: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B7280"],
    heatmap: { scheme: "viridis" },
    ramp: { scheme: "viridis" },
  },
};
