//! What the host and the supervisor say to each other; the other side is `sandbox/runner.py`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::runtime::{FileChange, RefusedFile, StepError, StepStatus, StreamName};
use crate::table_change::TableChange;

/// From the host.
#[derive(Debug, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Command<'a> {
    Hello { grace_s: f64, silence_limit_s: f64 },
    Verify { entries: &'a [VerifyEntry] },
    Inventory { packages: &'a [&'a str] },
    Warm { modules: &'a [&'a str] },
    Alive,
    Close,
    Python { step: u32, code: &'a str, limit_s: f64 },
    Shell { step: u32, command: &'a str, limit_s: f64 },
    Interrupt { step: u32 },
    Read { paths: &'a [&'a str], max_bytes: u64 },
    Write { path: &'a str },
}

/// One staged file as it must be found below `input/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct VerifyEntry {
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) sha256: Option<String>,
}

/// From the supervisor.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    Ready {
        python: String,
    },
    Verified {
        failures: Vec<VerifyFailure>,
    },
    Inventory {
        python: String,
        packages: BTreeMap<String, String>,
        memory_limit_bytes: Option<u64>,
    },
    Output {
        step: u32,
        stream: StreamName,
    },
    OutputEnd {
        step: u32,
        stream: StreamName,
        skipped: u64,
        full_text: Option<String>,
    },
    Done(Box<Done>),
    /// The kernel ended between two steps; its variables are gone.
    KernelLost,
    /// A piece of a file that has more of them.
    Chunk,
    /// The end of a file, with its last piece.
    ReadEnd {
        error: Option<String>,
    },
    Written {
        error: Option<String>,
    },
}

#[derive(Debug, Deserialize)]
pub(crate) struct VerifyFailure {
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// The end of a step.
#[derive(Debug, Deserialize)]
pub(crate) struct Done {
    pub(crate) step: u32,
    pub(crate) status: StepStatus,
    pub(crate) duration_ms: f64,
    pub(crate) error: Option<StepError>,
    pub(crate) exit_code: Option<i32>,
    pub(crate) message: Option<String>,
    pub(crate) changed: Vec<FileChange>,
    pub(crate) removed: Vec<String>,
    pub(crate) refused: Vec<RefusedFile>,
    pub(crate) restarted: bool,
    pub(crate) tables: Vec<TableChange>,
}
