//! What was said and done in a run, to read.

use std::fmt::Write;

use assay_agent::Event;

use super::super::Kept;

pub(super) fn transcript(kept: &Kept<'_>) -> String {
    let mut text = format!("# What was said and done\n\n## {}\n", line(&kept.record.request));
    for event in kept.events {
        match event {
            Event::Asked { ask } => {
                let _ = write!(text, "\n## {}\n", line(ask));
            }
            Event::TurnEnded { message, .. } if !message.text.trim().is_empty() => {
                let _ = write!(text, "\n{}\n", message.text.trim());
            }
            Event::StepStarted { step, title, arguments, .. } => {
                let _ = write!(text, "\n### Step {step}: {}\n", line(title));
                for name in ["code", "command", "content"] {
                    if let Some(source) = arguments[name].as_str() {
                        text.push_str(&fenced(source));
                    }
                }
            }
            Event::StepEnded { observation, .. } => text.push_str(&fenced(observation)),
            Event::QuestionAsked { question, .. } => {
                let _ = write!(text, "\nAsked: {}\n", line(&question.text));
            }
            Event::QuestionAnswered { answer, .. } => {
                let answer = answer.as_deref().unwrap_or("(left to the analyst)");
                let _ = write!(text, "\nAnswered: {}\n", line(answer));
            }
            Event::ContractBroken { gaps } => {
                for gap in gaps {
                    let _ = write!(text, "\nStill missing: {}\n", line(&gap.0));
                }
            }
            _ => {}
        }
    }
    text
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A block that no line of the text ends before its end.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}\n{}\n{fence}\n", text.trim_end())
}
