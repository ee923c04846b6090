//! The execution environment: where code that nobody has checked may run.
//!
//! This crate owns the [`Policy`] (what a sandbox may do, as data), the [`Manifest`] (what is staged),
//! the runtimes that open a [`Session`], and the frames spoken with the supervisor inside. It knows
//! nothing of models, reports or files of tables; what the kernel says of its tables it passes on.
//!
//! A session is one supervisor (`sandbox/runner.py`, trusted, the first process of the sandbox) and one
//! kernel (`sandbox/kernel.py`, in which user code runs). The host believes the supervisor's frames as
//! far as their shape and bounds go, and never executes or follows anything named in them.

mod docker;
mod error;
mod frame;
mod hosted;
mod incoming;
mod kernel_session;
mod link;
#[cfg_attr(not(target_os = "linux"), path = "local/elsewhere.rs")]
mod local;
mod manifest;
mod owner;
mod policy;
mod proof;
mod protocol;
mod runtime;
mod table_change;
mod text;

pub use docker::{
    DockerRuntime, DockerSettings, EngineFacts, EngineSeen, EngineState, ImageBuild, ImageProgress, Images,
    OwnImage, Packages, PartProgress, Recipe, check_space, free_bytes, own_image, own_recipe,
};
pub use error::SandboxError;
pub use frame::{Frame, FrameDecoder, FrameError, encode_frame};
pub use hosted::{Consent, HOSTED_CAVEATS, HostedError, HostedKey, HostedRuntime, HostedSettings};
pub use link::kernel_modules;
pub use local::{LocalObstacle, LocalRuntime};
pub use manifest::{Entry, Manifest, ManifestError, Source, StagedFile, check_relative_path};
pub use policy::{Network, Policy, Seccomp};
pub use proof::{Finding, Limit, Verdict, prove};
pub use runtime::{
    Action, Captured, FileChange, Inventory, OpenRequest, OutputChunk, Readiness, RefusedFile, Runtime, Sent,
    Session, SessionFacts, Staging, Step, StepError, StepOutcome, StepStatus, StreamName, Wanted,
};
pub use table_change::{ChangeKind, TableChange, TableRows};
pub use text::printable;
