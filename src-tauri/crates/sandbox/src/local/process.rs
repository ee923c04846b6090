//! The process of a sandbox: started, ended, waited for.

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::error::SandboxError;
use crate::kernel_session::Enclosure;

/// A supervisor that was asked to end takes less than this.
const ENDS_BY_ITSELF: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// A running sandbox. Dropped, it is killed.
pub(super) struct Process {
    /// How long it may take to end by itself; closed, it may not.
    ending: mpsc::Sender<Duration>,
    gone: oneshot::Receiver<Ending>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Success,
    Failure,
}

/// The pipes to a process.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

impl Process {
    /// Starts a sandbox; it takes `kept` along and drops it when it is gone.
    ///
    /// Bubblewrap ends with the thread that started it. So that thread does nothing else until then.
    pub(super) async fn start(
        mut command: Command,
        kept: impl Send + 'static,
    ) -> Result<(Self, Pipes), SandboxError> {
        let (ending, asked) = mpsc::channel();
        let (tell_gone, gone) = oneshot::channel();
        let (tell_started, started) = oneshot::channel();
        std::thread::Builder::new().name("sandbox".into()).spawn(move || {
            let child = command.spawn().and_then(|mut child| {
                let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
                match pipes {
                    (Some(input), Some(output), Some(complaints)) => Ok((child, (input, output, complaints))),
                    _ => Err(std::io::Error::other("no pipes")),
                }
            });
            let mut child = match child {
                Ok((child, pipes)) => {
                    let _ = tell_started.send(Ok(pipes));
                    child
                }
                Err(error) => {
                    let _ = tell_started.send(Err(error));
                    return;
                }
            };
            let patience = asked.recv().unwrap_or_default();
            let ending = end(&mut child, patience);
            drop(kept);
            let _ = tell_gone.send(ending);
        })?;
        let pipes = started.await.map_err(|error| SandboxError::Vanished(error.to_string()))??;
        Ok((Self { ending, gone }, pipes))
    }

    /// Waits for the end of what has closed its output; whether all went well.
    pub(super) async fn succeeded(self) -> bool {
        let _ = self.ending.send(ENDS_BY_ITSELF);
        self.gone.await == Ok(Ending::Success)
    }
}

/// Waits until the process has ended by itself; kills it after `patience`.
fn end(child: &mut Child, patience: Duration) -> Ending {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) if status.success() => return Ending::Success,
            _ => return Ending::Failure,
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    let _ = child.kill();
    let _ = child.wait();
    Ending::Failure
}

#[async_trait]
impl Enclosure for Process {
    async fn close(self: Box<Self>) -> Result<(), SandboxError> {
        let Self { ending, gone } = *self;
        let _ = ending.send(ENDS_BY_ITSELF);
        let _ = gone.await;
        Ok(())
    }
}
