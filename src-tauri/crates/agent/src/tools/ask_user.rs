//! Asks the person one question.

use assay_model::ToolSpec;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Observed, Tool, argument};
use crate::agent::AgentError;
use crate::event::Event;
use crate::question::Question;
use crate::workbench::Workbench;

pub(super) struct AskUser;

const CHOICES: std::ops::RangeInclusive<usize> = 2..=4;
const TEXT_CHARS: usize = 300;

#[async_trait]
impl Tool for AskUser {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "ask_user".into(),
            description: "Asks the person one question, at most once in a run, and only when the request has \
                          several meanings that lead to different results and the data does not decide. Never \
                          for permission or for taste."
                .into(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "question": {"type": "string", "description": "One short question in plain words"},
                    "choices": {
                        "type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4,
                        "description": "The possible answers, the likeliest first",
                    },
                },
                "required": ["question", "choices"],
                "additionalProperties": false,
            }),
            fence: None,
        }
    }

    fn title(&self, _arguments: &Value) -> String {
        "A question".into()
    }

    async fn call(
        &self,
        step: u32,
        arguments: &Value,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<Observed, AgentError> {
        let text = match argument(arguments, "question") {
            Ok(text) => shown(text),
            Err(mistake) => return Ok(mistake),
        };
        let choices = arguments.get("choices").and_then(Value::as_array);
        let choices: Vec<String> =
            choices.into_iter().flatten().filter_map(Value::as_str).map(shown).collect();
        if text.is_empty() || !CHOICES.contains(&choices.len()) {
            return Ok(Observed::mistake("A question needs a text and two to four choices."));
        }
        if !bench.may_ask() {
            return Ok(Observed::mistake(
                "The person was asked once already. Decide yourself, and say in the report what you assumed.",
            ));
        }
        let default = choices[0].clone();
        let question = Question { text, choices, default };
        bench.record(Event::QuestionAsked { step, question: question.clone() })?;
        bench.waited().begin();
        let answer = bench.person().answer(&question, stop).await;
        bench.waited().end();
        let answer = answer.map(|answer| shown(&answer)).filter(|answer| !answer.is_empty());
        bench.record(Event::QuestionAnswered { step, answer: answer.clone() })?;
        let text = match answer {
            Some(answer) => format!("status: ok\nThe person answers: {answer}"),
            None => format!(
                "status: ok\nThe person leaves it to you. Take \"{}\", and say in the report what you assumed.",
                question.default
            ),
        };
        Ok(Observed { ok: true, text, ..Observed::default() })
    }
}

fn shown(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TEXT_CHARS).collect()
}
