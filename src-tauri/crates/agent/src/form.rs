//! Whether an answer keeps to marks that the request asks for by example, such as `@total[...]` or `<answer>`.

use assay_model::Message;

use crate::contract::Gap;

/// Signs with which such a mark begins.
const SIGNS: [char; 5] = ['@', '#', '<', '[', '{'];
/// How such a gap begins.
pub(crate) const FORM: &str = "the form that the request wants, which was printed as ";
/// A line that is shown is cut here.
const MOST_SHOWN: usize = 200;

/// What code has printed behind a mark of the request and the answer does not repeat. A small model tends to
/// say it in its own words instead.
pub(crate) fn gaps(request: &str, messages: &[Message], answer: &str) -> Vec<Gap> {
    let printed = messages.iter().rev().find_map(|message| match message {
        Message::Tool(result) => Some(result.text.split("\n<request>").next().unwrap_or_default()),
        _ => None,
    });
    let Some(printed) = printed else { return Vec::new() };
    let mut lines: Vec<&str> = marks(request)
        .filter(|mark| !answer.contains(mark))
        .filter_map(|mark| printed.lines().find(|line| line.contains(mark)))
        .collect();
    lines.dedup();
    let shown = |line: &str| line.trim().chars().take(MOST_SHOWN).collect::<String>();
    lines.into_iter().map(|line| Gap(format!("{FORM}`{}`", shown(line)))).collect()
}

/// The marks of a request: a sign, a name, and the bracket behind it.
fn marks(request: &str) -> impl Iterator<Item = &str> {
    request.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"')).filter_map(|word| {
        let name = word.strip_prefix(SIGNS)?;
        let length = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let closes = name[length..].chars().next()?;
        (length > 1 && matches!(closes, '[' | '>' | '=' | ':' | '(')).then(|| {
            let end = word.len() - name.len() + length + closes.len_utf8();
            &word[..end]
        })
    })
}

#[cfg(test)]
mod tests {
    use assay_model::ToolResult;

    use super::*;

    fn told(request: &str, printed: &str, answer: &str) -> Vec<String> {
        let text = format!(
            "status: ok\n--- output\n{printed}\n\nThe request was:\n<request>\n{request}\n</request>"
        );
        let messages = [Message::user("x"), Message::Tool(ToolResult { call_id: "a".into(), text })];
        gaps(request, &messages, answer).into_iter().map(|gap| gap.0).collect()
    }

    #[test]
    fn a_form_that_was_printed_is_missed_in_the_answer() {
        let request = "How many? Write it as @total[number], @kind[word] and nothing else.";
        assert_eq!(
            told(request, "@total[4], @kind[odd]", "There are 4, which is odd."),
            ["the form that the request wants, which was printed as `@total[4], @kind[odd]`"]
        );
        assert!(told(request, "@total[4], @kind[odd]", "@total[4], @kind[odd]").is_empty());
        assert!(told(request, "4", "There are 4.").is_empty());
        assert!(told("How many e-mails to a@b.org, and #3?", "a@b.org 4", "Four.").is_empty());
        assert_eq!(told("Give it as <answer>…</answer>", "<answer>7</answer>", "7").len(), 1);
    }
}
