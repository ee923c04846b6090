//! One step in a provider's container, followed to its end.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::container::{Container, frame};
use crate::error::SandboxError;
use crate::kernel_session::{Collector, outcome};
use crate::link::unexpected;
use crate::manifest::check_relative_path;
use crate::protocol::{Command, Done, Event};
use crate::runtime::{OutputChunk, RefusedFile, Step, StepError, StepOutcome, StepStatus, StreamName};
use crate::text::printable;

/// How long after its own limits a step may go on before its container is given up: the kernel may warm up for a
/// minute, and the model that runs the line takes its time.
const SLACK: Duration = Duration::from_mins(3);
/// How long a stop may take to reach the code before its container is given up.
const STOP_LIMIT: Duration = Duration::from_secs(30);
/// Bytes of a stream's beginning and of its end, as the supervisor sends them (`sandbox/runner.py`).
const HEAD_BYTES: usize = 48 << 10;
const TAIL_BYTES: usize = 16 << 10;
/// Files that are named of one step, and entries that are refused.
const MAX_FILES: usize = 2000;
/// Changes of tables that are told of one step.
const MAX_CHANGES: usize = 50;
/// The longest text of an error, in characters.
const TEXT_LIMIT: usize = 8000;

/// A step on its way.
pub(super) struct Course<'a> {
    step: &'a Step,
    pub(super) streams: [Collector; 2],
    /// Bytes of each that are still taken.
    room: [usize; 2],
    started: Instant,
    /// True when a new kernel has taken the place of the one that had the variables.
    pub(super) restarted: bool,
}

/// How a course ended.
pub(super) enum End {
    Done(Box<Done>),
    /// The supervisor was replaced while the step ran.
    Lost,
    /// The container has to be given up, and all that is in it.
    GivenUp(StepStatus, &'static str),
}

impl<'a> Course<'a> {
    pub(super) fn new(step: &'a Step) -> Self {
        let streams = [StreamName::Stdout, StreamName::Stderr].map(|name| Collector::new(step.number, name));
        Self { step, streams, room: [HEAD_BYTES; 2], started: Instant::now(), restarted: false }
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
            let answer = answer?;
            published.extend(answer.published);
            for (event, body) in answer.events {
                if let Some(done) = self.take(event, &body, output)? {
                    return Ok(End::Done(done));
                }
            }
            if !answer.busy {
                return Ok(End::Lost);
            }
            ask = container.submit(frame(&Command::Alive, &[])?).await?;
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
                let room = &mut self.room[stream as usize];
                let body = &body[..body.len().min(*room)];
                *room -= body.len();
                self.streams[stream as usize].take(body, output);
            }
            Event::OutputEnd { step, stream, skipped, full_text } if step == number => {
                let tail = &body[body.len().saturating_sub(TAIL_BYTES)..];
                let full_text = full_text.filter(|path| is_of_the_workspace(path));
                self.streams[stream as usize].finish(tail, skipped, full_text, output);
            }
            Event::Done(done) if done.step == number => return Ok(Some(Box::new(believable(*done)))),
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
            restarted: false,
            tables: Vec::new(),
        };
        self.done(done)
    }
}

/// What a supervisor says, in the form and size that it has when nobody has taken its place: the code can, for both
/// are processes of one user there.
fn believable(mut done: Done) -> Done {
    done.message = done.message.map(|text| plain(&text, 200));
    done.error = done.error.map(|error| StepError {
        kind: plain(&error.kind, 200),
        message: plain(&error.message, TEXT_LIMIT),
        traceback: plain(&error.traceback, TEXT_LIMIT),
        line: error.line,
        advice: error.advice.map(|text| plain(&text, 1000)),
    });
    done.changed.retain(|file| is_of_the_workspace(&file.path));
    done.changed.truncate(MAX_FILES);
    done.removed.retain(|path| is_of_the_workspace(path));
    done.removed.truncate(MAX_FILES);
    done.refused.truncate(MAX_FILES);
    for file in &mut done.refused {
        *file = RefusedFile { path: plain(&file.path, 1024), reason: plain(&file.reason, 200) };
    }
    done.tables.truncate(MAX_CHANGES);
    done
}

fn is_of_the_workspace(path: &str) -> bool {
    check_relative_path(path).is_ok() && (path.starts_with("output/") || path.starts_with("work/"))
}

/// The beginning of a text, safe to show.
pub(super) fn plain(text: &str, most: usize) -> String {
    printable(text.as_bytes()).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::runtime::Action;

    #[test]
    fn what_harmful_code_says_in_the_supervisors_place_is_cut_to_its_form() {
        let file = |path: &str| json!({"path": path, "size": 1, "new": true});
        let mut changed = vec![file("../x"), file("/etc/passwd"), file("input/a.csv"), file("output/a\nb")];
        changed.extend((0..3000).map(|number| file(&format!("output/{number}"))));
        let said = json!({
            "step": 1, "status": "error", "duration_ms": 1.0, "exit_code": null, "message": "\u{1b}[31mred",
            "error": {"kind": "E\u{0}", "message": "m".repeat(1 << 20), "traceback": "t", "line": 1},
            "changed": changed, "removed": ["work/../../x", "work/gone"],
            "refused": [{"path": "output/\u{202e}x", "reason": "r"}], "restarted": false, "tables": [],
        });
        let done = believable(serde_json::from_value(said).unwrap());
        assert_eq!(done.message.as_deref(), Some("red"));
        let error = done.error.unwrap();
        assert_eq!((error.kind.as_str(), error.message.len()), ("E\u{fffd}", TEXT_LIMIT));
        assert_eq!((done.changed.len(), done.changed[0].path.as_str()), (MAX_FILES, "output/0"));
        assert_eq!(done.removed, ["work/gone"]);
        assert_eq!(done.refused[0].path, "output/\u{fffd}x");
    }

    #[test]
    fn no_stream_is_longer_than_a_supervisor_makes_it() {
        let step = Step { number: 1, action: Action::Python { code: String::new() }, limit_s: 1.0 };
        let mut course = Course::new(&step);
        let mut shown = 0;
        let mut output = |chunk: OutputChunk| shown += chunk.text.len();
        for _ in 0..5 {
            let event = Event::Output { step: 1, stream: StreamName::Stdout };
            assert!(course.take(event, &vec![b'x'; 30_000], &mut output).unwrap().is_none());
        }
        let full_text = Some("../../etc/passwd".into());
        let event = Event::OutputEnd { step: 1, stream: StreamName::Stdout, skipped: 9, full_text };
        course.take(event, &vec![b'y'; 30_000], &mut output).unwrap();
        let [stdout, _] = course.streams;
        assert_eq!((stdout.captured.head.len(), stdout.captured.tail.len()), (HEAD_BYTES, TAIL_BYTES));
        assert_eq!((stdout.captured.full_text, shown), (None, HEAD_BYTES));
    }
}
