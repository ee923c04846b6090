//! What happens when the sandbox is lost in the middle of a run: it is set up again, once a step.

use std::time::Duration;

use assay_sandbox::{OpenRequest, Runtime, SandboxError, Session, StepOutcome};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::Event;
use crate::observation::observe;
use crate::replay::replay;
use crate::tools::{Observed, Tool};
use crate::workbench::Workbench;

/// An engine that is being started again answers within this time, or the run pauses.
const ENGINE_LIMIT: Duration = Duration::from_mins(1);
/// How often it is tried meanwhile.
const NEXT_TRY: Duration = Duration::from_secs(1);

/// Where another sandbox comes from.
pub(crate) struct Spare<'a> {
    pub(crate) runtime: &'a dyn Runtime,
    pub(crate) request: OpenRequest<'a>,
}

/// What is left to do for the step in which the sandbox was lost.
pub(crate) enum Recovered {
    /// It is run again: nothing is known of it.
    Unfinished(Restored),
    /// It is not run again: it used up the memory, and would again.
    OutOfMemory(Box<StepOutcome>),
}

/// A sandbox that was set up again.
pub(crate) struct Restored {
    /// Steps that came out differently this time.
    different: Vec<u32>,
}

impl Workbench<'_> {
    /// Sets the sandbox up again where the error says that it was lost; any other error is handed back.
    pub(crate) async fn recover(
        &mut self,
        error: AgentError,
        stop: &CancellationToken,
    ) -> Result<Recovered, AgentError> {
        if stop.is_cancelled() || self.spare().is_none() {
            return Err(error);
        }
        match error {
            AgentError::Sandbox(SandboxError::Vanished(why)) => {
                self.restore(&why, stop).await.map(Recovered::Unfinished)
            }
            AgentError::Sandbox(SandboxError::OutOfMemory(mut outcome)) => {
                self.name_memory(&mut outcome);
                self.restore("it ran out of memory", stop).await?;
                Ok(Recovered::OutOfMemory(outcome))
            }
            other => Err(other),
        }
    }

    /// Opens a new sandbox, puts it in the place of the lost one, and runs again what was run in that.
    async fn restore(&mut self, why: &str, stop: &CancellationToken) -> Result<Restored, AgentError> {
        self.record(Event::SandboxLost { reason: why.into() })?;
        let session = self.another(stop).await?;
        let lost = std::mem::replace(self.session_box(), session);
        // It may be there still, out of reach or standing still.
        let _ = lost.close().await;
        let past = self.past()?;
        let limit_s = self.policy().step_limit_s;
        let (session, recorder) = self.session_and_recorder();
        let replayed = replay(&past, session, limit_s, recorder, stop).await?;
        self.put_again().await?;
        let different = replayed.different;
        self.record(Event::SandboxRestored { steps: replayed.steps, different: different.clone() })?;
        Ok(Restored { different })
    }

    async fn another(&mut self, stop: &CancellationToken) -> Result<Box<dyn Session>, AgentError> {
        let begun = tokio::time::Instant::now();
        loop {
            let Some(spare) = self.spare() else { return Err(SandboxError::Stopped.into()) };
            match spare.runtime.open(spare.request, stop).await {
                Err(error) if may_pass(&error) && begun.elapsed() < ENGINE_LIMIT => {}
                opened => return Ok(opened?),
            }
            tokio::select! {
                () = tokio::time::sleep(NEXT_TRY) => {}
                () = stop.cancelled() => return Err(SandboxError::Stopped.into()),
            }
        }
    }
}

/// Whether an engine that is just being started again may answer so.
fn may_pass(error: &SandboxError) -> bool {
    matches!(
        error,
        SandboxError::EngineStopped { .. }
            | SandboxError::EngineMissing
            | SandboxError::Engine(_)
            | SandboxError::Vanished(_)
    )
}

/// Makes a call; where the sandbox is lost in it, sets that up again and makes the call once more.
pub(crate) async fn call(
    tool: &dyn Tool,
    step: u32,
    arguments: &Value,
    bench: &mut Workbench<'_>,
    stop: &CancellationToken,
) -> Result<Observed, AgentError> {
    let error = match tool.call(step, arguments, bench, stop).await {
        Ok(observed) => return Ok(observed),
        Err(error) => error,
    };
    match bench.recover(error, stop).await? {
        Recovered::Unfinished(restored) => {
            let mut observed = tool.call(step, arguments, bench, stop).await?;
            observed.text.push_str(&restored.told());
            Ok(observed)
        }
        Recovered::OutOfMemory(outcome) => {
            let text = format!("{}\n{REBUILT}", observe(&outcome, None));
            Ok(Observed { ok: false, text, image: None, outcome: Some(outcome) })
        }
    }
}

/// What the model reads of a sandbox that ended with the step.
const REBUILT: &str =
    "The variables and files are as they were before this step: the steps before it were run again.";

impl Restored {
    /// What the model has to know: figures that it has read may be others now.
    fn told(&self) -> String {
        if self.different.is_empty() {
            return String::new();
        }
        let steps: Vec<String> = self.different.iter().map(u32::to_string).collect();
        format!(
            "\nnote: The steps before this one were run again in a new sandbox. Other output than before: step {}.",
            steps.join(", ")
        )
    }
}

/// Why a run pauses for which there is no sandbox any more, in plain words.
pub(crate) fn pause(error: &SandboxError) -> Option<String> {
    Some(match error {
        SandboxError::Vanished(_) => "The sandbox was lost, set up again, and lost once more. What was finished is kept: \
                                      check that nothing else ends the sandbox, then go on."
            .into(),
        SandboxError::OutOfMemory(_) => "The sandbox ran out of memory while earlier steps were run again. What was \
                                         finished is kept: give it more memory in the settings, then go on."
            .into(),
        SandboxError::EngineMissing | SandboxError::EngineStopped { .. } | SandboxError::EngineForbidden { .. } => {
            "The sandbox was lost, and its engine does not answer any more. Start the engine, then go on: what was \
             finished is kept."
                .into()
        }
        _ => return None,
    })
}
