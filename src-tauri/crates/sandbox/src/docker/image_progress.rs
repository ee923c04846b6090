//! What an engine says while an image is made or fetched, and the end of waiting for one that says nothing.

use std::time::Duration;

use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::SandboxError;
use crate::text::printable;

/// A line of progress.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImageProgress {
    /// What goes on, as the engine says it.
    pub line: String,
    /// The part that it is about, where bytes are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part: Option<PartProgress>,
}

/// How far one layer of an image, or one file, has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PartProgress {
    /// The layer's short id, or the file's name.
    pub name: String,
    /// Bytes that are there.
    pub done_bytes: u64,
    /// Bytes in all; `None` where nobody knows.
    pub total_bytes: Option<u64>,
}

impl ImageProgress {
    /// A line that counts nothing.
    pub(super) fn line(line: impl Into<String>) -> Self {
        Self { line: line.into(), part: None }
    }
}

/// One message of the engine.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) text: Option<String>,
    pub(super) part: Option<PartProgress>,
    pub(super) error: Option<String>,
}

/// Passes progress on until the stream ends, an error is told, or silence lasts too long.
pub(super) async fn follow(
    events: impl Stream<Item = Result<Said, bollard::errors::Error>>,
    silence: Duration,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<(), SandboxError> {
    tokio::pin!(events);
    loop {
        let Ok(event) = tokio::time::timeout(silence, events.next()).await else {
            return Err(SandboxError::ImageStalled { silent_s: silence.as_secs() });
        };
        let Some(event) = event else { return Ok(()) };
        let Said { text, part, error } =
            event.map_err(|error| SandboxError::ImageBuild(error.to_string()))?;
        if let Some(error) = error {
            return Err(SandboxError::ImageBuild(printable(error.as_bytes())));
        }
        for line in printable(text.unwrap_or_default().as_bytes()).lines() {
            if !line.trim().is_empty() {
                progress(ImageProgress { line: line.trim().to_owned(), part: part.clone() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    #[tokio::test]
    async fn field_072_silence_ends_the_wait_and_an_error_is_told() {
        let mut lines = Vec::new();
        let mut hear = |progress: ImageProgress| lines.push(progress.line);
        let said = |text: &str| Ok(Said { text: Some(text.into()), ..Said::default() });
        let silent = stream::iter([said("Pulling\n\nfrom")]).chain(stream::pending());
        let ended = follow(silent, Duration::from_millis(20), &mut hear).await;
        assert!(matches!(ended, Err(SandboxError::ImageStalled { .. })), "{ended:?}");
        let broken = stream::iter([Ok(Said { error: Some("no \x1b[31mroute".into()), ..Said::default() })]);
        let ended = follow(broken, Duration::from_millis(20), &mut hear).await;
        assert!(matches!(&ended, Err(SandboxError::ImageBuild(why)) if why.starts_with("no ")), "{ended:?}");
        assert_eq!(lines, ["Pulling", "from"]);
    }
}
