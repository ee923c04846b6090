//! A session that is carried by a supervisor, whatever encloses it.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::error::SandboxError;
use crate::incoming::Incoming;
use crate::link::{Link, unexpected};
use crate::manifest::check_relative_path;
use crate::protocol::{Command, Done, Event, VerifyEntry};
use crate::runtime::{
    Action, Captured, Inventory, OutputChunk, Session, SessionFacts, Staging, Step, StepOutcome, StepStatus,
    StreamName, Wanted,
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
/// How long after a stop and its grace a supervisor may take to say that the step has ended.
const STOP_SLACK: Duration = Duration::from_secs(5);
/// A request that needs no code to run is answered within this time, each piece of a file too.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);
/// The same for comparing the inputs, which reads all of them.
const VERIFY_LIMIT: Duration = Duration::from_mins(10);

/// Files that are asked for at once.
const FILES_OF_A_REQUEST: usize = 64;

/// What holds the supervisor: a container, or a process.
#[async_trait]
pub(crate) trait Enclosure: Send {
    /// Whether it ended as a whole, its supervisor included, because its memory was used up.
    async fn ran_out_of_memory(&mut self) -> bool {
        false
    }

    /// Waits until it is gone, for its supervisor was asked to end; ends it by force where it stays.
    async fn close(self: Box<Self>) -> Result<(), SandboxError>;
}

pub(crate) struct KernelSession {
    link: Link,
    enclosure: Box<dyn Enclosure>,
    facts: SessionFacts,
    memory_limit_bytes: Option<u64>,
    grace_s: f64,
    /// The kernel has ended since the last step, which the next one tells.
    kernel_lost: bool,
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
            gaps: Vec::new(),
        };
        Self { link, enclosure, facts, memory_limit_bytes: None, grace_s, kernel_lost: false }
    }

    /// The same, with what its runtime cannot hold of the policy.
    pub(crate) fn with_gaps(mut self, gaps: Vec<String>) -> Self {
        self.facts.gaps = gaps;
        self
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
        match self.link.next_within(VERIFY_LIMIT).await? {
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
        match self.link.next_within(ANSWER_LIMIT).await? {
            (Event::Inventory { python, packages, memory_limit_bytes }, _) => {
                self.memory_limit_bytes = memory_limit_bytes;
                self.facts.inventory = Inventory { python, packages };
                Ok(())
            }
            (other, _) => Err(unexpected(&other)),
        }
    }

    /// Whether the system lets the sandbox have more memory than that. Some engines take a limit and forget it.
    pub(crate) fn may_use_more_than(&self, memory_mib: u64) -> bool {
        self.memory_limit_bytes.is_some_and(|limit| limit >> 20 > memory_mib)
    }

    /// Asks for files in groups, so that the answers need not wait for further requests. The supervisor has read a
    /// request to its end before it answers, so neither side can wait for the other with its pipe full.
    async fn take_out(
        &mut self,
        wanted: &[Wanted],
        max_bytes: u64,
        fetched: &mut (dyn FnMut(usize, Result<u64, SandboxError>) + Send),
    ) -> Result<(), SandboxError> {
        let mut left = max_bytes;
        for (group, files) in wanted.chunks(FILES_OF_A_REQUEST).enumerate() {
            let paths = files.iter().map(|file| file.path.as_str());
            let paths: Vec<&str> = paths.filter(|path| check_relative_path(path).is_ok()).collect();
            self.link.send(&Command::Read { paths: &paths, max_bytes: left }).await?;
            for (at, file) in (group * FILES_OF_A_REQUEST..).zip(files) {
                let size = match check_relative_path(&file.path) {
                    Ok(()) => self.take_file(file, left).await?,
                    Err(error) => Err(error.into()),
                };
                left -= size.as_ref().copied().unwrap_or_default();
                fetched(at, size);
            }
        }
        Ok(())
    }

    /// Takes a file that was asked for. The error within the result is the file's own, not one of the session.
    async fn take_file(
        &mut self,
        wanted: &Wanted,
        max_bytes: u64,
    ) -> Result<Result<u64, SandboxError>, SandboxError> {
        let mut incoming = Incoming::new(&wanted.to);
        loop {
            let (event, bytes) = self.link.next_within(ANSWER_LIMIT).await?;
            if incoming.size() + bytes.len() as u64 > max_bytes {
                return Err(SandboxError::Protocol("a file longer than was asked for".into()));
            }
            match event {
                Event::Chunk => incoming.take(&bytes).await,
                Event::ReadEnd { error: None } => {
                    return Ok(incoming.finish(bytes).await.map_err(Into::into));
                }
                Event::ReadEnd { error: Some(reason) } => {
                    incoming.abandon().await;
                    return Ok(Err(SandboxError::File { path: wanted.path.clone(), reason }));
                }
                Event::KernelLost => self.kernel_lost = true,
                other => return Err(unexpected(&other)),
            }
        }
    }

    async fn wait_for_step(
        &mut self,
        step: &Step,
        streams: &mut [Collector; 2],
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<(Done, bool), SandboxError> {
        let mut interrupted = false;
        let limit = Duration::from_secs_f64(step.limit_s + self.grace_s * 2.0) + SUPERVISOR_SLACK;
        let deadline = tokio::time::sleep(limit);
        tokio::pin!(deadline);
        loop {
            let (event, body) = tokio::select! {
                biased;
                () = stop.cancelled(), if !interrupted => {
                    interrupted = true;
                    let limit = Duration::from_secs_f64(self.grace_s * 2.0) + STOP_SLACK;
                    deadline.as_mut().reset(tokio::time::Instant::now() + limit);
                    self.link.send(&Command::Interrupt { step: step.number }).await?;
                    continue;
                }
                event = self.link.next() => event?,
                () = &mut deadline => return Err(self.link.give_up()),
            };
            match event {
                Event::Output { step: number, stream } if number == step.number => {
                    streams[stream as usize].take(&body, output);
                }
                Event::OutputEnd { step: number, stream, skipped, full_text } if number == step.number => {
                    streams[stream as usize].finish(&body, skipped, full_text, output);
                }
                Event::Done(done) if done.step == step.number => {
                    return Ok((*done, std::mem::take(&mut self.kernel_lost)));
                }
                Event::KernelLost => self.kernel_lost = true,
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
        let begun = tokio::time::Instant::now();
        let mut streams = [
            Collector::new(step.number, StreamName::Stdout),
            Collector::new(step.number, StreamName::Stderr),
        ];
        self.link.send(&request).await?;
        let ended = self.wait_for_step(step, &mut streams, output, stop).await;
        let [stdout, stderr] = streams.map(|stream| stream.captured);
        match ended {
            Ok((done, restarted_before)) => Ok(outcome(done, stdout, stderr, restarted_before)),
            Err(SandboxError::Vanished(_)) if self.enclosure.ran_out_of_memory().await => {
                Err(SandboxError::OutOfMemory(Box::new(StepOutcome {
                    step: step.number,
                    status: StepStatus::OutOfMemory,
                    duration_ms: begun.elapsed().as_secs_f64() * 1000.0,
                    stdout,
                    stderr,
                    error: None,
                    exit_code: None,
                    message: None,
                    changed: Vec::new(),
                    removed: Vec::new(),
                    refused: Vec::new(),
                    restarted: false,
                    tables: Vec::new(),
                })))
            }
            Err(error) => Err(error),
        }
    }

    async fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        max_bytes: u64,
        fetched: &mut (dyn FnMut(usize, Result<u64, SandboxError>) + Send),
    ) -> Result<(), SandboxError> {
        let taken = self.take_out(wanted, max_bytes, fetched).await;
        if taken.is_err() {
            // What is still on its way must not be taken for the answer to another request.
            self.link.give_up();
        }
        taken
    }

    async fn write(&mut self, path: &str, content: &[u8]) -> Result<(), SandboxError> {
        check_relative_path(path)?;
        self.link.send_with(&Command::Write { path }, content).await?;
        loop {
            match self.link.next_within(ANSWER_LIMIT).await? {
                (Event::Written { error: None }, _) => return Ok(()),
                (Event::Written { error: Some(reason) }, _) => {
                    return Err(SandboxError::File { path: path.into(), reason });
                }
                (Event::KernelLost, _) => self.kernel_lost = true,
                (other, _) => return Err(unexpected(&other)),
            }
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
