//! A session in a provider's container, and in the next one where a container has ended.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tempfile::TempDir;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::HOSTED_CAVEATS;
use super::api::Api;
use super::container::{Answer, Container, READ_LIMIT, frame};
use super::course::{Course, End, plain};
use super::error::HostedError;
use crate::docker::stage;
use crate::error::SandboxError;
use crate::kernel_session::{KNOWN_PACKAGES, WARM_MODULES};
use crate::link::unexpected;
use crate::manifest::{Entry, Manifest, Source, check_relative_path};
use crate::protocol::{Command, Event, VerifyEntry};
use crate::runtime::{
    Action, Inventory, OutputChunk, Sent, Session, SessionFacts, Staging, Step, StepOutcome, StepStatus,
    StreamName,
};

/// How long anything else may take.
const ANSWER_LIMIT: Duration = Duration::from_mins(5);

/// How long a step that is stopped may still take to arrive.
const STOP_GRACE: Duration = Duration::from_secs(5);

const NEW_CONTAINER: &str = "The provider's container had ended, and a new one was made: input/ is there again, and \
                             of output/ what had been copied out. What was in work/ is gone.\n";

/// All that it takes to open a container, once and again.
pub(super) struct Opening {
    pub(super) api: Arc<Api>,
    pub(super) name: String,
    pub(super) memory: &'static str,
    pub(super) grace_s: f64,
    pub(super) manifest: Manifest,
    /// What the facts say where others name an image.
    pub(super) image: String,
}

pub(super) struct HostedSession {
    opening: Opening,
    expected: Vec<VerifyEntry>,
    /// `None` when it has ended; the next step makes another.
    container: Option<Container>,
    facts: SessionFacts,
    /// Artifacts -> where the provider has them.
    published: BTreeMap<String, String>,
    /// Copies of the artifacts that were fetched, for a new container.
    kept: TempDir,
}

impl HostedSession {
    /// Makes a container with the inputs in place and verified.
    pub(super) async fn open(opening: Opening) -> Result<Self, SandboxError> {
        let expected = stage::expected(&opening.manifest).await?;
        let hashes = expected.iter().filter_map(|entry| Some((entry.path.clone(), entry.sha256.clone()?)));
        let facts = SessionFacts {
            runtime: "hosted".into(),
            image: format!("{} ({})", opening.image, opening.memory),
            staging: Staging::Uploaded,
            inventory: Inventory::default(),
            input_hashes: hashes.collect(),
            gaps: HOSTED_CAVEATS.map(str::to_owned).into(),
        };
        let kept = tempfile::tempdir()?;
        let published = BTreeMap::new();
        let mut session = Self { opening, expected, container: None, facts, published, kept };
        session.renew().await?;
        Ok(session)
    }

    /// Makes a container in the place of one that has ended.
    async fn renew(&mut self) -> Result<(), SandboxError> {
        let Opening { api, name, memory, grace_s, .. } = &self.opening;
        self.published.clear();
        let container = Container::create(api, name, memory, *grace_s).await?;
        match self.settle(&container).await {
            Ok(()) => {
                self.container = Some(container);
                Ok(())
            }
            Err(error) => {
                // Not left to the drop, for the program may end with this error.
                let _ = container.delete().await;
                Err(error)
            }
        }
    }

    /// Puts the files into a new container, verifies the inputs, and asks what is installed.
    async fn settle(&mut self, container: &Container) -> Result<(), SandboxError> {
        let manifest = &self.opening.manifest;
        let mut commands = Vec::new();
        if !manifest.files().is_empty() {
            commands.extend(container.stage(manifest, "input").await?);
        }
        let kept = self.kept.path().join("output");
        if kept.is_dir() {
            let entry = Entry { destination: "output".into(), source: Source::Folder(kept) };
            match Manifest::new(vec![entry]) {
                Ok(artifacts) => commands.extend(container.stage(&artifacts, ".").await?),
                // Two names that differ in upper and lower case only, which code may make, cannot be staged.
                Err(error) => tracing::warn!(%error, "output/ is not put into the new container"),
            }
        }
        commands.extend(frame(&Command::Verify { entries: &self.expected }, &[])?);
        commands.extend(frame(&Command::Warm { modules: &WARM_MODULES }, &[])?);
        commands.extend(frame(&Command::Inventory { packages: &KNOWN_PACKAGES }, &[])?);
        let mut verified = false;
        for (event, _) in exchange(container, commands).await?.events {
            match event {
                Event::Ready { .. } => {}
                Event::Inventory { python, packages, .. } => {
                    let known =
                        packages.into_iter().filter(|(name, _)| KNOWN_PACKAGES.contains(&name.as_str()));
                    let packages = known.map(|(name, version)| (name, plain(&version, 40))).collect();
                    self.facts.inventory = Inventory { python: plain(&python, 40), packages };
                }
                Event::Verified { failures } => match failures.into_iter().next() {
                    None => verified = true,
                    Some(failure) => {
                        let (path, reason) = (plain(&failure.path, 1024), plain(&failure.reason, 200));
                        return Err(SandboxError::Staging { path, reason });
                    }
                },
                other => return Err(unexpected(&other)),
            }
        }
        if !verified {
            return Err(SandboxError::Protocol("the inputs were not looked at".into()));
        }
        Ok(())
    }

    /// Hands commands to the container, to a new one where it has ended. Whether it is a new one.
    async fn submit(&mut self, commands: &[u8]) -> Result<(u64, bool), SandboxError> {
        let mut renewed = false;
        loop {
            if self.container.is_none() {
                self.renew().await?;
                renewed = true;
            }
            let Some(container) = &self.container else { continue };
            match container.submit(commands.to_vec()).await {
                Ok(ask) => return Ok((ask, renewed)),
                Err(HostedError::Gone(reason)) if !renewed => {
                    tracing::info!(reason, "the provider's container has ended");
                    self.container = None;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Where a copy of an artifact is kept.
    fn kept(&self, path: &str) -> Option<PathBuf> {
        (path.starts_with("output/") && check_relative_path(path).is_ok())
            .then(|| self.kept.path().join(path))
    }
}

/// Hands over commands and waits until all of them are answered.
async fn exchange(container: &Container, commands: Vec<u8>) -> Result<Answer, SandboxError> {
    let ask = container.submit(commands).await?;
    whole_answer(container, ask).await
}

/// The answer to an ask, with what takes longer than one line of code.
async fn whole_answer(container: &Container, mut ask: u64) -> Result<Answer, SandboxError> {
    let deadline = Instant::now() + ANSWER_LIMIT;
    let mut whole = Vec::new();
    loop {
        let answer = timeout_at(deadline, container.answer(ask)).await;
        let mut answer = answer.map_err(|_| SandboxError::Vanished("it no longer answers".into()))??;
        whole.append(&mut answer.events);
        if !answer.busy {
            return Ok(Answer { events: whole, ..answer });
        }
        ask = container.submit(frame(&Command::Alive, &[])?).await?;
    }
}

#[async_trait]
impl Session for HostedSession {
    fn facts(&self) -> &SessionFacts {
        &self.facts
    }

    async fn run(
        &mut self,
        step: &Step,
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError> {
        let number = step.number;
        let command = match &step.action {
            Action::Python { code } => Command::Python { step: number, code, limit_s: step.limit_s },
            Action::Shell { command } => Command::Shell { step: number, command, limit_s: step.limit_s },
        };
        let command = frame(&command, &[])?;
        let mut course = Course::new(step);
        let (ask, renewed) = tokio::select! {
            submitted = self.submit(&command) => submitted?,
            () = overdue(stop) => {
                // Whether the step has arrived is not known, so nothing may go on from here.
                self.container = None;
                return Ok(course.cut_off(StepStatus::Interrupted, "it was stopped before it began"));
            }
        };
        if renewed {
            course.restarted = true;
            course.streams[StreamName::Stderr as usize].take(NEW_CONTAINER.as_bytes(), output);
        }
        let Some(container) = &self.container else {
            return Err(SandboxError::Vanished("it has ended".into()));
        };
        let grace_s = self.opening.grace_s;
        let end = course.follow(container, ask, &mut self.published, grace_s, output, stop).await?;
        match end {
            End::Done(done) => {
                for path in &done.removed {
                    self.published.remove(path);
                    if let Some(kept) = self.kept(path) {
                        let _ = std::fs::remove_file(kept);
                    }
                }
                Ok(course.done(*done))
            }
            End::Lost => Ok(course.cut_off(StepStatus::Crashed, "what keeps the kernel was ended")),
            End::GivenUp(status, reason) => {
                self.container = None;
                Ok(course.cut_off(status, reason))
            }
        }
    }

    async fn fetch(&mut self, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
        check_relative_path(path)?;
        let trouble = |reason: &str| SandboxError::File { path: path.into(), reason: reason.into() };
        let gone = || trouble("the provider's container ended before it was copied out");
        let container = self.container.as_ref().ok_or_else(gone)?;
        let copied = match self.published.get(path) {
            Some(name) => match container.copy(name, to, max_bytes).await {
                Err(SandboxError::File { reason, .. }) => return Err(trouble(&reason)),
                other => other,
            },
            None => Ok(None),
        };
        let copied = match copied {
            Ok(None) => read(container, path, to, max_bytes.min(READ_LIMIT)).await,
            Ok(Some(size)) => Ok(size),
            Err(error) => Err(error),
        };
        let size = match copied {
            Err(SandboxError::Hosted(HostedError::Gone(_))) => {
                self.container = None;
                return Err(gone());
            }
            other => other?,
        };
        if let Some(kept) = self.kept(path) {
            if let Some(folder) = kept.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::copy(to, kept)?;
        }
        Ok(size)
    }

    async fn write(&mut self, path: &str, content: &[u8]) -> Result<(), SandboxError> {
        check_relative_path(path)?;
        let trouble = |reason: &str| SandboxError::File { path: path.into(), reason: reason.into() };
        if !["output/", "work/"].iter().any(|place| path.starts_with(place)) {
            return Err(trouble("it is neither in output/ nor in work/"));
        }
        let command = frame(&Command::Write { path }, content)?;
        let (ask, _) = self.submit(&command).await?;
        let Some(container) = &self.container else {
            return Err(SandboxError::Vanished("it has ended".into()));
        };
        for (event, _) in whole_answer(container, ask).await?.events {
            match event {
                Event::Written { error: None } => return Ok(()),
                Event::Written { error: Some(reason) } => return Err(trouble(&plain(&reason, 200))),
                Event::KernelLost | Event::Ready { .. } => {}
                other => return Err(unexpected(&other)),
            }
        }
        Err(trouble("the provider's interpreter ended before it was written"))
    }

    fn take_sent(&mut self) -> Vec<Sent> {
        self.opening.api.take_sent()
    }

    async fn close(mut self: Box<Self>) -> Result<(), SandboxError> {
        match self.container.take() {
            Some(container) => Ok(container.delete().await?),
            None => Ok(()),
        }
    }
}

/// Ends a while after the stop: what is on its way then is given up.
async fn overdue(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(STOP_GRACE).await;
}

/// Lets the supervisor read a file that the provider does not list.
async fn read(container: &Container, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
    let mut content = Vec::new();
    let mut whole = false;
    for (event, body) in exchange(container, frame(&Command::Read { path, max_bytes }, &[])?).await?.events {
        match event {
            Event::Chunk => content.extend(body),
            Event::ReadEnd { error: None } => whole = true,
            Event::KernelLost | Event::Ready { .. } => {}
            Event::ReadEnd { error: Some(reason) } => {
                return Err(SandboxError::File { path: path.into(), reason: plain(&reason, 200) });
            }
            other => return Err(unexpected(&other)),
        }
    }
    if !whole {
        let reason = "the provider's interpreter ended before it was read".into();
        return Err(SandboxError::File { path: path.into(), reason });
    }
    if content.len() as u64 > max_bytes {
        return Err(SandboxError::Protocol("a file longer than was asked for".into()));
    }
    tokio::fs::write(to, &content).await?;
    Ok(content.len() as u64)
}
