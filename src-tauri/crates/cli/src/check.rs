//! `assay check`.

use assay_engine::{Attempt, DataStory, DockerSettings, Engine, ReportCheck, StepChange, Verdict};
use serde::Serialize;

use crate::arguments::{CheckArguments, home};
use crate::exit::Exit;
use crate::run::show_problem;

/// Characters of a table's name that are shown.
const NAME_LENGTH: usize = 24;
/// Characters of code that are shown.
const CODE_LENGTH: usize = 72;

/// All that can be told of a run afterwards.
#[derive(Serialize)]
struct Checked {
    #[serde(flatten)]
    report: ReportCheck,
    /// What happened to the data.
    story: DataStory,
}

pub(crate) fn check(arguments: &CheckArguments) -> anyhow::Result<Exit> {
    let checked = Engine::new(home(), DockerSettings::default()).and_then(|engine| {
        let run = engine.find_run(&arguments.run)?;
        Ok(Checked { report: engine.check_report(&run)?, story: engine.data_story(&run)? })
    });
    let checked = match checked {
        Ok(checked) => checked,
        Err(problem) => {
            show_problem(&problem);
            return Ok(Exit::from(&problem));
        }
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&checked)?);
    } else {
        print(&checked.report, arguments.all);
        for line in told(&checked.story) {
            println!("{}", line.trim_end());
        }
    }
    Ok(if checked.report.summary.not_found == 0 { Exit::Done } else { Exit::Incomplete })
}

fn print(report: &ReportCheck, all: bool) {
    for figure in report.figures.iter().filter(|figure| all || figure.verdict == Verdict::NotFound) {
        println!("{:<24}{}\n    in “{}”", figure.text, figure.verdict.sentence(), figure.place);
    }
    println!("{}", report.summary.sentence());
}

/// What happened to the data, line by line.
fn told(story: &DataStory) -> Vec<String> {
    let mut lines = Vec::new();
    if !story.changes.is_empty() {
        let head = ["step", "what", "table", "before", "after", "missing", "code"].map(str::to_owned);
        lines.extend([String::new(), "Rows before and after".into(), row(&head)]);
        lines.extend(story.changes.iter().map(|change| row(&cells(change))));
    }
    if !story.attempts.is_empty() {
        lines.extend([String::new(), "Attempts that were left".into()]);
        for Attempt { step, title, reason } in &story.attempts {
            lines.extend([format!("{step:>4}  {title}"), format!("      {}", reason.sentence())]);
        }
    }
    lines
}

fn row([step, what, table, before, after, missing, code]: &[String; 7]) -> String {
    format!("{step:>4}  {what:<21} {table:<NAME_LENGTH$} {before:>11} {after:>11} {missing:>15}  {code}")
}

fn cells(StepChange { step, change }: &StepChange) -> [String; 7] {
    let missing = match (change.missing_before, change.missing_after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        _ => String::new(),
    };
    let name = change.name.as_deref().unwrap_or("(no name)");
    [
        step.to_string(),
        change.kind.words().to_owned(),
        name.chars().take(NAME_LENGTH).collect(),
        change.rows_before.map(|rows| rows.to_string()).unwrap_or_default(),
        change.rows_after.to_string(),
        missing,
        change.code.chars().take(CODE_LENGTH).collect(),
    ]
}

#[cfg(test)]
mod tests {
    use assay_engine::{ChangeKind, Left, TableChange};

    use super::*;

    #[test]
    fn a_story_is_a_plain_table_and_a_list_and_nothing_where_nothing_happened() {
        assert_eq!(told(&DataStory::default()), [""; 0]);
        let change = TableChange {
            kind: ChangeKind::DropMissing,
            line: 1,
            code: "clean = df.dropna()".into(),
            name: Some("clean".into()),
            from: Vec::new(),
            rows_before: Some(1800),
            rows_after: 1200,
            columns_before: None,
            columns_after: None,
            missing_before: Some(600),
            missing_after: Some(0),
        };
        let read = TableChange {
            kind: ChangeKind::Read,
            rows_before: None,
            missing_before: None,
            name: None,
            ..change.clone()
        };
        let attempt = Attempt { step: 2, title: "Leaving out".into(), reason: Left::Unused };
        let story = DataStory {
            changes: vec![StepChange { step: 1, change: read }, StepChange { step: 2, change }],
            attempts: vec![attempt],
        };
        let parts = |line: &String| -> Vec<String> {
            line.split("  ").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let lines: Vec<Vec<String>> = told(&story).iter().map(parts).collect();
        let expected: [&[&str]; 9] = [
            &[],
            &["Rows before and after"],
            &["step", "what", "table", "before", "after", "missing", "code"],
            &["1", "read", "(no name)", "1200", "clean = df.dropna()"],
            &["2", "missing left out", "clean", "1800", "1200", "600 → 0", "clean = df.dropna()"],
            &[],
            &["Attempts that were left"],
            &["2", "Leaving out"],
            &["Nothing in the report rests on it."],
        ];
        assert_eq!(lines, expected);
    }
}
