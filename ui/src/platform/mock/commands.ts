import type {
  Check,
  FileCard,
  Problem,
  RunEvent,
  RunSummary,
  RunView,
  Settings,
  Sort,
} from "../../api/types";
import { page } from "./energy";
import { card, profile, settings, summaries, wide, wideProfile } from "./profile";
import { artifactsOf, events, followUpEvents, record, report } from "./run";
import { eventsTable } from "./table";

type Command = (args: Record<string, unknown>) => unknown;

/** `?engine=stopped`, `?image=missing`, `?runs=none`, `?pace=0` set the scene. */
const scene = new URLSearchParams(window.location.search);
const pace = Number(scene.get("pace") ?? 250);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

let engine = scene.get("engine") ?? "ready";
let image = scene.get("image") ?? "ready";
let building = false;
let kept: Settings = settings;
let history: RunSummary[] = scene.get("runs") === "none" ? [] : [...summaries];
const stopped = new Set<string>();
/** What each run of this visit has told so far. */
const told = new Map<string, RunEvent[]>();

const engineProblems: Record<string, Problem> = {
  missing: {
    code: "engine_missing",
    message: "Docker is not installed. Assay runs its analyses inside it.",
    hint: "Install Docker, then come back; this page notices by itself.",
    detail: "no socket at /var/run/docker.sock; `docker` is not on the path",
  },
  stopped: {
    code: "engine_stopped",
    message: "The engine (Docker) is not running.",
    hint: "Start it.",
    detail: "connect /var/run/docker.sock: connection refused",
  },
  forbidden: {
    code: "engine_forbidden",
    message: "This account may not use Docker.",
    hint: "Add the account to the docker group, then log in again.",
    detail: "connect /var/run/docker.sock: permission denied",
  },
};

const imageProblem: Problem = {
  code: "image",
  message: "The sandbox has not been made on this computer yet.",
  hint: "Make it once; it takes a few minutes and about 900 MB.",
  detail: "no such image: assay-sandbox:1",
};

function checks(): Check[] {
  const engineProblem = engineProblems[engine] ?? null;
  const needed = image === "ready" ? null : imageProblem;
  return [
    { name: "Engine", ready: engineProblem ? null : "Docker 29.1", problem: engineProblem },
    { name: "Image", ready: engineProblem || needed ? null : "assay-sandbox:1", problem: needed },
    { name: "Model", ready: "Built-in analyst (no AI)", problem: null },
  ];
}

async function build(sink: (message: { line: string }) => void): Promise<null> {
  building = true;
  for (let step = 1; step <= 14; step += 1) {
    await pause(600);
    if (!building) {
      throw {
        code: "stopped",
        message: "Making the sandbox was stopped.",
        hint: "What is done so far is kept for the next time.",
        detail: "",
      } satisfies Problem;
    }
    sink({ line: `Step ${step}/14: adding the tools for reading tables and drawing charts` });
  }
  image = "ready";
  return null;
}

async function play(run: string, all: RunEvent[], sink: (events: RunEvent[]) => void) {
  const tell = (event: RunEvent) => {
    told.set(run, [...(told.get(run) ?? []), event]);
    sink([event]);
  };
  for (const event of all) {
    await pause(event.event === "step_ended" ? pace * 6 : pace / 3);
    if (stopped.has(run) && event.event !== "run_closed") continue;
    if (event.event === "run_closed") {
      if (stopped.has(run))
        tell({ event: "run_ended", status: "stopped", answer: "", remarks: [] });
      end(run);
    }
    tell(event);
  }
}

function end(run: string) {
  history = history.map((kept) =>
    kept.id === run
      ? { ...kept, status: stopped.has(run) ? "stopped" : "done", ended_at: now() }
      : kept,
  );
}

const now = () => new Date().toISOString();

/** What a run of an earlier day has left in the store; unfinished ones broke off half way. */
function journal({ id, status }: RunSummary): RunEvent[] {
  const all = events(id);
  if (status === "done") return all;
  const middle = all.findIndex((event) => event.event === "step_started" && event.step === 7);
  const half = all.slice(0, middle + 1);
  if (status === "interrupted" || status === "running") return half;
  const remarks = status === "incomplete" ? ["The report has no chart."] : [];
  return [...half.slice(0, -1), { event: "run_ended", status, answer: "", remarks }];
}

function view(run: string): RunView {
  const summary = history.find((kept) => kept.id === run);
  if (summary === undefined) {
    throw {
      code: "storage",
      message: "This run is not there any more.",
      hint: "It may have been deleted.",
      detail: run,
    } satisfies Problem;
  }
  const heard = told.get(run) ?? journal(summary);
  const artifacts = artifactsOf(heard);
  return {
    summary,
    record: { ...record(run), request: summary.request },
    events: heard,
    artifacts,
    report: artifacts.some((artifact) => artifact.kind === "report") ? report : null,
    asks: heard.flatMap((event) => (event.event === "asked" ? [event.ask] : [])),
    live: told.has(run),
  };
}

const added = (files: FileCard[]) => ({ files, problems: [] });

export const commands: Record<string, Command> = {
  app_info: () => ({ version: "0.1.0", sample: true }),
  ui_ready: () => null,
  choose_files: () => added([card, wide]),
  add_sample: () => added([card]),
  remove_file: () => null,
  file_page: ({ offset, limit }) => page(Number(offset), Number(limit)),
  file_profile: async ({ file }) => {
    await pause(pace * 2);
    return file === wide.id ? wideProfile : profile;
  },
  diagnose: async () => {
    await pause(pace);
    return { checks: checks() };
  },
  start_engine: async () => {
    await pause(1500);
    engine = "ready";
  },
  build_image: ({ channel }) => build(channel as (message: { line: string }) => void),
  stop_build: () => {
    building = false;
  },
  start_run: ({ ask, channel }) => {
    const trouble = checks().find((check) => check.problem !== null)?.problem;
    if (trouble) throw trouble;
    const { ask: request, files } = ask as { ask: string; files: string[] };
    const id = `run-${history.length + 1}-${Date.now()}`;
    const names = files.map((file) => (file === wide.id ? wide.name : card.name));
    const base = { id, title: request, request, started_at: now(), ended_at: null, charts: 3 };
    history = [{ ...base, status: "running", files: names }, ...history];
    void play(id, events(id), channel as (events: RunEvent[]) => void);
    return id;
  },
  follow_up: ({ run, ask, channel }) => {
    const id = String(run);
    const heard = told.get(id) ?? journal(view(id).summary);
    told.set(id, heard);
    const steps = heard.filter((event) => event.event === "step_started").length;
    void play(id, followUpEvents(String(ask), steps + 1), channel as (events: RunEvent[]) => void);
  },
  stop_run: ({ run }) => void stopped.add(String(run)),
  runs: ({ search }) => {
    const wanted = String(search).toLowerCase();
    return history.filter((run) => `${run.title} ${run.files}`.toLowerCase().includes(wanted));
  },
  open_run: ({ run }) => view(String(run)),
  rename_run: ({ run, title }) => {
    history = history.map((kept) => (kept.id === run ? { ...kept, title: String(title) } : kept));
  },
  delete_run: ({ run }) => {
    history = history.filter((kept) => kept.id !== run);
  },
  table_page: ({ path, offset, limit, sort, filter }) =>
    eventsTable(String(path), {
      offset: Number(offset),
      limit: Number(limit),
      sort: sort as Sort | null,
      filter: String(filter),
    }),
  export_run: () => ({ id: "export-1", place: "/home/you/Documents/Energy 2025" }),
  reveal: () => null,
  settings: () => kept,
  save_settings: ({ settings: next }) => {
    kept = next as Settings;
  },
  check_model: async () => {
    await pause(800);
    return { ready: "The model answered in 0.8 s." };
  },
  quit_answer: () => null,
};
