//! What a window works on: the chosen files, the runs that go on, the history, the settings.
//!
//! Everything crosses the border to a window as values with ids; a path of this computer goes in only from
//! a native drop or dialog, and never out except as the place of an export.

mod artifacts;
mod connect;
mod copying;
mod files;
mod going;
mod history;
mod hosted;
mod images;
mod sandbox;
mod sent;
mod settings;
mod spare;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use assay_store::Keys;

pub use artifacts::{Artifact, ArtifactKind, Exported, MediaFile};
pub use connect::Connections;
pub use copying::ForClipboard;
pub use files::{FileCard, FileProfile, FilesAdded, TablePage};
pub use going::{LeaveOut, RunAsk, WindowEvent};
pub use history::{RunSummary, RunView};
pub use hosted::{HostedProvider, HostedTerms};
pub use sent::{SentPart, SentRequest, SentSummary};
pub use settings::{LimitSettings, ModelSettings, RemoteModel, Settings, Theme};

use crate::engine::Engine;
use crate::problem::Problem;

/// The state behind a window. Shared by all of the shell's calls.
pub struct Desk {
    home: Option<PathBuf>,
    files: Mutex<files::Files>,
    going: going::Going,
    spare: spare::Spare,
    exports: Mutex<HashMap<String, PathBuf>>,
    keys: OnceLock<Keys>,
}

impl Desk {
    /// A desk whose engine keeps everything in `home`, or in the system's place for it.
    pub fn new(home: Option<PathBuf>) -> Self {
        Self {
            home,
            files: Mutex::default(),
            going: going::Going::default(),
            spare: spare::Spare::default(),
            exports: Mutex::default(),
            keys: OnceLock::new(),
        }
    }

    /// The engine as the settings want it, for what is kept here.
    fn engine(&self) -> Result<Engine, Problem> {
        let settings = self.settings()?;
        Engine::new(self.home.clone(), settings.sandbox())
    }

    /// The same with all that opening a sandbox takes: a key, which may lie in the keychain, and a consent.
    fn engine_for_runs(&self) -> Result<Engine, Problem> {
        let settings = self.settings()?;
        let sandbox = self.with_provider(settings.sandbox(), &settings)?;
        Engine::new(self.home.clone(), sandbox)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
