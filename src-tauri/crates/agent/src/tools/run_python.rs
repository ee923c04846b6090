//! Runs Python in the session's kernel.

use assay_model::{Fence, ToolSpec};
use assay_sandbox::Action;
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{Observed, Tool, argument, strings, title_or};
use crate::agent::AgentError;
use crate::observation::observe;
use crate::repair::{Mended, mend};
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
            fence: Some(Fence { language: "python".into(), argument: "code".into() }),
        }
    }

    fn is_essential(&self) -> bool {
        true
    }

    fn mend(&self, arguments: &mut Value, bench: &mut Workbench<'_>) -> Result<Vec<String>, Observed> {
        let Some(Value::String(code)) = arguments.get_mut("code") else { return Ok(Vec::new()) };
        match mend(code, bench.imported()) {
            Mended::Code(mended, said) => {
                *code = mended;
                Ok(said)
            }
            Mended::Install => Err(bench.refuse_install()),
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
    let mut text = observe(&outcome, bench.hint(&outcome).as_deref());
    if outcome.restarted && bench.reload(step, stop).await? {
        text.push_str("\nThe tables were loaded again.");
    }
    Ok(Observed { ok: succeeded(&outcome), text, image: None, outcome: Some(Box::new(outcome)) })
}
