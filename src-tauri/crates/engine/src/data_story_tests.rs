use assay_sandbox::{Captured, ChangeKind, FileChange, StepError, StepOutcome};
use serde_json::json;

use super::*;
use crate::evidence::FigureCheck;

/// A step that ran, with what it left.
struct Told {
    events: Vec<Event>,
    step: u32,
}

fn told() -> Told {
    Told { events: Vec::new(), step: 0 }
}

impl Told {
    fn step(mut self, code: &str) -> Self {
        self.step += 1;
        self.ran(code, None, &[])
    }

    fn failing(mut self, code: &str) -> Self {
        self.step += 1;
        self.ran(code, Some("no such column\nmore"), &[])
    }

    fn changing(mut self, code: &str, kind: ChangeKind, rows: (u64, u64)) -> Self {
        self.step += 1;
        self.ran(code, None, &[change(kind, rows)])
    }

    /// The last step has made a file of `output/`.
    fn saving(mut self, path: &str) -> Self {
        let (step, path) = (self.step, path.to_owned());
        if let Some(Event::StepEnded { outcome: Some(outcome), .. }) = self.events.last_mut() {
            outcome.changed.push(FileChange { path: format!("output/{path}"), size: 1, new: true });
        }
        let at = self.events.len() - 1;
        self.events.insert(at, Event::ArtifactSaved { step, path, size: 1 });
        self
    }

    fn removing(mut self, path: &str) -> Self {
        self.events.push(Event::ArtifactRemoved { step: self.step, path: path.into() });
        self
    }

    fn ran(mut self, code: &str, error: Option<&str>, tables: &[TableChange]) -> Self {
        let error = error.map(|message| StepError {
            kind: "KeyError".into(),
            message: message.into(),
            traceback: String::new(),
            line: None,
            advice: None,
        });
        self.events.push(Event::StepStarted {
            step: self.step,
            turn: self.step,
            call: String::new(),
            tool: "run_python".into(),
            title: format!("Step {}", self.step),
            arguments: json!({ "code": code }),
            mended: Vec::new(),
        });
        let outcome = StepOutcome {
            step: self.step,
            status: if error.is_some() { StepStatus::Error } else { StepStatus::Ok },
            duration_ms: 1.0,
            stdout: Captured::default(),
            stderr: Captured::default(),
            exit_code: None,
            message: None,
            changed: Vec::new(),
            removed: Vec::new(),
            refused: Vec::new(),
            restarted: false,
            tables: tables.to_vec(),
            error,
        };
        let ok = outcome.status == StepStatus::Ok;
        let ended = Event::StepEnded {
            step: self.step,
            ok,
            outcome: Some(Box::new(outcome)),
            observation: String::new(),
        };
        self.events.push(ended);
        self
    }

    /// The attempts, where the report's figures lead to these steps.
    fn attempts(&self, figures: &[u32]) -> Vec<(u32, Left)> {
        let figures = figures.iter().map(|step| FigureCheck {
            text: "1".into(),
            place: String::new(),
            verdict: Verdict::Printed { step: *step, line: 1, words: String::new() },
        });
        let check = ReportCheck { figures: figures.collect(), ..ReportCheck::default() };
        let story = DataStory::of(&self.events, Some(&check));
        story.attempts.into_iter().map(|attempt| (attempt.step, attempt.reason)).collect()
    }
}

fn change(kind: ChangeKind, (before, after): (u64, u64)) -> TableChange {
    TableChange {
        kind,
        line: 1,
        code: String::new(),
        name: Some("df".into()),
        from: Vec::new(),
        rows_before: Some(before),
        rows_after: after,
        columns_before: None,
        columns_after: None,
        missing_before: None,
        missing_after: None,
    }
}

#[test]
fn field_099_the_choice_that_was_not_taken_is_told_of() {
    let run = told()
        .step("df = pd.read_csv('input/survey.csv')")
        .changing("clean = df.dropna()\nprint(test(clean))", ChangeKind::DropMissing, (1800, 1200))
        .changing("clean = df.fillna(0)\nprint(test(clean))", ChangeKind::Fill, (1800, 1800))
        .step("print(clean.x.mean())");
    assert_eq!(run.attempts(&[4]), [(2, Left::Unused)]);
    let story = DataStory::of(&run.events, None);
    let rows: Vec<_> = story
        .changes
        .iter()
        .map(|each| (each.step, each.change.kind.words(), each.change.rows_before, each.change.rows_after))
        .collect();
    assert_eq!(rows, [(2, "missing left out", Some(1800), 1200), (3, "missing filled", Some(1800), 1800)]);
    assert_eq!(story.attempts, [], "without a report nothing can be said to be left");
}

#[test]
fn what_failed_was_replaced_or_deleted_is_told_of() {
    let run = told()
        .failing("df.nope")
        .step("plot(1)")
        .saving("charts/a.png")
        .step("plot(2)")
        .saving("charts/a.png")
        .step("draft()")
        .saving("draft.csv")
        .step("import os; os.remove('output/draft.csv')")
        .removing("draft.csv")
        .step("write()")
        .saving("report.md")
        .step("write(again)")
        .saving("report.md");
    let paths = |path: &str| vec![path.to_owned()];
    assert_eq!(
        run.attempts(&[5, 6]),
        [
            (1, Left::Failed { message: "KeyError: no such column".into() }),
            (2, Left::Replaced { by: 3, paths: paths("charts/a.png") }),
            (4, Left::Removed { by: 5, paths: paths("draft.csv") }),
        ]
    );
    // A report that is written anew is no attempt that was left, unless nothing else came of its step.
    assert_eq!(run.attempts(&[5]).last(), Some(&(6, Left::Unused)));
}

#[test]
fn a_step_counts_by_its_variables_its_changes_in_place_and_its_files() {
    let run = told()
        .step("import pandas as pd\nfrom work import helper as h")
        .step("def tidy(x):\n    return x")
        .step("df = tidy(pd.read_csv('input/a.csv'))")
        .step("df['x'] = df['x'].fillna(0)")
        .step("df.to_csv('output/kept.csv')")
        .saving("kept.csv")
        .step("print(1)")
        .step("again = h(open('output/kept.csv'))\nprint(df.x.sum())");
    assert_eq!(run.attempts(&[7]), [(6, Left::Unused)]);
}

#[test]
fn reasons_are_sentences() {
    let paths = vec!["a.png".to_owned(), "b.csv".to_owned()];
    let sentences = [
        Left::Failed { message: "KeyError: 'x'".into() },
        Left::Replaced { by: 3, paths: paths.clone() },
        Left::Removed { by: 4, paths },
        Left::Unused,
    ]
    .map(|left| left.sentence());
    assert_eq!(
        sentences,
        [
            "It failed: KeyError: 'x'",
            "Step 3 made a.png, b.csv anew.",
            "Step 4 deleted a.png, b.csv.",
            "Nothing in the report rests on it.",
        ]
    );
}
