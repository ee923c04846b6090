//! One container of a provider, and what is said with the code in it: asks go in as files, answers come out as
//! files, and in between the provider's model runs a line that is always the same (`sandbox/hosted.py`).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::api::{Api, Call};
use super::error::HostedError;
use crate::docker::stage;
use crate::error::SandboxError;
use crate::frame::{FrameDecoder, encode_frame};
use crate::link::{self, Arrived};
use crate::manifest::{Manifest, check_relative_path};
use crate::protocol::{Command, Event};

/// The longest answer that is read, in bytes; a longer file comes by its own way.
pub(super) const ANSWER_LIMIT: u64 = 96 << 20;
/// The largest file that is brought in an answer, in bytes.
pub(super) const READ_LIMIT: u64 = 64 << 20;
/// Bytes of an archive in one upload.
const PIECE_BYTES: u64 = 64 << 20;
/// The waits before a list is asked again for a file that should be in it.
const LIST_WAITS_MS: [u64; 4] = [0, 200, 600, 1500];
/// How often the model is asked to run the line of one ask.
const ASKED: usize = 2;

/// What came of an ask.
pub(super) struct Answer {
    pub(super) events: Vec<Arrived>,
    /// Whether what was asked for still goes on.
    pub(super) busy: bool,
    /// Changed artifacts: their path in the workspace -> where the provider has them.
    pub(super) published: BTreeMap<String, String>,
}

/// The last message of an answer.
#[derive(Deserialize)]
struct Answered {
    ask: u64,
    busy: bool,
    published: BTreeMap<String, String>,
}

/// A container of this process; deleted when it is closed, or dropped while there is still somebody to do it.
pub(super) struct Container {
    api: Arc<Api>,
    id: String,
    /// What the model is asked to run.
    line: String,
    /// Where the provider keeps the files.
    root: String,
    next: AtomicU64,
    deleted: bool,
}

impl Container {
    /// Makes a container, with the program that answers in it.
    pub(super) async fn create(
        api: &Arc<Api>,
        name: &str,
        memory: &str,
        grace_s: f64,
    ) -> Result<Self, SandboxError> {
        let id = api.create(name, memory).await?;
        let mut container = Self {
            api: api.clone(),
            id,
            line: String::new(),
            root: String::new(),
            next: AtomicU64::new(1),
            deleted: false,
        };
        let program = api.upload(&container.id, "assay.py", program(grace_s).into()).await?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
        let (root, _) = program
            .rsplit_once('/')
            .filter(|(root, _)| root.starts_with('/') && program.chars().all(is_plain))
            .ok_or_else(|| SandboxError::Protocol("the provider names a file in an odd way".into()))?;
        root.clone_into(&mut container.root);
        container.line = format!("exec(open(\"{program}\").read())");
        Ok(container)
    }

    /// Uploads the files of a manifest as one archive; the command that unpacks it into `input/`.
    pub(super) async fn stage(&self, manifest: &Manifest) -> Result<Vec<u8>, SandboxError> {
        let archive = tempfile::NamedTempFile::new()?;
        stage::archive(manifest, archive.reopen()?).await?;
        let mut file = tokio::fs::File::from_std(archive.reopen()?);
        let mut parts = 0;
        loop {
            let mut piece = Vec::new();
            (&mut file).take(PIECE_BYTES).read_to_end(&mut piece).await?;
            if piece.is_empty() {
                break;
            }
            self.api.upload(&self.id, &format!("assay-files-{parts}"), piece.into()).await?;
            parts += 1;
        }
        encode(&json!({ "op": "stage", "parts": parts }))
    }

    /// Leaves commands for the program, each a frame; the number of the ask.
    pub(super) async fn submit(&self, commands: Vec<u8>) -> Result<u64, HostedError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.api.upload(&self.id, &format!("assay-ask-{number}"), commands.into()).await?;
        Ok(number)
    }

    /// Lets the line run, and reads the answer to the ask. Running it again does no harm: an ask is taken once. An ask
    /// whose answer does not come is followed by another for the same answer. When the interpreter has ended
    /// meanwhile, that one is answered by a new one, which knows of nothing under way.
    pub(super) async fn answer(&self, mut ask: u64) -> Result<Answer, SandboxError> {
        let mut failure = HostedError::Unanswered("nothing was run".into());
        for _ in 0..ASKED {
            let calls = match self.api.run_line(&self.id, &self.line).await {
                Ok(calls) => calls,
                Err(error @ (HostedError::Gone(_) | HostedError::WrongKey { .. })) => {
                    return Err(error.into());
                }
                Err(error) => {
                    failure = error;
                    continue;
                }
            };
            if let Some(odd) = self.disobedience(&calls) {
                failure = HostedError::Disobeyed(odd);
                continue;
            }
            if let Some(response) = self.find(&format!("assay-answer-{ask}")).await? {
                return read_answer(response, ask).await;
            }
            failure = HostedError::Unanswered(said(&calls));
            ask = self.submit(encode(&json!({ "op": "repeat" }))?).await?;
        }
        Err(failure.into())
    }

    /// How what was run differs from what was asked for.
    fn disobedience(&self, calls: &[Call]) -> Option<String> {
        if calls.is_empty() {
            return Some("it ran nothing".into());
        }
        let is_other = |call: &&Call| {
            call.code.trim() != self.line || call.container.as_ref().is_some_and(|id| *id != self.id)
        };
        calls.iter().find(is_other).map(|call| {
            let code: String = call.code.chars().take(120).collect();
            format!("it ran `{}`", crate::text::printable(code.as_bytes()).replace('\n', " "))
        })
    }

    /// Copies a file that the program has published to a file of this computer; its size.
    pub(super) async fn copy(
        &self,
        name: &str,
        to: &Path,
        max_bytes: u64,
    ) -> Result<Option<u64>, SandboxError> {
        let Some(response) = self.find(name).await? else { return Ok(None) };
        let mut file = tokio::fs::File::create(to).await?;
        let mut size = 0;
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(broke_off)?;
            size += piece.len() as u64;
            if size > max_bytes {
                return Err(SandboxError::File { path: name.into(), reason: "it is too large".into() });
            }
            file.write_all(&piece).await?;
        }
        file.flush().await?;
        Ok(Some(size))
    }

    async fn find(&self, name: &str) -> Result<Option<Response>, HostedError> {
        let path = format!("{}/{name}", self.root);
        for wait in LIST_WAITS_MS {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            if let Some(row) = self.api.find(&self.id, &path).await? {
                return self.api.content(&self.id, &row.id).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Deletes it, once.
    pub(super) async fn delete(&mut self) -> Result<(), HostedError> {
        if !self.deleted {
            self.api.delete(&self.id).await?;
            self.deleted = true;
        }
        Ok(())
    }
}

impl Drop for Container {
    /// For the ways out that do not close. What is left then ends by itself after 20 minutes, or is swept.
    fn drop(&mut self) {
        if self.deleted {
            return;
        }
        let (api, id) = (self.api.clone(), self.id.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = api.delete(&id).await;
            });
        }
    }
}

/// The program with the sources that it starts a supervisor from, in ASCII whatever the container's locale is.
fn program(grace_s: f64) -> Vec<u8> {
    let text = format!(
        "BOOTSTRAP = {}\nSOURCES = {}\nGRACE_S = {grace_s:?}\n{}",
        literal(link::BOOTSTRAP),
        literal(&link::sources()),
        include_str!("../../../../../sandbox/hosted.py"),
    );
    text.into_bytes()
}

/// A text as Python writes it.
fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' => quoted.push(character),
            other => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(other));
            }
        }
    }
    quoted + "\""
}

fn said(calls: &[Call]) -> String {
    let logs = calls.iter().map(|call| call.logs.as_str()).find(|logs| !logs.is_empty());
    logs.unwrap_or("the line ran and left nothing").to_owned()
}

async fn read_answer(response: Response, ask: u64) -> Result<Answer, SandboxError> {
    let broken = |reason: &str| SandboxError::Protocol(reason.to_owned());
    let mut decoder = FrameDecoder::default();
    let mut size = 0;
    let mut pieces = response.bytes_stream();
    let mut events = Vec::new();
    let mut last: Option<Answered> = None;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(broke_off)?;
        size += piece.len() as u64;
        if size > ANSWER_LIMIT {
            return Err(broken("an answer that is too long"));
        }
        decoder.push(&piece);
        while let Some(frame) = decoder.next_frame().map_err(|error| broken(&error.to_string()))? {
            let message = frame.message;
            if message["event"] == "answered" {
                last = Some(serde_json::from_value(message).map_err(|error| broken(&error.to_string()))?);
            } else {
                let event: Event =
                    serde_json::from_value(message).map_err(|error| broken(&error.to_string()))?;
                events.push((event, frame.body));
            }
        }
    }
    let last = last.filter(|last| last.ask == ask).ok_or_else(|| broken("an answer without its end"))?;
    let published = last.published.into_iter().filter(|(path, name)| is_artifact(path, name)).collect();
    Ok(Answer { events, busy: last.busy, published })
}

fn is_artifact(path: &str, name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = name.strip_prefix("assay-file-").and_then(|rest| rest.split_once('-'));
    check_relative_path(path).is_ok()
        && path.starts_with("output/")
        && numbers.is_some_and(|(ask, index)| digits(ask) && digits(index))
}

fn broke_off(error: reqwest::Error) -> SandboxError {
    HostedError::Refused { status: 200, reason: format!("the connection broke off: {}", error.without_url()) }
        .into()
}

/// A command for the program itself as a frame.
fn encode(command: &Value) -> Result<Vec<u8>, SandboxError> {
    encode_frame(command, &[]).map_err(|error| SandboxError::Protocol(error.to_string()))
}

/// A command for the supervisor as a frame.
pub(super) fn frame(command: &Command<'_>, body: &[u8]) -> Result<Vec<u8>, SandboxError> {
    encode_frame(command, body).map_err(|error| SandboxError::Protocol(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_plain_text_and_holds_its_sources_unchanged() {
        let program = program(1.5);
        assert!(program.is_ascii());
        let check = "import json, sys\nscope = {}\ntext = sys.stdin.read().partition('\\n\"\"\"')[0]\nexec(text, scope)\n\
                     sys.stdout.write(scope['SOURCES'])";
        let mut child = std::process::Command::new("python3")
            .args(["-c", check])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &program).unwrap();
        let printed = child.wait_with_output().unwrap().stdout;
        assert_eq!(String::from_utf8(printed).unwrap(), link::sources());
    }

    #[test]
    fn only_artifacts_are_known_by_a_name() {
        assert!(is_artifact("output/report.md", "assay-file-3-0"));
        for (path, name) in [
            ("output/../../x", "assay-file-3-0"),
            ("/etc/passwd", "assay-file-3-0"),
            ("work/x", "assay-file-3-0"),
            ("output/x", "assay-answer-3"),
            ("output/x", "assay-file-3-0/../x"),
            ("output/x", "assay-file--0"),
        ] {
            assert!(!is_artifact(path, name), "{path} {name}");
        }
    }
}
