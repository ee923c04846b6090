//! A place on an engine that takes so many runs at a time, and the wait for one.
//!
//! A place is a locked file below the app's folder. So it counts for every window and command of this computer,
//! and the system frees it however its holder ends.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_sandbox::{Readiness, Runtime, SandboxError};
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::engine_list::ListedEngine;
use crate::runtime_choice::ChosenRuntime;

/// How often a run that waits looks for a free place.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A run's place. Dropping it frees it.
#[derive(Debug)]
pub(crate) struct Place {
    _lock: File,
}

impl Place {
    /// A free place on an engine, if there is one.
    pub(crate) fn take(home: &Path, engine: &ListedEngine) -> io::Result<Option<Self>> {
        for number in 0..engine.runs_at_once {
            let lock = file(home, engine, number)?;
            match lock.try_lock() {
                Ok(()) => return Ok(Some(Self { _lock: lock })),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// How many places of an engine are taken.
    pub(crate) fn taken(home: &Path, engine: &ListedEngine) -> io::Result<u32> {
        let mut count = 0;
        for number in 0..engine.runs_at_once {
            count += u32::from(file(home, engine, number)?.try_lock().is_err());
        }
        Ok(count)
    }
}

fn file(home: &Path, engine: &ListedEngine, number: u32) -> io::Result<File> {
    let folder: PathBuf = home.join("places");
    std::fs::create_dir_all(&folder)?;
    let name = format!("{}.{number}", engine.name.to_lowercase());
    File::options().create(true).truncate(false).write(true).open(folder.join(name))
}

/// A runtime to open a sandbox with, its engine's name in the list, what it says of itself, and the place that is
/// held there.
pub(crate) struct Seat {
    pub(crate) runtime: ChosenRuntime,
    pub(crate) name: Option<String>,
    pub(crate) ready: Option<Readiness>,
    pub(crate) place: Option<Place>,
}

impl Engine {
    /// The first engine of the choice that answers and has a free place. Where all that answer are full, waits,
    /// and tells `waiting` their names once.
    pub(crate) async fn seat(
        &self,
        mut waiting: impl FnMut(Vec<String>) -> Result<(), SandboxError>,
        stop: &CancellationToken,
    ) -> Result<Seat, SandboxError> {
        if self.among.is_empty() {
            let (runtime, ready) = self.runtime().settled().await;
            return Ok(Seat { runtime, name: None, ready, place: None });
        }
        let mut has_told = false;
        loop {
            let mut full = Vec::new();
            let mut trouble = SandboxError::EngineMissing;
            for engine in &self.among {
                let Some(place) = Place::take(self.home(), engine)? else {
                    full.push(engine.name.clone());
                    continue;
                };
                let runtime = engine.runtime(self.runtime());
                tokio::select! {
                    ready = runtime.readiness() => match ready {
                        Ok(ready) => {
                            let (name, ready, place) = (Some(engine.name.clone()), Some(ready), Some(place));
                            return Ok(Seat { runtime, name, ready, place });
                        }
                        Err(error) => trouble = error,
                    },
                    () = stop.cancelled() => return Err(SandboxError::Stopped),
                }
            }
            if full.is_empty() {
                return Err(trouble);
            }
            if !has_told {
                waiting(full)?;
                has_told = true;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = stop.cancelled() => return Err(SandboxError::Stopped),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_has_as_many_places_as_it_takes_runs() {
        let home = tempfile::tempdir().unwrap();
        let engine = ListedEngine {
            name: "box".into(),
            address: "ssh://box".into(),
            certificates: None,
            runs_at_once: 2,
        };
        let take = || Place::take(home.path(), &engine).unwrap();
        let (first, second) = (take(), take());
        assert!(first.is_some() && second.is_some() && take().is_none());
        assert_eq!(Place::taken(home.path(), &engine).unwrap(), 2);
        drop(first);
        assert_eq!(Place::taken(home.path(), &engine).unwrap(), 1);
        assert!(take().is_some());
    }
}
