import type { Block, Document, Figure, Inline, RunEvent } from "../../api/types";
import { documentOf, heading, paragraph, picture, text } from "./document";
import { begun, good, over, printed, said, saved } from "./make";
import { scene } from "./scene";

/** A run as large as the address of the page asks for; to scroll through and to measure. */
export const isStressed = scene.steps + scene.charts + scene.lines + scene.numbers > 0;

export const chartPath = (number: number) => `charts/chart_${String(number).padStart(3, "0")}.png`;

const code = (step: number) =>
  `part = readings[readings['part'] == ${step}]\nprint(part.describe())\npart.plot()`;

const table = (step: number) =>
  Array.from(
    { length: 20 },
    (_, row) => `part ${step}, row ${row}: ${(step * 31 + row * 7) % 997}\n`,
  );

/** Steps that print 20 lines each, charts spread over them, then one step that prints much. */
export function stressEvents(): RunEvent[] {
  const steps = Math.max(scene.steps, 1);
  const events: RunEvent[] = [{ event: "opening_sandbox" }];
  for (let step = 1; step <= steps; step += 1) {
    const lines = table(step);
    events.push(...said(step, `Now I look at part ${step}.`));
    events.push(begun(step, `Looking at part ${step} of ${steps}`, code(step)));
    events.push(...lines.map((line) => printed(step, line)));
    for (let chart = share(step - 1, steps) + 1; chart <= share(step, steps); chart += 1) {
      events.push(saved(step, chartPath(chart), 51_568));
    }
    events.push(over(step, lines.join("")));
  }
  if (scene.lines > 0) events.push(...flood(steps + 1));
  const last = steps + 2;
  events.push(...good(last, "Writing the report", "write_report()", "Written.\n"));
  events.push(saved(last, "report.md", 40_000));
  events.push({ event: "run_ended", status: "done", answer: "All parts are there.", remarks: [] });
  return [...events, { event: "run_closed", problem: null }];
}

/** How many of the charts exist after so many steps. */
const share = (step: number, steps: number) => Math.round((step * scene.charts) / steps);

function flood(step: number): RunEvent[] {
  const lines = Array.from(
    { length: scene.lines },
    (_, line) => `line ${line + 1} of a long table\n`,
  );
  return [
    ...said(step, "Now I print everything."),
    begun(step, "Printing everything", "print(readings.to_string())"),
    ...lines.map((line) => printed(step, line)),
    over(step, lines.join("")),
  ];
}

const words =
  "The readings of this part follow the pattern of the others, with a peak in the morning and a " +
  "second one in the evening. Nothing about it is unusual, and no reading is missing.";

/** The report: a part for each chart, then paragraphs of many numbers. */
export function stressReport(): Document {
  const figures: Figure[] = [];
  const number = (value: string): Inline => {
    figures.push({ text: value, kind: "number", place: `of them ${value} were counted` });
    return { inline: "figure", text: value, number: figures.length - 1 };
  };
  const parts = Array.from({ length: scene.charts }, (_, at): Block[] => {
    const name = `Part ${at + 1}`;
    return [heading(2, name), paragraph(text(words)), picture(chartPath(at + 1), name)];
  });
  const counts = Array.from({ length: Math.ceil(scene.numbers / 10) }, (_, at) => {
    const line = Array.from({ length: 10 }, (_, each) => [
      text(" of them "),
      number(String((at * 31 + each * 7) % 997)),
      text(" were counted,"),
    ]);
    return paragraph(text(`In hour ${at + 1}`), ...line.flat(), text(" and that was all."));
  });
  const document = documentOf(
    heading(1, "A large report"),
    paragraph(text(words)),
    ...parts.flat(),
    ...counts,
  );
  return { ...document, figures };
}
