//! The steps of a run as Python that can be run again.

use std::collections::HashMap;
use std::fmt::Write;

use assay_agent::Event;
use assay_report::Cell;
use assay_sandbox::{Captured, StepOutcome, StepStatus};
use serde_json::Value;

use crate::contract::is_picture;

/// The steps that are worth running again, in order: those that worked, and those that ended with an exception,
/// since what they had done until then is kept. Whatever ended the process has left nothing behind.
pub(super) fn cells(events: &[Event]) -> Vec<Cell> {
    let mut begun: HashMap<u32, (&str, &str, &Value)> = HashMap::new();
    let mut pictures: HashMap<u32, Vec<String>> = HashMap::new();
    let mut cells = Vec::new();
    for event in events {
        match event {
            Event::StepStarted { step, tool, title, arguments, .. } => {
                begun.insert(*step, (tool, title, arguments));
            }
            Event::ArtifactSaved { step, path, .. } if is_picture(path) => {
                pictures.entry(*step).or_default().push(path.clone());
            }
            Event::StepEnded { step, ok, outcome, .. } => {
                let Some((tool, title, arguments)) = begun.remove(step) else { continue };
                let Some(code) = python(tool, arguments) else { continue };
                let error = match ending(*ok, outcome.as_deref()) {
                    Ending::Worked => None,
                    Ending::Raised(class) => Some(class),
                    Ending::Lost => continue,
                };
                cells.push(Cell {
                    step: *step,
                    title: title.to_owned(),
                    code,
                    error,
                    printed: outcome.as_ref().map(|outcome| printed(&outcome.stdout)).unwrap_or_default(),
                    pictures: Vec::new(),
                });
            }
            _ => {}
        }
    }
    // An artifact may be told of only after its step has ended.
    for cell in &mut cells {
        cell.pictures = pictures.remove(&cell.step).unwrap_or_default();
    }
    cells
}

/// How a step ended, as far as others can build upon it.
enum Ending {
    Worked,
    /// With an exception of this class.
    Raised(String),
    /// It has left nothing behind.
    Lost,
}

fn ending(ok: bool, outcome: Option<&StepOutcome>) -> Ending {
    match outcome.map(|outcome| (outcome.status, &outcome.error)) {
        None if ok => Ending::Worked,
        Some((StepStatus::Ok, _)) => Ending::Worked,
        Some((StepStatus::Error, Some(error))) => Ending::Raised(error.kind.clone()),
        _ => Ending::Lost,
    }
}

fn python(tool: &str, arguments: &Value) -> Option<String> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    match tool {
        "run_python" => Some(text("code").to_owned()),
        "run_shell" => Some(format!(
            "import subprocess\n\nprint(subprocess.run({}, shell=True, capture_output=True, text=True).stdout, end=\"\")",
            literal(text("command"))
        )),
        "write_file" => {
            let path = text("path").trim_start_matches("/workspace/");
            Some(format!(
                "import os\n\nos.makedirs(os.path.dirname({path}), exist_ok=True)\n\
                 with open({path}, \"w\", encoding=\"utf-8\", newline=\"\") as file:\n    \
                 _ = file.write({})",
                literal(text("content")),
                path = literal(path),
            ))
        }
        _ => None,
    }
}

/// A text as Python writes it.
fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push('\n'),
            '\t' => escaped.push('\t'),
            c if c.is_control() => {
                let _ = write!(escaped, "\\x{:02x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    if text.contains('\n') { format!("\"\"\"\\\n{escaped}\"\"\"") } else { format!("\"{escaped}\"") }
}

/// What was printed, with a word where the middle of it was not kept.
fn printed(captured: &Captured) -> String {
    if captured.tail.is_empty() {
        return captured.head.clone();
    }
    format!(
        "{}\n[... {} bytes are left out here ...]\n{}",
        captured.head, captured.skipped_bytes, captured.tail
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_python_reads_them() {
        assert_eq!(literal("a \"b\" \\n é"), r#""a \"b\" \\n é""#);
        assert_eq!(literal("1\r\n2\"\"\"\n\u{0}"), "\"\"\"\\\n1\\x0d\n2\\\"\\\"\\\"\n\\x00\"\"\"");
    }
}
