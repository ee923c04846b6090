//! The first rows before all of a file has been read, shapes, and the end that progress may make.

use super::shared_data;
use crate::{Settings, TableError};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

fn file(folder: &tempfile::TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// More than five megabytes of rows below two lines that are no part of the table.
fn long_text() -> String {
    let mut text = "Export of 2025\n\nid;name;amount\n".to_owned();
    let street = "long street name ".repeat(9);
    for row in 0..30_000 {
        writeln!(text, "{row};customer number {row} of {street};{},5", row % 97).unwrap();
    }
    text
}

#[test]
fn a_small_file_is_seen_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.csv", "made by hand\n\na;b\n1;x\n2;y\n3;z\n\nTotal: 3\n");
    let preview = crate::preview(&path, 2, &Settings::default()).unwrap();
    assert_eq!(preview.columns, ["a", "b"]);
    assert_eq!(preview.rows, [["1", "x"], ["2", "y"]]);
    assert_eq!(preview.total_rows, Some(crate::read(&path, "input/a.csv").unwrap().rows));
}

#[test]
fn a_large_file_shows_its_first_rows() {
    let folder = tempfile::tempdir().unwrap();
    let preview = crate::preview(&file(&folder, "a.csv", long_text()), 50, &Settings::default()).unwrap();
    assert_eq!(preview.columns, ["id", "name", "amount"]);
    assert_eq!((preview.rows.len(), preview.total_rows), (50, None));
    assert_eq!((preview.rows[49][0].as_str(), preview.rows[49][2].as_str()), ("49", "49.5"));
    assert!(preview.rows[49][1].starts_with("customer number 49 of long"));
}

#[test]
fn a_large_file_with_an_open_quote_shows_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "a,b\n\"never closed,1\n".to_owned();
    for row in 0..50_000 {
        writeln!(text, "{row},{}", "2".repeat(100)).unwrap();
    }
    let preview = crate::preview(&file(&folder, "a.csv", text), 3, &Settings::default()).unwrap();
    let first: Vec<&str> = preview.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(first, ["\"never closed", "0", "1"]);
}

#[test]
fn a_preview_agrees_with_reading() {
    let Some(data) = shared_data() else { return };
    for name in ["messy", "business", "energy", "excel"] {
        for entry in std::fs::read_dir(data.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let settings = Settings::default();
            let go_on = &mut |_, _| ControlFlow::Continue(());
            let (reading, preview) =
                (crate::read_as(&path, "input/x", &settings, go_on), crate::preview(&path, 5, &settings));
            let (Ok(reading), Ok(preview)) = (reading, preview) else { continue };
            let table = reading.prepared_table("input/prepared/x.csv");
            let names: Vec<&String> = table.columns.iter().map(|column| &column.name).collect();
            assert_eq!(preview.columns.iter().collect::<Vec<_>>(), names, "{}", path.display());
            assert_eq!(preview.rows, table.first_rows, "{}", path.display());
            assert_eq!(preview.total_rows, Some(table.rows), "{}", path.display());
        }
    }
}

#[test]
fn troubles_are_those_of_reading() {
    let folder = tempfile::tempdir().unwrap();
    let preview =
        |bytes: &[u8]| crate::preview(&file(&folder, "a.csv", bytes), 5, &Settings::default()).unwrap_err();
    assert!(matches!(preview(b""), TableError::Empty { .. }));
    assert!(matches!(preview(b"a,b\n"), TableError::NoRows { .. }));
    assert!(matches!(preview(b"%PDF-1.7"), TableError::NotATable { .. }));
}

#[test]
fn shapes_follow_the_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "day;region;amount;grade;note;id\n".to_owned();
    for row in 0..60 {
        let region = if row % 3 == 0 { "South" } else { "North" };
        let month = row / 28 + 1;
        writeln!(
            text,
            "{:02}.{month:02}.2025;{region};{},5;{};text {row};{row}",
            row % 28 + 1,
            row % 4,
            row % 5 + 1
        )
        .unwrap();
    }
    let path = file(&folder, "a.csv", text);
    let (table, shapes) =
        crate::read_with_shapes(&path, "input/a.csv", &mut |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(table, crate::read(&path, "input/a.csv").unwrap());
    let day = shapes[0].as_deref().unwrap();
    assert_eq!(day.iter().sum::<u32>(), 60);
    assert!(day.len() > 15 && day.iter().all(|height| *height <= 3), "{day:?}");
    assert_eq!(shapes[1].as_deref(), Some([40, 20].as_slice()));
    let amount = shapes[2].as_deref().unwrap();
    assert_eq!((amount.len(), amount[0], amount[23]), (24, 15, 15));
    assert_eq!(shapes[3].as_deref(), Some([12; 5].as_slice()));
    assert_eq!((&shapes[4], &shapes[5]), (&None, &None));
}

#[test]
fn progress_reaches_the_end_and_may_stop() {
    let folder = tempfile::tempdir().unwrap();
    let text = long_text();
    let path = file(&folder, "a.csv", &text);
    let mut told = Vec::new();
    crate::read_with_shapes(&path, "input/a.csv", &mut |bytes, total| {
        told.push((bytes, total));
        ControlFlow::Continue(())
    })
    .unwrap();
    let size = text.len() as u64;
    assert_eq!((told[0], told.last()), ((0, size), Some(&(size, size))));
    assert!(told.is_sorted() && told.len() as u64 > size / 1_200_000, "{told:?}");

    let stopped = crate::read_with_shapes(&path, "input/a.csv", &mut |bytes, _| {
        if bytes > 2_000_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(stopped, Err(TableError::Cancelled { file }) if file == "a.csv"));
}

#[test]
fn a_workbook_can_be_stopped_and_previewed() {
    let Some(data) = shared_data() else { return };
    let path = data.join("excel/538_off-year-turnout-2023.xlsx");
    let stopped = crate::read_with_shapes(&path, "input/a.xlsx", &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(TableError::Cancelled { .. })));
    let preview = crate::preview(&path, 7, &Settings::default()).unwrap();
    assert_eq!((preview.rows.len(), preview.columns.len(), preview.total_rows), (7, 33, Some(134)));
}
