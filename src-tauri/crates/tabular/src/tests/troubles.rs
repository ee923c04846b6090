//! Files that are no tables get one plain sentence.

use super::read_named;
use crate::TableError;
use std::path::Path;

fn sentence(name: &str, bytes: &[u8]) -> String {
    let error = read_named(name, bytes).unwrap_err();
    assert!(!error.hint().is_empty());
    error.to_string()
}

#[test]
fn each_trouble_names_the_file_and_nothing_technical() {
    assert_eq!(sentence("a.csv", b""), "a.csv is empty.");
    assert_eq!(sentence("a.csv", b"x,y\n"), "a.csv has a header but no rows.");
    assert_eq!(sentence("a.csv", b"\n\n  \n"), "a.csv has a header but no rows.");
    assert_eq!(sentence("a.csv", b"%PDF-1.7\n..."), "a.csv is not a table: it looks like a PDF document.");
    assert_eq!(sentence("a.csv", b"\x89PNG\r\n\x1a\n"), "a.csv is not a table: it looks like a picture.");
    assert_eq!(
        sentence("a.xlsx", b"PK\x03\x04aaaa"),
        "a.xlsx cannot be unpacked: the packed content is damaged or ends too early."
    );
    assert_eq!(sentence("a.csv", b"MZ\x90\0\x03\0\0\0"), "a.csv is not a table: it looks like a program.");
    assert_eq!(sentence("a.txt", b"  <!DOCTYPE html><p>"), "a.txt is not a table: it looks like a web page.");
    let noise: Vec<u8> = (0..4000u32).map(|index| (index * 7919 % 251) as u8).collect();
    assert_eq!(
        sentence("a.csv", &noise),
        "a.csv is not a table: it looks like a program or another file that is not text."
    );
}

#[test]
fn missing_files_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    let missing = crate::read(&folder.path().join("no.csv"), "input/no.csv").unwrap_err();
    assert!(matches!(missing, TableError::Missing { .. }));
    let error = crate::read(folder.path(), "input/no.csv").unwrap_err();
    assert!(matches!(error, TableError::IsFolder { .. }));
}

#[test]
fn a_damaged_workbook_is_told() {
    let error = read_named("a.xlsx", b"PK\x03\x04 xl/workbook.xml and nothing more").unwrap_err();
    assert!(matches!(error, TableError::DamagedWorkbook { .. }));
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn names_of_table_files() {
    for name in ["a.csv", "A.TSV", "b.txt", "c.xlsx", "d.ods", "a.csv.gz", "b.jsonl.zst", "c.zip"] {
        assert!(crate::is_supported_name(Path::new(name)), "{name}");
    }
    for name in ["a.pdf", "csv", ".csv", "a.csv.bz2", "a.tar.gz", "a.gz"] {
        assert!(!crate::is_supported_name(Path::new(name)), "{name}");
    }
}
