//! The tools. A new one is one file here and one line in [`all`].

mod ask_user;
mod run_python;
mod run_shell;
mod view_image;
mod write_file;

use assay_model::{Capabilities, Image, ToolCall, ToolSpec};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::workbench::Workbench;

/// Something the model may ask for.
#[async_trait]
pub(crate) trait Tool: Send + Sync {
    /// What the model is told of it.
    fn spec(&self) -> ToolSpec;

    /// Whether it is offered to a model that can do this.
    fn suits(&self, _capabilities: Capabilities) -> bool {
        true
    }

    /// Whether it is offered to a model that is told as little as possible.
    fn is_essential(&self) -> bool {
        false
    }

    /// Mends arguments that are nearly right and says how, or refuses what must not run.
    fn mend(&self, _arguments: &mut Value, _bench: &mut Workbench<'_>) -> Result<Vec<String>, Observed> {
        Ok(Vec::new())
    }

    /// What the call is for, in plain words.
    fn title(&self, arguments: &Value) -> String;

    /// Runs one call. An error is the host's trouble; the model's mistakes are observations.
    async fn call(
        &self,
        step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<Observed, AgentError>;
}

/// What came of a call.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) ok: bool,
    /// What the model reads.
    pub(crate) text: String,
    /// A picture the model asked to see.
    pub(crate) image: Option<Image>,
    /// What the sandbox said.
    pub(crate) outcome: Option<Box<assay_sandbox::StepOutcome>>,
}

impl Observed {
    /// A mistake of the model, with what to do about it.
    pub(crate) fn mistake(text: impl std::fmt::Display) -> Self {
        Self { text: format!("status: error\n{text}"), ..Self::default() }
    }
}

/// Every tool there is.
pub(crate) fn all() -> [&'static dyn Tool; 5] {
    [
        &run_python::RunPython,
        &run_shell::RunShell,
        &write_file::WriteFile,
        &view_image::ViewImage,
        &ask_user::AskUser,
    ]
}

/// Why a call cannot be run at all, or the tool that runs it.
pub(crate) fn find<'t>(call: &ToolCall, offered: &[&'t dyn Tool]) -> Result<&'t dyn Tool, Observed> {
    if let Some(reason) = &call.broken {
        return Err(Observed::mistake(format!(
            "The arguments of the call could not be read: {reason}. Nothing was run. Write the call again, with shorter code."
        )));
    }
    offered.iter().copied().find(|tool| tool.spec().name == call.name).ok_or_else(|| {
        let names: Vec<String> = offered.iter().map(|tool| tool.spec().name).collect();
        Observed::mistake(format!("There is no tool `{}`. The tools are: {}.", call.name, names.join(", ")))
    })
}

/// A schema of an object whose properties are all required strings.
fn strings(properties: &[(&str, &str)]) -> Value {
    let fields: serde_json::Map<String, Value> = properties
        .iter()
        .map(|(name, description)| {
            ((*name).to_owned(), json!({"type": "string", "description": description}))
        })
        .collect();
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "properties": fields, "required": names, "additionalProperties": false})
}

/// A string argument, or the observation that it is missing.
fn argument<'a>(arguments: &'a Value, name: &str) -> Result<&'a str, Observed> {
    arguments
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| Observed::mistake(format!("The argument `{name}` is missing; it must be a string.")))
}

/// The `title` argument, or a default where the model gave none.
fn title_or(arguments: &Value, default: &str) -> String {
    let title =
        arguments.get("title").and_then(Value::as_str).map(str::trim).filter(|title| !title.is_empty());
    title.map_or_else(|| default.to_owned(), |title| title.chars().take(120).collect())
}
