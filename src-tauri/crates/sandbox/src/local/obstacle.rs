//! Why this computer cannot seal code by itself.

/// What is missing on this computer for a sandbox without an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocalObstacle {
    /// Only Linux has the means.
    #[error("only Linux can seal code without an engine")]
    NotLinux,
    /// The program `bwrap` is not there.
    #[error("bubblewrap is not installed")]
    NoBubblewrap,
    /// A bubblewrap that cannot limit folders in memory.
    #[error("bubblewrap {found} is too old; 0.7 is needed")]
    OldBubblewrap {
        /// Its version.
        found: String,
    },
    /// The system lets nobody make the walls, or a part of them is missing.
    #[error("the system does not let a program seal itself: {0}")]
    Forbidden(String),
    /// No Python of the system fits the packages.
    #[error("no Python from 3.11 to 3.14 is installed by the system (found: {})", found.as_deref().unwrap_or("none"))]
    NoPython {
        /// The version that is there.
        found: Option<String>,
    },
    /// Python is there without the part that makes environments.
    #[error("Python {python} cannot make environments: `ensurepip` is missing")]
    NoVenv {
        /// Its version, for example `3.11`.
        python: String,
    },
}
