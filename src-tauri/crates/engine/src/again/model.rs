//! The steps of an earlier run as a model: in each turn the next one.

use std::collections::BTreeSet;

use assay_agent::Event;
use assay_model::{
    AssistantMessage, Capabilities, Delta, DeltaSink, Model, ModelCard, ModelError, Sending, StopReason,
    ToolCall, ToolSpec, Turn, TurnRequest, Usage,
};
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::done::{AS_MENDED, Done, done, fresh};
use super::mend::{Helper, Mended, STEPS, TRIES};
use super::plan::{MENDED, NAMING, Plan, Planned, RENEWING, STEP};
use crate::contract::REPORT;
use crate::engine::Engine;
use crate::open_run::loop_events;

const RUN_PYTHON: &str = "run_python";
const WRITE_FILE: &str = "write_file";

/// An earlier run's steps behind the same trait as any model. It holds no state: the journal of the run tells
/// how far it is.
pub(crate) struct Again {
    pub(super) engine: Engine,
    /// The run that is going on.
    pub(super) run: String,
    pub(super) plan: Plan,
    /// Whoever mends a step that does not work on the new file.
    pub(super) helper: Option<Helper>,
}

/// What comes next.
enum Next<'a> {
    /// A call: its id, tool and arguments.
    Call(String, &'a str, Value),
    /// A step is to be mended; the calls that failed, the last one with what came of it.
    Mend(&'a Planned, Vec<&'a str>, &'a Done<'a>),
    /// The last words.
    End(String),
}

impl Again {
    pub(crate) fn new(engine: Engine, run: String, plan: Plan, helper: Option<Helper>) -> Self {
        Self { engine, run, plan, helper }
    }

    fn next<'a>(&'a self, events: &[Event], done: &'a [Done<'a>], tools: &[ToolSpec]) -> Next<'a> {
        if let Some(code) = &self.plan.naming {
            let named = done.iter().rfind(|done| done.is_of(NAMING)).map(|done| (done, done.ok));
            match named {
                Some((_, Some(true))) => {}
                Some((failed, Some(false))) => return Next::End(self.broken_off(failed)),
                _ => {
                    let arguments = json!({"title": "Naming the columns as before", "code": code});
                    return Next::Call(NAMING.into(), RUN_PYTHON, arguments);
                }
            }
        }
        for planned in &self.plan.steps {
            let loaded = done.iter().find(|done| planned.loads && done.turn == 0);
            if let Some(loaded) = loaded {
                match loaded.ok {
                    Some(false) if planned.worked => return Next::End(self.broken_off(loaded)),
                    _ => continue,
                }
            }
            let id = format!("{STEP}{}", planned.step);
            let tries: Vec<&Done> = done.iter().filter(|done| done.is_of(&id)).collect();
            match tries.last().map(|last| (*last, last.ok)) {
                Some((_, Some(true))) => {}
                Some((_, Some(false))) if !planned.worked => {}
                Some((failed, Some(false))) if self.may_mend(planned, &tries, done) => {
                    return Next::Mend(planned, tries.iter().map(|done| done.call).collect(), failed);
                }
                Some((failed, Some(false))) => return Next::End(self.broken_off(failed)),
                _ => return Next::Call(id, &planned.tool, planned.arguments.clone()),
            }
        }
        if !done.iter().any(|done| done.is_of(RENEWING) && done.ok.is_some())
            && let Some(renewed) = self.renewed(events, done)
        {
            return writing(&renewed.markdown, tools);
        }
        Next::End(self.ended(done))
    }

    /// Whether a model may be asked for a step once more.
    fn may_mend(&self, planned: &Planned, tries: &[&Done<'_>], done: &[Done<'_>]) -> bool {
        let mended = tries.iter().filter(|done| done.mends().is_some()).count();
        let own = format!("{STEP}{}", planned.step);
        let others: BTreeSet<&str> =
            done.iter().filter_map(Done::mends).filter(|step| *step != own).collect();
        self.helper.is_some() && planned.tool == RUN_PYTHON && mended < TRIES && others.len() < STEPS
    }
}

/// The step that writes a report with new figures.
fn writing(report: &str, tools: &[ToolSpec]) -> Next<'static> {
    if tools.iter().any(|tool| tool.name == WRITE_FILE) {
        let arguments = json!({"path": format!("output/{REPORT}"), "content": report});
        return Next::Call(RENEWING.into(), WRITE_FILE, arguments);
    }
    let text = Value::from(report);
    let code = format!(
        "with open(\"output/{REPORT}\", \"w\", encoding=\"utf-8\") as target:\n    target.write({text})"
    );
    let arguments = json!({"title": "Writing the report with the new figures", "code": code});
    Next::Call(RENEWING.into(), RUN_PYTHON, arguments)
}

#[async_trait]
impl Model for Again {
    /// The steps; where a model may mend one, its host is the one that something may be sent to.
    fn card(&self) -> ModelCard {
        ModelCard {
            name: "the steps of an earlier run".into(),
            host: self.helper.as_ref().and_then(|helper| helper.model().card().host),
            is_ai: false,
            capabilities: Capabilities::default(),
        }
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    fn can_be_told(&self) -> bool {
        false
    }

    fn learnt(&self) -> Option<Value> {
        self.helper.as_ref().and_then(|helper| helper.model().learnt())
    }

    fn take_asides(&self) -> Vec<Sending> {
        self.helper.as_ref().map(|helper| helper.model().take_asides()).unwrap_or_default()
    }

    async fn turn(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError> {
        if stop.is_cancelled() {
            return Err(ModelError::Stopped);
        }
        let store = self.engine.open_store();
        let events = store
            .and_then(|store| loop_events(&store, &self.run))
            .map_err(|problem| ModelError::Protocol(problem.message))?;
        let done = done(&events);
        let text = match self.next(&events, &done, &request.tools) {
            Next::Call(id, tool, arguments) => {
                return Ok(turn(String::new(), Some((fresh(&id, &done), tool, arguments)), None));
            }
            Next::Mend(planned, calls, failed) => {
                let mended = match &self.helper {
                    Some(helper) => helper.mend(planned, &calls, request, sink, stop).await?,
                    None => None,
                };
                if let Some(Mended { said, code, usage }) = mended {
                    let id = fresh(&format!("{STEP}{}{AS_MENDED}", planned.step), &done);
                    let title = format!("{}{MENDED}", planned.title);
                    let arguments = json!({"title": title, "code": code});
                    return Ok(turn(said, Some((id, RUN_PYTHON, arguments)), usage));
                }
                self.broken_off(failed)
            }
            Next::End(text) => text,
        };
        sink(Delta::Text(text.clone()));
        Ok(turn(text, None, None))
    }
}

fn turn(text: String, call: Option<(String, &str, Value)>, usage: Option<Usage>) -> Turn {
    let call = call.map(|(id, tool, arguments)| ToolCall {
        id,
        name: tool.into(),
        arguments,
        broken: None,
        extra: Map::new(),
    });
    let stop = if call.is_none() { StopReason::End } else { StopReason::ToolCalls };
    let message = AssistantMessage { text, calls: call.into_iter().collect(), extra: Map::new() };
    Turn { message, stop, usage }
}
