//! Runs the steps of an ended session again in a new one, so that a conversation can go on.

use std::collections::HashMap;

use assay_sandbox::{Action, Session, Step, StepOutcome};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::{Event, Recorder};
use crate::repeatable::repeatable;
use crate::workbench::workspace_path;

/// What was run again.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// How many steps.
    pub steps: u32,
    /// Those that ended otherwise or printed something else than the first time, as what draws lots or tells the
    /// time does.
    pub different: Vec<u32>,
}

/// Runs every [repeatable](repeatable) step, in order. What they print is not shown again, and the artifacts
/// that the host already has stay as they are. A step that fails this time is passed over: the model will
/// notice.
pub async fn replay(
    events: &[Event],
    session: &mut dyn Session,
    step_limit_s: u64,
    recorder: &mut dyn Recorder,
    stop: &CancellationToken,
) -> Result<Replayed, AgentError> {
    let before: HashMap<u32, &StepOutcome> = events.iter().filter_map(outcome).collect();
    let mut replayed = Replayed::default();
    for again in repeatable(events) {
        replayed.steps += 1;
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
        let now = session.run(&step, &mut |_| {}, stop).await?;
        if stop.is_cancelled() {
            return Err(assay_sandbox::SandboxError::Stopped.into());
        }
        if before.get(&again.step).is_some_and(|then| then.status != now.status || then.stdout != now.stdout)
        {
            replayed.different.push(again.step);
        }
    }
    Ok(replayed)
}

fn outcome(event: &Event) -> Option<(u32, &StepOutcome)> {
    match event {
        Event::StepEnded { step, outcome: Some(outcome), .. } => Some((*step, outcome)),
        _ => None,
    }
}
