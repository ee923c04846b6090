//! Runs the steps of an ended session again in a new one, so that a conversation can go on.

use assay_sandbox::{Action, Session, Step};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::{Event, Recorder};
use crate::repeatable::repeatable;
use crate::workbench::workspace_path;

/// Runs every [repeatable](repeatable) step, in order. What they print is not shown again, and the artifacts
/// that the host already has stay as they are. A step that fails this time is passed over: the model will
/// notice.
pub async fn replay(
    events: &[Event],
    session: &mut dyn Session,
    step_limit_s: u64,
    recorder: &mut dyn Recorder,
    stop: &CancellationToken,
) -> Result<(), AgentError> {
    for again in repeatable(events) {
        let text = |name: &str| again.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let action = match again.tool.as_str() {
            "run_python" => Action::Python { code: text("code").into() },
            "run_shell" => Action::Shell { command: text("command").into() },
            _ => {
                session.write(workspace_path(text("path")), text("content").as_bytes()).await?;
                continue;
            }
        };
        recorder
            .record(Event::Replaying { step: again.step, title: again.title.clone() })
            .map_err(AgentError::Record)?;
        #[expect(clippy::cast_precision_loss, reason = "a limit in seconds is small")]
        let step = Step { number: again.step, action, limit_s: step_limit_s as f64 };
        session.run(&step, &mut |_| {}, stop).await?;
        if stop.is_cancelled() {
            return Err(assay_sandbox::SandboxError::Stopped.into());
        }
    }
    Ok(())
}
