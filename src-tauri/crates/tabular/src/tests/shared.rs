//! Real files, with the right answers that come with them.

use super::shared_data;
use crate::{Kind, Table};
use serde_json::Value;
use std::path::Path;

fn read(path: &Path) -> Table {
    crate::read(path, "input/x.csv").unwrap_or_else(|error| panic!("{error}"))
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Shape, header and first cells of every file that has one right reading.
#[test]
fn messy_files_have_the_expected_shape() {
    let Some(data) = shared_data() else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(data.join("messy/expected")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(name) = file.strip_suffix(".json").filter(|name| !name.contains(".orig")) else { continue };
        let facts = json(&path);
        if facts["exact_for_strict_parser"] == Value::Bool(false) {
            continue;
        }
        count += 1;
        let table = read(&data.join("messy").join(name));
        let mut expected = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .from_path(data.join("messy/expected").join(format!("{name}.csv")))
            .unwrap();
        let first = expected.records().nth(1).unwrap().unwrap();
        let alike = |ours: &String, theirs: &str| {
            let beginning = |cell: &str| -> String { cell.trim().chars().take(60).collect() };
            beginning(ours) == beginning(theirs)
        };
        let same_cells = table.first_rows[0].iter().zip(&first).all(|(ours, theirs)| alike(ours, theirs));
        let columns = facts["header"].as_array().unwrap().len();
        if Some(table.rows) != facts["n_data_rows"].as_u64() || table.columns.len() != columns || !same_cells
        {
            wrong.push(format!("{name}: {} rows, {} columns, {first:?}", table.rows, table.columns.len()));
        }
    }
    assert!(count >= 46, "only {count} files");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn energy_files_are_hourly_numbers() {
    let Some(data) = shared_data() else { return };
    for name in ["cam_b26_2019", "cam_b21_2011", "cam_b22_2018", "cam_b51_2010"] {
        let table = read(&data.join(format!("energy/{name}.csv")));
        let [time, energy, temperature] = table.columns.as_slice() else { panic!("{name}") };
        assert_eq!((table.rows, time.kind, time.step_s), (8760, Kind::Timestamp, Some(3600)), "{name}");
        assert_eq!((energy.kind, energy.unit.as_deref()), (Kind::Decimal, Some("kWh")), "{name}");
        assert_eq!(temperature.unit.as_deref(), Some("°C"), "{name}");
        assert!(table.notes.is_empty(), "{name}: {:?}", table.notes);
    }
}

#[test]
fn business_files_have_the_expected_rows_and_names() {
    let Some(data) = shared_data() else { return };
    for entry in std::fs::read_dir(data.join("business/expected")).unwrap() {
        let facts = json(&entry.unwrap().path());
        let Some(file) = facts["file"].as_str() else { continue };
        let table = read(&data.join(file));
        assert_eq!(Some(table.rows), facts["rows"].as_u64(), "{file}");
        assert_eq!(Some(table.columns.len() as u64), facts["columns"].as_u64(), "{file}");
    }
}

#[test]
fn workbooks_show_a_sheet_and_name_the_others() {
    let Some(data) = shared_data() else { return };
    let table =
        crate::read(&data.join("excel/538_off-year-turnout-2023.xlsx"), "input/turnout.xlsx").unwrap();
    assert_eq!((table.sheet.as_deref(), table.rows, table.columns.len()), (Some("Virginia"), 134, 33));
    assert_eq!(table.read_with, "pd.read_excel('input/turnout.xlsx', sheet_name='Virginia')");
    assert!(table.notes[0].contains("`Kentucky` (121 rows)"), "{:?}", table.notes);
}

#[test]
fn every_table_has_sentences_and_questions() {
    let Some(data) = shared_data() else { return };
    for folder in ["business", "energy", "excel", "messy", "nab", "dabench/tables"] {
        for entry in std::fs::read_dir(data.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(table) = crate::read(&path, "input/x") else { continue };
            let (findings, questions) = (crate::findings(&table), crate::suggestions(&table));
            assert!((2..=5).contains(&findings.len()), "{}: {findings:?}", path.display());
            assert!((3..=5).contains(&questions.len()), "{}: {questions:?}", path.display());
            let long = questions.iter().find(|question| question.split_whitespace().count() >= 12);
            assert_eq!(long, None, "{}", path.display());
        }
    }
}
