//! A sandbox that is opened ahead for the chosen files, so that a question need not wait for it.
//!
//! There is one at most, and only after files were chosen. It is opened with those very files as the run itself would
//! open it, so nothing is let in later. It goes when other files are chosen, when it waited in vain, and at the end.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use assay_sandbox::{Manifest, OpenRequest, Policy, Runtime, SandboxError, StagedFile};
use tokio_util::sync::CancellationToken;

use super::{Desk, lock};
use crate::engine::Engine;
use crate::input::{manifest, name_inputs};
use crate::open_run::{Ahead, run_id};
use crate::problem::Problem;
use crate::runtime_choice::SandboxSettings;

/// Files that are chosen one after another within this time are waited for.
const SETTLED: Duration = Duration::from_millis(200);
/// Nobody waits this long before asking who asks at all.
const IDLE_LIMIT: Duration = Duration::from_mins(10);

/// What a sandbox was opened for; one that was opened for anything else is of no use.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Purpose {
    sandbox: SandboxSettings,
    policy: Policy,
    files: Vec<(StagedFile, Option<Stamp>)>,
}

/// The state of a file: a sandbox has it as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    changed: Option<SystemTime>,
    /// A file that was put in the place of another has another number.
    #[cfg(unix)]
    number: (u64, u64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let facts = std::fs::metadata(path).ok()?;
        Some(Self {
            changed: facts.modified().ok(),
            #[cfg(unix)]
            number: {
                use std::os::unix::fs::MetadataExt;
                (facts.dev(), facts.ino())
            },
        })
    }
}

impl Purpose {
    pub(super) fn new(sandbox: SandboxSettings, policy: Policy, manifest: &Manifest) -> Self {
        let files = manifest.files().iter();
        let files = files.map(|file| (file.clone(), file.source.as_deref().and_then(Stamp::of))).collect();
        Self { sandbox, policy, files }
    }
}

/// What is wished for now.
#[derive(Default)]
struct Wish {
    purpose: Option<Purpose>,
    over: CancellationToken,
}

#[derive(Default)]
pub(super) struct Spare {
    wish: Mutex<Wish>,
    /// Locked while one is being opened.
    held: Arc<tokio::sync::Mutex<Option<Ahead>>>,
}

impl Spare {
    /// Puts a wish in the place of the one before, whose work ends.
    fn wish(&self, purpose: Option<Purpose>) -> CancellationToken {
        let over = CancellationToken::new();
        let before = std::mem::replace(&mut *lock(&self.wish), Wish { purpose, over: over.clone() });
        before.over.cancel();
        over
    }

    /// Opens a sandbox in place of the one before; without anything to open it for only that one goes.
    fn open(&self, wanted: Option<(Engine, Purpose, Manifest)>) {
        // Without a runtime there is no window either.
        let Ok(tasks) = tokio::runtime::Handle::try_current() else { return };
        let over = self.wish(wanted.as_ref().map(|(_, purpose, _)| purpose.clone()));
        let held = self.held.clone();
        tasks.spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(SETTLED) => {}
                () = over.cancelled() => return,
            }
            {
                let mut held = held.lock().await;
                Ahead::let_go(held.take()).await;
                let Some((engine, purpose, manifest)) = wanted else { return };
                match open(&engine, &purpose.policy, &manifest, &over).await {
                    Ok(ahead) => *held = ahead,
                    Err(error) => tracing::debug!(%error, "no sandbox was opened ahead"),
                }
            }
            tokio::select! {
                () = tokio::time::sleep(IDLE_LIMIT) => Ahead::let_go(held.lock().await.take()).await,
                () = over.cancelled() => {}
            }
        });
    }

    /// The sandbox that was opened for just this, or is being opened for it; any other one goes.
    pub(super) async fn take(&self, purpose: &Purpose) -> Option<Ahead> {
        if lock(&self.wish).purpose.as_ref() != Some(purpose) {
            self.close().await;
            return None;
        }
        let ahead = self.held.lock().await.take();
        self.wish(None);
        ahead
    }

    pub(super) async fn close(&self) {
        self.wish(None);
        Ahead::let_go(self.held.lock().await.take()).await;
    }
}

/// Opens a sandbox as a run would; nothing where none is ready.
async fn open(
    engine: &Engine,
    policy: &Policy,
    manifest: &Manifest,
    stop: &CancellationToken,
) -> Result<Option<Ahead>, SandboxError> {
    let seat = engine.seat(|_| Ok(()), stop).await?;
    if seat.ready.is_none() || stop.is_cancelled() {
        return Ok(None);
    }
    let run = run_id();
    let session = seat.runtime.open(OpenRequest { run: &run, manifest, policy }, stop).await?;
    Ok(Some(Ahead { run, seat, session }))
}

impl Desk {
    /// Opens a sandbox for the chosen files, so that it is there when somebody asks.
    pub(super) fn open_ahead(&self) {
        self.spare.open(self.likely_run().ok().flatten());
    }

    /// What a question about all chosen files would need. What costs and holds files elsewhere is not opened unasked.
    fn likely_run(&self) -> Result<Option<(Engine, Purpose, Manifest)>, Problem> {
        // A sandbox for files that have to be prepared is opened when they are.
        let Some(files) = self.files_as_they_are() else { return Ok(None) };
        let engine = self.engine_for_runs()?;
        if files.is_empty() || engine.runtime().is_hosted() {
            return Ok(None);
        }
        let manifest = manifest(&name_inputs(&files, &[])?)?;
        Ok(Some((engine, self.purpose(&manifest)?, manifest)))
    }

    /// The sandbox that was opened ahead for these files. What is wrong with them the run itself finds out.
    pub(super) async fn take_ahead(&self, files: &[PathBuf]) -> Option<Ahead> {
        let purpose = name_inputs(files, &[])
            .and_then(|inputs| manifest(&inputs))
            .and_then(|manifest| self.purpose(&manifest));
        let Ok(purpose) = purpose else {
            self.spare.close().await;
            return None;
        };
        self.spare.take(&purpose).await
    }

    fn purpose(&self, manifest: &Manifest) -> Result<Purpose, Problem> {
        let settings = self.settings()?;
        Ok(Purpose::new(settings.sandbox(), settings.limits.policy(), manifest))
    }
}
