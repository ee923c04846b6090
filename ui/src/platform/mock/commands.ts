import type {
  ExportProgress,
  FileCard,
  FileProfile,
  ImageProgress,
  ListedEngine,
  MovedColumn,
  Problem,
  ReadingProgress,
  RunAsk,
  RunEvent,
  RemoteModel,
  Settings,
  Sort,
} from "../../api/types";
import { checkNewFile, nextYear } from "./again";
import { page } from "./energy";
import { dataStory } from "./dataStory";
import { connections, keptSettings, listModels, stopTest, testModel } from "./connect";
import {
  copyOfReport,
  copyOfSummary,
  copyOfTable,
  exportForms,
  exportRun,
  stopExport,
} from "./exports";
import { engines, listEngines, proveSandbox, stopProof } from "./engines";
import { agree, terms, withdraw } from "./hosted";
import {
  addPackages,
  images,
  loadImage,
  pullImage,
  removeOldImages,
  stopImageWork,
} from "./images";
import { build, diagnosis, startEngine, stopBuild } from "./machine";
import { card, longName, profile, wide, wideProfile } from "./profile";
import { readThrough, stopReading } from "./reading";
import * as runs from "./runs";
import { pause, scene } from "./scene";
import { resultTable } from "./table";
import { thinkerOf } from "./thinker";

type Command = (args: Record<string, unknown>) => unknown;

const cutShort: Problem = {
  code: "input",
  message: "The file ends in the middle of a row.",
  hint: "Save it again from the program that made it, then read it again.",
  detail: "row 4112: 2 of 3 cells",
};

function mustBeReady(): void {
  const trouble = diagnosis().checks.find((check) => check.problem !== null)?.problem;
  if (trouble) throw trouble;
}

function chosen(): FileCard[] {
  if (scene.files === "plain") return [card, wide];
  return [scene.files === "year" ? nextYear : longName];
}

/** How files are wished to be read. */
const readings = new Map<string, Record<string, string>>();

function readAsSet(profile: FileProfile, settings: Record<string, string>): FileProfile {
  return {
    ...profile,
    settings: settings as unknown as FileProfile["settings"],
    columns: profile.columns.map((column) =>
      settings[`omit:${column.name}`] === "yes" ? { ...column, left_out: true } : column,
    ),
    decisions: profile.decisions.map((decision) => {
      const value = settings[decision.id];
      const chosen = decision.alternatives?.find((other) => other.value === value);
      if (chosen === undefined) return decision;
      const before = { value: decision.value, label: decision.label };
      const others = (decision.alternatives ?? []).filter((other) => other !== chosen);
      return { ...decision, ...chosen, chosen: true, alternatives: [before, ...others] };
    }),
  };
}

const added = (files: FileCard[]) => ({ files, problems: [] });
const heard = (channel: unknown) => channel as (events: RunEvent[]) => void;

export const commands: Record<string, Command> = {
  app_info: () => ({ version: "0.1.0", sample: true, drawing: scene.drawing }),
  ui_ready: () => null,
  choose_files: () => added(chosen()),
  add_sample: () => added([card]),
  remove_file: () => null,
  file_page: ({ offset, limit }) => page(Number(offset), Number(limit)),
  file_profile: async ({ file, channel }) => {
    await readThrough(channel as (progress: ReadingProgress) => void);
    if (scene.files === "broken") throw cutShort;
    return readAsSet(file === wide.id ? wideProfile : profile, readings.get(String(file)) ?? {});
  },
  set_reading: ({ file, settings }) => {
    readings.set(String(file), settings as Record<string, string>);
    return file === wide.id ? wide : card;
  },
  stop_reading: stopReading,
  diagnose: async () => {
    await pause(scene.pace);
    return diagnosis();
  },
  start_engine: startEngine,
  build_image: ({ channel }) => build(channel as (message: { line: string }) => void),
  stop_build: () => {
    stopBuild();
    stopImageWork();
  },
  images,
  add_packages: ({ packages, channel }) =>
    addPackages(packages as string[], channel as (progress: ImageProgress) => void),
  pull_image: ({ name, channel }) =>
    pullImage(String(name), channel as (progress: ImageProgress) => void),
  load_image: ({ channel }) => loadImage(channel as (progress: ImageProgress) => void),
  remove_old_images: removeOldImages,
  hosted_terms: ({ address }) => terms(String(address)),
  agree_to_hosted: ({ address }) => agree(String(address)),
  withdraw_from_hosted: ({ address }) => withdraw(String(address)),
  engines,
  list_engines: ({ list }) => listEngines(list as ListedEngine[]),
  choose_certificates: () => "/home/you/certificates",
  prove_sandbox: proveSandbox,
  stop_proof: stopProof,
  start_run: ({ ask, channel }) => {
    mustBeReady();
    const { ask: request, files, rows } = ask as RunAsk;
    const names = files.map((file) => [wide, longName].find(({ id }) => id === file) ?? card);
    return runs.startRun(
      request,
      names.map(({ name }) => name),
      thinkerOf(keptSettings.read().model, rows),
      heard(channel),
    );
  },
  check_new_file: async ({ run, file }) => {
    await pause(scene.pace);
    return checkNewFile(String(run), String(file));
  },
  run_again: ({ run, file, columns, channel }) => {
    mustBeReady();
    const { name } = file === nextYear.id ? nextYear : card;
    return runs.runAgain(String(run), name, columns as MovedColumn[], heard(channel));
  },
  compare: async ({ run }) => {
    await pause(scene.pace);
    return runs.compare(String(run));
  },
  follow_up: ({ run, ask, channel }) => {
    mustBeReady();
    runs.followUp(String(run), String(ask), heard(channel));
  },
  resume_run: ({ run, channel }) => {
    mustBeReady();
    runs.resume(String(run), heard(channel));
  },
  sent: ({ run }) => runs.sent(String(run)),
  sent_text: ({ run, number }) => runs.textOfSent(String(run), Number(number)),
  answer_question: ({ run, answer }) =>
    runs.answerQuestion(String(run), answer === null ? null : String(answer)),
  stop_run: ({ run }) => runs.stopRun(String(run)),
  runs: ({ search }) => runs.found(String(search)),
  open_run: ({ run }) => runs.view(String(run)),
  check_report: async ({ run }) => {
    await pause(scene.pace);
    return runs.check(String(run));
  },
  data_story: () => dataStory(),
  rename_run: ({ run, title }) => runs.rename(String(run), String(title)),
  delete_run: ({ run }) => runs.remove(String(run)),
  table_page: ({ offset, limit, sort, filter }) =>
    resultTable({
      offset: Number(offset),
      limit: Number(limit),
      sort: sort as Sort | null,
      filter: String(filter),
    }),
  forms: () => exportForms,
  export_run: ({ form, channel }) =>
    exportRun(String(form), channel as (progress: ExportProgress) => void),
  stop_export: stopExport,
  copy_report: () => copyOfReport,
  copy_summary: () => copyOfSummary,
  copy_table: ({ path }) => copyOfTable(String(path)),
  save_artifact: ({ path }) => ({
    id: "export-2",
    place: `/home/you/Documents/${String(path).split("/").at(-1)}`,
    remarks: [],
  }),
  reveal: () => null,
  settings: keptSettings.read,
  save_settings: ({ settings }) => keptSettings.write(settings as Settings),
  connections,
  list_models: ({ model }) => listModels(model as RemoteModel),
  test_model: ({ model }) => testModel(model as RemoteModel),
  stop_test: stopTest,
  quit_answer: () => null,
};
