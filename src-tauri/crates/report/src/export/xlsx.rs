//! The tables of a run as a workbook: each CSV file, and each table of the report.

mod cells;
mod names;
mod tables;

use std::borrow::Cow;
use std::collections::HashMap;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatBorder, Workbook, Worksheet, XlsxError};

use super::text::width;
use super::{Export, ExportError, Parcel, Progress};
use cells::{Cell, Marks};
use names::Names;
use tables::{Table, tables};

/// What a sheet can hold, by the file format.
const MOST_ROWS: usize = 1_048_576;
const MOST_COLUMNS: usize = 16_384;
const MOST_LETTERS: usize = 32_767;

/// A sheet with more columns is printed on pages that lie on their side.
const MOST_UPRIGHT: usize = 7;

/// Columns are as wide as what stands in them, within this, in letters.
const WIDTHS: std::ops::RangeInclusive<usize> = 8..=60;

/// Writes the tables of a run as an Excel workbook. Words stay words, also where they look like a formula.
pub fn xlsx(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    write(parcel, progress, MOST_ROWS)
}

fn write(parcel: &Parcel<'_>, progress: Progress<'_>, most_rows: usize) -> Result<Export, ExportError> {
    let mut remarks = Vec::new();
    let tables = tables(parcel, &mut remarks)?;
    if tables.is_empty() {
        return Err(ExportError::Unwritable("there is no table in this run".to_owned()));
    }
    let mut workbook = Workbook::new();
    // The time of writing is not in it: the same run makes the same file.
    let created = ExcelDateTime::from_ymd(2000, 1, 1).map_err(unwritable)?;
    workbook.set_properties(&DocProperties::new().set_title(parcel.title).set_creation_datetime(&created));
    let mut names = Names::default();
    for (done, table) in tables.iter().enumerate() {
        progress(done, tables.len())?;
        add(&mut workbook, table, &mut names, most_rows, &mut remarks).map_err(unwritable)?;
    }
    let bytes = workbook.save_to_buffer().map_err(unwritable)?;
    progress(tables.len(), tables.len())?;
    Ok(Export { bytes, remarks })
}

/// Adds a table, on as many sheets as it needs.
fn add(
    workbook: &mut Workbook,
    table: &Table,
    names: &mut Names,
    most_rows: usize,
    remarks: &mut Vec<String>,
) -> Result<(), XlsxError> {
    let marks = Marks::of(table.rows.iter().flatten().map(String::as_str));
    let parts: Vec<&[Vec<String>]> = match table.rows.as_slice() {
        [] => vec![&[]],
        rows => rows.chunks(most_rows - 1).collect(),
    };
    if parts.len() > 1 {
        remarks.push(format!(
            "{} has {} rows, more than a sheet can hold, and goes over {} sheets.",
            table.name,
            table.rows.len(),
            parts.len()
        ));
    }
    let mut cut = 0;
    for rows in parts {
        let sheet = workbook.add_worksheet().set_name(names.unique(&table.name))?;
        fill(sheet, &table.head, rows, marks, &mut cut)?;
    }
    if cut > 0 {
        remarks.push(format!(
            "{} has {cut} cells with more text than a cell can hold; they were cut.",
            table.name
        ));
    }
    if table.rows.iter().chain([&table.head]).any(|row| row.len() > MOST_COLUMNS) {
        remarks
            .push(format!("{} has more columns than a sheet can hold; the last are left out.", table.name));
    }
    Ok(())
}

fn fill(
    sheet: &mut Worksheet,
    head: &[String],
    rows: &[Vec<String>],
    marks: Marks,
    cut: &mut usize,
) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold().set_border_bottom(FormatBorder::Thin);
    let mut widths = vec![0; head.len().min(MOST_COLUMNS)];
    for (column, name) in head.iter().take(MOST_COLUMNS).enumerate() {
        let shown = within_cell(name, cut);
        sheet.write_string_with_format(0, index(column), shown.as_ref(), &quoted(name, &bold))?;
        // Room for the button of the filter.
        widths[column] = width(name) + 4;
    }
    let (plain, mut formats) = (Format::new(), HashMap::new());
    for (row, cells) in (1_u32..).zip(rows) {
        widths.resize(widths.len().max(cells.len().min(MOST_COLUMNS)), 0);
        for ((column, text), widest) in cells.iter().enumerate().zip(&mut widths) {
            *widest = (*widest).max(width(text) + 1);
            let column = index(column);
            match Cell::read(text, marks) {
                Cell::Nothing => {}
                Cell::Number { value, format } => {
                    let format = formats
                        .entry(format)
                        .or_insert_with_key(|format| Format::new().set_num_format(format));
                    sheet.write_number_with_format(row, column, value, format)?;
                }
                Cell::Truth(truth) => {
                    sheet.write_boolean(row, column, truth)?;
                }
                Cell::Words => {
                    let shown = within_cell(text, cut);
                    sheet.write_string_with_format(row, column, shown.as_ref(), &quoted(text, &plain))?;
                }
            }
        }
    }
    for (column, width) in widths.iter().enumerate() {
        let width = (*width).clamp(*WIDTHS.start(), *WIDTHS.end());
        sheet.set_column_width(index(column), u16::try_from(width).unwrap_or(u16::MAX))?;
    }
    sheet.set_freeze_panes(1, 0)?;
    // On paper a sheet is as wide as a page, and each page begins with the names of the columns.
    sheet.set_repeat_rows(0, 0)?;
    sheet.set_print_fit_to_pages(1, 0);
    if widths.len() > MOST_UPRIGHT {
        sheet.set_landscape();
    }
    if !head.is_empty() {
        let last = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        sheet.autofilter(0, 0, last, index(widths.len().saturating_sub(1)))?;
    }
    Ok(())
}

/// The format of words. Those that look like a formula are marked so that they stay words when a person opens
/// the cell and closes it again.
fn quoted<'a>(text: &str, format: &'a Format) -> Cow<'a, Format> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format.clone().set_quote_prefix())
    } else {
        Cow::Borrowed(format)
    }
}

fn within_cell<'a>(text: &'a str, cut: &mut usize) -> Cow<'a, str> {
    if text.chars().nth(MOST_LETTERS).is_none() {
        return Cow::Borrowed(text);
    }
    *cut += 1;
    text.chars().take(MOST_LETTERS - 1).chain(['…']).collect()
}

fn index(column: usize) -> u16 {
    u16::try_from(column).unwrap_or(u16::MAX)
}

fn unwritable(error: impl std::fmt::Display) -> ExportError {
    ExportError::Unwritable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn export(files: &[(&str, &str)], report: &str, most_rows: usize) -> Result<Export, ExportError> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let document = Document::read(report, &|_| false);
        let parcel =
            Parcel { document: &document, verdicts: &[], title: "t", files: folder.path(), cells: &[] };
        write(&parcel, &|_, _| Ok(()), most_rows)
    }

    #[test]
    fn a_run_without_tables_makes_no_workbook() {
        let error = export(&[], "# No table\n", MOST_ROWS).unwrap_err();
        assert_eq!(error.to_string(), "the document cannot be written: there is no table in this run");
    }

    #[test]
    fn rows_of_any_length_are_written() {
        let export = export(&[("a.csv", "n\n\"\",,,,x\n1\n")], "", MOST_ROWS).unwrap();
        assert_eq!(export.remarks, [""; 0]);
    }

    #[test]
    fn what_does_not_fit_goes_on_and_is_said() {
        let rows = "1\n".repeat(10);
        let export = export(&[("long.csv", &format!("n\n{rows}")), ("empty.csv", "")], "", 5).unwrap();
        assert_eq!(
            export.remarks,
            ["empty.csv is empty.", "long has 10 rows, more than a sheet can hold, and goes over 3 sheets."]
        );
    }

    #[test]
    fn text_that_fills_more_than_a_cell_is_cut_and_said() {
        let long = "x".repeat(MOST_LETTERS + 1);
        let export = export(&[("a.csv", &format!("n\n{long}\n"))], "", MOST_ROWS).unwrap();
        assert_eq!(export.remarks, ["a has 1 cells with more text than a cell can hold; they were cut."]);
        let mut cut = 0;
        assert_eq!(within_cell(&long, &mut cut).chars().count(), MOST_LETTERS);
        assert_eq!(within_cell(&long[1..], &mut cut), &long[1..]);
        assert_eq!(cut, 1);
    }
}
