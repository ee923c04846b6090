//! Shows the model one of its charts. The picture goes into a user message, once, never into a tool result.

use assay_model::{Capabilities, Image, ToolSpec};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Observed, Tool, argument, strings};
use crate::agent::AgentError;
use crate::workbench::Workbench;

/// The largest picture that is sent.
const MAX_BYTES: u64 = 4 << 20;

pub(super) struct ViewImage;

#[async_trait]
impl Tool for ViewImage {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "view_image".into(),
            description: "Shows you a PNG or JPEG file from output/, to check that a chart reads well."
                .into(),
            parameters: strings(&[("path", "Path in the workspace, such as output/charts/events.png")]),
            fence: None,
        }
    }

    fn suits(&self, capabilities: Capabilities) -> bool {
        capabilities.images
    }

    fn title(&self, _arguments: &Value) -> String {
        "Looking at a chart".into()
    }

    async fn call(
        &self,
        _step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        _stop: &CancellationToken,
    ) -> Result<Observed, AgentError> {
        let path = match argument(arguments, "path") {
            Ok(path) => path,
            Err(mistake) => return Ok(mistake),
        };
        let Some(artifact) = path.strip_prefix("output/") else {
            return Ok(Observed::mistake("Only files below output/ can be looked at."));
        };
        if let Err(error) = assay_sandbox::check_relative_path(artifact) {
            return Ok(Observed::mistake(error));
        }
        let place = bench.output().join(artifact);
        let bytes = match std::fs::metadata(&place) {
            Ok(metadata) if metadata.len() > MAX_BYTES => {
                return Ok(Observed::mistake("The picture is over 4 MiB. Save it smaller."));
            }
            Ok(_) => std::fs::read(&place)?,
            Err(_) => return Ok(Observed::mistake(format!("There is no file {path}."))),
        };
        let Some(media_type) = media_type(&bytes) else {
            return Ok(Observed::mistake("That file is neither a PNG nor a JPEG picture."));
        };
        let text = format!("status: ok\n{path} ({} bytes) is shown in the next message.", bytes.len());
        let image = Image { media_type: media_type.into(), base64: STANDARD.encode(bytes) };
        Ok(Observed { ok: true, text, image: Some(image), outcome: None })
    }
}

fn media_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}
