//! Reads delimited text: decisions from the head, then one pass over all rows.

use crate::TableError;
use crate::column::Aim;
use crate::decision::Decision;
use crate::decode::{Controls, Decoded};
use crate::dialect::{self, Delimiter, Dialect};
use crate::encoding::{self, Broken, TextEncoding};
use crate::error::file_name;
use crate::evidence;
use crate::header::{self, Header};
use crate::note;
use crate::packing::Packing;
use crate::pandas::TextCall;
use crate::plan::{Content, Plan};
use crate::preview::{Preview, Seen};
use crate::profile::{CommaHint, FIRST_ROWS, Profile, Profiled, Widths};
use crate::progress::{Progress, Stopped, Watched};
use crate::reading::Reading;
use crate::records::{CUT_OFF_LINES, LineEnds, Record, Records, Trouble};
use crate::settings::Settings;
use crate::source::Source;
use crate::table::Table;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// Rows that the header is looked for in.
const HEADER_ROWS: usize = 250;

/// How much of a file a preview may read; one that is no larger is read whole.
const PREVIEW_BYTES: u64 = 4 * 1024 * 1024;

/// Everything that has to be known to read a text.
#[derive(Debug, Clone)]
pub(crate) struct Decisions {
    pub(crate) encoding: TextEncoding,
    pub(crate) dialect: Dialect,
    pub(crate) header: Header,
    quote_before_data: bool,
    /// The row, from 0, where a quote opens that never closes.
    stray_quote: Option<u64>,
    /// The decisions about the dialect, as they are shown.
    shown: Vec<Decision>,
}

impl Decisions {
    fn comma_hint(&self) -> CommaHint {
        if self.dialect.delimiter == Delimiter::Byte(b';') { CommaHint::Decimal } else { CommaHint::None }
    }
}

/// One pass over all rows.
struct Pass {
    profile: Profile,
    ending: Ending,
}

/// The end of a pass.
struct Ending {
    /// Characters that are no text in the encoding.
    damaged: u64,
    /// Control characters that became what they were before.
    repaired: u64,
    line_ends: LineEnds,
    /// The file ends within a quoted cell.
    cut_off: bool,
}

pub(crate) fn read(
    source: &Source,
    destination: &str,
    settings: &Settings,
    aim: Aim,
    progress: &mut Progress,
) -> Result<Reading, TableError> {
    let wish = settings.get("encoding").and_then(|label| encoding::chosen(label, source.head()));
    let decide = |source: &_, encoding, stray| decide_as(source, encoding, stray, settings, aim);
    let (decisions, pass) =
        settle(source, source.length(), wish, progress, decide, |decisions, progress| {
            let reader = source.watched(progress).map_err(Trouble::Io)?;
            let mut profile = Profile::new(decisions.header.clone(), Widths::Vary, FIRST_ROWS, aim);
            let ending = pass(reader, decisions, &mut profile, u64::MAX, aim)?;
            Ok(Pass { profile, ending })
        })?;
    Ok(describe(source, destination, decisions, settings, aim, pass))
}

/// The first `rows` rows. A file of no more than [`PREVIEW_BYTES`] is read whole for its number of rows.
pub(crate) fn preview(source: &Source, rows: usize, settings: &Settings) -> Result<Preview, TableError> {
    let is_small = source.length() <= PREVIEW_BYTES && *source.packing() == Packing::None;
    let whole = is_small || source.head_is_all();
    let row_limit = if whole { u64::MAX } else { rows as u64 };
    let report = &mut |bytes, _| {
        if bytes < PREVIEW_BYTES || whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut progress = Progress { total: source.length(), report };
    let wish = settings.get("encoding").and_then(|label| encoding::chosen(label, source.head()));
    let aim = Aim::Prepared;
    let decide = |source: &_, encoding, stray| decide_as(source, encoding, stray, settings, aim);
    let (decisions, profile) =
        settle(source, PREVIEW_BYTES, wish, &mut progress, decide, |decisions, progress| {
            let reader = Watched::new(open(source)?, progress);
            let mut profile = Profile::new(decisions.header.clone(), Widths::Vary, rows, aim);
            match pass(reader, decisions, &mut profile, row_limit, aim) {
                Err(Trouble::Io(error)) if Stopped::is_inside(&error) && profile.rows() == 0 => {
                    Err(Trouble::QuoteNeverCloses { row: 0 })
                }
                Err(Trouble::Io(error)) if Stopped::is_inside(&error) => Ok(profile),
                ending => ending.map(|_| profile),
            }
        })?;
    if profile.rows() == 0 {
        return Err(TableError::NoRows { file: source.file_name() });
    }
    let profiled = profile.finish(decisions.comma_hint(), settings);
    Ok(Preview::new(&profiled, if whole { Seen::Whole } else { Seen::Beginning }, settings))
}

/// Decides how the file is read and reads it, again under other decisions where the content refutes
/// them. A new decision about the encoding is made from the first `evidence_bytes`.
pub(crate) fn settle<T>(
    source: &Source,
    evidence_bytes: u64,
    wish: Option<TextEncoding>,
    progress: &mut Progress,
    decide: impl Fn(&Source, TextEncoding, Option<u64>) -> Result<Decisions, TableError>,
    mut pass: impl FnMut(&Decisions, &mut Progress) -> Result<T, Trouble>,
) -> Result<(Decisions, T), TableError> {
    let mut encoding = wish.unwrap_or_else(|| encoding::decide(source.head(), source.head_is_all()));
    let mut stray_quote = None;
    loop {
        let decisions = decide(source, encoding, stray_quote)?;
        match pass(&decisions, progress) {
            Ok(read) => return Ok((decisions, read)),
            Err(Trouble::NotInEncoding) if encoding.broken == Broken::Refuse => {
                let evidence = Watched::new(source.reader()?.take(evidence_bytes), progress);
                encoding = encoding::decide_again(evidence).map_err(|error| source.trouble(error))?;
            }
            Err(Trouble::QuoteNeverCloses { row }) if stray_quote.is_none() => stray_quote = Some(row),
            Err(trouble) => return Err(explain(source.path(), trouble)),
        }
    }
}

/// The table, or why there is none.
fn describe(
    source: &Source,
    destination: &str,
    decisions: Decisions,
    settings: &Settings,
    aim: Aim,
    pass: Pass,
) -> Reading {
    let Decisions { encoding, dialect, .. } = decisions;
    let Pass { profile, ending: Ending { damaged, repaired, line_ends, cut_off } } = pass;
    let mut profiled = profile.finish(decisions.comma_hint(), settings);
    profiled.ledger.damaged_characters = damaged;
    let mut shown = vec![evidence::encoding(encoding, damaged, settings)];
    shown.extend(decisions.shown.iter().cloned());
    shown.push(evidence::header(&profiled.header, settings));
    shown.extend(evidence::values(&profiled, settings));
    let call = TextCall {
        destination,
        packing: source.packing(),
        encoding,
        damaged: damaged > 0,
        dialect,
        line_ends,
        profiled: &profiled,
        stop_at_end: profiled.has_footer || cut_off,
        quote_before_data: decisions.quote_before_data,
    };
    let read_with = call.expression();
    let mut notes = notes(&decisions, damaged > 0, cut_off.then_some(aim), &profiled);
    if repaired > 0 {
        notes.push(format!(
            "{} of Windows-1252 had become control characters, and are read as what they were.",
            note::count(repaired, "character", "characters")
        ));
    }
    let is_plain = encoding.encoding == encoding_rs::UTF_8
        && !encoding.mark
        && damaged + repaired == 0
        && dialect == Dialect::default()
        && line_ends.carriages == 0
        && *source.packing() == Packing::None
        && profiled.is_plain()
        && settings.is_empty();
    let plan = Plan {
        columns: Plan::columns(&profiled.columns, settings),
        is_plain,
        path: source.path().to_owned(),
        content: Some(Content::Text(Box::new(decisions))),
        member: source.member(),
        written: profiled.header.lines.clone(),
        remarks: profiled.remarks,
        rows: profiled.rows,
    };
    let (columns, shapes) =
        profiled.columns.into_iter().map(|described| (described.column, described.shape)).unzip();
    let table = Table {
        path: destination.to_owned(),
        prepared_from: None,
        format: "csv".to_owned(),
        sheet: None,
        rows: profiled.rows,
        repeated_rows: profiled.repeated_rows,
        encoding: Some(encoding.python_codec()),
        delimiter: Some(match dialect.delimiter {
            Delimiter::Byte(byte) => char::from(byte).to_string(),
            Delimiter::Blanks => r"\s+".to_owned(),
        }),
        decimal: profiled.format.decimal.to_string(),
        thousands: profiled.format.thousands.map(String::from),
        header_row: profiled.header.row.map_or(0, |row| row + 1),
        read_with,
        left_out: Vec::new(),
        columns,
        first_rows: profiled.first_rows,
        notes,
    };
    Reading { table, shapes, decisions: shown, ledger: profiled.ledger, settings: settings.clone(), plan }
}

/// Shows the records below the header, blank lines and remarks among them, until `visit` says false.
pub(crate) fn each_record(
    source: &Source,
    decisions: &Decisions,
    progress: &mut Progress,
    visit: &mut dyn FnMut(&Record) -> io::Result<bool>,
) -> Result<(), TableError> {
    let reader = source.watched(progress).map_err(|error| source.trouble(error))?;
    let decoded = Decoded::new(reader, decisions.encoding, Controls::Repaired);
    let mut records = Records::new(decoded, decisions.dialect);
    let mut record = Record::default();
    let mut read = || -> Result<(), Trouble> {
        loop {
            match records.read(&mut record) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Trouble::QuoteNeverCloses { .. }) if record.line_breaks() <= CUT_OFF_LINES => {
                    record.close();
                    visit(&record)?;
                    return Ok(());
                }
                Err(trouble) => return Err(trouble),
            }
            if record.row() >= decisions.header.data_row && !visit(&record)? {
                return Ok(());
            }
        }
    };
    read().map_err(|trouble| explain(source.path(), trouble))
}

/// What a person should know, the most surprising first.
fn notes(decisions: &Decisions, damaged: bool, cut_off: Option<Aim>, profiled: &Profiled) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(name) = decisions.encoding.plain_name() {
        notes.push(format!("The file is read as {name}."));
    }
    if damaged {
        notes.push("Some characters are damaged in the file and show as \u{FFFD}.".to_owned());
    }
    if let Some(row) = decisions.stray_quote {
        let row = row + 1;
        notes.push(format!(
            "A quotation mark in row {row} never closes; all of them are read as part of the text."
        ));
    } else if decisions.dialect.quote.is_none() {
        notes.push("Quotation marks are read as part of the text.".to_owned());
    }
    match cut_off {
        None => {}
        Some(Aim::Original) => {
            notes.push("The file ends in the middle of a row; that row is left out.".to_owned());
        }
        Some(Aim::Prepared) => {
            notes.push("The file ends in the middle of a row; what is there of it is kept.".to_owned());
        }
    }
    notes.extend(profiled.notes.iter().cloned());
    notes
}

/// Decides where and how the table is written, by all that its beginning tells.
pub(crate) fn decide(
    source: &Source,
    encoding: TextEncoding,
    stray_quote: Option<u64>,
) -> Result<Decisions, TableError> {
    decide_as(source, encoding, stray_quote, &Settings::default(), Aim::Original)
}

/// As [`decide`], where what a person has set counts before what the file says.
fn decide_as(
    source: &Source,
    encoding: TextEncoding,
    stray_quote: Option<u64>,
    settings: &Settings,
    aim: Aim,
) -> Result<Decisions, TableError> {
    let complete = source.head_is_all();
    let text = decode_head(source, encoding, aim)?;
    let mut dialect = dialect::decide_as(&text, complete, settings);
    if stray_quote.is_some() {
        dialect = Dialect { quote: None, escape: None, ..dialect };
    }
    let records = dialect::first_records(&text, complete, dialect, HEADER_ROWS);
    let mut rows: Vec<Vec<String>> = records.iter().map(Record::texts).collect();
    if let Some(declaration) = rows.first_mut().filter(|_| dialect.declared) {
        declaration.clear();
    }
    let wish = settings.get("header").and_then(|row| row.parse().ok());
    let mut header = header::decide(&rows, wish).ok_or_else(|| match wish {
        Some(row) => TableError::Setting {
            file: source.file_name(),
            what: format!("there is nothing in row {row} at its beginning"),
        },
        None => TableError::NoRows { file: source.file_name() },
    })?;
    if dialect.declared {
        header.dropped.insert(0, 0);
    }
    let before = records.iter().take_while(|record| record.row() < header.data_row);
    let quote_before_data =
        dialect.quote.is_some_and(|quote| before.into_iter().any(|record| record.has_odd_quotes(quote)));
    let shown = evidence::dialect(&text, complete, dialect, settings);
    Ok(Decisions { encoding, dialect, header, quote_before_data, stray_quote, shown })
}

/// Decides for a table that a program wrote: the first line with a value is the header, and commas stand
/// between the cells if that line has any.
pub(crate) fn decide_plainly(
    source: &Source,
    encoding: TextEncoding,
    stray_quote: Option<u64>,
) -> Result<Decisions, TableError> {
    let complete = source.head_is_all();
    let text = decode_head(source, encoding, Aim::Original)?;
    let mut dialect = Dialect::default();
    if stray_quote.is_some() {
        dialect.quote = None;
    }
    let header = |dialect| {
        let records = dialect::first_records(&text, complete, dialect, HEADER_ROWS);
        records.into_iter().find(|record| record.len() > 0).unwrap_or_default()
    };
    let mut first = header(dialect);
    if first.len() < 2 {
        let other = Dialect { delimiter: dialect::decide(&text, complete).delimiter, ..dialect };
        if header(other).len() > 1 {
            dialect = other;
            first = header(other);
        }
    }
    let header = Header::named(first.texts(), first.row());
    Ok(Decisions { encoding, dialect, header, quote_before_data: false, stray_quote, shown: Vec::new() })
}

/// The beginning of the file as text.
fn decode_head(source: &Source, encoding: TextEncoding, aim: Aim) -> Result<String, TableError> {
    let lenient = TextEncoding { broken: Broken::Replace, ..encoding };
    let mut text = String::new();
    Decoded::new(source.head(), lenient, controls(aim))
        .read_to_string(&mut text)
        .map_err(|error| source.trouble(error))?;
    Ok(text)
}

/// The prepared table is spared what pandas has to live with.
fn controls(aim: Aim) -> Controls {
    match aim {
        Aim::Original => Controls::Kept,
        Aim::Prepared => Controls::Repaired,
    }
}

/// Shows the rows to the profile, until there are `row_limit` in it.
fn pass(
    reader: impl Read,
    decisions: &Decisions,
    profile: &mut Profile,
    row_limit: u64,
    aim: Aim,
) -> Result<Ending, Trouble> {
    let decoded = Decoded::new(reader, decisions.encoding, controls(aim));
    let mut records = Records::new(decoded, decisions.dialect);
    let mut record = Record::default();
    let mut cut_off = false;
    while profile.rows() < row_limit {
        match records.read(&mut record) {
            Ok(true) if record.row() < decisions.header.data_row => {}
            Ok(true) => profile.add(&record),
            Ok(false) => break,
            Err(Trouble::QuoteNeverCloses { .. })
                if record.line_breaks() <= CUT_OFF_LINES && profile.rows() > 0 =>
            {
                cut_off = true;
                record.close();
                if aim == Aim::Prepared {
                    profile.add_broken(&record);
                } else {
                    profile.leave_out(&record);
                }
                break;
            }
            Err(trouble) => return Err(trouble),
        }
    }
    let (damaged, repaired) = (records.source().replaced(), records.source().repaired());
    Ok(Ending { damaged, repaired, line_ends: records.line_ends(), cut_off })
}

/// Shows every cell of the file with its place in its row; those of a file that has to be read once more
/// are shown again.
pub(crate) fn each_cell(source: &Source, visit: &mut dyn FnMut(usize, &str)) -> Result<(), TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    settle(source, source.length(), None, &mut progress, decide, |decisions, _| {
        let mut records =
            Records::new(Decoded::new(open(source)?, decisions.encoding, Controls::Kept), decisions.dialect);
        let mut record = Record::default();
        loop {
            match records.read(&mut record) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Trouble::QuoteNeverCloses { .. }) if record.line_breaks() <= CUT_OFF_LINES => {
                    return Ok(());
                }
                Err(trouble) => return Err(trouble),
            }
            for (place, cell) in record.cells().enumerate() {
                visit(place, &String::from_utf8_lossy(cell));
            }
        }
    })?;
    Ok(())
}

fn open(source: &Source) -> Result<Box<dyn Read>, Trouble> {
    let file = File::open(source.path()).map_err(Trouble::Io)?;
    source.packing().open(file, source.length(), |file| file).map_err(Trouble::Io)
}

/// What the trouble means for the file at `path`.
pub(crate) fn explain(path: &Path, trouble: Trouble) -> TableError {
    let file = file_name(path);
    match trouble {
        Trouble::Io(error) => TableError::from_io(path, error),
        Trouble::TooManyRows => TableError::TooManyRows { file },
        Trouble::TooManyCells => TableError::Unsupported { file, what: "it has more than 16,384 columns" },
        Trouble::RecordTooLong | Trouble::QuoteNeverCloses { .. } | Trouble::NotInEncoding => {
            TableError::Unsupported { file, what: "it has no rows, only one text without an end" }
        }
    }
}
