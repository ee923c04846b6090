//! Passes a model's question on to whoever sits at the terminal.

use std::io::{IsTerminal, Write};

use assay_engine::{Person, Question, StopToken};
use async_trait::async_trait;

/// The person at the terminal. Where there is none, nobody answers.
pub(crate) struct AtTheTerminal;

#[async_trait]
impl Person for AtTheTerminal {
    async fn answer(&self, question: &Question, stop: &StopToken) -> Option<String> {
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return None;
        }
        eprintln!("\n{}", question.text);
        for (number, choice) in question.choices.iter().enumerate() {
            eprintln!("  {}. {choice}", number + 1);
        }
        eprint!("A number, an answer of your own, or just Enter to leave it to the model: ");
        let _ = std::io::stderr().flush();
        // A thread that waits for a line cannot be ended; it does not keep the program from ending.
        let (line, waiting) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = line.send(std::io::stdin().read_line(&mut text).map(|_| text));
        });
        let typed = tokio::select! {
            line = waiting => line.ok()?.ok()?,
            () = stop.cancelled() => return None,
        };
        chosen(&typed, &question.choices)
    }
}

/// A number names a choice; anything else is an answer of its own; nothing leaves it to the model.
fn chosen(typed: &str, choices: &[String]) -> Option<String> {
    let typed = typed.trim();
    let number = typed.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    number.cloned().or_else(|| (!typed.is_empty()).then(|| typed.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_a_choice_and_words_are_an_answer() {
        let choices = ["by month".to_owned(), "by week".to_owned()];
        for (typed, answer) in [
            ("2\n", Some("by week")),
            ("by quarter\n", Some("by quarter")),
            ("7\n", Some("7")),
            ("0", Some("0")),
            ("  \n", None),
        ] {
            assert_eq!(chosen(typed, &choices).as_deref(), answer, "{typed:?}");
        }
    }
}
