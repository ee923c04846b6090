//! Whole files through [`crate::read`].

mod choices;
mod field;
mod files;
mod grid;
mod packed;
mod preview;
mod properties;
mod reading;
mod shared;
mod similar;
mod troubles;
mod words;

use crate::{Column, Settings, Table, TableError};
use std::path::Path;

/// Reads the bytes as a file of that name.
fn read_named(name: &str, bytes: &[u8]) -> Result<Table, TableError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    crate::read(&path, &format!("input/{name}"))
}

fn preview_named(name: &str, bytes: &[u8], rows: usize) -> crate::Preview {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    crate::preview(&path, rows, &Settings::default()).unwrap()
}

fn read(bytes: impl AsRef<[u8]>) -> Table {
    read_named("x.csv", bytes.as_ref()).unwrap()
}

fn names(table: &Table) -> Vec<&str> {
    table.columns.iter().map(|column| column.name.as_str()).collect()
}

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    table.columns.iter().find(|column| column.name == name).unwrap()
}

/// Whether a note holds all of the words.
fn notes(table: &Table, words: &[&str]) -> bool {
    table.notes.iter().any(|note| words.iter().all(|word| note.contains(word)))
}

/// The text in another encoding.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    match label {
        "utf-16le" => {
            let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        }
        _ => encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned(),
    }
}

/// The folder of files that nobody on this project made, or none, said aloud.
fn shared_data() -> Option<std::path::PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data"));
    if folder.is_dir() {
        return Some(folder.to_owned());
    }
    eprintln!("SKIPPED: {} is absent, so the files there were not read", folder.display());
    None
}
