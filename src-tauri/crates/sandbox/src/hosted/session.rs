//! A session in a provider's container.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::HOSTED_CAVEATS;
use super::api::Api;
use super::container::{Answer, Container, READ_LIMIT, frame};
use super::course::{Course, End, plain};
use crate::docker::stage;
use crate::error::SandboxError;
use crate::kernel_session::{KNOWN_PACKAGES, WARM_MODULES};
use crate::link::unexpected;
use crate::manifest::{Manifest, check_relative_path};
use crate::protocol::{Command, Event, VerifyEntry};
use crate::runtime::{
    Action, Inventory, OutputChunk, Session, SessionFacts, Staging, Step, StepOutcome, StepStatus, Wanted,
};

/// How long anything else may take.
const ANSWER_LIMIT: Duration = Duration::from_mins(5);

/// How long a step that is stopped may still take to arrive.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// How long a container may take to be deleted; what is left then ends by itself, or is swept.
const DELETE_LIMIT: Duration = Duration::from_secs(10);

/// All that it takes to open a container.
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
    container: Container,
    /// Why nothing more is asked of the container, once that is so.
    ended: Option<&'static str>,
    grace_s: f64,
    /// Whether the kernel was lost since the last step; the next one tells it.
    kernel_lost: bool,
    facts: SessionFacts,
    /// Artifacts -> where the provider has them.
    published: BTreeMap<String, String>,
}

impl HostedSession {
    /// Makes a container with the inputs in place and verified.
    pub(super) async fn open(opening: Opening) -> Result<Self, SandboxError> {
        let expected = stage::expected(&opening.manifest).await?;
        let hashes = expected.iter().filter_map(|entry| Some((entry.path.clone(), entry.sha256.clone()?)));
        let Opening { api, name, memory, grace_s, image, .. } = &opening;
        let mut facts = SessionFacts {
            runtime: "hosted".into(),
            image: format!("{image} ({memory})"),
            staging: Staging::Uploaded,
            inventory: Inventory::default(),
            input_hashes: hashes.collect(),
            gaps: HOSTED_CAVEATS.map(str::to_owned).into(),
        };
        let mut container = Container::create(api, name, memory, *grace_s).await?;
        match settle(&container, &opening.manifest, &expected).await {
            Ok(inventory) => facts.inventory = inventory,
            Err(error) => {
                // Not left to the drop, for the program may end with this error.
                let _ = delete(&mut container).await;
                return Err(error);
            }
        }
        Ok(Self {
            container,
            ended: None,
            grace_s: *grace_s,
            kernel_lost: false,
            facts,
            published: BTreeMap::new(),
        })
    }

    fn still_there(&self) -> Result<(), SandboxError> {
        self.ended.map_or(Ok(()), |reason| Err(SandboxError::Vanished(reason.into())))
    }

    async fn take_out(&mut self, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
        check_relative_path(path)?;
        let trouble = |reason: &str| SandboxError::File { path: path.into(), reason: reason.into() };
        self.still_there()?;
        let copied = match self.published.get(path) {
            Some(name) => match self.container.copy(name, to, max_bytes).await {
                Err(SandboxError::File { reason, .. }) => return Err(trouble(&reason)),
                other => other?,
            },
            None => None,
        };
        match copied {
            Some(size) => Ok(size),
            None => self.read(path, to, max_bytes.min(READ_LIMIT)).await,
        }
    }

    /// Lets the supervisor read a file that the provider does not list.
    async fn read(&mut self, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
        let mut content = Vec::new();
        let mut whole = false;
        for (event, body) in
            exchange(&self.container, frame(&Command::Read { paths: &[path], max_bytes }, &[])?).await?.events
        {
            match event {
                Event::Chunk => content.extend(body),
                Event::ReadEnd { error: None } => {
                    content.extend(body);
                    whole = true;
                }
                Event::KernelLost | Event::Ready { .. } => self.kernel_lost = true,
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

    /// Deletes a container that cannot be relied upon any more.
    async fn give_up(&mut self, reason: &'static str) {
        self.ended = Some(reason);
        if let Err(error) = delete(&mut self.container).await {
            tracing::warn!(%error, "a container that was given up could not be deleted");
        }
    }
}

/// Puts the files into a new container, verifies them, and asks what is installed.
async fn settle(
    container: &Container,
    manifest: &Manifest,
    expected: &[VerifyEntry],
) -> Result<Inventory, SandboxError> {
    let mut commands = Vec::new();
    if !manifest.files().is_empty() {
        commands.extend(container.stage(manifest).await?);
    }
    commands.extend(frame(&Command::Verify { entries: expected }, &[])?);
    commands.extend(frame(&Command::Warm { modules: &WARM_MODULES }, &[])?);
    commands.extend(frame(&Command::Inventory { packages: &KNOWN_PACKAGES }, &[])?);
    let mut inventory = Inventory::default();
    let mut verified = false;
    for (event, _) in exchange(container, commands).await?.events {
        match event {
            Event::Ready { .. } => {}
            Event::Inventory { python, packages, .. } => {
                let known = packages.into_iter().filter(|(name, _)| KNOWN_PACKAGES.contains(&name.as_str()));
                let packages = known.map(|(name, version)| (name, plain(&version, 40))).collect();
                inventory = Inventory { python: plain(&python, 40), packages };
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
    Ok(inventory)
}

/// Deletes a container, with patience for a provider that does not answer.
async fn delete(container: &mut Container) -> Result<(), SandboxError> {
    let late = |_| SandboxError::Vanished("the provider does not answer".into());
    Ok(timeout(DELETE_LIMIT, container.delete()).await.map_err(late)??)
}

/// Hands over commands and waits until all of them are answered.
async fn exchange(container: &Container, commands: Vec<u8>) -> Result<Answer, SandboxError> {
    let mut ask = container.submit(commands).await?;
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
        self.still_there()?;
        let mut course = Course::new(step);
        course.restarted = std::mem::take(&mut self.kernel_lost);
        let submitted = tokio::select! {
            submitted = self.container.submit(command) => Some(submitted?),
            () = overdue(stop) => None,
        };
        let Some(ask) = submitted else {
            // Whether the step has arrived is not known, so nothing may go on from here.
            self.give_up("a step was stopped on its way").await;
            return Ok(course.cut_off(StepStatus::Interrupted, "it was stopped before it began"));
        };
        match course.follow(&self.container, ask, &mut self.published, self.grace_s, output, stop).await? {
            End::Done(done) => {
                for path in &done.removed {
                    self.published.remove(path);
                }
                Ok(course.done(*done))
            }
            End::Lost => {
                course.restarted = true;
                Ok(course.cut_off(StepStatus::Crashed, "what keeps the kernel was ended"))
            }
            End::GivenUp(status, reason) => {
                self.give_up("a step could not be ended").await;
                Ok(course.cut_off(status, reason))
            }
        }
    }

    async fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        max_bytes: u64,
        fetched: &mut (dyn FnMut(usize, Result<u64, SandboxError>) + Send),
    ) -> Result<(), SandboxError> {
        let mut left = max_bytes;
        for (at, Wanted { path, to }) in wanted.iter().enumerate() {
            let size = self.take_out(path, to, left).await;
            match size {
                Err(error) if !error.is_of_one_file() => return Err(error),
                size => {
                    left -= size.as_ref().copied().unwrap_or_default();
                    fetched(at, size);
                }
            }
        }
        Ok(())
    }

    async fn write(&mut self, path: &str, content: &[u8]) -> Result<(), SandboxError> {
        check_relative_path(path)?;
        let trouble = |reason: &str| SandboxError::File { path: path.into(), reason: reason.into() };
        if !["output/", "work/"].iter().any(|place| path.starts_with(place)) {
            return Err(trouble("it is neither in output/ nor in work/"));
        }
        self.still_there()?;
        let mut written = Err(trouble("the provider's interpreter ended before it was written"));
        for (event, _) in exchange(&self.container, frame(&Command::Write { path }, content)?).await?.events {
            match event {
                Event::Written { error: None } => written = Ok(()),
                Event::Written { error: Some(reason) } => written = Err(trouble(&plain(&reason, 200))),
                Event::KernelLost | Event::Ready { .. } => self.kernel_lost = true,
                other => return Err(unexpected(&other)),
            }
        }
        written
    }

    async fn close(mut self: Box<Self>) -> Result<(), SandboxError> {
        delete(&mut self.container).await
    }
}

/// Ends a while after the stop: what is on its way then is given up.
async fn overdue(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(STOP_GRACE).await;
}
