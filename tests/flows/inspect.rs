//! `assay inspect` and `assay convert`: how a file is read, and the clean table that comes of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn assay(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(folder).env("ASSAY_HOME", folder).env_remove("ASSAY_LOG");
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const FILE: &str =
    "Sales of May\n\nshop;sold;day\nNorth;1.234,50;03.04.2024\nSouth;2,5;28.04.2024\n\nTotal;1.237,00\n";

#[test]
fn a_person_sees_how_a_file_is_read_and_flips_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("may.csv"), FILE).unwrap();
    let seen = assay(folder.path(), &["inspect", "may.csv"]);
    assert_eq!(seen.status.code(), Some(0), "{}", text(&seen.stderr));
    let said = text(&seen.stdout);
    for part in [
        "2 rows, 3 columns",
        "Between the cells: Semicolon",
        "Header: Header in row 3",
        "decimal=,",
        "Dates in `day`: 03/04 is 3 April",
        "1 of 2 dates could be either",
        "Ledger: 2 rows read, 4 not part of the table",
    ] {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
    let json = assay(folder.path(), &["inspect", "may.csv", "--json", "--set", "dates=month-first"]);
    let reading: Value = serde_json::from_slice(&json.stdout).unwrap();
    let decisions = reading["decisions"].as_array().unwrap();
    let dates = decisions.iter().find(|decision| decision["id"] == "dates:day").unwrap();
    assert_eq!((&dates["value"], &dates["chosen"]), (&"month-first".into(), &true.into()));
    assert_eq!(reading["settings"]["dates"], "month-first");
    assert_eq!(reading["ledger"]["rows_read"], 2);
}

#[test]
fn a_file_becomes_a_clean_table_with_its_record() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("may.csv"), FILE).unwrap();
    let made = assay(folder.path(), &["convert", "may.csv", "clean.csv", "--set", "name:sold=amount"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert_eq!(text(&made.stdout).trim(), "clean.csv");
    let clean = std::fs::read_to_string(folder.path().join("clean.csv")).unwrap();
    assert_eq!(clean, "shop,amount,day\nNorth,1234.50,2024-04-03\nSouth,2.5,2024-04-28\n");
    let record = std::fs::read(folder.path().join("clean.csv.tables.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    let table = &record["tables"][0];
    assert_eq!((&table["rows"], &table["columns"][1]["original_name"]), (&2.into(), &"sold".into()));
    let again = assay(folder.path(), &["convert", "may.csv", "clean.csv"]);
    assert_eq!(again.status.code(), Some(2), "what is there is not written over");
    assert_eq!(
        assay(folder.path(), &["convert", "may.csv", "clean.csv", "--replace"]).status.code(),
        Some(0)
    );
}

#[test]
fn what_means_nothing_is_told_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "a,b\n1,2\n").unwrap();
    std::fs::write(folder.path().join("b.csv"), "%PDF-1.7").unwrap();
    for (arguments, sentence) in [
        (&["inspect", "a.csv", "--set", "colour=red"][..], "There is no setting called \"colour\"."),
        (&["inspect", "a.csv", "--set", "decimal=;"], "\";\" is nothing that `decimal` can be."),
        (&["inspect", "b.csv"], "b.csv is not a table: it looks like a PDF document."),
        (&["inspect", "c.csv"], "There is no file called c.csv."),
        (&["convert", "a.csv", "no/where.csv"], "where.csv could not be written: there is no such folder."),
    ] {
        let refused = assay(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).starts_with(sentence), "{}", text(&refused.stderr));
    }
}
