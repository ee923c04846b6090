//! Runs Python in the session's kernel.

use assay_model::ToolSpec;
use assay_sandbox::Action;
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Observed, Tool, argument, strings, title_or};
use crate::agent::AgentError;
use crate::observation::observe;
use crate::workbench::{Workbench, succeeded};

pub(super) struct RunPython;

#[async_trait]
impl Tool for RunPython {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "run_python".into(),
            description:
                "Runs Python code in the persistent process of this run. Printed text, the value of \
                          a last expression, errors and new files come back."
                    .into(),
            parameters: strings(&[
                ("title", "What this step is for, in a few plain words for the person who watches"),
                ("code", "The Python code"),
            ]),
            fence: None,
        }
    }

    fn title(&self, arguments: &Value) -> String {
        title_or(arguments, "Running Python")
    }

    async fn call(
        &self,
        step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<Observed, AgentError> {
        match argument(arguments, "code") {
            Ok(code) => run(step, Action::Python { code: code.into() }, bench, stop).await,
            Err(mistake) => Ok(mistake),
        }
    }
}

/// Runs an action in the sandbox and observes it.
pub(super) async fn run(
    step: u32,
    action: Action,
    bench: &mut Workbench<'_>,
    stop: &CancellationToken,
) -> Result<Observed, AgentError> {
    let outcome = bench.run(step, action, stop).await?;
    Ok(Observed {
        ok: succeeded(&outcome),
        text: observe(&outcome),
        image: None,
        outcome: Some(Box::new(outcome)),
    })
}
