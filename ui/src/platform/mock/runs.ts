import type {
  AgainOf,
  Comparison,
  Document,
  MovedColumn,
  Problem,
  ReportCheck,
  RunEvent,
  RunSummary,
  RunView,
} from "../../api/types";
import { againOf, againRun, comparison, pastAgain } from "./again";
import { reportCheck } from "./evidence";
import { everyPart } from "./parts";
import { remotes } from "./remotes";
import { summaries } from "./profile";
import { artifactsOf, events, followUpEvents, readAnswer, record, report } from "./run";
import { pause, scene } from "./scene";
import { sentList, sentSummary, sentText } from "./sent";
import { stories } from "./stories";
import { isStressed, stressEvents, stressReport } from "./stress";
import { builtIn, thinkerOf, thoughtBy, type Thinker } from "./thinker";

type Sink = (events: RunEvent[]) => void;

const STRESS: RunSummary = {
  id: "run-stress",
  title: "A large run",
  request: "Look at every part",
  started_at: "2025-11-30T08:00:00Z",
  ended_at: "2025-11-30T08:20:00Z",
  status: "done",
  files: ["building_energy.csv"],
  charts: scene.charts,
};

let history: RunSummary[] = scene.hasPast
  ? [...(isStressed ? [STRESS] : []), ...summaries, againRun]
  : [];
const stopped = new Set<string>();
/** What each run of this visit has told so far. */
const told = new Map<string, RunEvent[]>();

/** Who thought in each run; the analyst where nothing else is said. */
const thinkers = new Map<string, Thinker>(
  Object.entries({
    "run-survey": thinkerOf(remotes.openai, "shown"),
    "run-delivery": thinkerOf(remotes.openai, "kept_here"),
  }),
);
/** The runs that do an earlier one again. */
const again = new Map<string, AgainOf>([[againRun.id, pastAgain]]);

const thinkerIn = (run: string) => thinkers.get(run) ?? builtIn;

/** The questions that wait for an answer, by run. */
const waiting = new Map<string, (answer: string | null) => void>();

export function answerQuestion(run: string, answer: string | null): void {
  waiting.get(run)?.(answer);
  waiting.delete(run);
}

const now = () => new Date().toISOString();

const change = (id: string, to: Partial<RunSummary>) => {
  history = history.map((kept) => (kept.id === id ? { ...kept, ...to } : kept));
};

/** Tells the events one after the other, what is printed in bundles, until the end or a stop. */
async function play(run: string, all: RunEvent[], sink: Sink) {
  const heard = told.get(run) ?? [];
  told.set(run, heard);
  const tell = (events: RunEvent[]) => {
    heard.push(...events);
    sink(events);
  };
  for (const bundle of bundles(all)) {
    await pause(bundle.at(-1)?.event === "step_ended" ? scene.pace * 6 : scene.pace / 3);
    if (stopped.has(run)) {
      change(run, { status: "stopped", ended_at: now() });
      tell([
        { event: "run_ended", status: "stopped", answer: "", remarks: [] },
        { event: "run_closed", problem: null },
      ]);
      return;
    }
    const end = bundle.find((event) => event.event === "run_ended");
    if (end !== undefined) change(run, { status: end.status, ended_at: now() });
    tell(bundle);
    const asked = bundle.find((event) => event.event === "question_asked");
    if (asked !== undefined) {
      const answer = await new Promise<string | null>((answered) => waiting.set(run, answered));
      tell([{ event: "question_answered", step: asked.step, answer }]);
    }
  }
}

function bundles(all: RunEvent[]): RunEvent[][] {
  const found: RunEvent[][] = [];
  for (const event of all) {
    const last = found.at(-1);
    const joins = event.event === "output" && last?.[0]?.event === "output" && last.length < 20;
    if (joins) last.push(event);
    else found.push([event]);
  }
  return found;
}

/** What a run of an earlier day has left in the store; unfinished ones broke off half way. */
function journal({ id, status }: RunSummary): RunEvent[] {
  if (id === STRESS.id) return stressEvents();
  const all = thoughtBy(events(id), thinkerIn(id));
  if (status === "done") return all;
  const middle = all.findIndex((event) => event.event === "step_started" && event.step === 7);
  const half = all.slice(0, middle + 1);
  if (status === "interrupted" || status === "running") return half;
  const remarks = status === "incomplete" ? ["The report has no chart."] : [];
  return [...half.slice(0, -1), { event: "run_ended", status, answer: "", remarks }];
}

function summaryOf(run: string): RunSummary {
  const summary = history.find((kept) => kept.id === run);
  if (summary === undefined) {
    throw {
      code: "storage",
      message: "This run is not there any more.",
      hint: "It may have been deleted.",
      detail: run,
    } satisfies Problem;
  }
  return summary;
}

export function view(run: string): RunView {
  const summary = summaryOf(run);
  const heard = told.get(run) ?? journal(summary);
  const artifacts = artifactsOf(heard);
  const hasReport = artifacts.some((artifact) => artifact.kind === "report");
  return {
    summary,
    record: {
      ...record(run),
      request: summary.request,
      model: thinkerIn(run).card,
      rows: thinkerIn(run).rows,
      again: again.get(run) ?? null,
    },
    events: heard,
    artifacts,
    report: hasReport ? written() : null,
    asks: [
      summary.request,
      ...heard.flatMap((event) => (event.event === "asked" ? [event.ask] : [])),
    ],
    answers: answers(heard),
    live: told.has(run),
    sent: sentSummary(heard, thinkerIn(run).rows),
  };
}

function written(): Document {
  if (isStressed) return stressReport();
  return scene.report === "parts" ? everyPart() : report;
}

/** What was answered to each question, empty while nothing was. */
function answers(heard: readonly RunEvent[]): Document[] {
  const said = [""];
  for (const event of heard) {
    if (event.event === "asked") said.push("");
    if (event.event === "run_ended") said[said.length - 1] = event.answer;
  }
  return said.map(readAnswer);
}

export function check(run: string): ReportCheck {
  const { report, events } = view(run);
  if (report !== null) return reportCheck(report, events);
  throw { code: "input", message: "There is no report.", hint: "", detail: run } satisfies Problem;
}

export function startRun(request: string, files: string[], thinker: Thinker, sink: Sink): string {
  const id = `run-${history.length + 1}-${Date.now()}`;
  const base = { id, title: request, request, started_at: now(), ended_at: null, charts: 3 };
  history = [{ ...base, status: "running", files }, ...history];
  const story = isStressed ? stressEvents() : (stories[scene.end] ?? events(id));
  thinkers.set(id, thinker);
  void play(id, thoughtBy(story, thinker), sink);
  return id;
}

/** The steps of an earlier run once more, by nobody's thinking. */
export function runAgain(run: string, file: string, columns: MovedColumn[], sink: Sink): string {
  const { request } = summaryOf(run);
  const id = startRun(request, [file], builtIn, sink);
  again.set(id, againOf(run, file, columns));
  return id;
}

export function compare(run: string): Comparison {
  const done = again.get(run);
  if (done !== undefined) return comparison(run, done);
  throw {
    code: "input",
    message: "This run does not do an earlier one again, so there is nothing to compare it with.",
    hint: "Run an earlier one again on a new file.",
    detail: run,
  } satisfies Problem;
}

/** What was told of a run, which from now on is told more of. */
function takenUp(run: string): RunEvent[] {
  const heard = told.get(run) ?? journal(summaryOf(run));
  told.set(run, heard);
  stopped.delete(run);
  change(run, { status: "running" });
  return heard;
}

export function followUp(run: string, ask: string, sink: Sink): void {
  const steps = takenUp(run).filter((event) => event.event === "step_started").length;
  void play(run, thoughtBy(followUpEvents(ask, steps + 1), thinkerIn(run)), sink);
}

/** The finished steps are run again, then the work goes on where it was cut off. */
export function resume(run: string, sink: Sink): void {
  const heard = takenUp(run);
  const finished = heard.filter((event) => event.event === "step_ended").length;
  const titles = heard.flatMap((event): RunEvent[] =>
    event.event === "step_started" && event.step <= finished
      ? [{ event: "replaying", step: event.step, title: event.title }]
      : [],
  );
  const all = thoughtBy(events(run), thinkerIn(run));
  const from = all.findIndex((event) => event.event === "turn_started" && event.turn > finished);
  void play(run, [{ event: "opening_sandbox" }, ...titles, ...all.slice(from)], sink);
}

export const sent = (run: string) => {
  const summary = summaryOf(run);
  return sentList(told.get(run) ?? journal(summary), summary.started_at);
};

export const textOfSent = (run: string, number: number) => sentText(number, thinkerIn(run).rows);

export function stopRun(run: string): void {
  stopped.add(run);
  answerQuestion(run, null);
}

export const found = (search: string) =>
  history.filter((run) => `${run.title} ${run.files}`.toLowerCase().includes(search.toLowerCase()));

export const rename = (run: string, title: string) => change(run, { title });

export const remove = (run: string) => {
  history = history.filter((kept) => kept.id !== run);
};
