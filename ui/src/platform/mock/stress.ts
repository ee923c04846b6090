import type { RunEvent } from "../../api/types";
import { begun, good, over, printed, said, saved } from "./make";
import { scene } from "./scene";

/** A run as large as the address of the page asks for; to scroll through and to measure. */
export const isStressed = scene.steps + scene.charts + scene.lines > 0;

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
  events.push(saved(last, "report.md", stressReport().length));
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

const paragraph =
  "The readings of this part follow the pattern of the others, with a peak in the morning and a " +
  "second one in the evening. Nothing about it is unusual, and no reading is missing.";

export function stressReport(): string {
  const parts = Array.from({ length: scene.charts }, (_, at) => {
    const number = at + 1;
    return `## Part ${number}\n\n${paragraph}\n\n![Part ${number}](${chartPath(number)})\n`;
  });
  return `# A large report\n\n${paragraph}\n\n${parts.join("\n")}`;
}
