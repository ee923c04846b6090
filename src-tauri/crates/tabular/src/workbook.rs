//! Reads workbooks: the first sheet that holds a table; the others are named.

mod cells;

use crate::TableError;
use crate::cell::shown;
use crate::column::Aim;
use crate::decision::{Alternative, Decision};
use crate::evidence;
use crate::header;
use crate::note;
use crate::pandas::SheetCall;
use crate::plan::{Content, Plan};
use crate::preview::{Preview, Seen};
use crate::profile::{CommaHint, FIRST_ROWS, Profile, Profiled, Widths};
use crate::progress::Progress;
use crate::reading::Reading;
use crate::records::{CELLS, Record};
use crate::settings::Settings;
use crate::source::{Source, WorkbookFormat};
use crate::table::Table;
use calamine::{CellErrorType, Data, ExcelDateTime, Range, Reader, SheetType, SheetVisible};
use cells::{LARGEST_BYTES, open, range};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use ts_rs::TS;

/// Rows that the header is looked for in.
const HEADER_ROWS: usize = 250;

/// Beyond this a number with a fraction part of zero is not written as a whole number.
const LARGEST_WHOLE: f64 = 1e15;

pub(crate) fn read(
    source: &Source,
    format: WorkbookFormat,
    destination: &str,
    settings: &Settings,
    aim: Aim,
    progress: &mut Progress,
) -> Result<Reading, TableError> {
    let (sheets, likely) = choose(source, format, Needed::AllSheets, progress)?;
    let chosen = chosen(source, &sheets, likely, settings)?;
    let mut reading = read_sheet(source, format, destination, settings, aim, &sheets[chosen])?;
    reading.decisions.insert(0, sheet_decision(&sheets, chosen, settings));
    let others: Vec<String> = sheets
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != chosen)
        .map(|(_, sheet)| sheet.label())
        .collect();
    if !others.is_empty() {
        let note =
            format!("Only the sheet `{}` is read. Not read: {}.", sheets[chosen].name, others.join(", "));
        reading.table.notes.insert(0, note);
    }
    Ok(reading)
}

/// Which sheet is read.
fn sheet_decision(sheets: &[Sheet], chosen: usize, settings: &Settings) -> Decision {
    let evidence = match (sheets.len(), sheets[chosen].visible) {
        (1, _) => "It is the only sheet.",
        (_, true) => "It is the first sheet that holds a table.",
        (_, false) => "It is hidden, and no other sheet holds a table.",
    };
    let others = sheets.iter().enumerate().filter(|(index, _)| *index != chosen);
    let alternatives = others.map(|(_, sheet)| Alternative::new(&sheet.name, sheet.label())).collect();
    let value = (sheets[chosen].name.clone(), sheets[chosen].label());
    evidence::decision(settings, "sheet", "Sheet", value, evidence.to_owned(), alternatives)
}

/// The rows of one sheet below its header, until `visit` says false.
pub(crate) fn each_record(
    source: &Source,
    format: WorkbookFormat,
    name: &str,
    data_row: u64,
    visit: &mut dyn FnMut(&Record) -> io::Result<bool>,
) -> Result<(), TableError> {
    let damaged = |error| TableError::DamagedWorkbook { file: source.file_name(), source: error };
    let range = range(source, &mut open(source, format, damaged)?, name)?;
    let sheet = Sheet { name: name.to_owned(), visible: true, range };
    for record in sheet.rows().filter(|record| record.row() >= data_row) {
        if !visit(&record).map_err(|error| source.trouble(error))? {
            break;
        }
    }
    Ok(())
}

/// One sheet of a workbook, with its first rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SheetPreview {
    /// Its name.
    pub name: String,
    /// Whether the workbook hides it.
    pub hidden: bool,
    /// Rows with a value.
    pub filled_rows: u64,
    /// The first rows with a value, as they are; long cells are cut.
    pub rows: Vec<Vec<String>>,
}

/// The sheets of a workbook in their order.
pub(crate) fn sheets(
    source: &Source,
    format: WorkbookFormat,
    rows: usize,
) -> Result<Vec<SheetPreview>, TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    let (sheets, _) = choose(source, format, Needed::AllSheets, &mut progress)?;
    let preview = |sheet: Sheet| SheetPreview {
        hidden: !sheet.visible,
        filled_rows: sheet.filled_rows(),
        rows: {
            let filled = sheet.range.rows().filter(|row| row.iter().any(has_value)).take(rows);
            filled.map(|row| row.iter().map(|cell| shown(&text(cell))).collect()).collect()
        },
        name: sheet.name,
    };
    Ok(sheets.into_iter().map(preview).collect())
}

/// The first `rows` rows of the sheet that is read. All of it has to be seen.
pub(crate) fn preview(
    source: &Source,
    format: WorkbookFormat,
    rows: usize,
    settings: &Settings,
) -> Result<Preview, TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    let needed = if settings.get("sheet").is_some() { Needed::AllSheets } else { Needed::OneSheet };
    let (sheets, likely) = choose(source, format, needed, &mut progress)?;
    let chosen = chosen(source, &sheets, likely, settings)?;
    let profiled = profile(source, &sheets[chosen], rows, settings, Aim::Prepared)?;
    Ok(Preview::new(&profiled, Seen::Whole, settings))
}

/// Which sheet a person wants, or the likely one.
fn chosen(
    source: &Source,
    sheets: &[Sheet],
    likely: usize,
    settings: &Settings,
) -> Result<usize, TableError> {
    let Some(name) = settings.get("sheet") else { return Ok(likely) };
    sheets.iter().position(|sheet| sheet.name == name).ok_or_else(|| TableError::Setting {
        file: source.file_name(),
        what: format!("it has no sheet called `{name}`"),
    })
}

/// Which sheets have to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    AllSheets,
    OneSheet,
}

/// The sheets that were read, and which of them is the table.
fn choose(
    source: &Source,
    format: WorkbookFormat,
    needed: Needed,
    progress: &mut Progress,
) -> Result<(Vec<Sheet>, usize), TableError> {
    if source.length() > LARGEST_BYTES {
        return Err(TableError::Unsupported {
            file: source.file_name(),
            what: "the workbook is larger than 256 MB",
        });
    }
    let damaged = |error| TableError::DamagedWorkbook { file: source.file_name(), source: error };
    let mut tell = |bytes| progress.tell(bytes).map_err(|error| source.trouble(error));
    tell(0)?;
    let mut workbook = open(source, format, damaged)?;
    let metadata = workbook.sheets_metadata().to_vec();
    let share = source.length() / (metadata.len() as u64 + 1);
    let mut sheets = Vec::new();
    for (number, sheet) in (1..).zip(metadata) {
        tell(share * number)?;
        if sheet.typ == SheetType::WorkSheet {
            let range = range(source, &mut workbook, &sheet.name)?;
            let visible = sheet.visible == SheetVisible::Visible;
            sheets.push(Sheet { name: sheet.name, visible, range });
            if needed == Needed::OneSheet && sheets.last().is_some_and(|sheet| visible && sheet.holds_table())
            {
                break;
            }
        }
    }
    tell(source.length())?;
    let chosen = sheets
        .iter()
        .position(|sheet| sheet.visible && sheet.holds_table())
        .or_else(|| sheets.iter().position(Sheet::holds_table))
        .or_else(|| sheets.iter().position(|sheet| sheet.filled_rows() > 1));
    match chosen {
        Some(chosen) => Ok((sheets, chosen)),
        None => Err(TableError::NoRows { file: source.file_name() }),
    }
}

/// Shows every cell of every sheet with its place in its row.
pub(crate) fn each_cell(
    source: &Source,
    format: WorkbookFormat,
    visit: &mut dyn FnMut(usize, &str),
) -> Result<(), TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    let (sheets, _) = choose(source, format, Needed::AllSheets, &mut progress)?;
    for sheet in &sheets {
        for row in sheet.range.rows() {
            row.iter().enumerate().for_each(|(place, cell)| visit(place, &text(cell)));
        }
    }
    Ok(())
}

struct Sheet {
    name: String,
    visible: bool,
    range: Range<Data>,
}

impl Sheet {
    /// The name with the number of rows, and whether it is hidden.
    fn label(&self) -> String {
        let hidden = if self.visible { "" } else { "hidden, " };
        format!("`{}` ({hidden}{})", self.name, note::count(self.filled_rows(), "row", "rows"))
    }

    /// Rows with a value.
    fn filled_rows(&self) -> u64 {
        self.range.rows().filter(|row| row.iter().any(has_value)).count() as u64
    }

    /// Whether two rows or more have two values or more.
    fn holds_table(&self) -> bool {
        let wide = |row: &&[Data]| row.iter().filter(|cell| has_value(cell)).count() > 1;
        self.range.rows().filter(wide).nth(1).is_some()
    }

    /// The rows of the sheet from its first row on, as wide as the columns with a value, without the
    /// empty ones at the end. pandas skips empty rows only in sheets of one column.
    fn rows(&self) -> impl Iterator<Item = Record> {
        let top = self.range.start().map_or(0, |(row, _)| row as usize);
        let last = self.range.rows().rposition(|row| row.iter().any(has_value)).map_or(0, |last| last + 1);
        let one_column = self.range.width() == 1;
        let above = (0..top).map(|row| Record::from_texts(row as u64, []));
        let within = self.range.rows().take(last).enumerate().map(move |(row, cells)| {
            let texts: Vec<Cow<str>> = cells.iter().map(text).collect();
            let blank = one_column && texts.iter().all(|text| text.trim().is_empty());
            let texts = if blank { &[] } else { texts.as_slice() };
            Record::from_texts((top + row) as u64, texts.iter().map(AsRef::as_ref))
        });
        above.chain(within)
    }
}

fn profile(
    source: &Source,
    sheet: &Sheet,
    shown_rows: usize,
    settings: &Settings,
    aim: Aim,
) -> Result<Profiled, TableError> {
    let no_rows = || TableError::NoRows { file: source.file_name() };
    if sheet.range.width() > CELLS {
        return Err(TableError::Unsupported {
            file: source.file_name(),
            what: "it has more than 16,384 columns",
        });
    }
    let head: Vec<Vec<String>> = sheet.rows().take(HEADER_ROWS).map(|record| record.texts()).collect();
    let header =
        header::decide(&head, settings.get("header").and_then(|row| row.parse().ok())).ok_or_else(no_rows)?;
    let data_row = header.data_row;
    let mut profile = Profile::new(header, Widths::Fixed, shown_rows, aim);
    for record in sheet.rows().filter(|record| record.row() >= data_row && record.len() > 0) {
        profile.add(&record);
    }
    if profile.rows() == 0 || !profile.has_values() {
        return Err(no_rows());
    }
    Ok(profile.finish(CommaHint::None, settings))
}

fn read_sheet(
    source: &Source,
    format: WorkbookFormat,
    destination: &str,
    settings: &Settings,
    aim: Aim,
    sheet: &Sheet,
) -> Result<Reading, TableError> {
    let profiled = profile(source, sheet, FIRST_ROWS, settings, aim)?;
    let mut decisions = vec![evidence::header(&profiled.header, settings)];
    decisions.extend(evidence::values(&profiled, settings));
    let plan = Plan {
        path: source.path().to_owned(),
        content: Some(Content::Sheet(format, sheet.name.clone(), profiled.header.data_row)),
        member: source.member(),
        written: profiled.header.lines.clone(),
        columns: Plan::columns(&profiled.columns, settings),
        is_plain: false,
        remarks: profiled.remarks.clone(),
        rows: profiled.rows,
    };
    let first_column = sheet.range.start().map_or(0, |(_, column)| column);
    let read_with =
        SheetCall { destination, sheet: &sheet.name, profiled: &profiled, first_column }.expression();
    let (columns, shapes) =
        profiled.columns.into_iter().map(|described| (described.column, described.shape)).unzip();
    let table = Table {
        path: destination.to_owned(),
        prepared_from: None,
        format: format.name().to_owned(),
        sheet: Some(sheet.name.clone()),
        rows: profiled.rows,
        repeated_rows: profiled.repeated_rows,
        encoding: None,
        delimiter: None,
        decimal: profiled.format.decimal.to_string(),
        thousands: profiled.format.thousands.map(String::from),
        header_row: profiled.header.row.map_or(0, |row| row + 1),
        read_with,
        left_out: Vec::new(),
        columns,
        first_rows: profiled.first_rows,
        notes: profiled.notes,
    };
    Ok(Reading { table, shapes, decisions, ledger: profiled.ledger, settings: settings.clone(), plan })
}

fn has_value(cell: &Data) -> bool {
    match cell {
        Data::Empty => false,
        Data::String(text) => !text.trim().is_empty(),
        _ => true,
    }
}

/// The cell as it would be written in a text file.
fn text(cell: &Data) -> Cow<'_, str> {
    match cell {
        Data::Empty => Cow::Borrowed(""),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Cow::Borrowed(text),
        Data::Int(number) => Cow::Owned(number.to_string()),
        Data::Float(number) if number.abs() < LARGEST_WHOLE => Cow::Owned(number.to_string()),
        Data::Float(number) => Cow::Owned(format!("{number:e}")),
        Data::Bool(true) => Cow::Borrowed("True"),
        Data::Bool(false) => Cow::Borrowed("False"),
        Data::DateTime(moment) => Cow::Owned(moment_text(moment)),
        Data::Error(CellErrorType::NA) => Cow::Borrowed("#N/A"),
        Data::Error(error) => Cow::Owned(error.to_string()),
    }
}

fn moment_text(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    if moment.is_duration() || (0.0..1.0).contains(&moment.as_f64()) {
        format!("{hour:02}:{minute:02}:{second:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}
