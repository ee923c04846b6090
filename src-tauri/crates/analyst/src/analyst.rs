//! The analyst as a model: the answer that [`conversation`](crate::conversation) gives, streamed.

use assay_model::{
    AssistantMessage, Capabilities, Delta, DeltaSink, Model, ModelCard, ModelError, StopReason, ToolCall,
    Turn, TurnRequest,
};
use async_trait::async_trait;
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use crate::conversation::{Answer, answer};

/// The tool that every step is run with.
const RUN_PYTHON: &str = "run_python";

/// Rules and statistics behind the same trait as any model. Needs no key, no network and no
/// settings; the same messages always get the same answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Analyst;

#[async_trait]
impl Model for Analyst {
    fn card(&self) -> ModelCard {
        ModelCard {
            name: "built-in analyst".into(),
            host: None,
            is_ai: false,
            capabilities: Capabilities::default(),
        }
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
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
        let can_run = request.tools.iter().any(|tool| tool.name == RUN_PYTHON);
        let Answer { text, call } = if can_run {
            answer(&request.messages)
        } else {
            Answer { text: "The built-in analyst can do nothing without running Python.".into(), call: None }
        };
        for piece in text.split_inclusive(' ') {
            sink(Delta::Text(piece.to_owned()));
        }
        let calls: Vec<ToolCall> = call
            .into_iter()
            .map(|call| ToolCall {
                id: call.id,
                name: RUN_PYTHON.into(),
                arguments: json!({ "title": call.title, "code": call.code }),
                broken: None,
                extra: Map::new(),
            })
            .collect();
        for call in &calls {
            sink(Delta::ToolCall(call.name.clone()));
        }
        let stop = if calls.is_empty() { StopReason::End } else { StopReason::ToolCalls };
        let message = AssistantMessage { text, calls, extra: Map::new() };
        Ok(Turn { message, stop, usage: None })
    }
}

#[cfg(test)]
mod tests {
    use assay_model::{Message, ToolSpec};

    use super::*;

    fn request(tools: &[&str]) -> TurnRequest {
        let opening = r#"<tables>[{"path":"input/a.csv","read_with":"pd.read_csv('input/a.csv')"}]</tables><request>Overview</request>"#;
        TurnRequest {
            instructions: String::new(),
            messages: vec![Message::user(opening)],
            tools: tools
                .iter()
                .map(|name| ToolSpec {
                    name: (*name).into(),
                    description: String::new(),
                    parameters: json!({}),
                    fence: None,
                })
                .collect(),
            max_output_tokens: 100,
            temperature: None,
        }
    }

    #[tokio::test]
    async fn streams_what_it_returns() {
        let mut deltas = Vec::new();
        let turn = Analyst
            .turn(&request(&["run_python"]), &mut |delta| deltas.push(delta), &CancellationToken::new())
            .await
            .unwrap();
        assert_eq!(turn.stop, StopReason::ToolCalls);
        assert_eq!(turn.message.calls.len(), 1);
        assert_eq!(turn.message.calls[0].arguments["title"], "Reading the table");
        assert_eq!(deltas.pop(), Some(Delta::ToolCall("run_python".into())));
        let streamed: String = deltas
            .into_iter()
            .map(|delta| match delta {
                Delta::Text(text) => text,
                other => panic!("unexpected {other:?}"),
            })
            .collect();
        assert_eq!(streamed, turn.message.text);
    }

    #[tokio::test]
    async fn without_the_tool_it_says_so() {
        let turn = Analyst.turn(&request(&[]), &mut |_| {}, &CancellationToken::new()).await.unwrap();
        assert_eq!((turn.stop, turn.message.calls.len()), (StopReason::End, 0));
        assert_eq!(turn.message.text, "The built-in analyst can do nothing without running Python.");
    }

    #[tokio::test]
    async fn a_stop_is_honoured() {
        let stop = CancellationToken::new();
        stop.cancel();
        assert_eq!(
            Analyst.turn(&request(&["run_python"]), &mut |_| {}, &stop).await,
            Err(ModelError::Stopped)
        );
    }

    #[test]
    fn the_card_says_it_is_no_ai() {
        let card = Analyst.card();
        assert_eq!((card.name.as_str(), card.host, card.is_ai), ("built-in analyst", None, false));
    }
}
