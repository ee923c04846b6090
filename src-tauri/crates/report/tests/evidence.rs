//! How well figures that nobody computed are told from those that were, on reports with labelled figures.
//!
//! Each folder of `evidence/` holds a report in which every figure is followed by its label, what its steps
//! printed, and the tables that they left: `‹c›` computed, `‹d›` derived, `‹i›` a fact of the input, `‹r›` of the
//! request, `‹n›` planted wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::fmt::Write;
use std::path::Path;

use assay_report::{ColumnFacts, Document, InputFacts, Sources, StepSource, TableSource, Verdict, check};
use serde_json::Value;

/// A report's text without labels, and the labels with the text before each.
fn unlabelled(text: &str) -> (String, Vec<(String, char)>) {
    let (mut plain, mut labels) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('‹') {
        plain.push_str(&rest[..at]);
        let label = rest[at..].chars().nth(1).unwrap();
        let before: String = plain.chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
        labels.push((before, label));
        rest = &rest[at + "‹c›".len()..];
    }
    plain.push_str(rest);
    (plain, labels)
}

fn facts(input: &Value) -> InputFacts {
    let columns = input["columns"].as_array().unwrap().iter().map(|column| {
        let facts = [
            ("min minimum", "min"),
            ("max maximum", "max"),
            ("mean", "mean"),
            ("distinct different", "distinct"),
        ]
        .into_iter()
        .filter_map(|(words, key)| {
            let value = &column[key];
            let shown =
                value.as_str().map(str::to_owned).or_else(|| value.as_number().map(ToString::to_string))?;
            Some((words, shown))
        })
        .collect();
        let values = column["values"].as_array().into_iter().flatten();
        ColumnFacts {
            name: column["name"].as_str().unwrap().to_owned(),
            facts,
            values: values.filter_map(|value| value.as_str().map(str::to_owned)).collect(),
        }
    });
    InputFacts {
        name: input["name"].as_str().unwrap().to_owned(),
        rows: input["rows"].as_u64(),
        columns: columns.collect(),
    }
}

/// Counts of figures that are: rightly not found, wrongly not found, wrongly found, rightly found.
#[derive(Default, Clone, Copy)]
struct Score {
    caught: usize,
    alarm: usize,
    missed: usize,
    fine: usize,
}

#[test]
fn figures_that_nobody_computed_are_told_from_those_that_were() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evidence");
    let mut folders: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let (mut all, mut said, mut unread) = (Score::default(), String::new(), String::new());
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let (markdown, labels) = unlabelled(&std::fs::read_to_string(folder.join("report.md")).unwrap());
        let run: Value = serde_json::from_slice(&std::fs::read(folder.join("run.json")).unwrap()).unwrap();
        let tables: Vec<(String, u32, Vec<u8>)> = run["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| {
                let path = table["path"].as_str().unwrap().to_owned();
                let content = std::fs::read(folder.join("tables").join(&path)).unwrap();
                (path, u32::try_from(table["step"].as_u64().unwrap()).unwrap(), content)
            })
            .collect();
        let sources = Sources {
            request: run["request"].as_str().unwrap(),
            inputs: vec![facts(&run["input"])],
            steps: run["steps"]
                .as_array()
                .unwrap()
                .iter()
                .map(|step| StepSource {
                    number: u32::try_from(step["number"].as_u64().unwrap()).unwrap(),
                    output: step["output"].as_str().unwrap(),
                    code: "",
                    wrote_report: false,
                })
                .collect(),
            tables: tables
                .iter()
                .map(|(path, step, content)| TableSource { path, step: *step, content })
                .collect(),
        };
        let document = Document::read(&markdown, &|_| true);
        let evidence = check(&document, &sources);
        let mut score = Score::default();
        let mut waiting: Vec<(String, char)> = labels;
        for (figure, verdict) in document.figures.iter().zip(&evidence.verdicts) {
            let fits = |(before, _): &(String, char)| {
                let tail: String = before.chars().rev().take(figure.text.chars().count() + 5).collect();
                tail.chars().rev().collect::<String>().contains(&figure.text)
            };
            let Some(at) = waiting.iter().take(6).position(fits) else {
                let _ = writeln!(unread, "{name}: no label for “{}”", figure.text);
                continue;
            };
            let mut taken = waiting.drain(..=at).collect::<Vec<_>>();
            let (_, label) = taken.pop().unwrap();
            for (before, label) in taken {
                let _ = writeln!(unread, "{name}: ‹{label}› behind “{before}” is no figure");
            }
            let found = *verdict != Verdict::NotFound;
            match (label == 'n', found) {
                (true, false) => score.caught += 1,
                (true, true) => score.missed += 1,
                (false, false) => score.alarm += 1,
                (false, true) => score.fine += 1,
            }
            if (label == 'n') == found {
                let _ = writeln!(said, "{name}: ‹{label}› “{}” {verdict:?}", figure.text);
            }
        }
        println!(
            "{name}: caught {}, missed {}, false alarms {}, rightly found {}",
            score.caught, score.missed, score.alarm, score.fine
        );
        all.caught += score.caught;
        all.missed += score.missed;
        all.alarm += score.alarm;
        all.fine += score.fine;
    }
    println!("{unread}{said}");
    #[allow(clippy::cast_precision_loss, reason = "a few hundred")]
    let share = |part: usize, rest: usize| part as f64 / (part + rest) as f64;
    let (precision, recall) = (share(all.caught, all.alarm), share(all.caught, all.missed));
    println!("not found: precision {precision:.3}, recall {recall:.3}");
    assert!(precision >= 0.95, "precision {precision:.3}");
    assert!(recall >= 0.95, "recall {recall:.3}");
}
