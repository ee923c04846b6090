//! What is ready, and what to do about what is not.

use assay_sandbox::Readiness;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model_choice::ModelChoice;
use crate::problem::{Code, Problem};
use crate::runtime_choice::ChosenRuntime;

/// The name of the runtime that needs no engine.
const LOCAL: &str = "local";
/// The name of the runtime that is a provider's.
const HOSTED: &str = "hosted";

/// The state of everything a run needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Diagnosis {
    /// The checks, in the order in which a run needs them.
    pub checks: Vec<Check>,
    /// The name of the runtime that is used, or would be.
    pub runtime: String,
    /// What it says of itself, when it is ready.
    pub sandbox: Option<Readiness>,
}

/// One thing that a run needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Check {
    /// What was looked at: `Engine`, `Image`, `Model`.
    #[ts(type = "\"Engine\" | \"Image\" | \"Model\"")]
    pub name: String,
    /// What is there, in plain words, when it is ready.
    pub ready: Option<String>,
    /// What is wrong, when it is not.
    pub problem: Option<Problem>,
}

impl Diagnosis {
    /// Whether a run could start.
    pub fn is_ready(&self) -> bool {
        self.checks.iter().all(|check| check.problem.is_none())
    }
}

pub(crate) async fn diagnose(runtime: &ChosenRuntime, choice: &ModelChoice) -> Diagnosis {
    let (used, readiness) = runtime.find().await;
    let (mut checks, sandbox) = match readiness {
        Ok(readiness) => (sandbox_checks(&readiness), Some(readiness)),
        Err(error) => (failed_checks(used.name(), error.into()), None),
    };
    checks.push(model_check(choice).await);
    Diagnosis { checks, runtime: used.name().into(), sandbox }
}

fn sandbox_checks(readiness: &Readiness) -> Vec<Check> {
    let size = match readiness.image_bytes / 1_000_000 {
        0 => String::new(), // a provider's, who does not say
        megabytes => format!(" ({megabytes} MB)"),
    };
    vec![ready("Engine", engine(readiness)), ready("Image", format!("{}{size}", readiness.image))]
}

fn failed_checks(runtime: &str, problem: Problem) -> Vec<Check> {
    if matches!(problem.code, Code::Image | Code::OtherImage) {
        let engine = if runtime == LOCAL { "this computer itself" } else { "Docker answers" };
        vec![ready("Engine", engine.into()), failed("Image", problem)]
    } else {
        vec![failed("Engine", problem)]
    }
}

/// Which engine it is, and what it does not hold of what a session is promised.
fn engine(readiness: &Readiness) -> String {
    let Readiness { engine, address, runtime, gaps, .. } = readiness;
    let gaps = gaps.join(" ");
    match runtime.as_str() {
        LOCAL => format!("this computer itself, by {engine}; no Docker engine is used. {gaps}"),
        HOSTED => format!("{engine} at {address}; the files of a run are sent there. {gaps}"),
        _ => format!("{engine} at {address}"),
    }
}

async fn model_check(choice: &ModelChoice) -> Check {
    let model = match choice.build() {
        Ok(model) => model,
        Err(problem) => return failed("Model", problem),
    };
    let card = model.card();
    match model.check().await {
        Ok(()) => ready(
            "Model",
            match &card.host {
                Some(host) => format!("{} at {host}", card.name),
                None => format!("{} (rules, no AI; nothing leaves this computer)", card.name),
            },
        ),
        Err(error) => failed("Model", error.into()),
    }
}

fn ready(name: &str, text: String) -> Check {
    Check { name: name.into(), ready: Some(text), problem: None }
}

fn failed(name: &str, problem: Problem) -> Check {
    Check { name: name.into(), ready: None, problem: Some(problem) }
}
