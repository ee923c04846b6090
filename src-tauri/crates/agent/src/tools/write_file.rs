//! Writes a text file into the workspace.

use assay_model::ToolSpec;
use assay_sandbox::SandboxError;
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Observed, Tool, argument, strings};
use crate::agent::AgentError;
use crate::workbench::{Workbench, workspace_path};

/// The largest text in one call.
const MAX_BYTES: usize = 1 << 20;

pub(super) struct WriteFile;

#[async_trait]
impl Tool for WriteFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "write_file".into(),
            description: "Writes a text file below output/ or work/, for example output/report.md. Replaces \
                          what was there."
                .into(),
            parameters: strings(&[
                ("path", "Path in the workspace, such as output/report.md"),
                ("content", "The whole text"),
            ]),
            fence: None,
        }
    }

    fn title(&self, arguments: &Value) -> String {
        match arguments.get("path").and_then(Value::as_str) {
            Some("output/report.md") => "Writing the report".into(),
            Some(path) => format!("Writing {}", path.chars().take(80).collect::<String>()),
            None => "Writing a file".into(),
        }
    }

    async fn call(
        &self,
        step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        _stop: &CancellationToken,
    ) -> Result<Observed, AgentError> {
        let (path, content) = match (argument(arguments, "path"), argument(arguments, "content")) {
            (Ok(path), Ok(content)) => (path, content),
            (Err(mistake), _) | (_, Err(mistake)) => return Ok(mistake),
        };
        let path = workspace_path(path);
        if !path.starts_with("output/") && !path.starts_with("work/") {
            return Ok(Observed::mistake("Files can be written below output/ and work/ only."));
        }
        if content.len() > MAX_BYTES {
            return Ok(Observed::mistake("The text is over 1 MiB. Write it with run_python."));
        }
        match bench.session().write(path, content.as_bytes()).await {
            Ok(()) => {}
            Err(error @ (SandboxError::File { .. } | SandboxError::Manifest(_))) => {
                return Ok(Observed::mistake(error));
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(artifact) = path.strip_prefix("output/") {
            bench.save(step, &[artifact]).await?;
        }
        let text = format!("status: ok\nwritten: {path} ({} bytes)", content.len());
        Ok(Observed { ok: true, text, ..Observed::default() })
    }
}
