//! The seam between the loop and whatever runs the code: a runtime opens sessions, a session runs steps.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::error::SandboxError;
use crate::manifest::Manifest;
use crate::policy::Policy;
use crate::proof::Limit;
use crate::table_change::TableChange;

/// A place where code can run. A new one is one file that implements this.
#[async_trait]
pub trait Runtime: Send + Sync {
    /// The runtime's word in settings and records, for example `docker`.
    fn name(&self) -> &'static str;

    /// Whether a session could be opened now, without opening one.
    async fn readiness(&self) -> Result<Readiness, SandboxError>;

    /// Opens a session with its inputs in place and verified.
    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError>;

    /// The programs with which its engine can run sandboxes, the default first; empty where there is no choice.
    async fn engine_runtimes(&self) -> Result<Vec<String>, SandboxError> {
        Ok(Vec::new())
    }

    /// What of a policy it has no means to enforce; all of the rest holds.
    fn unenforced(&self) -> Vec<Limit> {
        Vec::new()
    }

    /// What has left this computer for its sessions since this was last asked, those that did not open among them.
    /// Nothing does for a sandbox on this computer.
    fn take_sent(&self) -> Vec<Sent> {
        Vec::new()
    }

    /// Removes what sessions of owners that no longer live have left; returns how many there were.
    async fn sweep(&self) -> Result<usize, SandboxError>;
}

/// What a session is opened with.
#[derive(Debug, Clone, Copy)]
pub struct OpenRequest<'a> {
    /// The run's id, for labels.
    pub run: &'a str,
    /// What is staged.
    pub manifest: &'a Manifest,
    /// What the session may do.
    pub policy: &'a Policy,
}

/// One open sandbox with one kernel. Dropping it ends the sandbox too; [`Session::close`] also waits.
#[async_trait]
pub trait Session: Send {
    /// What is true of this session.
    fn facts(&self) -> &SessionFacts;

    /// Runs one step to its end. Output goes to `output` while it is produced. When `stop` is cancelled
    /// the step is interrupted and its outcome says so.
    async fn run(
        &mut self,
        step: &Step,
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError>;

    /// Copies files of the workspace to the host, one after the other, and tells of each by its place in `wanted`
    /// what came of it: its size, or what is wrong with this file. The next is not begun before that was told, so
    /// several may go to the same place, from which each is moved when it is there.
    ///
    /// Together they have at most `max_bytes`. What has more than is left of that is refused, and what comes after
    /// it is still copied. An error that is returned is one of the session, and the files not told of are not there.
    async fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        max_bytes: u64,
        fetched: &mut (dyn FnMut(usize, Result<u64, SandboxError>) + Send),
    ) -> Result<(), SandboxError>;

    /// Copies a file of the workspace to `to` on the host; refuses more than `max_bytes`. Returns its size.
    async fn fetch(&mut self, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
        let wanted = Wanted { path: path.into(), to: to.into() };
        let mut size = Err(SandboxError::File { path: path.into(), reason: "it did not come".into() });
        self.fetch_all(&[wanted], max_bytes, &mut |_, fetched| size = fetched).await?;
        size
    }

    /// Writes a small file below `output/` or `work/`.
    async fn write(&mut self, path: &str, content: &[u8]) -> Result<(), SandboxError>;

    /// Ends the sandbox and waits until it is gone.
    async fn close(self: Box<Self>) -> Result<(), SandboxError>;
}

/// A file of the workspace that is wanted on the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Path in the workspace, such as `output/report.md`.
    pub path: String,
    /// Where its copy goes.
    pub to: PathBuf,
}

/// A request that has left this computer for a sandbox that is elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Where it went.
    pub host: String,
    /// Method and address, and the body as it was sent; of a file the name and the size in bytes.
    pub text: String,
    /// Size of the body or the file in bytes.
    pub bytes: u64,
}

/// What a runtime says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Readiness {
    /// The runtime's name.
    pub runtime: String,
    /// The engine's name and version.
    pub engine: String,
    /// Where it was reached.
    pub address: String,
    /// The image that sessions start from.
    pub image: String,
    /// The image's size in bytes.
    pub image_bytes: u64,
    /// What the policy asks for and this runtime cannot hold here, in plain words.
    pub gaps: Vec<String>,
}

/// What is true of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionFacts {
    /// The runtime's name.
    pub runtime: String,
    /// The image's name and id.
    pub image: String,
    /// How the inputs came in.
    pub staging: Staging,
    /// What Python and which packages are really there.
    pub inventory: Inventory,
    /// SHA-256 of the inputs by their path below `input/`, as far as they were compared by content.
    #[serde(default)]
    #[ts(skip)]
    pub input_hashes: BTreeMap<String, String>,
    /// What the policy asks for and the runtime cannot hold, in plain words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub gaps: Vec<String>,
}

/// How inputs came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Staging {
    /// Mounted read-only from the host's disk, not copied.
    Mounted,
    /// Streamed in as one archive.
    Uploaded,
}

/// What Python and which packages a sandbox has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Inventory {
    /// For example `3.12.12`.
    pub python: String,
    /// Name of the distribution -> version.
    pub packages: BTreeMap<String, String>,
}

/// One piece of work for a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Number in the run, from 1.
    pub number: u32,
    /// What to do.
    pub action: Action,
    /// Wall limit in seconds.
    pub limit_s: f64,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Python in the session's kernel.
    Python {
        /// Source text.
        code: String,
    },
    /// A command for `/bin/sh`.
    Shell {
        /// The command.
        command: String,
    },
}

/// Which stream output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamName {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Output while it is produced: printable text, see [`crate::printable`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutputChunk {
    /// The step's number.
    pub step: u32,
    /// Where it was written to.
    pub stream: StreamName,
    /// The text.
    pub text: String,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// To its end.
    Ok,
    /// With an exception, or a command with an exit code other than 0.
    Error,
    /// At the time limit.
    Timeout,
    /// By the person's stop.
    Interrupted,
    /// The system killed it: the memory limit was reached.
    OutOfMemory,
    /// The code ended its own process.
    Exited,
    /// The process died of a signal, or destroyed its channel to the supervisor.
    Crashed,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StepOutcome {
    /// The step's number.
    pub step: u32,
    /// How it ended.
    pub status: StepStatus,
    /// Wall time in milliseconds.
    pub duration_ms: f64,
    /// Standard output.
    pub stdout: Captured,
    /// Standard error.
    pub stderr: Captured,
    /// The exception, where there was one.
    pub error: Option<StepError>,
    /// A command's exit code; negative for a signal.
    pub exit_code: Option<i32>,
    /// More on a crash, in plain words.
    pub message: Option<String>,
    /// Files made or changed below `output/` and `work/`.
    pub changed: Vec<FileChange>,
    /// Files that are no longer there.
    pub removed: Vec<String>,
    /// Entries that will not be taken out of the sandbox.
    pub refused: Vec<RefusedFile>,
    /// True when the kernel had to be started anew: all variables are gone.
    pub restarted: bool,
    /// What it did to the tables in the kernel, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableChange>,
}

/// Bounded text of a stream: its head and, where it was long, its tail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Captured {
    /// The beginning.
    pub head: String,
    /// The end, after what was left out.
    pub tail: String,
    /// Bytes left out between the two.
    pub skipped_bytes: u64,
    /// A file in the workspace with the whole text, where it was long.
    pub full_text: Option<String>,
}

/// An exception of the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StepError {
    /// The exception's class.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// The frames of the code itself.
    pub traceback: String,
    /// The line of the step's code.
    pub line: Option<u32>,
    /// What Python and the libraries themselves say that would help.
    #[serde(default)]
    pub advice: Option<String>,
}

/// A file that a step made or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileChange {
    /// Path in the workspace, such as `output/report.md`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// False when it was there before.
    pub new: bool,
}

/// An entry that will not be taken out of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedFile {
    /// Path in the workspace, shown safely.
    pub path: String,
    /// Why.
    pub reason: String,
}
