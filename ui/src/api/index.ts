/** The calls of the shell, one function each, with their types. All reject with a `Problem`. */
import { platform } from "../platform";
import type {
  AppInfo,
  Comparison,
  Connections,
  DataStory,
  Diagnosis,
  EngineChoice,
  Engines,
  ExportForm,
  ExportProgress,
  Exported,
  FileCard,
  FileProfile,
  FilesAdded,
  ForClipboard,
  HostedTerms,
  ImageProgress,
  ListedEngine,
  ListedModel,
  MovedColumn,
  NewFileCheck,
  OwnImage,
  Probe,
  ReadingProgress,
  RemoteModel,
  ReportCheck,
  RunAsk,
  RunEvent,
  RunSummary,
  RunView,
  SandboxProof,
  SentPart,
  SentRequest,
  Settings,
  Sort,
  TablePage,
} from "./types";

export * from "./problem";
export type * from "./types";

const invoke = <Answer>(name: string, args?: Record<string, unknown>) =>
  platform().invoke<Answer>(name, args);

export const appInfo = () => invoke<AppInfo>("app_info");
/** Says once, after the first paint, that the interface is there. */
export const uiReady = () => invoke<null>("ui_ready");

export const chooseFiles = () => invoke<FilesAdded>("choose_files");
export const addSample = () => invoke<FilesAdded>("add_sample");
export const removeFile = (file: string) => invoke<null>("remove_file", { file });
export const filePage = (file: string, offset: number, limit: number) =>
  invoke<TablePage>("file_page", { file, offset, limit });
/** Reads a whole file; `heard` gets how far it has come. */
export const fileProfile = (file: string, heard: (progress: ReadingProgress) => void) =>
  invoke<FileProfile>("file_profile", { file, channel: platform().channel(heard) });
/** Reads a file in another way from now on, and answers its first rows. */
export const setReading = (file: string, settings: Record<string, string>) =>
  invoke<FileCard>("set_reading", { file, settings });
/** Ends the reading of a file; its `fileProfile` rejects. */
export const stopReading = (file: string) => invoke<null>("stop_reading", { file });

/** How everything is that a run needs which goes where `engine` says. */
export const diagnose = (engine: EngineChoice) => invoke<Diagnosis>("diagnose", { engine });
export const startEngine = () => invoke<null>("start_engine");
/** Hears how work on an image goes on. */
export type ImageSink = (progress: ImageProgress) => void;

/** Resolves when the sandbox is made. */
export const buildImage = (engine: EngineChoice, heard: ImageSink) =>
  invoke<null>("build_image", { engine, channel: platform().channel(heard) });
/** The images on an engine that Assay has made. */
export const images = (engine: EngineChoice) => invoke<OwnImage[]>("images", { engine });
/** Makes an image with these packages, which every run uses from then on. */
export const addPackages = (packages: string[], heard: ImageSink) =>
  invoke<null>("add_packages", { packages, channel: platform().channel(heard) });
/** Fetches an image from its registry. */
export const pullImage = (engine: EngineChoice, name: string, heard: ImageSink) =>
  invoke<null>("pull_image", { engine, name, channel: platform().channel(heard) });
/** Asks for a file and loads its images; answers their names, none when the person thought better of it. */
export const loadImage = (engine: EngineChoice, heard: ImageSink) =>
  invoke<string[]>("load_image", { engine, channel: platform().channel(heard) });
/** Ends the work on an image that goes on; its call rejects. */
export const stopBuild = () => invoke<null>("stop_build");
/** Removes what no run can use any more; answers what is gone. */
export const removeOldImages = (engine: EngineChoice) =>
  invoke<OwnImage[]>("remove_old_images", { engine });

/** Every engine that this computer may use; each is asked, which takes some seconds where one is far. */
export const engines = () => invoke<Engines>("engines");
/** Keeps the list of named engines, in the order in which they are tried. */
export const listEngines = (list: ListedEngine[]) => invoke<null>("list_engines", { list });
/** Asks for the folder with an engine's certificates; null when the person thought better of it. */
export const chooseCertificates = () => invoke<string | null>("choose_certificates");
/** Opens a sandbox and compares each limit inside with what was asked for. */
export const proveSandbox = () => invoke<SandboxProof>("prove_sandbox");
/** Ends that look; its `proveSandbox` rejects. */
export const stopProof = () => invoke<null>("stop_proof");
/** What it means that code runs at this address, and whether the person has agreed. */
export const hostedTerms = (address: string) => invoke<HostedTerms>("hosted_terms", { address });
export const agreeToHosted = (address: string) => invoke<null>("agree_to_hosted", { address });
export const withdrawFromHosted = (address: string) =>
  invoke<null>("withdraw_from_hosted", { address });

/** Hears batches of events until one of them is `run_closed`. */
export type EventSink = (events: RunEvent[]) => void;

/** Answers the run's id; its events come to `heard`. */
export const startRun = (ask: RunAsk, heard: EventSink) =>
  invoke<string>("start_run", { ask, channel: platform().channel<RunEvent[]>(heard) });
export const followUp = (run: string, ask: string, heard: EventSink) =>
  invoke<null>("follow_up", { run, ask, channel: platform().channel<RunEvent[]>(heard) });
/** Takes a run up where it was cut off. */
export const resumeRun = (run: string, heard: EventSink) =>
  invoke<null>("resume_run", { run, channel: platform().channel<RunEvent[]>(heard) });
/** Whether a chosen file has what the steps of an earlier run need. */
export const checkNewFile = (run: string, file: string) =>
  invoke<NewFileCheck>("check_new_file", { run, file });
/** Does an earlier run again on a chosen file; answers the new run's id, its events come to `heard`. */
export const runAgain = (run: string, file: string, columns: MovedColumn[], heard: EventSink) =>
  invoke<string>("run_again", {
    run,
    file,
    columns,
    channel: platform().channel<RunEvent[]>(heard),
  });
/** Answers what the model wants to know; null leaves the choice to it. */
export const answerQuestion = (run: string, answer: string | null) =>
  invoke<null>("answer_question", { run, answer });
export const stopRun = (run: string) => invoke<null>("stop_run", { run });

export const runs = (search: string) => invoke<RunSummary[]>("runs", { search });
export const openRun = (run: string) => invoke<RunView>("open_run", { run });
/** What happened to the data in a run. */
export const dataStory = (run: string) => invoke<DataStory>("data_story", { run });
/** Where the figures of a run's report come from. */
export const checkReport = (run: string) => invoke<ReportCheck>("check_report", { run });
/** What changed in a run that does an earlier one again. */
export const compare = (run: string) => invoke<Comparison>("compare", { run });
/** Every request of a run, in order. */
export const sent = (run: string) => invoke<SentRequest[]>("sent", { run });
/** The exact text of one of them, the words of the files apart from the rest. */
export const sentText = (run: string, number: number) =>
  invoke<SentPart[]>("sent_text", { run, number });
export const renameRun = (run: string, title: string) => invoke<null>("rename_run", { run, title });
export const deleteRun = (run: string) => invoke<null>("delete_run", { run });
export const tablePage = (
  run: string,
  path: string,
  page: { offset: number; limit: number; sort: Sort | null; filter: string },
) => invoke<TablePage>("table_page", { run, path, ...page });
/** The forms in which a run can be taken along. */
export const forms = () => invoke<ExportForm[]>("forms");
/** Writes a run in one form where the person says; null when they changed their mind. */
export const exportRun = (run: string, form: string, heard: (progress: ExportProgress) => void) =>
  invoke<Exported | null>("export_run", { run, form, channel: platform().channel(heard) });
/** Ends the export that goes on; its `exportRun` rejects. */
export const stopExport = () => invoke<null>("stop_export");
/** Copies one file of a run to where the person says; null when they changed their mind. */
export const saveArtifact = (run: string, path: string, version: number | null) =>
  invoke<Exported | null>("save_artifact", { run, path, version });
export const copyReport = (run: string) => invoke<ForClipboard>("copy_report", { run });
export const copySummary = (run: string) => invoke<ForClipboard>("copy_summary", { run });
export const copyTable = (run: string, path: string) =>
  invoke<ForClipboard>("copy_table", { run, path });
export const reveal = (exported: string) => invoke<null>("reveal", { export: exported });

export const settings = () => invoke<Settings>("settings");
export const saveSettings = (kept: Settings) => invoke<null>("save_settings", { settings: kept });

/** What there is to connect to; looks for servers on this computer, for about a second. */
export const connections = () => invoke<Connections>("connections");
export const listModels = (model: RemoteModel) => invoke<ListedModel[]>("list_models", { model });
/** Lets a model call a tool and look at a picture; it may take minutes where a model has to be loaded. */
export const testModel = (model: RemoteModel) => invoke<Probe>("test_model", { model });
/** Ends the test that goes on; its `testModel` rejects. */
export const stopTest = () => invoke<null>("stop_test");

export const onFilesAdded = (take: (added: FilesAdded) => void) =>
  platform().listen<FilesAdded>("files-added", take);
export const onDragState = (take: (state: "over" | "none") => void) =>
  platform().listen<"over" | "none">("drag-state", take);
export const onOpenRun = (take: (run: string) => void) =>
  platform().listen<string>("open-run", take);
export const onQuitAsked = (take: () => void) => platform().listen<null>("quit-asked", take);
export const quitAnswer = (answer: "stop_and_quit" | "stay") =>
  invoke<null>("quit_answer", { answer });

export const artifactUrl = (run: string, path: string, version?: number) =>
  platform().artifactUrl(run, path, version);
