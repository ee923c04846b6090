//! The one place where everything is wired together, for every front.
//!
//! A front (the command line, the desktop shell) calls [`Engine::run`] and [`Engine::doctor`], shows
//! [`RunEvent`]s while they come and [`Problem`]s in plain words. It knows no other crate.

mod again;
mod compare;
mod contract;
mod data_story;
mod desk;
mod discreet;
mod doctor;
mod engine;
mod engine_list;
mod event;
mod evidence;
mod export;
mod images;
mod input;
mod model_choice;
mod open_run;
mod place;
mod problem;
mod proof;
mod python_names;
mod reading;
mod recorder;
mod run;
mod runtime_choice;
mod staging;
mod surroundings;
mod versions;

pub use again::{AgainOf, AgainRequest, MissingColumn, MovedColumn, MovedFile, NewFileCheck};
pub use assay_agent::{Budget, Event, Guidance, Nobody, Person, Prices, Question, RunStatus, Spent};
pub use assay_model::{ApiKey, ListedModel, ModelCard, Probe, RemoteConfig, ToolUse, Usage, Wire};
pub use assay_report::{
    Block, Change, Difference, Document, FigurePair, Inline, Summary as EvidenceSummary, Verdict, words,
};
pub use assay_sandbox::{
    ChangeKind, Consent, DockerSettings, EngineFacts, EngineSeen, EngineState, FileChange, Finding,
    HOSTED_CAVEATS, HostedKey, HostedSettings, ImageProgress, Limit, OutputChunk, OwnImage, PartProgress,
    Policy, Readiness, SessionFacts, Staging, StepOutcome, StepStatus, StreamName, TableChange, TableRows,
    Verdict as LimitVerdict,
};
pub use assay_store::KeyPlace;
pub use assay_tabular::{
    Alternative, Choice, Column, Decision, Kind, Ledger, Reading, Settings as ReadingSettings, SheetPreview,
    Table,
};
pub use compare::{Comparison, TableDifference};
pub use contract::{Expected, Give};
pub use data_story::{Attempt, DataStory, Left, StepChange};
pub use desk::{
    Artifact, ArtifactKind, Connections, Desk, Exported, FileCard, FileProfile, FilesAdded, ForClipboard,
    HostedProvider, HostedTerms, LeaveOut, LimitSettings, MediaFile, ModelSettings, RemoteModel, RunAsk,
    RunSummary, RunView, SentPart, SentRequest, SentSummary, Settings, TablePage, Theme, WindowEvent,
};
pub use doctor::{Check, Diagnosis};
pub use engine::Engine;
pub use engine_list::{EngineChoice, Engines, ListedEngine, ListedSeen};
pub use event::{EngineEvent, RunEvent};
pub use evidence::{FigureCheck, ReportCheck};
pub use export::{ExportForm, export_forms};
pub use model_choice::{BUILT_IN, ModelChoice};
pub use problem::{Code, Problem};
pub use proof::SandboxProof;
pub use reading::{convert_file, inspect_file, reading_settings};
pub use run::{PreparedFile, Rows, RunRecord, RunRequest, RunResult};
pub use runtime_choice::{RuntimeChoice, SandboxSettings};
pub use tokio_util::sync::CancellationToken as StopToken;
