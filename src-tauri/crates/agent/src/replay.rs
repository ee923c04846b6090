//! Runs the steps of an ended session again in a new one, so that a conversation can go on.

use std::collections::HashSet;

use assay_sandbox::{Action, Session, Step};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::{Event, Recorder};
use crate::workbench::workspace_path;

/// Runs every step that worked, in order. What they print is not shown again, and the artifacts that the
/// host already has stay as they are. A step that fails this time is passed over: the model will notice.
pub async fn replay(
    events: &[Event],
    session: &mut dyn Session,
    step_limit_s: u64,
    recorder: &mut dyn Recorder,
    stop: &CancellationToken,
) -> Result<(), AgentError> {
    let worked: HashSet<u32> = events
        .iter()
        .filter_map(|event| match event {
            Event::StepEnded { step, ok: true, .. } => Some(*step),
            _ => None,
        })
        .collect();
    for event in events {
        let Event::StepStarted { step, tool, title, arguments, .. } = event else { continue };
        if !worked.contains(step) {
            continue;
        }
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let action = match tool.as_str() {
            "run_python" => Action::Python { code: text("code").into() },
            "run_shell" => Action::Shell { command: text("command").into() },
            "write_file" => {
                session.write(workspace_path(text("path")), text("content").as_bytes()).await?;
                continue;
            }
            _ => continue,
        };
        recorder
            .record(Event::Replaying { step: *step, title: title.clone() })
            .map_err(AgentError::Record)?;
        #[expect(clippy::cast_precision_loss, reason = "a limit in seconds is small")]
        let step = Step { number: *step, action, limit_s: step_limit_s as f64 };
        session.run(&step, &mut |_| {}, stop).await?;
        if stop.is_cancelled() {
            return Err(assay_sandbox::SandboxError::Stopped.into());
        }
    }
    Ok(())
}
