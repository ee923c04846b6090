//! What every target does with a file: read it, preview it, write it down again.

use assay_tabular::{Settings, Writing, read_as};
use std::ops::ControlFlow;

/// Reads the bytes as a file of that name. Whatever they are, there is a table or a sentence; a table has as
/// many rows when it is written as it was said to have.
pub fn read(name: &str, bytes: &[u8], settings: &[&str]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join(name);
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    let mut known = Settings::default();
    for setting in settings {
        let _ = known.set(setting);
    }
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let _ = assay_tabular::preview(&path, 5);
    match read_as(&path, "input/x", &known, go_on) {
        Ok(reading) => {
            let mut out = Vec::new();
            reading.write(Writing::Prepared, &mut out, go_on).expect("what was read can be read again");
            assert_eq!(reading.ledger.rows_read, reading.table.rows);
            assert_eq!(reading.table.rows, rows(&out) - 1, "{}", String::from_utf8_lossy(&out));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
}

/// Lines that do not end within quotes.
fn rows(text: &[u8]) -> u64 {
    let mut quoted = false;
    let mut rows = 0;
    for byte in text {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => rows += 1,
            _ => {}
        }
    }
    rows
}
