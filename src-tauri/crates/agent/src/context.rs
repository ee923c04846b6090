//! Keeps a conversation within what the model can read.
//!
//! Tokens are estimated from characters; what the provider counts corrects the estimate. Before the limit is
//! reached, results of steps are shortened from the oldest on, many at once: each shortening changes the
//! beginning of the conversation, which servers would otherwise not have to read again.

use assay_model::{AssistantMessage, Message, TurnRequest, Usage};

/// Tokens for each character until the provider has counted: text in Latin letters has about this many.
const FIRST_RATIO: f64 = 0.3;
/// The share of the room at which shortening begins, and the share that it makes the conversation fit in.
const BEGIN: f64 = 0.9;
const GOAL: f64 = 0.6;
/// Characters that are kept of a shortened result: of its beginning and its end.
const KEPT: (usize, usize) = (300, 200);
/// A result shorter than this stays as it is.
const WORTH_IT: usize = 900;
/// The newest results are not touched: the model is working with them.
const NEWEST: usize = 2;
/// What is known of the model's room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Room {
    /// Tokens of the conversation and the answer together; `None` when the server does not say.
    limit: Option<u64>,
    ratio: f64,
}

impl Room {
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Self { limit, ratio: FIRST_RATIO }
    }

    /// Tokens that an answer may have: a quarter of the room where that is less than what is wished for.
    pub(crate) fn for_answer(&self, wished: u32) -> u32 {
        let quarter = self.limit.map_or(u64::MAX, |limit| (limit / 4).max(256));
        wished.min(u32::try_from(quarter).unwrap_or(u32::MAX))
    }

    /// Tokens of a request, as estimated.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub(crate) fn estimate(&self, request: &TurnRequest) -> u64 {
        (characters(request) as f64 * self.ratio) as u64
    }

    /// Corrects the estimate by what the provider has counted.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn learn(&mut self, request: &TurnRequest, usage: Usage) {
        let characters = characters(request);
        let is_text_only = !request
            .messages
            .iter()
            .any(|message| matches!(message, Message::User { images, .. } if !images.is_empty()));
        if usage.input_tokens > 0 && characters > 0 && is_text_only {
            self.ratio = (usage.input_tokens as f64 / characters as f64).clamp(0.1, 2.0);
        }
    }

    /// What an answer has used, where the provider does not say.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub(crate) fn usage(&self, request: &TurnRequest, answer: &AssistantMessage) -> Usage {
        let output_tokens = (written(answer) as f64 * self.ratio).ceil() as u64;
        Usage { input_tokens: self.estimate(request), output_tokens, cost_microdollars: None }
    }

    /// By how many characters the results must shrink before the request is sent; `None` when it fits.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub(crate) fn excess(&self, request: &TurnRequest) -> Option<usize> {
        let room = self.limit?.saturating_sub(u64::from(request.max_output_tokens)) as f64;
        let needed = self.estimate(request) as f64;
        (needed > room * BEGIN).then(|| ((needed - room * GOAL) / self.ratio) as usize)
    }
}

/// Shortens results from the oldest on until `excess` characters are gone, as far as that goes. `note` says
/// where the whole text of the result with this number is. Returns the whole texts of those shortened.
pub(crate) fn shorten(
    messages: &mut [Message],
    excess: usize,
    note: impl Fn(usize) -> String,
) -> Vec<(usize, String)> {
    let results = messages.iter().filter(|message| matches!(message, Message::Tool(_))).count();
    let mut shortened = Vec::new();
    let mut gone = 0;
    let tools = messages.iter_mut().filter_map(|message| match message {
        Message::Tool(result) => Some(result),
        _ => None,
    });
    for (number, result) in tools.enumerate().take(results.saturating_sub(NEWEST)) {
        if gone >= excess {
            break;
        }
        let length = result.text.chars().count();
        if length < WORTH_IT {
            continue;
        }
        let head: String = result.text.chars().take(KEPT.0).collect();
        let tail: String = result.text.chars().skip(length - KEPT.1).collect();
        let text = format!("{head}\n[... shortened to save room; {} ...]\n{tail}", note(number));
        gone += length.saturating_sub(text.chars().count());
        shortened.push((number, std::mem::replace(&mut result.text, text)));
    }
    shortened
}

fn written(answer: &AssistantMessage) -> usize {
    answer.text.len() + answer.calls.iter().map(|call| call.arguments.to_string().len()).sum::<usize>()
}

/// Characters of all that the model reads.
fn characters(request: &TurnRequest) -> usize {
    let messages = request.messages.iter().map(|message| match message {
        Message::User { text, .. } => text.len(),
        Message::Assistant(answer) => written(answer),
        Message::Tool(result) => result.text.len(),
    });
    let tools = request.tools.iter().map(|tool| tool.description.len() + tool.parameters.to_string().len());
    request.instructions.len() + messages.sum::<usize>() + tools.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use assay_model::ToolResult;

    use super::*;

    fn request(messages: Vec<Message>) -> TurnRequest {
        TurnRequest {
            instructions: String::new(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 1000,
            temperature: None,
        }
    }

    fn results(lengths: &[usize]) -> Vec<Message> {
        let result =
            |length: &usize| Message::Tool(ToolResult { call_id: "c".into(), text: "x".repeat(*length) });
        lengths.iter().map(result).collect()
    }

    #[test]
    fn what_does_not_fit_is_shortened_from_the_oldest_on() {
        let mut messages = results(&[8000, 200, 8000, 8000, 8000]);
        let room = Room::new(Some(10_000));
        let excess = room.excess(&request(messages.clone())).expect("32,200 characters do not fit");
        assert_eq!(excess, (9660 - 5400) * 10 / 3);
        let shortened = shorten(&mut messages, excess, |number| format!("see {number}"));
        let numbers: Vec<usize> = shortened.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [0, 2], "the newest two are left alone, short ones too");
        assert_eq!(shortened[0].1, "x".repeat(8000));
        let Message::Tool(first) = &messages[0] else { panic!() };
        assert!(first.text.contains("[... shortened to save room; see 0 ...]"), "{}", first.text);
        assert_eq!(shorten(&mut messages, excess, |_| String::new()), [], "what is short stays as it is");
    }

    #[test]
    fn an_answer_takes_a_quarter_of_a_small_room() {
        for (limit, tokens) in [(None, 8192), (Some(8192), 2048), (Some(200_000), 8192), (Some(500), 256)] {
            assert_eq!(Room::new(limit).for_answer(8192), tokens);
        }
    }

    #[test]
    fn without_a_limit_nothing_is_shortened() {
        assert_eq!(Room::new(None).excess(&request(results(&[1_000_000]))), None);
        assert_eq!(Room::new(Some(10_000)).excess(&request(results(&[8000]))), None);
    }

    #[test]
    fn the_provider_s_count_corrects_the_estimate() {
        let request = request(results(&[10_000]));
        let mut room = Room::new(Some(100_000));
        assert_eq!(room.estimate(&request), 3000);
        room.learn(&request, Usage { input_tokens: 5000, ..Usage::default() });
        assert_eq!(room.estimate(&request), 5000);
        room.learn(&request, Usage::default());
        assert_eq!(room.estimate(&request), 5000, "no count teaches nothing");
    }
}
