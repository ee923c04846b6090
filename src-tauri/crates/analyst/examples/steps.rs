//! The analyst without the loop, for measuring: reads files as the engine does, prints each step as a line of
//! JSON and reads its observation, a line of JSON too, from the standard input. `scripts/try-analyst` runs the
//! steps. Several questions are separated by ` // `.

use std::io::{BufRead, Write};
use std::path::Path;

use assay_analyst::Analyst;
use assay_model::{Message, Model, ToolResult, ToolSpec, TurnRequest};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let questions = arguments.next().ok_or("say a question and the files")?;
    let tables = arguments.map(|file| table(&file)).collect::<Result<Vec<Value>, _>>()?;
    let tables = Value::from(tables).to_string().replace('<', "\\u003c");
    let run_python = ToolSpec {
        name: "run_python".into(),
        description: String::new(),
        parameters: json!({}),
        fence: None,
    };
    let mut request = TurnRequest {
        instructions: String::new(),
        messages: Vec::new(),
        tools: vec![run_python],
        max_output_tokens: 1000,
        temperature: None,
    };
    let mut lines = std::io::stdin().lock().lines();
    for (number, question) in questions.split(" // ").enumerate() {
        let before = if number == 0 { format!("<tables>\n{tables}\n</tables>\n") } else { String::new() };
        request.messages.push(Message::user(format!("{before}<request>\n{question}\n</request>")));
        loop {
            let turn = Analyst.turn(&request, &mut |_| {}, &CancellationToken::new()).await?;
            let call = turn.message.calls.first().cloned();
            println!(
                "{}",
                json!({"says": turn.message.text, "call": call.as_ref().map(|call| &call.arguments)})
            );
            std::io::stdout().flush()?;
            request.messages.push(Message::Assistant(turn.message));
            let Some(call) = call else { break };
            let observation: String = serde_json::from_str(&lines.next().ok_or("no observation")??)?;
            request.messages.push(Message::Tool(ToolResult { call_id: call.id, text: observation }));
        }
    }
    Ok(())
}

fn table(file: &str) -> Result<Value, Failure> {
    let path = Path::new(file);
    let name = path.file_name().ok_or("no file name")?.to_string_lossy();
    Ok(serde_json::to_value(assay_tabular::read(path, &format!("input/{name}"))?)?)
}
