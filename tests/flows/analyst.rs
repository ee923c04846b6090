//! The built-in analyst through the whole loop on files that nobody of the project made: each run ends with a
//! report that says something, whose links lead somewhere, and whose figures its own code computed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{docker, skip};

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data");
const FACTS: &str = include_str!("../facts/business.tsv");

/// A run of one question on one file: what was printed, and the report.
fn ask(question: &str, file: &Path) -> (String, String) {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "ASSAY_LOG"] {
        command.env_remove(name);
    }
    command
        .env("ASSAY_HOME", home.path())
        .args(["run"])
        .arg(file)
        .args(["--ask", question, "--out"])
        .arg(&out);
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let name = file.display();
    assert_eq!(output.status.code(), Some(0), "{name}: {question}: {said}");
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.lines().filter(|line| !line.trim().is_empty()).count() > 6, "{name}: {report}");
    for link in report.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(
            out.join(link).is_file(),
            "{name}: {question}: the report leads to {link}, which is not there"
        );
    }
    let mut words = report.split(|c: char| !c.is_alphanumeric());
    assert!(!words.any(|word| word == "nan"), "{name}: {question}: {report}");
    (said, report)
}

fn tables(folder: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(Path::new(SHARED).join(folder)).map(|entries| {
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        paths.filter(|path| path.extension().is_some_and(|end| end == "csv" || end == "xlsx")).collect()
    });
    let mut found: Vec<PathBuf> = listed.unwrap_or_default();
    found.sort();
    found
}

fn ready(folder: &str) -> bool {
    if tables(folder).is_empty() {
        eprintln!("SKIPPED: no files in {SHARED}/{folder}");
        return false;
    }
    let docker = tokio::runtime::Runtime::new().unwrap().block_on(docker()).is_some();
    if !docker {
        skip("the sandbox is not ready");
    }
    docker
}

/// Every table gets an overview, and a look for what is unusual.
fn all_of(folder: &str) {
    if !ready(folder) {
        return;
    }
    for file in tables(folder) {
        for question in ["Give me an overview", "Check the data quality", "Is anything unusual?"] {
            let (said, _) = ask(question, &file);
            assert!(!said.contains("not found"), "{}: {question}: {said}", file.display());
        }
    }
}

#[test]
fn business_tables_run_through() {
    all_of("business");
}

#[test]
fn energy_tables_run_through() {
    all_of("energy");
}

#[test]
fn workbooks_run_through() {
    all_of("excel");
}

#[test]
fn damaged_tables_run_through_or_are_refused_with_a_reason() {
    if !ready("messy") {
        return;
    }
    for file in tables("messy") {
        ask("Give me an overview", &file);
    }
}

#[test]
fn a_question_of_each_table_is_answered_and_not_another_one() {
    if !ready("business") {
        return;
    }
    let mut asked: Vec<&str> = Vec::new();
    for row in FACTS.lines() {
        let [table, question, _] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        // One question of each table runs through the sandbox; `scripts/ask-facts` checks the values of all.
        if asked.contains(&table) {
            continue;
        }
        asked.push(table);
        let (_, report) = ask(question, &Path::new(SHARED).join("business").join(format!("{table}.csv")));
        assert!(
            report.contains("*Understood as: ") && !report.contains("did not understand"),
            "{question}: {report}"
        );
    }
}
