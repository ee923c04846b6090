//! Which steps of a run are done again: in a new session of the same run, or in another run on another file.

use std::collections::BTreeSet;

use assay_sandbox::{StepOutcome, StepStatus};
use serde_json::Value;

use crate::event::Event;

/// The tools whose calls leave something behind in the sandbox.
const TOOLS: [&str; 3] = ["run_python", "run_shell", "write_file"];
/// Errors of code that never began to run.
const NEVER_RAN: [&str; 3] = ["SyntaxError", "IndentationError", "TabError"];

/// A step that is worth doing again.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeatable {
    /// Its number in the run.
    pub step: u32,
    /// The turn that asked for it; 0 for the step that loads the tables.
    pub turn: u32,
    /// The id of the call.
    pub call: String,
    /// The tool's name.
    pub tool: String,
    /// What it was for.
    pub title: String,
    /// The call's arguments, as they were run.
    pub arguments: Value,
    /// Whether it did what it was meant to. One that failed is here because a later one uses what it had
    /// worked out before it failed.
    pub worked: bool,
}

impl Repeatable {
    /// The Python of a step, empty for other tools.
    pub fn code(&self) -> &str {
        if self.tool == "run_python" { self.arguments["code"].as_str().unwrap_or_default() } else { "" }
    }
}

/// The steps that worked, in order, and those of the others that a later one of them builds upon. What ended
/// the process, ran out of time or memory, was stopped or was refused is not among them.
pub fn repeatable(events: &[Event]) -> Vec<Repeatable> {
    let mut found: Vec<Repeatable> = Vec::new();
    for (step, ended) in steps(events).into_iter().rev() {
        let worked = matches!(ended, Event::StepEnded { ok: true, .. });
        let outcome = match ended {
            Event::StepEnded { outcome, .. } => outcome.as_deref(),
            _ => None,
        };
        if worked || outcome.is_some_and(|outcome| is_built_upon(step.code(), outcome, &found)) {
            found.push(Repeatable { worked, ..step });
        }
    }
    found.reverse();
    found
}

/// Each step that has ended, with its end.
fn steps(events: &[Event]) -> Vec<(Repeatable, &Event)> {
    let mut begun = None;
    let mut steps = Vec::new();
    for event in events {
        match event {
            Event::StepStarted { step, turn, call, tool, title, arguments, .. } => {
                begun = TOOLS.contains(&tool.as_str()).then(|| Repeatable {
                    step: *step,
                    turn: *turn,
                    call: call.clone(),
                    tool: tool.clone(),
                    title: title.clone(),
                    arguments: arguments.clone(),
                    worked: false,
                });
            }
            Event::StepEnded { step, .. } => {
                steps.extend(begun.take().filter(|begun| begun.step == *step).map(|begun| (begun, event)));
            }
            _ => {}
        }
    }
    steps
}

/// Whether a later step uses a name that the code gave before it failed. `later` is in reverse order.
fn is_built_upon(code: &str, outcome: &StepOutcome, later: &[Repeatable]) -> bool {
    let Some(error) = outcome.error.as_ref().filter(|_| outcome.status == StepStatus::Error) else {
        return false;
    };
    if outcome.restarted || NEVER_RAN.contains(&error.kind.as_str()) {
        return false;
    }
    let done = error.line.map_or(usize::MAX, |line| (line as usize).saturating_sub(1));
    let given: BTreeSet<&str> = code.lines().take(done).flat_map(names_given).collect();
    given.into_iter().any(|name| {
        let first_use = later.iter().rev().find_map(|step| step.code().lines().find(|line| uses(line, name)));
        first_use.is_some_and(|line| !gives_anew(line, name))
    })
}

/// The names that a line of code gives, as far as a look at the line tells.
fn names_given(line: &str) -> Vec<&str> {
    let line = line.trim();
    let names = |text| words(text).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect();
    if let Some(imported) = line
        .strip_prefix("import ")
        .or_else(|| line.strip_prefix("from ").and_then(|rest| split(rest, " import ")))
    {
        let each = imported.split(',');
        return each
            .filter_map(|one| one.rsplit(" as ").next()?.trim_matches([' ', '(', ')']).split('.').next())
            .collect();
    }
    for word in ["def ", "class "] {
        if let Some(rest) = line.strip_prefix(word) {
            return words(rest).take(1).collect();
        }
    }
    if let Some(rest) = line.strip_prefix("for ") {
        return names(rest.split(" in ").next().unwrap_or_default());
    }
    if let Some(rest) = line.strip_prefix("with ") {
        return rest.rsplit_once(" as ").map(|(_, name)| names(name)).unwrap_or_default();
    }
    match assignment(line) {
        Some((left, _)) if !left.contains(['(', '[', '.', '"', '\'']) => {
            names(left.split(':').next().unwrap_or_default())
        }
        _ => Vec::new(),
    }
}

fn split<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

/// Both sides of a plain assignment.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let at = line.find('=')?;
    let (left, right) = (&line[..at], &line[at + 1..]);
    let is_plain =
        !right.starts_with('=') && !left.ends_with(['!', '<', '>', '+', '-', '*', '/', '%', '&', '|']);
    is_plain.then_some((left, right))
}

fn uses(line: &str, name: &str) -> bool {
    words(line).any(|word| word == name)
}

/// Whether a line gives the name without needing what it stood for.
fn gives_anew(line: &str, name: &str) -> bool {
    names_given(line).contains(&name) && assignment(line).is_none_or(|(_, right)| !uses(right, name))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use assay_sandbox::{Captured, StepError};
    use serde_json::json;

    use super::*;

    /// A step of Python; an error at a line of it makes it fail.
    fn python(step: u32, code: &str, status: StepStatus, line: Option<u32>) -> [Event; 2] {
        let error = (status == StepStatus::Error).then(|| StepError {
            kind: "KeyError".into(),
            message: "'x'".into(),
            traceback: String::new(),
            line,
            advice: None,
        });
        let outcome = StepOutcome {
            step,
            status,
            duration_ms: 1.0,
            stdout: Captured::default(),
            stderr: Captured::default(),
            error,
            exit_code: None,
            message: None,
            changed: Vec::new(),
            removed: Vec::new(),
            refused: Vec::new(),
            restarted: status == StepStatus::Exited,
            tables: Vec::new(),
        };
        let ok = status == StepStatus::Ok;
        [
            started(step, "run_python", json!({ "code": code })),
            Event::StepEnded { step, ok, outcome: Some(Box::new(outcome)), observation: String::new() },
        ]
    }

    fn started(step: u32, tool: &str, arguments: Value) -> Event {
        Event::StepStarted {
            step,
            turn: 1,
            call: format!("c{step}"),
            tool: tool.into(),
            title: "t".into(),
            arguments,
            mended: Vec::new(),
        }
    }

    fn numbers(events: &[Event]) -> Vec<(u32, bool)> {
        repeatable(events).iter().map(|step| (step.step, step.worked)).collect()
    }

    #[test]
    fn a_step_that_failed_is_done_again_only_where_a_later_one_builds_upon_it() {
        let (ok, error) = (StepStatus::Ok, StepStatus::Error);
        let events = [
            python(1, "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf['x']", error, Some(3)),
            python(2, "t = df.sum()\nt['x']", error, Some(2)),
            python(3, "t = df.mean()\nprint(t)", ok, None),
            python(4, "while True: pass", StepStatus::Timeout, None),
            python(5, "k = 1\nraise SystemExit", StepStatus::Exited, None),
            python(6, "print(k)", ok, None),
            python(7, "late = df['x']\n", error, Some(1)),
            python(8, "print(late)", ok, None),
        ]
        .concat();
        assert_eq!(numbers(&events), [(1, false), (3, true), (6, true), (8, true)]);
    }

    #[test]
    fn what_leaves_nothing_behind_is_not_done_again() {
        let mut events = Vec::new();
        for (step, tool) in [(1, "view_image"), (2, "write_file"), (3, "ask_user"), (4, "run_shell")] {
            events.push(started(step, tool, json!({})));
            events.push(Event::StepEnded { step, ok: true, outcome: None, observation: String::new() });
        }
        events.push(started(5, "run_python", json!({"code": "1"})));
        assert_eq!(numbers(&events), [(2, true), (4, true)], "one that has not ended is not among them");
    }

    #[test]
    fn names_are_seen_where_they_are_given() {
        for (line, names) in [
            ("a = 1", vec!["a"]),
            ("  a, b = f(x)", vec!["a", "b"]),
            ("total: float = 0.0", vec!["total"]),
            ("import matplotlib.pyplot as plt, os.path", vec!["plt", "os"]),
            ("from a.b import c as d, e", vec!["d", "e"]),
            ("def f(x):", vec!["f"]),
            ("for i, row in df.iterrows():", vec!["i", "row"]),
            ("with open('x') as source:", vec!["source"]),
            ("df['a'] = 1", vec![]),
            ("a == 1", vec![]),
            ("f(a=1)", vec![]),
        ] {
            assert_eq!(names_given(line), names, "{line}");
        }
        assert!(gives_anew("a = b", "a") && !gives_anew("a = a + 1", "a"));
    }
}
