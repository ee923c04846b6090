//! What can go wrong with a sandbox, from the host's point of view.

use crate::hosted::HostedError;
use crate::local::LocalObstacle;
use crate::manifest::ManifestError;
use crate::runtime::StepOutcome;

/// Trouble of the host, never of the code that ran: a failing step is a [`crate::StepOutcome`].
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// No engine is installed, or none at any known address.
    #[error("no Docker engine is installed here")]
    EngineMissing,
    /// An engine's address is there, but nobody answers.
    #[error("the Docker engine at {address} does not answer")]
    EngineStopped {
        /// The address that was tried last.
        address: String,
    },
    /// An engine is there, but this user may not use it.
    #[error("this user may not use the Docker engine at {address}")]
    EngineForbidden {
        /// The address.
        address: String,
    },
    /// The engine has no such program to run containers with.
    #[error("the engine has no runtime {name}, but {}", known.join(", "))]
    EngineRuntimeUnknown {
        /// The one that was chosen.
        name: String,
        /// Those that it has, the default first.
        known: Vec<String>,
    },
    /// An engine cannot be used as it is.
    #[error("the engine at {address} cannot be used: {reason}")]
    EngineUnusable {
        /// The address.
        address: String,
        /// What is in the way, in plain words.
        reason: String,
    },
    /// The engine does not have the image.
    #[error("the image {0} is not there")]
    ImageMissing(String),
    /// The image could not be made.
    #[error("the image could not be made: {0}")]
    ImageBuild(String),
    /// The Python packages of the local runtime have to be made ready first.
    #[error("the sandbox's Python packages are not there")]
    EnvironmentMissing,
    /// This computer cannot seal code by itself.
    #[error(transparent)]
    Local(#[from] LocalObstacle),
    /// Neither an engine answers nor can this computer seal code by itself.
    #[error("{engine}, and {local}")]
    NoRuntime {
        /// What is wrong with the engine.
        engine: Box<SandboxError>,
        /// What this computer lacks.
        local: LocalObstacle,
    },
    /// A file holds no image that the engine can load.
    #[error("{name} holds no image: {reason}")]
    ImageFile {
        /// The file's name.
        name: String,
        /// What the engine said.
        reason: String,
    },
    /// Nothing was heard of an image that is being made or fetched.
    #[error("nothing was heard for {silent_s} seconds")]
    ImageStalled {
        /// How long, in seconds.
        silent_s: u64,
    },
    /// The image is for another processor than the engine's.
    #[error("the image {image} is for {architecture}, and the engine runs on {engine}")]
    ImageArchitecture {
        /// The image's name.
        image: String,
        /// The processor that it is for.
        architecture: String,
        /// The engine's.
        engine: String,
    },
    /// This is not the name of a package.
    #[error("`{0}` is not the name of a package")]
    ImagePackage(String),
    /// The packages that were chosen could not be installed.
    #[error("the packages could not be installed: {0}")]
    PackagesRefused(String),
    /// The disk has too little room.
    #[error("the disk has {free_bytes} bytes free, and {needed_bytes} are needed")]
    TooLittleSpace {
        /// What is free, in bytes.
        free_bytes: u64,
        /// What is needed, in bytes.
        needed_bytes: u64,
    },
    /// The image has no usable Python.
    #[error("the image {image} has no Python 3.9 or newer: {detail}")]
    ImageWithoutPython {
        /// The image's name.
        image: String,
        /// What the engine or the image said.
        detail: String,
    },
    /// The inputs are not the same inside as outside.
    #[error("`{path}` did not arrive in the sandbox as it is on this computer: {reason}")]
    Staging {
        /// The destination below `input/`.
        path: String,
        /// The difference.
        reason: String,
    },
    /// The manifest is not acceptable.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The sandbox ended or was removed while it was in use.
    #[error("the sandbox is gone: {0}")]
    Vanished(String),
    /// The sandbox as a whole ended for want of memory: not only the code, its supervisor too.
    #[error("the sandbox ended because it ran out of memory")]
    OutOfMemory(Box<StepOutcome>),
    /// The supervisor said something that it should not.
    #[error("the sandbox broke its protocol: {0}")]
    Protocol(String),
    /// A file could not be brought in or out.
    #[error("`{path}` could not be transferred: {reason}")]
    File {
        /// The path in the workspace.
        path: String,
        /// Why.
        reason: String,
    },
    /// The stop token was cancelled.
    #[error("stopped")]
    Stopped,
    /// A provider that runs the code did not do what it should.
    #[error(transparent)]
    Hosted(HostedError),
    /// The engine refused a request.
    #[error("the Docker engine refused: {0}")]
    Engine(#[from] bollard::errors::Error),
    /// The host's own disk or pipes failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl SandboxError {
    /// Whether it is the trouble of one file, and says nothing of the session and of other files.
    pub(crate) fn is_of_one_file(&self) -> bool {
        matches!(self, Self::File { .. } | Self::Manifest(_) | Self::Io(_))
    }
}

impl From<HostedError> for SandboxError {
    /// A container that has ended is a sandbox that is gone.
    fn from(error: HostedError) -> Self {
        match error {
            HostedError::Gone(_) => Self::Vanished(error.to_string()),
            other => Self::Hosted(other),
        }
    }
}
