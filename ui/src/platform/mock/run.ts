import type { Artifact, Document, Inline, RunEvent, RunRecord } from "../../api/types";
import { documentOf, paragraph, text } from "./document";
import { begun, over, printed, said, saved } from "./make";
import energy from "./run/energy.json";
import eventOne from "./run/event_1.png";
import eventOneChart from "./run/event_1.vl.json?url";
import eventTwo from "./run/event_2.png";
import read from "./run/report.json";
import unusualPeriods from "./run/unusual_periods.png";

/** A finished run over the practice sample, as the engine told it, event by event. */

/** What `report.md` says, as the shell reads it. */
export const report = read as unknown as Document;

export const model = { name: "built-in analyst", host: null, is_ai: false };

const told = energy.events as unknown as RunEvent[];

/** One chart of the run is interactive. */
const CHART = "charts/event_1.vl.json";
const pictured = (path: string) => path.replace(/\.png$/, ".vl.json");

export const events = (run: string): RunEvent[] =>
  told.flatMap((event): RunEvent[] => {
    if (event.event === "run_started") return [{ ...event, run }];
    const isPicture = event.event === "artifact_saved" && pictured(event.path) === CHART;
    return isPicture ? [event, saved(event.step, CHART, 15_707)] : [event];
  });

const pictures = [unusualPeriods, eventOne, eventTwo];
const paths = ["unusual_periods", "event_1", "event_2"].map((name) => `charts/${name}.png`);

/** Where the page finds a chart or its picture. Those beyond the three of the sample are the same pictures again. */
export function pictureOf(path: string): string {
  if (path === CHART) return eventOneChart;
  const known = pictures[paths.indexOf(path)];
  const number = Number(/\d+/.exec(path)?.[0] ?? 0);
  // Another query is another picture to the web view, which so has each to fetch and to decode.
  return known ?? `${pictures[number % pictures.length]}?n=${number}`;
}

const kindOf = (path: string): Artifact["kind"] => {
  if (path === "report.md") return "report";
  if (path.endsWith(".png")) return "chart";
  return path.endsWith(".csv") ? "table" : "other";
};

/** What the events have left, in the order in which it appeared. */
export function artifactsOf(all: readonly RunEvent[]): Artifact[] {
  const found = new Map<string, Artifact>();
  for (const event of all) {
    if (event.event !== "artifact_saved") continue;
    const { path, size } = event;
    const versions = (found.get(path)?.versions ?? 0) + 1;
    found.set(path, { path, size, kind: kindOf(path), versions });
  }
  return [...found.values()].map((file) => {
    const chart = pictured(file.path);
    return chart !== file.path && found.has(chart) ? { ...file, interactive: chart } : file;
  });
}

export const record = (run: string): RunRecord => ({
  ...(energy.record as unknown as RunRecord),
  guidance: "full",
  rows: "shown",
  id: run,
});

const weekends =
  "On weekends two of the seven periods remain: **none of the spikes** falls on one. The chart now shows the 2,496 weekend readings.";

/** What was answered in words, as the shell reads it. */
export function readAnswer(answer: string): Document {
  if (answer === "") return documentOf();
  const parts = answer.split("**").map((words, at): Inline => {
    return at % 2 === 0 ? text(words) : { inline: "strong", content: [text(words)] };
  });
  return documentOf(paragraph(...parts));
}

/** A further question: one step that draws the chart anew. */
export function followUpEvents(ask: string, step: number): RunEvent[] {
  const code =
    "weekend = readings[readings['time'].dt.dayofweek >= 5]\noverview_chart('output/charts/unusual_periods.png', weekend)\nprint(len(weekend), 'readings on weekends')";
  const output = "2,496 readings on weekends\n";
  return [
    { event: "asked", ask },
    ...said(step, "The chart is drawn again with the weekends only."),
    begun(step, "Looking at the weekends", code),
    printed(step, output),
    saved(step, "charts/unusual_periods.png", 51_568),
    over(step, output),
    {
      event: "run_ended",
      status: "done",
      answer: weekends,
      remarks: [],
    },
    { event: "run_closed", problem: null },
  ];
}
