//! The connection to a supervisor: commands in, events out, whatever carries the bytes.

use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use serde::Serialize;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::error::SandboxError;
use crate::frame::{FrameDecoder, encode_frame};
use crate::policy::Policy;
use crate::protocol::{Command, Event};

/// The sources that the sandbox is started with, so that any image with Python 3.9 or newer will do: the
/// supervisor's modules and those that it shares with the kernel, each after those that it imports. Each knows its
/// own source, from which a further process can be started.
const MODULES: [(&str, &str); 8] = [
    ("assay_changes", include_str!("../../../../sandbox/changes.py")),
    ("assay_frames", include_str!("../../../../sandbox/frames.py")),
    ("assay_workspace", include_str!("../../../../sandbox/workspace.py")),
    ("assay_draw", include_str!("../../../../sandbox/draw.py")),
    ("assay_charts", include_str!("../../../../sandbox/charts.py")),
    ("assay_processes", include_str!("../../../../sandbox/processes.py")),
    ("assay_quota", include_str!("../../../../sandbox/quota.py")),
    ("assay_runner", include_str!("../../../../sandbox/runner.py")),
];
/// The modules of the kernel, in the same order.
const KERNEL: [(&str, &str); 4] = [
    ("assay_advice", include_str!("../../../../sandbox/advice.py")),
    ("assay_sites", include_str!("../../../../sandbox/sites.py")),
    ("assay_tables", include_str!("../../../../sandbox/tables.py")),
    ("assay_kernel", include_str!("../../../../sandbox/kernel.py")),
];

/// The modules of the kernel with those that they import, in the order in which they are loaded, for whoever runs
/// steps again without a sandbox of this crate.
pub fn kernel_modules() -> Vec<(&'static str, &'static str)> {
    let shared = ["assay_frames", "assay_workspace", "assay_draw", "assay_charts"];
    let shared = MODULES.into_iter().filter(|(name, _)| shared.contains(name));
    shared.chain(KERNEL).collect()
}

/// All sources as a supervisor is sent them.
pub(crate) fn sources() -> String {
    serde_json::json!({ "modules": MODULES, "kernel": KERNEL }).to_string()
}

/// Reads the sources from descriptor 0 and starts the supervisor. Passed as `python3 -c`.
pub(crate) const BOOTSTRAP: &str = "\
import json, os, sys, types
def take(count):
    data = b''
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            os._exit(0)
        data += part
    return data
sources = json.loads(take(int(take(8), 16)))
sys.path[:] = [path for path in sys.path if path]
for name, source in sources['modules']:
    module = sys.modules[name] = types.ModuleType(name)
    module.__source__ = source
    exec(compile(source, f'<{name}>', 'exec'), module.__dict__)
module.main(sources['kernel'])
";

/// A supervisor that has said nothing for this long after it was started is not going to.
const READY_LIMIT: Duration = Duration::from_secs(30);
/// So often within its limit of silence the supervisor hears that its host still lives.
const WORDS_WITHIN_LIMIT: f64 = 10.0;
/// Events that may wait to be read; a file is read in chunks of at most 256 KiB.
const WAITING_EVENTS: usize = 128;

/// What comes out of the sandbox's standard output, or a line of its standard error.
pub(crate) enum Bytes {
    Events(bytes::Bytes),
    Complaint(String),
}

pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, SandboxError>> + Send>>;
pub(crate) type ByteSink = Pin<Box<dyn AsyncWrite + Send>>;

/// An event with its raw bytes.
pub(crate) type Arrived = (Event, Vec<u8>);

pub(crate) struct Link {
    commands: mpsc::Sender<Vec<u8>>,
    events: mpsc::Receiver<Result<Arrived, SandboxError>>,
    tasks: [JoinHandle<()>; 2],
}

impl Link {
    /// Sends the sources and waits for the supervisor's first word. Returns the link and Python's version.
    pub(crate) async fn start(
        input: ByteSink,
        output: ByteStream,
        policy: &Policy,
    ) -> Result<(Self, String), SandboxError> {
        let (grace_s, silence_limit_s) = (policy.interrupt_grace_s, policy.silence_limit_s);
        let heartbeat = Duration::from_secs_f64(silence_limit_s / WORDS_WITHIN_LIMIT);
        let (commands, waiting) = mpsc::channel(16);
        let (found, events) = mpsc::channel(WAITING_EVENTS);
        let tasks = [
            tokio::spawn(write_commands(input, waiting, heartbeat)),
            tokio::spawn(read_events(output, found)),
        ];
        let mut link = Self { commands, events, tasks };
        let sources = sources();
        link.send_bytes(format!("{:08x}{sources}", sources.len()).into_bytes()).await?;
        link.send(&Command::Hello { grace_s, silence_limit_s }).await?;
        match tokio::time::timeout(READY_LIMIT, link.next()).await {
            Ok(Ok((Event::Ready { python }, _))) => Ok((link, python)),
            Ok(Ok((other, _))) => Err(unexpected(&other)),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(SandboxError::Vanished("it did not start within 30 seconds".into())),
        }
    }

    pub(crate) async fn send(&self, command: &Command<'_>) -> Result<(), SandboxError> {
        self.send_with(command, &[]).await
    }

    pub(crate) async fn send_with(&self, command: &impl Serialize, body: &[u8]) -> Result<(), SandboxError> {
        let frame = encode_frame(command, body).map_err(|error| SandboxError::Protocol(error.to_string()))?;
        self.send_bytes(frame).await
    }

    async fn send_bytes(&self, bytes: Vec<u8>) -> Result<(), SandboxError> {
        self.commands.send(bytes).await.map_err(|_| SandboxError::Vanished("its input is closed".into()))
    }

    /// Tells the supervisor to end. Nobody waits until it hears that, or learns whether it does.
    pub(crate) fn ask_to_end(&self) {
        let frame = encode_frame(&Command::Close, &[]).unwrap_or_default();
        let _ = self.commands.try_send(frame);
    }

    /// The next event, which must come within `limit`: a supervisor that is silent for longer is given up.
    pub(crate) async fn next_within(&mut self, limit: Duration) -> Result<Arrived, SandboxError> {
        match tokio::time::timeout(limit, self.next()).await {
            Ok(arrived) => arrived,
            Err(_) => Err(self.give_up()),
        }
    }

    /// Takes the supervisor for lost: whatever is asked of it from here on fails at once.
    pub(crate) fn give_up(&mut self) -> SandboxError {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.events.close();
        while self.events.try_recv().is_ok() {}
        SandboxError::Vanished("it no longer answers".into())
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Result<Arrived, SandboxError> {
        self.events.recv().await.unwrap_or_else(|| Err(SandboxError::Vanished("its output has ended".into())))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// An event that has no business here.
pub(crate) fn unexpected(event: &Event) -> SandboxError {
    let name = format!("{event:?}");
    let name = name.split([' ', '(', '{']).next().unwrap_or_default();
    SandboxError::Protocol(format!("{name} was not expected"))
}

async fn write_commands(mut input: ByteSink, mut waiting: mpsc::Receiver<Vec<u8>>, heartbeat: Duration) {
    let alive = encode_frame(&Command::Alive, &[]).unwrap_or_default();
    loop {
        let bytes = match tokio::time::timeout(heartbeat, waiting.recv()).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return,
            Err(_) => alive.clone(),
        };
        if input.write_all(&bytes).await.is_err() || input.flush().await.is_err() {
            return;
        }
    }
}

async fn read_events(mut output: ByteStream, found: mpsc::Sender<Result<Arrived, SandboxError>>) {
    let mut decoder = FrameDecoder::default();
    let mut complaint = String::new();
    while let Some(item) = output.next().await {
        match item {
            Ok(Bytes::Events(bytes)) => decoder.push(&bytes),
            Ok(Bytes::Complaint(text)) => {
                complaint.push_str(&text);
                complaint.truncate(complaint.floor_char_boundary(2000));
            }
            Err(error) => {
                let _ = found.send(Err(error)).await;
                return;
            }
        }
        loop {
            let event = match decoder.next_frame() {
                Ok(None) => break,
                Ok(Some(frame)) => serde_json::from_value(frame.message)
                    .map(|event| (event, frame.body))
                    .map_err(|error| SandboxError::Protocol(error.to_string())),
                Err(error) => Err(SandboxError::Protocol(error.to_string())),
            };
            let broken = event.is_err();
            if found.send(event).await.is_err() || broken {
                return;
            }
        }
    }
    let last_words = complaint.trim().lines().last().unwrap_or("its output has ended").to_owned();
    let _ = found.send(Err(SandboxError::Vanished(last_words))).await;
}
