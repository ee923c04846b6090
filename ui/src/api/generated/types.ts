// Made from the shell's own types by `make types`. Changes belong there, not here.

/**
 * What a run does again. It is kept with the run.
 */
export type AgainOf = { 
/**
 * The earlier run's id.
 */
run: string, 
/**
 * The file that was replaced.
 */
file: MovedFile, 
/**
 * The columns that the new file calls otherwise.
 */
columns: Array<MovedColumn>, };

/**
 * Something that happened. Events come in order; a step's events lie between its start and its end.
 */
export type AgentEvent = { "event": "sandbox_ready", 
/**
 * What is true of it.
 */
facts: SessionFacts, } | { "event": "briefed", 
/**
 * The standing instructions.
 */
instructions: string, 
/**
 * The opening message.
 */
opening: string, 
/**
 * The names of what there is to work with.
 */
surroundings: Surroundings, } | { "event": "asked", 
/**
 * The question.
 */
ask: string, } | { "event": "replaying", 
/**
 * The step.
 */
step: number, 
/**
 * What it is for.
 */
title: string, } | { "event": "sandbox_lost", 
/**
 * Why, as far as it is known.
 */
reason: string, } | { "event": "sandbox_restored", 
/**
 * How many steps were run again.
 */
steps: number, 
/**
 * Those of them that came out differently this time.
 */
different: Array<number>, } | { "event": "turn_started", 
/**
 * Number in the run, from 1.
 */
turn: number, } | { "event": "text", 
/**
 * The turn.
 */
turn: number, 
/**
 * The piece.
 */
text: string, } | { "event": "reasoning", 
/**
 * The turn.
 */
turn: number, 
/**
 * The piece.
 */
text: string, } | { "event": "waiting", 
/**
 * The turn.
 */
turn: number, 
/**
 * How long, in seconds.
 */
wait_s: number, 
/**
 * Why.
 */
reason: string, } | { "event": "turn_ended", 
/**
 * The turn.
 */
turn: number, 
/**
 * The whole answer.
 */
message: AssistantMessage, 
/**
 * Why it ended.
 */
stop: StopReason, 
/**
 * Tokens, and what they cost where it is known.
 */
usage: Usage | null, 
/**
 * Whether the tokens are an estimate, for want of the provider's count.
 */
estimated: boolean, } | { "event": "request_sent", 
/**
 * The turn; 0 before the first.
 */
turn: number, 
/**
 * The host it goes to.
 */
host: string, 
/**
 * Size of the whole text in bytes, or of a file that the text only names.
 */
bytes: number, 
/**
 * How many bytes at its beginning are as in the request before it to the model.
 */
as_before: number, 
/**
 * The rest of the body; beside the conversation the method and address come before it.
 */
text: string, 
/**
 * Whom it was for.
 */
to?: Recipient, } | { "event": "shortened", 
/**
 * How many.
 */
results: number, } | { "event": "question_asked", 
/**
 * The step.
 */
step: number, 
/**
 * What it asks.
 */
question: Question, } | { "event": "question_answered", 
/**
 * The step.
 */
step: number, 
/**
 * The answer; `None` when it is left to the model.
 */
answer: string | null, } | { "event": "step_started", 
/**
 * Number in the run, from 1.
 */
step: number, 
/**
 * The turn that asked for it.
 */
turn: number, 
/**
 * The id of the call.
 */
call: string, 
/**
 * The tool's name.
 */
tool: string, 
/**
 * What it is for, in plain words.
 */
title: string, 
/**
 * The call's arguments.
 */
arguments: Record<string, unknown>, 
/**
 * What was mended of the arguments before the step ran, a plain sentence each.
 */
mended?: Array<string>, } | { "event": "output" } & OutputChunk | { "event": "step_ended", 
/**
 * The step.
 */
step: number, 
/**
 * Whether it did what it was meant to.
 */
ok: boolean, 
/**
 * What the sandbox says, for steps that ran there.
 */
outcome: StepOutcome | null, 
/**
 * What the model reads of it.
 */
observation: string, } | { "event": "artifact_saved", 
/**
 * The step that made it.
 */
step: number, 
/**
 * Path below `output/`.
 */
path: string, 
/**
 * Size in bytes.
 */
size: number, } | { "event": "artifact_removed", 
/**
 * The step.
 */
step: number, 
/**
 * Path below `output/`.
 */
path: string, } | { "event": "artifact_refused", 
/**
 * The step.
 */
step: number, 
/**
 * The path, shown safely.
 */
path: string, 
/**
 * Why.
 */
reason: string, } | { "event": "contract_broken", 
/**
 * What is missing.
 */
gaps: Array<Gap>, } | { "event": "run_ended", 
/**
 * How.
 */
status: RunStatus, 
/**
 * The model's last words.
 */
answer: string, 
/**
 * What is missing of the contract, or what went wrong, in plain words.
 */
remarks: Array<string>, };

/**
 * How a column of a table is aligned.
 */
export type Align = "start" | "center" | "end";

/**
 * What a decision could have been instead.
 */
export type Alternative = { 
/**
 * As a value that can be set.
 */
value: string, 
/**
 * In plain words.
 */
label: string, };

export type AppInfo = { version: string, sample: boolean, drawing: Drawing, };

/**
 * A file of a run.
 */
export type Artifact = { 
/**
 * Path below `output/`.
 */
path: string, 
/**
 * Size in bytes.
 */
size: number, 
/**
 * What it is for.
 */
kind: ArtifactKind, 
/**
 * How many versions there are, today's included.
 */
versions: number, 
/**
 * The chart of which this is the picture, as a path below `output/`, where the app can draw it anew.
 */
interactive?: string, };

/**
 * What an artifact is for.
 */
export type ArtifactKind = "report" | "chart" | "table" | "other";

/**
 * A model's answer as it is kept in the history.
 */
export type AssistantMessage = { 
/**
 * The text of the answer; may be empty when there are tool calls.
 */
text: string, 
/**
 * The tool calls, in the order in which they were made. Arguments are always valid.
 */
calls?: Array<ToolCall>, 
/**
 * Fields of the provider's message that this crate does not know (reasoning, signatures).
 * Sent back unchanged to the same provider and model, dropped for any other.
 */
extra?: { [key in string]: JsonValue }, };

/**
 * A step that came to nothing.
 */
export type Attempt = { 
/**
 * The step.
 */
step: number, 
/**
 * What it was for.
 */
title: string, 
/**
 * Why it came to nothing.
 */
reason: Left, };

/**
 * A part of a report that stands by itself.
 */
export type Block = { "block": "heading", 
/**
 * 1 to 6.
 */
level: number, 
/**
 * What a link within the report calls it; unique.
 */
id: string, 
/**
 * Its words.
 */
content: Array<Inline>, } | { "block": "paragraph", 
/**
 * Its words.
 */
content: Array<Inline>, } | { "block": "quote", 
/**
 * What is quoted.
 */
blocks: Array<Block>, } | { "block": "list", 
/**
 * The first number of a numbered list.
 */
start: number | null, 
/**
 * Its items.
 */
items: Array<Item>, } | { "block": "code", 
/**
 * The language, as the report names it; may be empty.
 */
language: string, 
/**
 * The text.
 */
text: string, } | { "block": "table", 
/**
 * How each column is aligned.
 */
columns: Array<Align>, 
/**
 * The cells of the head.
 */
head: Array<Array<Inline>>, 
/**
 * The cells of each row.
 */
rows: Array<Array<Array<Inline>>>, } | { "block": "formula", 
/**
 * The formula.
 */
tex: string, } | { "block": "rule" };

/**
 * The limits of one run. Wall time is the sandbox policy's.
 */
export type Budget = { 
/**
 * Answers of the model.
 */
turns: number, 
/**
 * Tool calls.
 */
steps: number, 
/**
 * Tokens read and written together, as far as the provider counts them.
 */
tokens: number, 
/**
 * Tokens of one answer.
 */
answer_tokens: number, 
/**
 * Money, in millionths of a US dollar, as far as what an answer costs is known.
 */
cost_microdollars: number | null, 
/**
 * What the person says that tokens cost; the provider's own word on an answer goes before it.
 */
prices: Prices | null, };

/**
 * What a model can take and give.
 */
export type Capabilities = { 
/**
 * Looks at pictures.
 */
images: boolean, 
/**
 * How it asks for tools.
 */
tools: ToolUse, };

/**
 * Bounded text of a stream: its head and, where it was long, its tail.
 */
export type Captured = { 
/**
 * The beginning.
 */
head: string, 
/**
 * The end, after what was left out.
 */
tail: string, 
/**
 * Bytes left out between the two.
 */
skipped_bytes: number, 
/**
 * A file in the workspace with the whole text, where it was long.
 */
full_text: string | null, };

/**
 * What became of a figure.
 */
export type Change = { "change": "same" } | { "change": "changed", 
/**
 * By how much of the earlier one, where both are numbers of one sign and no percentages: 0.5 is half
 * as much again.
 */
relative: number | null, };

/**
 * What was done to a table.
 */
export type ChangeKind = "read" | "filter" | "drop_missing" | "drop_repeats" | "fill" | "lost" | "join" | "other";

/**
 * One thing that a run needs.
 */
export type Check = { 
/**
 * What was looked at: `Engine`, `Image`, `Model`.
 */
name: "Engine" | "Image" | "Model", 
/**
 * What is there, in plain words, when it is ready.
 */
ready: string | null, 
/**
 * What is wrong, when it is not.
 */
problem: Problem | null, };

/**
 * One thing that can be kept or left out. Kept is what happens unasked.
 */
export type Choice = { 
/**
 * Names the choice within its table.
 */
id: string, 
/**
 * What there is, in a plain sentence.
 */
question: string, 
/**
 * What keeping it means.
 */
keep: string, 
/**
 * What leaving it out means.
 */
leave_out: string, };

/**
 * The end of a question.
 */
export type Closed = { "event": "run_closed", 
/**
 * What went wrong, where something did.
 */
problem: Problem | null, };

/**
 * What is said about one column.
 */
export type Column = { 
/**
 * The name that [`Table::read_with`] gives to the column; unique in the table.
 */
name: string, 
/**
 * What the values are.
 */
kind: ColumnKind, 
/**
 * Rows without a value.
 */
missing: number, 
/**
 * Number of different values; none beyond the counting limit of 10,000.
 */
distinct: number | null, 
/**
 * Smallest number.
 */
min?: number | null, 
/**
 * Largest number.
 */
max?: number | null, 
/**
 * Mean, to nine significant digits.
 */
mean?: number | null, 
/**
 * Earliest date or time, as `2025-01-31`, `2025-01-31 23:00:00` or `23:00:00`; in UTC (`+00:00`)
 * when the values carry an offset.
 */
first?: string | null, 
/**
 * Latest date or time.
 */
last?: string | null, 
/**
 * The median step between neighbouring rows in seconds, when most steps are near it.
 */
step_s?: number | null, 
/**
 * How the dates are written, as a `strptime` format; absent when they are written in several ways.
 */
date_format?: string | null, 
/**
 * The order of day and month could not be told from the values; `date_format` holds the assumption.
 */
day_order_assumed?: boolean, 
/**
 * Up to five most frequent values with their counts, of categories and booleans.
 */
top?: Array<[string, number]>, 
/**
 * The unit, when the name says it.
 */
unit?: string | null, };

/**
 * What the values of a column are.
 */
export type ColumnKind = "integer" | "decimal" | "boolean" | "date" | "timestamp" | "time" | "duration" | "category" | "text" | "identifier" | "empty";

/**
 * A run beside the earlier one.
 */
export type Comparison = { 
/**
 * The earlier run.
 */
before: string, 
/**
 * The later run.
 */
now: string, 
/**
 * The name of the earlier file.
 */
file_before: string, 
/**
 * The name of the new file.
 */
file_now: string, 
/**
 * The figures of the reports side by side; empty where one of the runs has no report.
 */
figures: Difference, 
/**
 * The tables that both runs, or one of them, have left.
 */
tables: Array<TableDifference>, };

/**
 * What a window needs to know to connect a model.
 */
export type Connections = { 
/**
 * The services and kinds of servers.
 */
presets: Array<Preset>, 
/**
 * Where a key can be kept on this computer, the best place first.
 */
key_places: Array<KeyPlace>, 
/**
 * The model servers that run on this computer now.
 */
local: Array<LocalServer>, };

/**
 * What happened to the data in a run.
 */
export type DataStory = { 
/**
 * The changes of tables, in order.
 */
changes: Array<StepChange>, 
/**
 * The steps that the report does not rest on, in order.
 */
attempts: Array<Attempt>, };

/**
 * One decision with what speaks for it and what else it could have been.
 */
export type Decision = { 
/**
 * The name under which it can be [set](crate::Settings::set): `encoding`, `dates:sold`.
 */
id: string, 
/**
 * What it is about: `Encoding`, "Dates in `sold`".
 */
about: string, 
/**
 * What was decided, as a value that can be set.
 */
value: string, 
/**
 * What was decided, in plain words: `Semicolon`.
 */
label: string, 
/**
 * What speaks for it, a plain sentence.
 */
evidence: string, 
/**
 * Whether a person made it.
 */
chosen?: boolean, 
/**
 * What it could have been instead.
 */
alternatives?: Array<Alternative>, };

/**
 * The state of everything a run needs.
 */
export type Diagnosis = { 
/**
 * The checks, in the order in which a run needs them.
 */
checks: Array<Check>, 
/**
 * The name of the runtime that is used, or would be.
 */
runtime: string, 
/**
 * What it says of itself, when it is ready.
 */
sandbox: Readiness | null, };

/**
 * What two reports have in common and what not.
 */
export type Difference = { 
/**
 * Figures in the same place, in the order of the later report.
 */
pairs: Array<FigurePair>, 
/**
 * Lines with figures that only the earlier report has.
 */
only_before: Array<string>, 
/**
 * Lines with figures that only the later report has.
 */
only_now: Array<string>, };

/**
 * A report.
 */
export type Document = { 
/**
 * What stands in it, in order.
 */
blocks: Array<Block>, 
/**
 * The footnotes, in the order in which they are first referred to; the first is note 1.
 */
notes: Array<Array<Block>>, 
/**
 * Its numbers, dates and quoted words, in order; [`Inline::Figure`] points here.
 */
figures: Array<Figure>, };

/**
 * How the web view draws the window.
 */
export type Drawing = "usual" | "plain";

/**
 * Where one run goes.
 */
export type EngineChoice = { "kind": "usual" } | { "kind": "listed", 
/**
 * Its name.
 */
name: string, } | { "kind": "first_free" };

/**
 * What happens around the loop.
 */
export type EngineEvent = { "event": "reading_file", 
/**
 * Its name.
 */
name: string, } | { "event": "preparing_file", 
/**
 * The file's name.
 */
name: string, } | { "event": "file_read", 
/**
 * What it says.
 */
table: Table, } | { "event": "run_started", 
/**
 * The run's id.
 */
run: string, 
/**
 * Who thinks.
 */
model: ModelCard, 
/**
 * Where the code will run.
 */
runtime: string, } | { "event": "waiting_for_engine", 
/**
 * The names of those that it waits for.
 */
engines: Array<string>, } | { "event": "opening_sandbox", 
/**
 * The name of the engine of the list, where it is one.
 */
engine?: string, 
/**
 * What its runtime says of itself.
 */
ready?: Readiness, };

/**
 * What an engine says of itself.
 */
export type EngineFacts = { 
/**
 * `Docker` or `Podman`.
 */
product: string, 
/**
 * Its version.
 */
version: string, 
/**
 * The system it runs on, such as `Docker Desktop` or `Debian GNU/Linux 12 (bookworm)`.
 */
system: string, 
/**
 * The name of the computer.
 */
host: string, 
/**
 * The architecture of its processors, such as `x86_64`.
 */
architecture: string, 
/**
 * Its processors.
 */
cpus: number, 
/**
 * Its memory, in MiB.
 */
memory_mib: number, };

/**
 * An address where an engine may be, and what came of asking there.
 */
export type EngineSeen = { 
/**
 * The address, such as `unix:///var/run/docker.sock`; empty where a name leads to none.
 */
address: string, 
/**
 * Who says that there is an engine, such as `the setting`, `DOCKER_HOST`, `the context box`, `Podman`.
 */
origin: string, 
/**
 * What came of asking.
 */
state: EngineState, 
/**
 * Why it is not the one in use, in plain words; empty for the one that is.
 */
reason: string, 
/**
 * What it says of itself, when it answers.
 */
facts: EngineFacts | null, };

/**
 * What came of asking at an address.
 */
export type EngineState = "chosen" | "answers" | "absent" | "stopped" | "forbidden" | "unusable";

/**
 * Every engine that this computer may use.
 */
export type Engines = { 
/**
 * Those that were found, best first: which one is in use, and why not the others.
 */
found: Array<EngineSeen>, 
/**
 * Those of the list.
 */
listed: Array<ListedSeen>, };

/**
 * How many figures there are of each kind.
 */
export type EvidenceSummary = { 
/**
 * All.
 */
figures: number, 
/**
 * Computed by a step, or derived from what was.
 */
computed: number, 
/**
 * Facts of the input files, the request's own, and what was chosen in the code.
 */
given: number, 
/**
 * Not found.
 */
not_found: number, };

/**
 * What must lie in `output/` before a run counts as done.
 */
export type Expected = { 
/**
 * A report; without it the answer in words is what comes out.
 */
report: boolean, 
/**
 * At least so many charts.
 */
charts: number, 
/**
 * At least so many CSV tables.
 */
tables: number, 
/**
 * Files that the request names, relative to `output/`.
 */
files: Array<string>, };

/**
 * A form in which a run can be taken along.
 */
export type ExportForm = { 
/**
 * The word for it on the command line.
 */
id: string, 
/**
 * What it is called.
 */
label: string, 
/**
 * What it is good for, in a few words.
 */
purpose: string, 
/**
 * The ending of the file; `None` for a folder.
 */
extension: string | null, };

/**
 * How far an export has come.
 */
export type ExportProgress = { 
/**
 * Parts that are done.
 */
done: number, 
/**
 * All parts.
 */
of: number, };

/**
 * What was written outside.
 */
export type Exported = { 
/**
 * By which its place can be opened.
 */
id: string, 
/**
 * Where it is, to show.
 */
place: string, 
/**
 * What a reader should know of it, a plain sentence each.
 */
remarks: Array<string>, };

/**
 * A number, a date or quoted words of a report.
 */
export type Figure = { 
/**
 * As it is written.
 */
text: string, 
/**
 * What kind of thing it is.
 */
kind: FigureKind, 
/**
 * The beginning of the sentence in which it stands, or the head and the row of its cell.
 */
place: string, };

/**
 * One figure of a report.
 */
export type FigureCheck = { 
/**
 * As it is written.
 */
text: string, 
/**
 * The beginning of the sentence in which it stands, or the head and the row of its cell.
 */
place: string, 
/**
 * Where it comes from.
 */
verdict: Verdict, };

/**
 * What kind of thing a figure is.
 */
export type FigureKind = "number" | "date" | "words";

/**
 * A figure of the earlier report and the one in its place.
 */
export type FigurePair = { 
/**
 * The words around it in the later report.
 */
place: string, 
/**
 * As the earlier report writes it.
 */
before: string, 
/**
 * As the later report writes it.
 */
now: string, 
/**
 * What became of it.
 */
change: Change, 
/**
 * Its number among the earlier report's figures.
 */
before_figure: number, 
/**
 * Its number among the later report's figures.
 */
now_figure: number, };

/**
 * A chosen file, at once.
 */
export type FileCard = { 
/**
 * The file's id for all calls.
 */
id: string, 
/**
 * Its name without folders.
 */
name: string, 
/**
 * Its size in bytes.
 */
size: number, 
/**
 * Its first rows.
 */
preview: TablePage, 
/**
 * What the person said of it before.
 */
note: string, };

/**
 * A file that a step made or changed.
 */
export type FileChange = { 
/**
 * Path in the workspace, such as `output/report.md`.
 */
path: string, 
/**
 * Size in bytes.
 */
size: number, 
/**
 * False when it was there before.
 */
new: boolean, };

/**
 * What a whole file says.
 */
export type FileProfile = { 
/**
 * The table, as code will read it.
 */
table: Table, 
/**
 * Every column of the file, those that are left out too.
 */
columns: Array<PreparedColumn>, 
/**
 * How the file is read, each decision with what speaks for it and what else it could be.
 */
decisions: Array<Decision>, 
/**
 * What the person has set of them.
 */
settings: ReadingSettings, 
/**
 * What became of every row and cell.
 */
ledger: Ledger, 
/**
 * Heights of a small histogram for each column, where one makes sense.
 */
shapes: Array<Array<number> | null>, 
/**
 * Plain sentences about the file.
 */
findings: Array<string>, 
/**
 * Questions that name the file's own columns.
 */
suggestions: Array<string>, 
/**
 * What could be left out; everything is kept unasked.
 */
choices: Array<Choice>, };

/**
 * What came of choosing files.
 */
export type FilesAdded = { 
/**
 * The files that can be used.
 */
files: Array<FileCard>, 
/**
 * One for each that cannot.
 */
problems: Array<Problem>, };

/**
 * One limit as it was asked for and as it was found.
 */
export type Finding = { 
/**
 * The limit.
 */
limit: Limit, 
/**
 * What the policy asks for, in plain words.
 */
asked: string, 
/**
 * What was found inside, in plain words.
 */
found: string, 
/**
 * Whether it holds.
 */
verdict: LimitVerdict, };

/**
 * Something for the clipboard.
 */
export type ForClipboard = { 
/**
 * As rich text, where it has such a form.
 */
html: string | null, 
/**
 * As plain text.
 */
text: string, 
/**
 * What is left out, a plain sentence.
 */
remark: string | null, };

/**
 * One thing that is missing, in words that both the model and the person understand.
 */
export type Gap = string;

/**
 * How much a model is told and offered.
 */
export type Guidance = "full" | "short";

/**
 * A provider whose containers run the code.
 */
export type HostedProvider = { 
/**
 * Its address, up to and with its version.
 */
base_url: string, 
/**
 * The model that lets the code run; a small one will do.
 */
model: string, 
/**
 * Where its key is kept, or is to be kept; `None` when there is none, or the model at the same address has it.
 */
key_place: KeyPlace | null, 
/**
 * A new key, or an empty one to forget it; write-only, never answered and never stored here.
 */
key: string | null, };

/**
 * What is agreed to when files may leave for a provider.
 */
export type HostedTerms = { 
/**
 * What such a sandbox cannot promise, a plain sentence each.
 */
caveats: Array<string>, 
/**
 * When the person agreed for this address, RFC 3339 in UTC; `None` when they have not.
 */
agreed_at: string | null, };

/**
 * A line of progress.
 */
export type ImageProgress = { 
/**
 * What goes on, as the engine says it.
 */
line: string, 
/**
 * The part that it is about, where bytes are counted.
 */
part?: PartProgress, };

/**
 * A part of a line.
 */
export type Inline = { "inline": "text", 
/**
 * The words.
 */
text: string, } | { "inline": "figure", 
/**
 * As it is written.
 */
text: string, 
/**
 * Its place in [`Document::figures`].
 */
number: number, } | { "inline": "emphasis", 
/**
 * What is emphasised.
 */
content: Array<Inline>, } | { "inline": "strong", 
/**
 * What is emphasised.
 */
content: Array<Inline>, } | { "inline": "struck", 
/**
 * What is struck through.
 */
content: Array<Inline>, } | { "inline": "code", 
/**
 * The text.
 */
text: string, } | { "inline": "formula", 
/**
 * The formula.
 */
tex: string, } | { "inline": "link", 
/**
 * Where it leads.
 */
to: Target, 
/**
 * Its words.
 */
content: Array<Inline>, } | { "inline": "picture", 
/**
 * Where it lies.
 */
to: Target, 
/**
 * What it shows, in words.
 */
alt: string, } | { "inline": "note", 
/**
 * The note's number, from 1.
 */
number: number, } | { "inline": "break" };

/**
 * What Python and which packages a sandbox has.
 */
export type Inventory = { 
/**
 * For example `3.12.12`.
 */
python: string, 
/**
 * Name of the distribution -> version.
 */
packages: { [key in string]: string }, };

/**
 * An item of a list.
 */
export type Item = { 
/**
 * Whether a task is done; `None` for an item that is no task.
 */
done: boolean | null, 
/**
 * What stands in it.
 */
blocks: Array<Block>, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/**
 * Where a key is kept.
 */
export type KeyPlace = "keychain" | "session" | "file";

/**
 * Something to be left out of a file.
 */
export type LeaveOut = { 
/**
 * The file's id.
 */
file: string, 
/**
 * The id of one of the file's choices.
 */
choice: string, };

/**
 * What became of every row of a file, and of every cell that does not fit.
 */
export type Ledger = { 
/**
 * Rows that were read as rows of the table.
 */
rows_read: number, 
/**
 * Rows that are no part of the table, by the reason.
 */
rows_skipped?: Array<LedgerEntry>, 
/**
 * Rows that were kept although something is odd about them, by what it is.
 */
rows_marked?: Array<LedgerEntry>, 
/**
 * Cells that do not fit the type of their column, by column; each different text once.
 */
cells_flagged?: Array<LedgerEntry>, 
/**
 * Cells with a word for no value, such as `n/a`, by column; each different word once.
 */
null_words?: Array<LedgerEntry>, 
/**
 * Bytes that are no text in the encoding of the file, each shown as \u{FFFD}.
 */
damaged_characters: number, };

/**
 * Rows or cells with the same fate.
 */
export type LedgerEntry = { 
/**
 * Why, in plain words; for cells the name of the column and what was expected.
 */
why: string, 
/**
 * How many there are.
 */
count: number, 
/**
 * The first of them.
 */
first?: Array<LedgerPlace>, };

/**
 * One row or cell of a file.
 */
export type LedgerPlace = { 
/**
 * The row of the file, from 1.
 */
row: number, 
/**
 * What stands there; long text is cut.
 */
text: string, };

/**
 * Why a step came to nothing.
 */
export type Left = { "left": "failed", 
/**
 * How, in short.
 */
message: string, } | { "left": "replaced", 
/**
 * The later step.
 */
by: number, 
/**
 * The files, below `output/`.
 */
paths: Array<string>, } | { "left": "removed", 
/**
 * The later step.
 */
by: number, 
/**
 * The files, below `output/`.
 */
paths: Array<string>, } | { "left": "unused" };

/**
 * One thing that a policy asks for.
 */
export type Limit = "user" | "network" | "root" | "capabilities" | "new_privileges" | "seccomp" | "memory" | "cpus" | "processes" | "open_files" | "output" | "work" | "temporary" | "files" | "mounts";

/**
 * What one question may use.
 */
export type LimitSettings = { 
/**
 * Tool calls.
 */
steps: number, 
/**
 * Tokens read and written together.
 */
tokens: number, 
/**
 * Minutes.
 */
minutes: number, 
/**
 * US cents; `None` for no limit.
 */
cents: number | null, };

/**
 * Whether a limit holds.
 */
export type LimitVerdict = "holds" | "not_enforced" | "broken";

/**
 * An engine that the person has given a name.
 */
export type ListedEngine = { 
/**
 * Its name: letters, digits, spaces, `-`, `_` and `.`.
 */
name: string, 
/**
 * Its address: `unix://…`, `npipe://…`, `tcp://…` or `ssh://…`.
 */
address: string, 
/**
 * A folder with `ca.pem`, `cert.pem` and `key.pem`, for a secure connection to a `tcp://` address.
 */
certificates: string | null, 
/**
 * How many runs of this computer it takes at a time.
 */
runs_at_once: number, };

/**
 * A model that a server offers.
 */
export type ListedModel = { 
/**
 * Its name, to ask for it.
 */
name: string, 
/**
 * How many tokens a conversation and its answer may have together, where the list says so.
 */
context_tokens: number | null, 
/**
 * What it costs, where the list says so.
 */
price: Price | null, };

/**
 * An engine of the list as it is now.
 */
export type ListedSeen = { 
/**
 * What the person has said of it.
 */
engine: ListedEngine, 
/**
 * What came of asking it, with its capacity; its state is `chosen` when it answers.
 */
seen: EngineSeen, 
/**
 * Runs of this computer that are on it now.
 */
runs: number, };

/**
 * A server that answers on this computer.
 */
export type LocalServer = { 
/**
 * The preset of its kind.
 */
preset: string, 
/**
 * Its address.
 */
base_url: string, 
/**
 * What it has.
 */
models: Array<ListedModel>, };

/**
 * A column that the steps use and that the new file does not have.
 */
export type MissingColumn = { 
/**
 * Its name in the earlier file.
 */
name: string, 
/**
 * Columns of the new file that may be the same, the likeliest first. With exactly one there is hardly a
 * doubt.
 */
proposals: Array<string>, };

/**
 * Who answers.
 */
export type ModelCard = { 
/**
 * The model's name as the provider knows it, or `built-in analyst`.
 */
name: string, 
/**
 * The host that requests go to; `None` when nothing leaves this computer's process.
 */
host: string | null, 
/**
 * False for the built-in analyst: it is rules and statistics, and says so everywhere.
 */
is_ai: boolean, 
/**
 * What the model can take and give.
 */
capabilities: Capabilities, };

/**
 * Which model thinks.
 */
export type ModelSettings = { "kind": "built_in" } | { "kind": "remote" } & RemoteModel;

/**
 * A column that the new file calls otherwise.
 */
export type MovedColumn = { 
/**
 * What the earlier file calls it.
 */
before: string, 
/**
 * What the new file calls it.
 */
now: string, };

/**
 * A file in the place of an earlier one, by their names below `input/`.
 */
export type MovedFile = { 
/**
 * The earlier one.
 */
before: string, 
/**
 * The new one.
 */
now: string, };

/**
 * Which network the code sees.
 */
export type Network = "none";

/**
 * What a new file has of what an earlier run's steps need.
 */
export type NewFileCheck = { 
/**
 * The earlier run.
 */
run: string, 
/**
 * The new file's name.
 */
file: string, 
/**
 * The name of the file that it takes the place of.
 */
instead_of: string, 
/**
 * How many steps will be done again.
 */
steps: number, 
/**
 * The columns that the steps use.
 */
needed: Array<string>, 
/**
 * Those of them that the new file does not have under this name.
 */
missing: Array<MissingColumn>, 
/**
 * What is otherwise than in the earlier file and may matter, a plain sentence each.
 */
remarks: Array<string>, };

/**
 * Whether a program can gain rights by `setuid` files.
 */
export type NewPrivileges = "forbidden";

/**
 * Output while it is produced: printable text, see [`crate::printable`].
 */
export type OutputChunk = { 
/**
 * The step's number.
 */
step: number, 
/**
 * Where it was written to.
 */
stream: StreamName, 
/**
 * The text.
 */
text: string, };

/**
 * An image that Assay has made.
 */
export type OwnImage = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its names; none for what has lost its name to a newer one.
 */
names: Array<string>, 
/**
 * Size in bytes, what it shares with others included.
 */
bytes: number, 
/**
 * When it was made, in seconds since 1970.
 */
made_s: number, 
/**
 * The processor that it is for, such as `amd64`.
 */
architecture: string, 
/**
 * What it was made on, where that is known.
 */
base: string | null, 
/**
 * The packages that the person has chosen in addition.
 */
packages: Array<string>, 
/**
 * Their versions, and of what they need: `name==version`.
 */
lock: Array<string>, 
/**
 * Whether runs can still use it: the present one, and those with packages that were made on that.
 */
is_present: boolean, };

/**
 * How far one layer of an image, or one file, has come.
 */
export type PartProgress = { 
/**
 * The layer's short id, or the file's name.
 */
name: string, 
/**
 * Bytes that are there.
 */
done_bytes: number, 
/**
 * Bytes in all; `None` where nobody knows.
 */
total_bytes: number | null, };

/**
 * Where a model runs.
 */
export type Place = "hosted" | "local" | "anywhere";

/**
 * The limits of one session. [`Policy::default`] is the safe one that every run starts from.
 */
export type Policy = { 
/**
 * Which network the code sees.
 */
network: Network, 
/**
 * Memory of all processes together, the in-memory writable folders included, in MiB.
 */
memory_mib: number, 
/**
 * Processors, in whole or part.
 */
cpus: number, 
/**
 * Processes and threads at one time.
 */
processes: number, 
/**
 * Open files of one process.
 */
open_files: number, 
/**
 * Wall time of one step, in seconds.
 */
step_limit_s: number, 
/**
 * Wall time of a whole run, in seconds.
 */
run_limit_s: number, 
/**
 * How long an interrupted step may take to end by itself before it is killed, in seconds.
 */
interrupt_grace_s: number, 
/**
 * How long the sandbox lives on without a word from the app, which sends one ten times as often, in seconds.
 */
silence_limit_s: number, 
/**
 * Size of `output/`, in MiB.
 */
output_mib: number, 
/**
 * Size of `work/`, in MiB.
 */
work_mib: number, 
/**
 * Size of `/tmp` and of `/dev/shm` each, in MiB.
 */
temporary_mib: number, 
/**
 * Files and folders in each writable place.
 */
files: number, 
/**
 * Whether the system's own files can be changed.
 */
root: RootFileSystem, 
/**
 * Linux capabilities that are kept: none.
 */
capabilities: Array<string>, 
/**
 * Whether a program can gain rights by `setuid` files.
 */
new_privileges: NewPrivileges, 
/**
 * The system-call filter.
 */
seccomp: Seccomp, };

/**
 * One column of a prepared table.
 */
export type PreparedColumn = { 
/**
 * Its name in the prepared table.
 */
name: string, 
/**
 * Its name in the file, where that is another.
 */
original_name?: string | null, 
/**
 * What the values are. Spans of time are seconds.
 */
kind: ColumnKind, 
/**
 * The unit, where the values or the name say it.
 */
unit?: string | null, 
/**
 * Rows without a value.
 */
missing: number, 
/**
 * A person chose to leave it out.
 */
left_out?: boolean, };

/**
 * A table that was prepared from a file. It is kept in the run's folder.
 */
export type PreparedFile = { 
/**
 * Its name below `input/`.
 */
destination: string, 
/**
 * The file's name below `input/`.
 */
from: string, 
/**
 * Whether the file itself is kept from the sandbox: a person has left a column out.
 */
alone: boolean, 
/**
 * What the person has set about the way it is read.
 */
settings: ReadingSettings, };

/**
 * A service, or a kind of local server.
 */
export type Preset = { 
/**
 * For settings and records.
 */
id: string, 
/**
 * For people.
 */
name: string, 
/**
 * Its address; empty where the person has to know it. A part in capitals is the person's own.
 */
base_url: string, 
/**
 * The format it is best asked in.
 */
wire: Wire, 
/**
 * Where it runs, and so whether it wants a key.
 */
place: Place, 
/**
 * The port it usually listens on, for servers that run on this computer.
 */
port: number | null, 
/**
 * The web page where a person gets a key.
 */
key_page: string | null, 
/**
 * What a person has to know beforehand.
 */
note: string | null, };

/**
 * What a model costs, in US dollars for a million tokens.
 */
export type Price = { 
/**
 * For what it reads.
 */
input: number, 
/**
 * For what it writes.
 */
output: number, };

/**
 * What a million tokens cost, in millionths of a US dollar.
 */
export type Prices = { 
/**
 * A million tokens read.
 */
input_microdollars: number, 
/**
 * A million tokens written.
 */
output_microdollars: number, };

/**
 * What a model was seen to do.
 */
export type Probe = { 
/**
 * Whether its answer came piece by piece.
 */
streams: boolean, 
/**
 * How it asked for a tool; `None` when it did not.
 */
tools: ToolUse | null, 
/**
 * Whether it saw a picture; `None` when it was not said to.
 */
images: boolean | null, 
/**
 * How many tokens a conversation and its answer may have together, where the server says so.
 */
context_tokens: number | null, 
/**
 * How long the first piece of the answer took.
 */
first_piece_ms: number, };

/**
 * What went wrong, for a front to show.
 */
export type Problem = { 
/**
 * The class, for exit codes and buttons.
 */
code: ProblemCode, 
/**
 * One plain sentence.
 */
message: string, 
/**
 * The next thing to do.
 */
hint: string, 
/**
 * The technical reason, for a fold and the log; may be empty.
 */
detail: string, };

/**
 * The class of a problem.
 */
export type ProblemCode = "input" | "output" | "engine_missing" | "engine_stopped" | "engine_forbidden" | "engine_unusable" | "consent_missing" | "image" | "other_image" | "sandbox" | "model" | "model_failed" | "keychain" | "storage" | "stopped";

/**
 * What the model wants to know.
 */
export type Question = { 
/**
 * The question, in plain words.
 */
text: string, 
/**
 * Two to four answers to choose from.
 */
choices: Array<string>, 
/**
 * What is taken when nobody answers; one of the choices.
 */
default: string, };

/**
 * What the person says when asked about quitting during a run.
 */
export type QuitAnswer = "stop_and_quit" | "stay";

/**
 * What a runtime says of itself.
 */
export type Readiness = { 
/**
 * The runtime's name.
 */
runtime: string, 
/**
 * The engine's name and version.
 */
engine: string, 
/**
 * Where it was reached.
 */
address: string, 
/**
 * The image that sessions start from.
 */
image: string, 
/**
 * The image's size in bytes.
 */
image_bytes: number, 
/**
 * What the policy asks for and this runtime cannot hold here, in plain words.
 */
gaps: Array<string>, };

/**
 * How far a reading has come. It may begin again, where the content refutes what the beginning of the file
 * said about it.
 */
export type ReadingProgress = { 
/**
 * Bytes that were read.
 */
bytes: number, 
/**
 * Bytes of the file.
 */
of: number, };

/**
 * Decisions that were made by a person, by name. The same file under the same settings is read alike.
 *
 * The names are those of [`Decision::id`](crate::Decision::id): `encoding`, `delimiter`, `quote`, `escape`,
 * `header` (the row from 1, 0 for none), `decimal`, `dates`, `sheet`, `member`; and for one column
 * `type:NAME`, `dates:NAME`, `omit:NAME`, `name:NAME`.
 */
export type ReadingSettings = { [key in string]: string };

/**
 * Whom a request was for.
 */
export type Recipient = "model" | "sandbox";

/**
 * Something that happened, from the first file that is read to the last artifact.
 */
export type RecordedEvent = EngineEvent | AgentEvent;

/**
 * An entry that will not be taken out of the sandbox.
 */
export type RefusedFile = { 
/**
 * Path in the workspace, shown safely.
 */
path: string, 
/**
 * Why.
 */
reason: string, };

/**
 * A language model at an address.
 */
export type RemoteModel = { 
/**
 * The id of the preset it was made from.
 */
preset: string, 
/**
 * How requests are written.
 */
wire: Wire, 
/**
 * Its address.
 */
base_url: string, 
/**
 * The model's name there.
 */
model: string, 
/**
 * Whether it looks at pictures.
 */
images: boolean, 
/**
 * How it asks for tools; `None` finds out.
 */
tools: ToolUse | null, 
/**
 * How much it is told; `None` decides by how much it can read.
 */
guidance: Guidance | null, 
/**
 * What its tokens cost.
 */
prices: Prices | null, 
/**
 * Where its key is kept, or is to be kept; `None` when there is none.
 */
key_place: KeyPlace | null, 
/**
 * A new key, or an empty one to forget it; write-only, never answered and never stored here.
 */
key: string | null, };

/**
 * The figures of a report, and where each comes from.
 */
export type ReportCheck = { 
/**
 * In the order of the report.
 */
figures: Array<FigureCheck>, 
/**
 * How many there are of each kind.
 */
summary: EvidenceSummary, };

/**
 * Whether the system's own files can be changed.
 */
export type RootFileSystem = "read_only";

/**
 * Whether a model gets to read rows of the files.
 */
export type Rows = "shown" | "kept_here";

/**
 * What a window asks for.
 */
export type RunAsk = { 
/**
 * Ids of the files.
 */
files: Array<string>, 
/**
 * The question.
 */
ask: string, 
/**
 * What the table means.
 */
meaning: string, 
/**
 * Whether charts should come out.
 */
charts: boolean, 
/**
 * Whether tables should come out.
 */
tables: boolean, 
/**
 * Whether the model gets to read rows.
 */
rows: Rows, 
/**
 * What is left out of the files.
 */
leave_out: Array<LeaveOut>, 
/**
 * Where it runs; without a choice, where every run does.
 */
engine?: EngineChoice, };

/**
 * What a window hears of a run.
 */
export type RunEvent = RecordedEvent | Closed;

/**
 * What was in force: kept with the run and written beside an export.
 */
export type RunRecord = { 
/**
 * The run's id.
 */
id: string, 
/**
 * The app's version.
 */
version: string, 
/**
 * The question.
 */
request: string, 
/**
 * The files, with their sizes.
 */
files: Array<StagedFile>, 
/**
 * The tables that were prepared from files which code had better not read themselves.
 */
prepared?: Array<PreparedFile>, 
/**
 * Who thinks.
 */
model: ModelCard, 
/**
 * The runtime's name.
 */
runtime: string, 
/**
 * What the sandbox may do.
 */
policy: Policy, 
/**
 * What may be used.
 */
budget: Budget, 
/**
 * How much the model is told and offered.
 */
guidance: Guidance, 
/**
 * Whether the model gets to read rows.
 */
rows: Rows, 
/**
 * What must come out.
 */
expected: Expected, 
/**
 * The earlier run that it does again, where it does.
 */
again?: AgainOf | null, };

/**
 * How a run ended.
 */
export type RunStatus = "done" | "incomplete" | "stopped" | "paused" | "out_of_budget" | "stuck" | "failed";

/**
 * A run in a list.
 */
export type RunSummary = { 
/**
 * The run's id.
 */
id: string, 
/**
 * Its name: what the person called it, or the question.
 */
title: string, 
/**
 * The first question.
 */
request: string, 
/**
 * RFC 3339, UTC.
 */
started_at: string, 
/**
 * RFC 3339, UTC; `None` while it goes on or when it was cut off.
 */
ended_at: string | null, 
/**
 * How it ended, `running`, or `interrupted` when the app ended first.
 */
status: RunStatus | "running" | "interrupted", 
/**
 * Names of its files.
 */
files: Array<string>, 
/**
 * Number of charts.
 */
charts: number, };

/**
 * Everything about one run.
 */
export type RunView = { 
/**
 * The run as it is listed.
 */
summary: RunSummary, 
/**
 * What was in force.
 */
record: RunRecord, 
/**
 * What happened, in order.
 */
events: Array<RunEvent>, 
/**
 * Its files.
 */
artifacts: Array<Artifact>, 
/**
 * The report.
 */
report: Document | null, 
/**
 * The questions, in order.
 */
asks: Array<string>, 
/**
 * What was answered in words to each of them; empty while there is none.
 */
answers: Array<Document>, 
/**
 * Whether its sandbox is still open.
 */
live: boolean, 
/**
 * What left this computer.
 */
sent: SentSummary, };

/**
 * Where code runs.
 */
export type RuntimeChoice = "auto" | "docker" | "local" | "hosted";

/**
 * A sandbox as it was found, limit by limit.
 */
export type SandboxProof = { 
/**
 * The runtime's name.
 */
runtime: string, 
/**
 * The programs with which its engine can run sandboxes, the default first; empty where there is no choice.
 */
engine_runtimes: Array<string>, 
/**
 * Each limit, as it was asked for and as it was found.
 */
findings: Array<Finding>, };

/**
 * The system-call filter.
 */
export type Seccomp = "engine_default" | "analysis";

/**
 * A part of a request's text.
 */
export type SentPart = { 
/**
 * The part.
 */
text: string, 
/**
 * Whether it is a word that stands in a cell of the files.
 */
from_files: boolean, };

/**
 * One request.
 */
export type SentRequest = { 
/**
 * Number in the run, from 0; [`Desk::sent_text`] gives its text.
 */
number: number, 
/**
 * When it left, RFC 3339 in UTC.
 */
at: string, 
/**
 * Where it went.
 */
host: string, 
/**
 * Its size in bytes.
 */
bytes: number, };

/**
 * The requests of a run in a few words.
 */
export type SentSummary = { 
/**
 * How many requests left.
 */
requests: number, 
/**
 * Their size together, in bytes.
 */
bytes: number, 
/**
 * The hosts they went to, each once.
 */
hosts: Array<string>, 
/**
 * Whether all of these are programs on this computer.
 */
stays_here: boolean, 
/**
 * Whether rows of the files were among what was sent.
 */
rows: Rows, };

/**
 * What is true of one session.
 */
export type SessionFacts = { 
/**
 * The runtime's name.
 */
runtime: string, 
/**
 * The image's name and id.
 */
image: string, 
/**
 * How the inputs came in.
 */
staging: Staging, 
/**
 * What Python and which packages are really there.
 */
inventory: Inventory, 
/**
 * What the policy asks for and the runtime cannot hold, in plain words.
 */
gaps?: Array<string>, };

/**
 * What the person has set. Keys are not part of it.
 */
export type Settings = { 
/**
 * Light or dark.
 */
theme: Theme, 
/**
 * Which model thinks.
 */
model: ModelSettings, 
/**
 * The language model that was set last, kept by itself while the built-in analyst thinks.
 */
last_remote: RemoteModel | null, 
/**
 * Whether a model gets to read rows of the files.
 */
rows: Rows, 
/**
 * What one question may use.
 */
limits: LimitSettings, 
/**
 * A file with certificates to trust besides the system's.
 */
extra_ca: string | null, 
/**
 * Where code runs.
 */
runtime: RuntimeChoice, 
/**
 * Another sandbox image.
 */
image: string | null, 
/**
 * Another engine address.
 */
docker_host: string | null, 
/**
 * The provider whose containers run the code, where that is chosen.
 */
hosted: HostedProvider, 
/**
 * What is wished for every answer.
 */
wishes: string, };

/**
 * How a table is sorted.
 */
export type Sort = { column: number, descending: boolean, };

/**
 * One file of a manifest, folders unfolded.
 */
export type StagedFile = { 
/**
 * Relative path below `input/`.
 */
destination: string, 
/**
 * The file on the host; `None` for inline content.
 */
source: string | null, 
/**
 * Size in bytes when the manifest was made.
 */
size: number, };

/**
 * How inputs came in.
 */
export type Staging = "mounted" | "uploaded";

/**
 * A change of a table in a step.
 */
export type StepChange = { 
/**
 * The step.
 */
step: number, 
/**
 * What it did.
 */
change: TableChange, };

/**
 * An exception of the code.
 */
export type StepError = { 
/**
 * The exception's class.
 */
kind: string, 
/**
 * Its message.
 */
message: string, 
/**
 * The frames of the code itself.
 */
traceback: string, 
/**
 * The line of the step's code.
 */
line: number | null, 
/**
 * What Python and the libraries themselves say that would help.
 */
advice: string | null, };

/**
 * What came of a step.
 */
export type StepOutcome = { 
/**
 * The step's number.
 */
step: number, 
/**
 * How it ended.
 */
status: StepStatus, 
/**
 * Wall time in milliseconds.
 */
duration_ms: number, 
/**
 * Standard output.
 */
stdout: Captured, 
/**
 * Standard error.
 */
stderr: Captured, 
/**
 * The exception, where there was one.
 */
error: StepError | null, 
/**
 * A command's exit code; negative for a signal.
 */
exit_code: number | null, 
/**
 * More on a crash, in plain words.
 */
message: string | null, 
/**
 * Files made or changed below `output/` and `work/`.
 */
changed: Array<FileChange>, 
/**
 * Files that are no longer there.
 */
removed: Array<string>, 
/**
 * Entries that will not be taken out of the sandbox.
 */
refused: Array<RefusedFile>, 
/**
 * True when the kernel had to be started anew: all variables are gone.
 */
restarted: boolean, 
/**
 * What it did to the tables in the kernel, in order.
 */
tables?: Array<TableChange>, };

/**
 * How a step ended.
 */
export type StepStatus = "ok" | "error" | "timeout" | "interrupted" | "out_of_memory" | "exited" | "crashed";

/**
 * Why an answer ended.
 */
export type StopReason = "end" | "tool_calls" | "length" | "refused";

/**
 * Which stream output came from.
 */
export type StreamName = "stdout" | "stderr";

/**
 * The names of what is there.
 */
export type Surroundings = { 
/**
 * The tables.
 */
tables: Array<TableNames>, 
/**
 * The packages that can be imported.
 */
packages: Array<string>, 
/**
 * Python that loads the tables into their data frames; it is run again when the process was lost.
 */
prelude: string | null, };

/**
 * What a table file says, with the decisions under which it was read.
 */
export type Table = { 
/**
 * The name of the file where the code runs, such as `input/x.csv`.
 */
path: string, 
/**
 * The file that the table was prepared from, where it is not that file itself.
 */
prepared_from?: string | null, 
/**
 * `csv` for any delimited text, else `xlsx`, `xlsb`, `xls`, `ods`, `json`, `jsonl` or `parquet`.
 */
format: string, 
/**
 * The sheet that was read, for workbooks.
 */
sheet?: string | null, 
/**
 * Number of data rows.
 */
rows: number, 
/**
 * The Python codec that reads the text; absent for workbooks.
 */
encoding?: string | null, 
/**
 * What stands between two cells, `\s+` for runs of blanks; absent for workbooks.
 */
delimiter?: string | null, 
/**
 * Rows that are like an earlier one in every cell; absent when there are none, or too many rows to tell.
 */
repeated_rows?: number | null, 
/**
 * The decimal mark, `.` or `,`.
 */
decimal: string, 
/**
 * The mark between groups of three digits, where one is used.
 */
thousands?: string | null, 
/**
 * The row of the file that holds the (last line of the) header, from 1; 0 when there is none.
 */
header_row: number, 
/**
 * A Python expression that reads the table rightly with pandas; dates stay text.
 */
read_with: string, 
/**
 * What the person chose to leave out, a plain sentence each; [`Table::read_with`] leaves it out.
 */
left_out?: Array<string>, 
/**
 * The columns, in the order of the file.
 */
columns: Array<Column>, 
/**
 * The first rows, as written in the file; long cells are cut.
 */
first_rows: Array<Array<string>>, 
/**
 * What a person should know about the way the file was read.
 */
notes: Array<string>, };

/**
 * One change of a table: rows that went or came, values that were filled or lost.
 */
export type TableChange = { 
/**
 * What was done.
 */
kind: ChangeKind, 
/**
 * The line of the step's code.
 */
line: number, 
/**
 * The code that did it, as one line, shortened.
 */
code: string, 
/**
 * The variable that holds the result; `None` for one that has no name of its own.
 */
name: string | null, 
/**
 * The tables that went in.
 */
from: Array<TableRows>, 
/**
 * Rows before; `None` for a table that is read or put together.
 */
rows_before: number | null, 
/**
 * Rows after.
 */
rows_after: number, 
/**
 * Columns before; `None` for a single column.
 */
columns_before: number | null, 
/**
 * Columns after; `None` for a single column.
 */
columns_after: number | null, 
/**
 * Missing values before, where they were counted.
 */
missing_before: number | null, 
/**
 * Missing values after, where they were counted.
 */
missing_after: number | null, };

/**
 * A result table before and now.
 */
export type TableDifference = { 
/**
 * Its path below `output/`.
 */
path: string, 
/**
 * Its rows in the earlier run; `None` where that has no such table.
 */
rows_before: number | null, 
/**
 * Its rows in the later run; `None` where that has no such table.
 */
rows_now: number | null, 
/**
 * Columns that are not there any more.
 */
columns_gone: Array<string>, 
/**
 * Columns that were not there before.
 */
columns_new: Array<string>, };

/**
 * How a table is called.
 */
export type TableNames = { 
/**
 * The file, such as `input/sales.csv`.
 */
path: string, 
/**
 * The variable that holds it from the start, where one does.
 */
frame: string | null, 
/**
 * The columns.
 */
columns: Array<string>, };

/**
 * Some rows of a table.
 */
export type TablePage = { 
/**
 * Column names.
 */
columns: Array<string>, 
/**
 * Cells as text.
 */
rows: Array<Array<string>>, 
/**
 * The number of the first row, from 0.
 */
offset: number, 
/**
 * Rows in all, where known.
 */
total_rows: number | null, 
/**
 * Rows that match the filter, where there is one.
 */
matching_rows: number | null, };

/**
 * A table with its rows.
 */
export type TableRows = { 
/**
 * Its name, or the short expression that makes it.
 */
name: string, 
/**
 * How many rows it has.
 */
rows: number, };

/**
 * Where a link or picture of a report leads.
 */
export type Target = { "to": "file", 
/**
 * Its path below `output/`.
 */
path: string, } | { "to": "missing", 
/**
 * The path as the report means it.
 */
path: string, } | { "to": "place", 
/**
 * Its id.
 */
id: string, } | { "to": "web", 
/**
 * The address.
 */
address: string, };

/**
 * The colours of the window.
 */
export type Theme = "system" | "light" | "dark";

/**
 * A request of the model to run one tool.
 */
export type ToolCall = { 
/**
 * The provider's id of the call, or one made up where it sent none; unique in the run.
 */
id: string, 
/**
 * The tool's name as the model wrote it.
 */
name: string, 
/**
 * The arguments: a JSON object, or `{}` when what the model sent could not be read.
 */
arguments: JsonValue, 
/**
 * Why the arguments could not be read; such a call is never executed.
 */
broken?: string | null, 
/**
 * Unknown fields of the call, sent back unchanged to the same provider and model.
 */
extra?: { [key in string]: JsonValue }, };

/**
 * How a model asks for a tool.
 */
export type ToolUse = "calls" | "text";

/**
 * Tokens as the provider counted them.
 */
export type Usage = { 
/**
 * Tokens read.
 */
input_tokens: number, 
/**
 * Tokens written.
 */
output_tokens: number, 
/**
 * What the answer cost, in millionths of a US dollar, where the provider's answer says so.
 */
cost_microdollars?: number | null, };

/**
 * Where a figure comes from.
 */
export type Verdict = { "verdict": "printed", 
/**
 * The step.
 */
step: number, 
/**
 * The line of its output, from 1.
 */
line: number, 
/**
 * The words of that line, shortened.
 */
words: string, } | { "verdict": "tabled", 
/**
 * The step.
 */
step: number, 
/**
 * The table, below `output/`.
 */
path: string, 
/**
 * The row below the header, from 1; `None` for what is true of the whole table.
 */
row: number | null, 
/**
 * The column, or what is counted.
 */
column: string, } | { "verdict": "written", 
/**
 * The step.
 */
step: number, } | { "verdict": "derived", 
/**
 * How, with the figures' own words, such as "120 − 80".
 */
how: string, 
/**
 * The figures.
 */
from: Array<number>, } | { "verdict": "chosen", 
/**
 * The step.
 */
step: number, 
/**
 * The line of its code, from 1.
 */
line: number, } | { "verdict": "input", 
/**
 * Which, in words.
 */
fact: string, } | { "verdict": "asked" } | { "verdict": "not_found" };

/**
 * How requests and answers are written.
 */
export type Wire = "chat_completions" | "responses" | "messages";
