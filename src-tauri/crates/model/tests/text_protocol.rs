//! Models that know no tool calls.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use assay_model::{
    Delta, Fence, Message, Model, ModelError, RemoteConfig, StopReason, ToolResult, ToolSpec, ToolUse, Turn,
    TurnRequest, Wire, connect,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::json;
use tokio_util::sync::CancellationToken;

const CODE: &str = "import pandas as pd\nprint(pd.read_csv('input/a.csv').shape)";

fn request() -> TurnRequest {
    TurnRequest {
        instructions: "Analyse.".into(),
        messages: vec![Message::user("How many rows?")],
        tools: vec![ToolSpec {
            name: "run_python".into(),
            description: "Runs Python.".into(),
            parameters: json!({"type": "object", "properties": {"code": {"type": "string"}}}),
            fence: Some(Fence { language: "python".into(), argument: "code".into() }),
        }],
        max_output_tokens: 500,
        temperature: None,
    }
}

fn model(server: &ScriptedServer, tools: Option<ToolUse>) -> Box<dyn Model> {
    let config = RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL);
    connect(RemoteConfig { tools, ..config }).expect("a model")
}

async fn turn(model: &dyn Model, request: &TurnRequest) -> Result<(Turn, Vec<Delta>), ModelError> {
    let mut deltas = Vec::new();
    let turn = model.turn(request, &mut |delta| deltas.push(delta), &CancellationToken::new()).await?;
    deltas.retain(|delta| !matches!(delta, Delta::Sending(_)));
    Ok((turn, deltas))
}

#[tokio::test]
async fn field_085_a_block_works_as_a_call_does() {
    let answer = format!("I look first.\n```python\n{CODE}\n```\nOutput: (9, 9)");
    let server = ScriptedServer::start(vec![Reply::text(answer), Reply::text("There are 3 rows.")]);
    let model = model(&server, Some(ToolUse::Text));
    assert_eq!(model.card().capabilities.tools, ToolUse::Text);
    let mut request = request();
    let (first, deltas) = turn(&*model, &request).await.expect("an answer");
    assert_eq!((first.message.text.as_str(), first.stop), ("I look first.", StopReason::ToolCalls));
    let [call] = first.message.calls.as_slice() else { panic!("{:?}", first.message) };
    assert_eq!((call.name.as_str(), &call.arguments), ("run_python", &json!({"code": CODE})));
    let shown: String = deltas
        .iter()
        .filter_map(|delta| if let Delta::Text(text) = delta { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(shown.trim(), "I look first.");
    assert_eq!(deltas.last(), Some(&Delta::ToolCall("run_python".into())));
    assert_eq!(deltas.iter().filter(|delta| matches!(delta, Delta::ToolCall(_))).count(), 1);

    let call_id = call.id.clone();
    request.messages.push(Message::Assistant(first.message));
    request.messages.push(Message::Tool(ToolResult { call_id, text: "(3, 2)".into() }));
    let (second, _) = turn(&*model, &request).await.expect("an answer");
    assert_eq!((second.message.text.as_str(), second.stop), ("There are 3 rows.", StopReason::End));
    insta::assert_json_snapshot!("text", server.requests()[1].body);
}

#[tokio::test]
async fn field_085_a_server_without_tools_teaches_the_text_protocol() {
    let refusal = json!({"error": {"message": "registry.ollama.ai/library/gemma:2b does not support tools"}});
    let server = ScriptedServer::start(vec![
        Reply::status(400, &[], refusal),
        Reply::text(CODE),
        Reply::text("3 rows."),
    ]);
    let model = model(&server, None);
    assert_eq!(model.card().capabilities.tools, ToolUse::Calls);
    let (first, deltas) = turn(&*model, &request()).await.expect("an answer");
    assert_eq!(first.message.calls[0].arguments, json!({"code": CODE}));
    assert_eq!(deltas, [Delta::ToolCall("run_python".into())]);
    assert_eq!(model.card().capabilities.tools, ToolUse::Text);
    assert_eq!(model.learnt().expect("something")["tools"], "text");
    let with_tools: Vec<bool> =
        server.requests().iter().map(|request| request.body.get("tools").is_some()).collect();
    assert_eq!(with_tools, [true, false]);

    let config = RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL);
    let later = connect(RemoteConfig { learnt: model.learnt(), ..config }).expect("a model");
    turn(&*later, &request()).await.expect("an answer");
    assert!(server.requests()[2].body.get("tools").is_none());
}

#[tokio::test]
async fn field_084_a_small_model_that_writes_a_block_in_place_of_a_call_is_understood() {
    let block = format!("```python\n{CODE}\n```");
    let quoted = format!("The table has 3 rows, found by this:\n{block}\nNothing else was done.");
    let server = ScriptedServer::start(vec![Reply::text(&block), Reply::text(&quoted)]);
    let model = model(&server, None);
    let (first, deltas) = turn(&*model, &request()).await.expect("an answer");
    assert_eq!(first.message.calls[0].arguments, json!({"code": CODE}));
    assert_eq!(deltas, [Delta::ToolCall("run_python".into())]);
    let (second, _) = turn(&*model, &request()).await.expect("an answer");
    assert_eq!((second.message.text, second.message.calls.len()), (quoted, 0));
}

#[tokio::test]
async fn field_091_a_block_that_was_cut_is_a_broken_call() {
    let server = ScriptedServer::start(vec![Reply::text("```python\nimport pan").finishing("length")]);
    let (cut, _) = turn(&*model(&server, Some(ToolUse::Text)), &request()).await.expect("an answer");
    assert_eq!(cut.stop, StopReason::Length);
    assert_eq!(cut.message.calls[0].broken.as_deref(), Some("the arguments were cut off before their end"));
    assert_eq!(cut.message.calls[0].arguments, json!({}));
}
