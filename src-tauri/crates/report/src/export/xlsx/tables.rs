//! The tables of a run: CSV files and those within the report.

use std::path::Path;

use super::super::{ExportError, Parcel};
use crate::document::{Block, words};

/// Folders within folders deeper than this are not looked into.
const MOST_DEPTH: usize = 8;

/// A table, all of it text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// What it is called.
    pub(super) name: String,
    /// The names of its columns.
    pub(super) head: Vec<String>,
    /// Its rows.
    pub(super) rows: Vec<Vec<String>>,
}

/// The tables of the CSV files, by path, and then those of the report, in order.
pub(super) fn tables(parcel: &Parcel<'_>, remarks: &mut Vec<String>) -> Result<Vec<Table>, ExportError> {
    let mut paths = Vec::new();
    find(parcel.files, "", 0, &mut paths)?;
    paths.sort();
    let mut tables = Vec::new();
    for path in paths {
        match table(&path, &parcel.read(&path)?, remarks)? {
            Some(table) => tables.push(table),
            None => remarks.push(format!("{path} is empty.")),
        }
    }
    let mut heading = "Report".to_owned();
    push_tables(&parcel.document.blocks, &mut heading, &mut tables);
    Ok(tables)
}

/// The CSV files below a folder. What is only a link to elsewhere is left.
fn find(folder: &Path, below: &str, depth: usize, into: &mut Vec<String>) -> Result<(), ExportError> {
    let unreadable = |error: std::io::Error| ExportError::Unreadable {
        path: if below.is_empty() { "the folder of the run".to_owned() } else { below.to_owned() },
        reason: error.to_string(),
    };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let is_csv = Path::new(&name).extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
        if kind.is_dir() && depth < MOST_DEPTH {
            find(&entry.path(), &path, depth + 1, into)?;
        } else if kind.is_file() && is_csv {
            into.push(path);
        }
    }
    Ok(())
}

/// Reads a CSV file; `None` for an empty one.
fn table(path: &str, bytes: &[u8], remarks: &mut Vec<String>) -> Result<Option<Table>, ExportError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let std::borrow::Cow::Owned(_) = text {
        remarks.push(format!("{path} is not in UTF-8; some of its letters may be wrong."));
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(&text))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record
            .map_err(|error| ExportError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        rows.push(record.iter().map(str::to_owned).collect::<Vec<_>>());
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let head = rows.remove(0);
    let name = Path::new(path)
        .file_stem()
        .map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(Some(Table { name, head, rows }))
}

/// What stands between the cells: the mark that the first line has most often outside of quotes.
fn delimiter(text: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in text.lines().next().unwrap_or_default().bytes() {
        quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| *mark == byte && !quoted) {
            *count += 1;
        }
    }
    // Of several that are as frequent the last would win, so the likeliest stands there.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(mark, _)| *mark)
}

/// The tables among blocks, each called by the heading above it.
fn push_tables(blocks: &[Block], heading: &mut String, into: &mut Vec<Table>) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } => *heading = words(content),
            Block::Quote { blocks } => push_tables(blocks, heading, into),
            Block::List { items, .. } => {
                for item in items {
                    push_tables(&item.blocks, heading, into);
                }
            }
            Block::Table { head, rows, .. } => into.push(Table {
                name: heading.clone(),
                head: head.iter().map(|cell| words(cell)).collect(),
                rows: rows.iter().map(|row| row.iter().map(|cell| words(cell)).collect()).collect(),
            }),
            Block::Paragraph { .. } | Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_between_cells_is_told_from_the_first_line() {
        for (text, mark) in
            [("a,b\n", b','), ("a;b;\"c,d,e,f\"\n", b';'), ("a\tb\n1,2\n", b'\t'), ("a\n", b','), ("", b',')]
        {
            assert_eq!(delimiter(text), mark, "{text}");
        }
    }

    #[test]
    fn a_file_is_read_as_it_is() {
        let mut remarks = Vec::new();
        let read = table("x/a.csv", b"\xef\xbb\xbfa,b\n\"1\n2\",3,4\n\n5\n", &mut remarks).unwrap().unwrap();
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            read,
            Table {
                name: "a".into(),
                head: row(&["a", "b"]),
                rows: vec![row(&["1\n2", "3", "4"]), row(&["5"])]
            }
        );
        assert_eq!(remarks, [""; 0]);
        table("b.csv", b"caf\xe9\n", &mut remarks).unwrap();
        assert_eq!(remarks, ["b.csv is not in UTF-8; some of its letters may be wrong."]);
    }

    #[test]
    fn tables_of_a_report_are_called_by_the_heading_above() {
        let document = crate::Document::read(
            "| a |\n|---|\n\n# One\n\n> | b |\n> |---|\n> | *c* |\n\n- | d |\n  |---|\n",
            &|_| false,
        );
        let mut tables = Vec::new();
        push_tables(&document.blocks, &mut "Report".to_owned(), &mut tables);
        let names: Vec<(&str, &str)> =
            tables.iter().map(|table| (table.name.as_str(), table.head[0].as_str())).collect();
        assert_eq!(names, [("Report", "a"), ("One", "b"), ("One", "d")]);
        assert_eq!(tables[1].rows, [["c"]]);
    }
}
