//! Runs a command in the sandbox.

use assay_model::ToolSpec;
use assay_sandbox::Action;
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::run_python::run;
use super::{Observed, Tool, argument, strings, title_or};
use crate::agent::AgentError;
use crate::repair::calls_installer;
use crate::workbench::Workbench;

pub(super) struct RunShell;

#[async_trait]
impl Tool for RunShell {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "run_shell".into(),
            description:
                "Runs a command with /bin/sh in /workspace, in a process of its own. For looking at \
                          files (head, wc, ls); analysis belongs into run_python."
                    .into(),
            parameters: strings(&[
                ("title", "What this step is for, in a few plain words for the person who watches"),
                ("command", "The command"),
            ]),
            fence: None,
        }
    }

    fn mend(&self, arguments: &mut Value, bench: &mut Workbench<'_>) -> Result<Vec<String>, Observed> {
        match arguments.get("command").and_then(Value::as_str) {
            Some(command) if calls_installer(command) => Err(bench.refuse_install()),
            _ => Ok(Vec::new()),
        }
    }

    fn title(&self, arguments: &Value) -> String {
        title_or(arguments, "Looking at files")
    }

    async fn call(
        &self,
        step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<Observed, AgentError> {
        match argument(arguments, "command") {
            Ok(command) => run(step, Action::Shell { command: command.into() }, bench, stop).await,
            Err(mistake) => Ok(mistake),
        }
    }
}
