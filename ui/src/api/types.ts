/** The shapes that cross the border to the shell. Field names are those of the wire. */

export type ProblemCode =
  | "input"
  | "output"
  | "engine_missing"
  | "engine_stopped"
  | "engine_forbidden"
  | "image"
  | "sandbox"
  | "model"
  | "model_failed"
  | "storage"
  | "stopped";

/** What went wrong, in the person's words: the sentence, the next thing to do, the chain. */
export interface Problem {
  code: ProblemCode;
  message: string;
  hint: string;
  detail: string;
}

export interface AppInfo {
  version: string;
  sample: boolean;
}

export interface TablePage {
  columns: string[];
  rows: string[][];
  offset: number;
  total_rows: number | null;
  matching_rows: number | null;
}

export interface FileCard {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  preview: TablePage;
  /** What the table means, kept with the file. */
  note: string;
}

export interface FilesAdded {
  files: FileCard[];
  problems: Problem[];
}

export type ColumnKind =
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  | "time"
  | "category"
  | "text"
  | "identifier"
  | "empty";

export interface Column {
  name: string;
  kind: ColumnKind;
  missing: number;
  /** Null beyond the counting limit. */
  distinct: number | null;
  min?: number | null;
  max?: number | null;
  mean?: number | null;
  first?: string | null;
  last?: string | null;
  step_s?: number | null;
  date_format?: string | null;
  day_order_assumed?: boolean;
  top?: [string, number][];
  unit?: string | null;
}

export interface Table {
  path: string;
  format: string;
  sheet?: string | null;
  rows: number;
  encoding?: string | null;
  delimiter?: string | null;
  decimal: string;
  thousands?: string | null;
  header_row: number;
  read_with: string;
  columns: Column[];
  first_rows: string[][];
  notes: string[];
}

export interface FileProfile {
  table: Table;
  /** Per column up to 24 counts of a histogram, null where one is senseless. */
  shapes: (number[] | null)[];
  findings: string[];
  suggestions: string[];
}

export interface Check {
  name: "Engine" | "Image" | "Model";
  ready: string | null;
  problem: Problem | null;
}

export interface Diagnosis {
  checks: Check[];
}

export interface RunAsk {
  files: string[];
  ask: string;
  meaning: string;
  charts: boolean;
  tables: boolean;
}

export type RunStatus = "done" | "incomplete" | "stopped" | "out_of_budget" | "failed";

export interface RunSummary {
  id: string;
  title: string;
  request: string;
  started_at: string;
  ended_at: string | null;
  status: RunStatus | "interrupted" | "running";
  files: string[];
  charts: number;
}

export interface Artifact {
  path: string;
  size: number;
  kind: "report" | "chart" | "table" | "other";
  versions: number;
}

export interface ModelCard {
  name: string;
  host: string | null;
  is_ai: boolean;
}

export interface RunRecord {
  id: string;
  version: string;
  request: string;
  files: { destination: string; source: string; size: number }[];
  model: ModelCard;
  runtime: string;
  policy: Record<string, unknown>;
  budget: Record<string, unknown>;
  expected: Record<string, unknown>;
}

export interface RunView {
  summary: RunSummary;
  record: RunRecord;
  events: RunEvent[];
  artifacts: Artifact[];
  report: string | null;
  asks: string[];
  /** The sandbox session is still open for follow-ups. */
  live: boolean;
}

export interface Sort {
  column: number;
  descending: boolean;
}

export interface Exported {
  id: string;
  place: string;
}

export type ModelSettings =
  | { kind: "built_in" }
  | {
      kind: "chat_completions";
      base_url: string;
      model: string;
      images: boolean;
      /** Write-only: the shell answers null and says in `key_kept` whether it holds one. */
      key: string | null;
      key_kept?: boolean;
    };

export type Theme = "system" | "light" | "dark";

export interface Settings {
  theme: Theme;
  model: ModelSettings;
  image: string | null;
  docker_host: string | null;
  wishes: string;
}

export interface SandboxFacts {
  runtime: string;
  image: string;
  staging: "mounted" | "uploaded";
  inventory: { python: string; packages: Record<string, string> | string[] };
}

export interface CapturedText {
  head: string;
  tail: string;
  skipped_bytes: number;
  full_text: string | null;
}

export type StepStatus =
  "ok" | "error" | "timeout" | "interrupted" | "out_of_memory" | "exited" | "crashed";

export interface StepOutcome {
  step: number;
  status: StepStatus;
  duration_ms: number;
  stdout: CapturedText;
  stderr: CapturedText;
  error: { kind: string; message: string; traceback: string; line: number | null } | null;
  exit_code: number | null;
  message: string | null;
  changed: { path: string; size: number; new: boolean }[];
  removed: string[];
  refused: { path: string; reason: string }[];
  restarted: boolean;
}

export type Tool = "run_python" | "run_shell" | "write_file" | "view_image";

export interface ToolArguments {
  code?: string;
  command?: string;
  path?: string;
  content?: string;
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
}

export type RunEvent =
  | { event: "reading_file"; name: string }
  | { event: "file_read"; table: Table }
  | { event: "run_started"; run: string; model: ModelCard; runtime: string }
  | { event: "opening_sandbox" }
  | { event: "sandbox_ready"; facts: SandboxFacts }
  | { event: "briefed"; instructions: string; opening: string }
  | { event: "asked"; ask: string }
  | { event: "replaying"; step: number; title: string }
  | { event: "turn_started"; turn: number }
  | { event: "text"; turn: number; text: string }
  | { event: "reasoning"; turn: number; text: string }
  | { event: "waiting"; turn: number; wait_s: number; reason: string }
  | {
      event: "turn_ended";
      turn: number;
      message: { text: string; calls?: unknown[] };
      stop: string;
      usage: Usage | null;
    }
  | {
      event: "step_started";
      step: number;
      turn: number;
      tool: Tool;
      title: string;
      arguments: ToolArguments;
    }
  | { event: "output"; step: number; stream: "stdout" | "stderr"; text: string }
  | {
      event: "step_ended";
      step: number;
      ok: boolean;
      outcome: StepOutcome | null;
      observation: string;
    }
  | { event: "artifact_saved"; step: number; path: string; size: number }
  | { event: "artifact_removed"; step: number; path: string }
  | { event: "artifact_refused"; step: number; path: string; reason: string }
  | { event: "contract_broken"; gaps: string[] }
  | { event: "run_ended"; status: RunStatus; answer: string; remarks: string[] }
  | { event: "run_closed"; problem: Problem | null };
