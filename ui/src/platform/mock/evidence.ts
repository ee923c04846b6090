import type { Document, FigureCheck, ReportCheck, RunEvent, Verdict } from "../../api/types";
import { scene } from "./scene";

interface Line {
  step: number;
  line: number;
  words: string;
}

/** So much of a line is told. */
const MOST = 80;

function linesOf(events: readonly RunEvent[]): Line[] {
  const printed = new Map<number, number>();
  return events.flatMap((event) => {
    if (event.event !== "output") return [];
    const { step } = event;
    return event.text
      .trimEnd()
      .split("\n")
      .map((whole) => {
        const line = (printed.get(step) ?? 0) + 1;
        printed.set(step, line);
        return { step, line, words: whole.length > MOST ? `${whole.slice(0, MOST)} …` : whole };
      });
  });
}

/** What the practice report says that stands in no line of its steps, or in too many. */
const known: Record<string, Verdict> = {
  "7": { verdict: "printed", step: 5, line: 1, words: "7 events with 127 unusual readings out of" },
  "8,760": { verdict: "input", fact: "building_energy.csv: number of rows: 8760" },
  "5": { verdict: "chosen", step: 3, line: 12 },
  "0.733": { verdict: "written", step: 8 },
  "1 Jan 2025": { verdict: "input", fact: "building_energy.csv: first timestamp: 2025-01-01" },
  "31 Dec 2025": { verdict: "asked" },
};

const unfounded = new Set(["45.3", "2.66", "0.733"]);

/** A small search of the shell's kind: enough to show every kind of answer. */
function verdictOf({ figures }: Document, number: number, lines: readonly Line[]): Verdict {
  const text = figures[number]?.text ?? "";
  if (scene.unfounded && unfounded.has(text)) return { verdict: "not_found" };
  if (known[text] !== undefined) return known[text];
  if (text.endsWith("%")) {
    const part = figures[number - 1]?.text ?? "";
    return { verdict: "derived", how: `${part} ÷ what was expected`, from: [number - 1] };
  }
  const line = lines.find(({ words }) => text.length > 1 && words.includes(text));
  if (line !== undefined) return { verdict: "printed", ...line };
  const row = number % 8 === 0 ? null : number % 8;
  return { verdict: "tabled", step: 6, path: "events.csv", row, column: "description" };
}

/** What is known of the figures of a report; some are not found where the scene says so. */
export function reportCheck(document: Document, events: readonly RunEvent[]): ReportCheck {
  const lines = linesOf(events);
  const figures = document.figures.map(({ text, place }, number): FigureCheck => {
    return { text, place, verdict: verdictOf(document, number, lines) };
  });
  const counted = (...kinds: Verdict["verdict"][]) =>
    figures.filter(({ verdict }) => kinds.includes(verdict.verdict)).length;
  return {
    figures,
    summary: {
      figures: figures.length,
      computed: counted("printed", "tabled", "written", "derived"),
      given: counted("chosen", "input", "asked"),
      not_found: counted("not_found"),
    },
  };
}
