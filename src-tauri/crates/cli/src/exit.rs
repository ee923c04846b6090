//! Exit codes. They are documented in the help text, and scripts rely on them.

use assay_engine::{Code, Problem, RunStatus};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The run is done.
    Done = 0,
    /// Something failed on the way.
    Failed = 1,
    /// The request or a file cannot be used.
    BadInput = 2,
    /// The engine, the image or the model is not ready.
    NotReady = 3,
    /// The run ended without all that was expected.
    Incomplete = 4,
    /// A limit was reached.
    OutOfBudget = 5,
    /// The provider asks for a long wait, or there is no sandbox any more.
    Paused = 6,
    /// Stopped by the person.
    Stopped = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<RunStatus> for Exit {
    fn from(status: RunStatus) -> Self {
        match status {
            RunStatus::Done => Self::Done,
            RunStatus::Incomplete | RunStatus::Stuck => Self::Incomplete,
            RunStatus::OutOfBudget => Self::OutOfBudget,
            RunStatus::Stopped => Self::Stopped,
            RunStatus::Paused => Self::Paused,
            RunStatus::Failed => Self::Failed,
        }
    }
}

impl From<&Problem> for Exit {
    fn from(problem: &Problem) -> Self {
        match problem.code {
            Code::Input | Code::Output => Self::BadInput,
            Code::EngineMissing
            | Code::EngineStopped
            | Code::EngineForbidden
            | Code::EngineUnusable
            | Code::ConsentMissing
            | Code::Image
            | Code::OtherImage
            | Code::Model => Self::NotReady,
            Code::Sandbox | Code::ModelFailed | Code::Storage | Code::Keychain => Self::Failed,
            Code::Stopped => Self::Stopped,
        }
    }
}
