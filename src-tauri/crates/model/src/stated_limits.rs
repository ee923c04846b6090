//! The limits that refusals state in their words.

/// What stands before the length of a conversation.
const BEFORE_CONTEXT: &[&str] = &[
    "maximum context length is ",
    "maximum context length of ",
    "context length of only ",
    "available context size (",
    "maximum number of tokens allowed (",
    "context window of ",
    "context length is only ",
    "exceed context limit: ",
    "\"n_ctx\":",
    "\"n_ctx\": ",
];

/// What stands behind it.
const BEHIND_CONTEXT: &[&str] = &[" maximum context length", " maximum"];

/// What shows that a refusal is about the length of the answer.
const OUTPUT_WORDS: &[&str] = &[
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "output tokens",
    "completion tokens",
    "in the completion",
];

/// A share of the context that an answer may have where the two were asked for together.
const ANSWER_SHARE: u64 = 4;

/// The shortest answer worth asking for.
const SHORTEST_OUTPUT: u64 = 256;

/// How long a conversation and its answer may be together, where the text says so.
pub(crate) fn stated_context(text: &str) -> Option<u64> {
    let text = text.to_lowercase();
    let before = BEFORE_CONTEXT.iter().find_map(|words| {
        let rest = &text[text.find(words)? + words.len()..];
        number_at_start(rest)
    });
    let behind = || {
        BEHIND_CONTEXT.iter().find_map(|words| {
            let rest = &text[..text.find(words)?];
            let digits = rest.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |place| place + 1);
            number_at_start(&rest[digits..])
        })
    };
    before.or_else(behind).filter(|tokens| *tokens >= SHORTEST_OUTPUT)
}

/// A shorter answer that the server would accept, where it refused one of `asked` tokens as too long.
pub(crate) fn smaller_output(text: &str, asked: u64) -> Option<u32> {
    let lower = text.to_lowercase();
    if !OUTPUT_WORDS.iter().any(|words| lower.contains(words)) {
        return None;
    }
    let share = stated_context(&lower).map(|context| context / ANSWER_SHARE);
    let most = share.or_else(|| numbers(&lower).filter(|number| *number < asked).max())?;
    (SHORTEST_OUTPUT..asked).contains(&most).then(|| u32::try_from(most).ok()).flatten()
}

fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != ',').filter_map(number_at_start)
}

/// The number that a text begins with, thousands set off by commas or not.
fn number_at_start(text: &str) -> Option<u64> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != ',').unwrap_or(text.len());
    text[..end].replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_is_read_from_refusals() {
        for (text, expected) in [
            ("This model's maximum context length is 4096 tokens. However, you requested 5000.", Some(4096)),
            (
                r#"{"error":{"type":"exceed_context_size_error","n_prompt_tokens":16030,"n_ctx":8192}}"#,
                Some(8192),
            ),
            (
                "request (16030 tokens) exceeds the available context size (8192 tokens), try increasing it",
                Some(8192),
            ),
            ("prompt is too long: 215000 tokens > 200000 maximum", Some(200_000)),
            (
                "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
                Some(32_768),
            ),
            (
                "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576).",
                Some(1_048_576),
            ),
            ("the model is loaded with context length of only 4096 tokens", Some(4096)),
            ("messages too long", None),
            ("maximum context length is unknown", None),
        ] {
            assert_eq!(stated_context(text), expected, "{text}");
        }
    }

    #[test]
    fn a_shorter_answer_is_read_from_refusals() {
        for (text, expected) in [
            (
                "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
                Some(16_384),
            ),
            (
                "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m",
                Some(64_000),
            ),
            ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(8192)),
            ("`max_tokens` must be less than or equal to `8,192`", Some(8192)),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context \
                 length is 4096 tokens and your request has 1000 input tokens",
                Some(1024),
            ),
            ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", None),
            ("max_tokens must be at least 16", None),
            ("content 5000 is not allowed", None),
        ] {
            assert_eq!(smaller_output(text, 100_000), expected, "{text}");
        }
    }
}
