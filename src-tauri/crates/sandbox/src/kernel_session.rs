//! A session that is carried by a supervisor, whatever encloses it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use crate::error::SandboxError;
use crate::link::{Link, unexpected};
use crate::manifest::check_relative_path;
use crate::protocol::{Command, Done, Event, VerifyEntry};
use crate::runtime::{
    Action, Captured, Inventory, OutputChunk, Session, SessionFacts, Staging, Step, StepOutcome, StreamName,
};
use crate::table_change::TableChange;
use crate::text::PrintableStream;

/// Distributions whose versions are worth telling the model.
pub(crate) const KNOWN_PACKAGES: [&str; 11] = [
    "numpy",
    "pandas",
    "scipy",
    "matplotlib",
    "seaborn",
    "statsmodels",
    "scikit-learn",
    "pyarrow",
    "openpyxl",
    "duckdb",
    "altair",
];

/// Imported in the kernel while the model thinks, because nearly every analysis begins with them.
pub(crate) const WARM_MODULES: [&str; 2] = ["pandas", "matplotlib.pyplot"];

/// How long after its own limits a step may still go on before the supervisor itself is given up: the
/// supervisor allows a kernel 60 seconds to warm up before the first step.
const SUPERVISOR_SLACK: Duration = Duration::from_secs(75);

/// What holds the supervisor: a container, or a process.
#[async_trait]
pub(crate) trait Enclosure: Send {
    /// Waits until it is gone, for its supervisor was asked to end; ends it by force where it stays.
    async fn close(self: Box<Self>) -> Result<(), SandboxError>;
}

pub(crate) struct KernelSession {
    link: Link,
    enclosure: Box<dyn Enclosure>,
    facts: SessionFacts,
    grace_s: f64,
}

impl KernelSession {
    pub(crate) fn new(
        link: Link,
        enclosure: Box<dyn Enclosure>,
        runtime: &str,
        image: String,
        python: String,
        grace_s: f64,
    ) -> Self {
        let facts = SessionFacts {
            runtime: runtime.into(),
            image,
            staging: Staging::Mounted,
            inventory: Inventory { python, packages: BTreeMap::new() },
            input_hashes: BTreeMap::new(),
        };
        Self { link, enclosure, facts, grace_s }
    }

    /// Compares the inputs inside with what was staged; the first difference, if any.
    pub(crate) async fn verify(
        &mut self,
        entries: &[VerifyEntry],
        staging: Staging,
    ) -> Result<(), SandboxError> {
        self.facts.staging = staging;
        let hashes = entries.iter().filter_map(|entry| Some((entry.path.clone(), entry.sha256.clone()?)));
        self.facts.input_hashes = hashes.collect();
        self.link.send(&Command::Verify { entries }).await?;
        match self.link.next().await? {
            (Event::Verified { failures }, _) => match failures.into_iter().next() {
                None => Ok(()),
                Some(failure) => Err(SandboxError::Staging { path: failure.path, reason: failure.reason }),
            },
            (other, _) => Err(unexpected(&other)),
        }
    }

    /// Asks what is installed, and lets the kernel import the usual packages while nobody waits.
    pub(crate) async fn settle(&mut self) -> Result<(), SandboxError> {
        self.link.send(&Command::Warm { modules: &WARM_MODULES }).await?;
        self.link.send(&Command::Inventory { packages: &KNOWN_PACKAGES }).await?;
        match self.link.next().await? {
            (Event::Inventory { python, packages }, _) => {
                self.facts.inventory = Inventory { python, packages };
                Ok(())
            }
            (other, _) => Err(unexpected(&other)),
        }
    }

    async fn wait_for_step(
        &mut self,
        step: &Step,
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError> {
        let mut streams = [
            Collector::new(step.number, StreamName::Stdout),
            Collector::new(step.number, StreamName::Stderr),
        ];
        let mut interrupted = false;
        let mut restarted_before = false;
        let limit = Duration::from_secs_f64(step.limit_s + self.grace_s * 2.0) + SUPERVISOR_SLACK;
        let deadline = tokio::time::sleep(limit);
        tokio::pin!(deadline);
        loop {
            let (event, body) = tokio::select! {
                biased;
                () = stop.cancelled(), if !interrupted => {
                    interrupted = true;
                    self.link.send(&Command::Interrupt { step: step.number }).await?;
                    continue;
                }
                event = self.link.next() => event?,
                () = &mut deadline => {
                    return Err(SandboxError::Vanished("it no longer answers".into()));
                }
            };
            match event {
                Event::Output { step: number, stream } if number == step.number => {
                    streams[stream as usize].take(&body, output);
                }
                Event::OutputEnd { step: number, stream, skipped, full_text } if number == step.number => {
                    streams[stream as usize].finish(&body, skipped, full_text, output);
                }
                Event::Done(done) if done.step == step.number => {
                    let [stdout, stderr] = streams;
                    return Ok(outcome(*done, stdout.captured, stderr.captured, restarted_before));
                }
                Event::KernelLost => restarted_before = true,
                other => return Err(unexpected(&other)),
            }
        }
    }
}

#[async_trait]
impl Session for KernelSession {
    fn facts(&self) -> &SessionFacts {
        &self.facts
    }

    async fn run(
        &mut self,
        step: &Step,
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError> {
        let request = match &step.action {
            Action::Python { code } => Command::Python { step: step.number, code, limit_s: step.limit_s },
            Action::Shell { command } => Command::Shell { step: step.number, command, limit_s: step.limit_s },
        };
        self.link.send(&request).await?;
        self.wait_for_step(step, output, stop).await
    }

    async fn fetch(&mut self, path: &str, to: &Path, max_bytes: u64) -> Result<u64, SandboxError> {
        check_relative_path(path)?;
        let trouble = |reason: String| SandboxError::File { path: path.into(), reason };
        let mut file = File::create(to).await?;
        self.link.send(&Command::Read { path, max_bytes }).await?;
        let mut size = 0u64;
        let mut disk = Ok(());
        loop {
            match self.link.next().await? {
                (Event::Chunk, bytes) => {
                    size += bytes.len() as u64;
                    if size > max_bytes {
                        return Err(SandboxError::Protocol("a file longer than was asked for".into()));
                    }
                    if disk.is_ok() {
                        disk = file.write_all(&bytes).await;
                    }
                }
                (Event::ReadEnd { error: None }, _) => break,
                (Event::ReadEnd { error: Some(reason) }, _) => return Err(trouble(reason)),
                (Event::KernelLost, _) => {}
                (other, _) => return Err(unexpected(&other)),
            }
        }
        disk?;
        file.flush().await?;
        Ok(size)
    }

    async fn write(&mut self, path: &str, content: &[u8]) -> Result<(), SandboxError> {
        check_relative_path(path)?;
        self.link.send_with(&Command::Write { path }, content).await?;
        match self.link.next().await? {
            (Event::Written { error: None }, _) => Ok(()),
            (Event::Written { error: Some(reason) }, _) => {
                Err(SandboxError::File { path: path.into(), reason })
            }
            (other, _) => Err(unexpected(&other)),
        }
    }

    async fn close(self: Box<Self>) -> Result<(), SandboxError> {
        let Self { link, enclosure, .. } = *self;
        // What ends by itself is gone sooner than what has to be killed.
        link.ask_to_end();
        let closed = enclosure.close().await;
        drop(link);
        closed
    }
}

pub(crate) fn outcome(done: Done, stdout: Captured, stderr: Captured, restarted_before: bool) -> StepOutcome {
    StepOutcome {
        step: done.step,
        status: done.status,
        duration_ms: done.duration_ms,
        stdout,
        stderr,
        error: done.error,
        exit_code: done.exit_code,
        message: done.message,
        changed: done.changed,
        removed: done.removed,
        refused: done.refused,
        restarted: done.restarted || restarted_before,
        tables: done.tables.into_iter().map(TableChange::made_printable).collect(),
    }
}

/// Gathers one stream of a step.
pub(crate) struct Collector {
    step: u32,
    stream: StreamName,
    decoder: PrintableStream,
    pub(crate) captured: Captured,
}

impl Collector {
    pub(crate) fn new(step: u32, stream: StreamName) -> Self {
        Self { step, stream, decoder: PrintableStream::default(), captured: Captured::default() }
    }

    pub(crate) fn take(&mut self, bytes: &[u8], output: &mut (dyn FnMut(OutputChunk) + Send)) {
        let text = self.decoder.push(bytes);
        self.show(text, output);
    }

    fn show(&mut self, text: String, output: &mut (dyn FnMut(OutputChunk) + Send)) {
        if !text.is_empty() {
            self.captured.head.push_str(&text);
            output(OutputChunk { step: self.step, stream: self.stream, text });
        }
    }

    pub(crate) fn finish(
        &mut self,
        tail: &[u8],
        skipped_bytes: u64,
        full_text: Option<String>,
        output: &mut (dyn FnMut(OutputChunk) + Send),
    ) {
        let rest = self.decoder.finish();
        self.show(rest, output);
        self.captured.tail = crate::text::printable(tail);
        self.captured.skipped_bytes = skipped_bytes;
        self.captured.full_text = full_text;
    }
}
