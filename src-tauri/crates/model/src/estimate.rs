//! How long a conversation is, where nobody has counted its tokens.

use crate::message::Message;
use crate::model::TurnRequest;

/// English text has about four characters in a token. Other languages, numbers and code have fewer, so
/// this is on the low side.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// About how many tokens a request has, pictures left aside.
pub(crate) fn tokens(request: &TurnRequest) -> u64 {
    let messages = request.messages.iter().map(|message| match message {
        Message::User { text, .. } => length(text),
        Message::Tool(result) => length(&result.text),
        Message::Assistant(answer) => {
            let calls = answer.calls.iter().map(|call| length(&call.arguments.to_string()));
            length(&answer.text) + calls.sum::<u64>()
        }
    });
    let tools =
        request.tools.iter().map(|tool| length(&tool.description) + length(&tool.parameters.to_string()));
    (length(&request.instructions) + messages.sum::<u64>() + tools.sum::<u64>()) / CHARACTERS_PER_TOKEN
}

fn length(text: &str) -> u64 {
    text.chars().count() as u64
}
