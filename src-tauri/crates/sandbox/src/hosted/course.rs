//! One step in a provider's container, followed to its end.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::container::{Container, frame};
use super::error::HostedError;
use crate::error::SandboxError;
use crate::kernel_session::{Collector, outcome};
use crate::link::unexpected;
use crate::protocol::{Command, Done, Event};
use crate::runtime::{OutputChunk, Step, StepOutcome, StepStatus, StreamName};

/// How long after its own limits a step may go on before its container is given up: the kernel may warm up for a
/// minute, and the model that runs the line takes its time.
const SLACK: Duration = Duration::from_mins(3);
/// How long a stop may take to reach the code before its container is given up.
const STOP_LIMIT: Duration = Duration::from_secs(30);
/// A step on its way.
pub(super) struct Course<'a> {
    step: &'a Step,
    pub(super) streams: [Collector; 2],
    started: Instant,
    /// True when variables of earlier steps are gone.
    pub(super) restarted: bool,
}

/// How a course ended.
pub(super) enum End {
    Done(Box<Done>),
    /// The supervisor was replaced while the step ran.
    Lost,
    /// The container has to be given up.
    GivenUp(StepStatus, &'static str),
}

impl<'a> Course<'a> {
    pub(super) fn new(step: &'a Step) -> Self {
        let streams = [StreamName::Stdout, StreamName::Stderr].map(|name| Collector::new(step.number, name));
        Self { step, streams, started: Instant::now(), restarted: false }
    }

    /// Follows the step to its end, ask by ask.
    pub(super) async fn follow(
        &mut self,
        container: &Container,
        mut ask: u64,
        published: &mut BTreeMap<String, String>,
        grace_s: f64,
        output: &mut (dyn FnMut(OutputChunk) + Send),
        stop: &CancellationToken,
    ) -> Result<End, SandboxError> {
        let limit = Duration::from_secs_f64(self.step.limit_s + grace_s * 2.0) + SLACK;
        let mut deadline = self.started + limit;
        let mut stopped = false;
        loop {
            let answering = container.answer(ask);
            tokio::pin!(answering);
            let answer = loop {
                tokio::select! {
                    biased;
                    () = stop.cancelled(), if !stopped => {
                        stopped = true;
                        deadline = deadline.min(Instant::now() + STOP_LIMIT);
                        let interrupt = frame(&Command::Interrupt { step: self.step.number }, &[])?;
                        // Where it is not taken, the deadline ends the step.
                        let _ = timeout_at(deadline, container.submit(interrupt)).await;
                    }
                    answer = timeout_at(deadline, &mut answering) => break answer,
                }
            };
            let Ok(answer) = answer else {
                return Ok(if stopped {
                    End::GivenUp(StepStatus::Interrupted, "it did not hear the stop")
                } else {
                    End::GivenUp(StepStatus::Timeout, "it did not end at its time limit")
                });
            };
            let answer = match answer {
                Err(SandboxError::Hosted(HostedError::Gone(reason))) => {
                    tracing::info!(reason, "the provider's container ended during a step");
                    return Ok(End::GivenUp(StepStatus::Crashed, "the provider ended its container"));
                }
                other => other?,
            };
            published.extend(answer.published);
            for (event, body) in answer.events {
                if let Some(done) = self.take(event, &body, output)? {
                    return Ok(End::Done(done));
                }
            }
            if !answer.busy {
                return Ok(End::Lost);
            }
            let alive = frame(&Command::Alive, &[])?;
            ask = match container.submit(alive).await {
                Err(HostedError::Gone(_)) => {
                    return Ok(End::GivenUp(StepStatus::Crashed, "the provider ended its container"));
                }
                other => other?,
            };
        }
    }

    /// Takes one event; the end of the step, if it is that.
    fn take(
        &mut self,
        event: Event,
        body: &[u8],
        output: &mut (dyn FnMut(OutputChunk) + Send),
    ) -> Result<Option<Box<Done>>, SandboxError> {
        let number = self.step.number;
        match event {
            Event::Output { step, stream } if step == number => {
                self.streams[stream as usize].take(body, output);
            }
            Event::OutputEnd { step, stream, skipped, full_text } if step == number => {
                self.streams[stream as usize].finish(body, skipped, full_text, output);
            }
            Event::Done(done) if done.step == number => return Ok(Some(done)),
            Event::KernelLost | Event::Ready { .. } => self.restarted = true,
            other => return Err(unexpected(&other)),
        }
        Ok(None)
    }

    /// The outcome of a step that has said how it ended.
    pub(super) fn done(self, done: Done) -> StepOutcome {
        let [stdout, stderr] = self.streams;
        outcome(done, stdout.captured, stderr.captured, self.restarted)
    }

    /// The outcome of a step that could not say it itself.
    pub(super) fn cut_off(self, status: StepStatus, reason: &str) -> StepOutcome {
        let done = Done {
            step: self.step.number,
            status,
            duration_ms: self.started.elapsed().as_secs_f64() * 1000.0,
            error: None,
            exit_code: None,
            message: Some(reason.to_owned()),
            changed: Vec::new(),
            removed: Vec::new(),
            refused: Vec::new(),
            restarted: true,
            tables: Vec::new(),
        };
        let [stdout, stderr] = self.streams;
        outcome(done, stdout.captured, stderr.captured, true)
    }
}
