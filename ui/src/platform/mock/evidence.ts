import type { FigureCheck, ReportCheck } from "../../api/types";
import { scene } from "./scene";

const found: FigureCheck[] = [
  {
    text: "7",
    place: "Energy 2025: 7 unusual periods",
    verdict: {
      verdict: "tabled",
      step: 6,
      path: "events.csv",
      row: null,
      column: "number of rows of events",
    },
  },
  {
    text: "8,760",
    place: "The file holds 8,760 hourly readings.",
    verdict: { verdict: "input", fact: "building_energy.csv: number of rows: 8760" },
  },
  {
    text: "31 Dec 2025",
    place: "Looked at until 31 Dec 2025.",
    verdict: {
      verdict: "printed",
      step: 1,
      line: 2,
      words: "8,760 rows from 2025-01-01 00:00:00 to 2025-12-31 23:00:00, one every 60 minutes.",
    },
  },
  {
    text: "41 %",
    place: "Together they make 41 % of what is unusual.",
    verdict: { verdict: "derived", how: "36 ÷ 88", from: [3, 4] },
  },
];

const missing: FigureCheck[] = [
  {
    text: "1,250 kWh",
    place: "About 1,250 kWh could have been saved.",
    verdict: { verdict: "not_found" },
  },
  {
    text: "“holiday”",
    place: "Days marked “holiday” were left out.",
    verdict: { verdict: "not_found" },
  },
];

/** What is known of the figures of a report; some are not found where the scene says so. */
export function reportCheck(): ReportCheck {
  const figures = scene.unfounded ? [...found, ...missing] : found;
  const notFound = figures.length - found.length;
  return {
    figures,
    summary: { figures: figures.length, computed: 3, given: 1, not_found: notFound },
  };
}
