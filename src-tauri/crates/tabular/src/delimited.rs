//! Reads delimited text: decisions from the head, then one pass over all rows.

use crate::TableError;
use crate::decode::Decoded;
use crate::dialect::{self, Delimiter, Dialect};
use crate::encoding::{self, Broken, TextEncoding};
use crate::header::{self, Header};
use crate::pandas::TextCall;
use crate::profile::{CommaHint, Profile, Profiled, Widths};
use crate::records::{CUT_OFF_LINES, LineEnds, Record, Records, Trouble};
use crate::source::Source;
use crate::table::Table;
use std::fs::File;
use std::io::Read;

/// Rows that the header is looked for in.
const HEADER_ROWS: usize = 250;

/// Everything that has to be known to read a text.
struct Decisions {
    encoding: TextEncoding,
    dialect: Dialect,
    header: Header,
    quote_before_data: bool,
    /// The row, from 0, where a quote opens that never closes.
    stray_quote: Option<u64>,
}

/// The end of one pass.
struct Pass {
    profile: Profile,
    damaged: bool,
    line_ends: LineEnds,
    /// The file ends within a quoted cell.
    cut_off: bool,
}

pub(crate) fn read(source: &Source, destination: &str) -> Result<Table, TableError> {
    let mut encoding = encoding::decide(source.head(), source.head_is_all());
    let mut stray_quote = None;
    loop {
        let decisions = decide(source, encoding, stray_quote)?;
        match pass(source, &decisions) {
            Ok(pass) => return describe(source, destination, &decisions, pass),
            Err(Trouble::NotInEncoding) if encoding.broken == Broken::Refuse => {
                encoding = encoding::decide_again(source.reader()?).map_err(|error| source.trouble(error))?;
            }
            Err(Trouble::QuoteNeverCloses { row }) if stray_quote.is_none() => stray_quote = Some(row),
            Err(trouble) => return Err(explain(source, trouble)),
        }
    }
}

/// The table, or why there is none.
fn describe(
    source: &Source,
    destination: &str,
    decisions: &Decisions,
    pass: Pass,
) -> Result<Table, TableError> {
    if pass.profile.rows() == 0 || !pass.profile.has_values() {
        return Err(TableError::NoRows { file: source.file_name() });
    }
    let Decisions { encoding, dialect, .. } = decisions;
    let (encoding, dialect) = (*encoding, *dialect);
    let comma_hint =
        if dialect.delimiter == Delimiter::Byte(b';') { CommaHint::Decimal } else { CommaHint::None };
    let Pass { profile, damaged, line_ends, cut_off } = pass;
    let profiled = profile.finish(comma_hint);
    let call = TextCall {
        destination,
        encoding,
        damaged,
        dialect,
        line_ends,
        profiled: &profiled,
        stop_at_end: profiled.has_footer || cut_off,
        quote_before_data: decisions.quote_before_data,
    };
    let read_with = call.expression();
    let notes = notes(decisions, damaged, cut_off, &profiled);
    Ok(Table {
        path: destination.to_owned(),
        format: "csv".to_owned(),
        sheet: None,
        rows: profiled.rows,
        encoding: Some(encoding.python_codec()),
        delimiter: Some(match dialect.delimiter {
            Delimiter::Byte(byte) => char::from(byte).to_string(),
            Delimiter::Blanks => r"\s+".to_owned(),
        }),
        decimal: profiled.format.decimal.to_string(),
        thousands: profiled.format.thousands.map(String::from),
        header_row: profiled.header.row.map_or(0, |row| row + 1),
        read_with,
        columns: profiled.columns.into_iter().map(|described| described.column).collect(),
        first_rows: profiled.first_rows,
        notes,
    })
}

/// What a person should know, the most surprising first.
fn notes(decisions: &Decisions, damaged: bool, cut_off: bool, profiled: &Profiled) -> Vec<String> {
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
    if cut_off {
        notes.push("The file ends in the middle of a row; that row is left out.".to_owned());
    }
    notes.extend(profiled.notes.iter().cloned());
    notes
}

fn decide(
    source: &Source,
    encoding: TextEncoding,
    stray_quote: Option<u64>,
) -> Result<Decisions, TableError> {
    let complete = source.head_is_all();
    let lenient = TextEncoding { broken: Broken::Replace, ..encoding };
    let mut bytes = Vec::new();
    Decoded::new(source.head(), lenient).read_to_end(&mut bytes).map_err(|error| source.trouble(error))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut dialect = dialect::decide(&text, complete);
    if stray_quote.is_some() {
        dialect = Dialect { quote: None, escape: None, ..dialect };
    }
    let records = dialect::first_records(&text, complete, dialect, HEADER_ROWS);
    let mut rows: Vec<Vec<String>> = records.iter().map(Record::texts).collect();
    if let Some(declaration) = rows.first_mut().filter(|_| dialect.declared) {
        declaration.clear();
    }
    let mut header = header::decide(&rows).ok_or_else(|| TableError::NoRows { file: source.file_name() })?;
    if dialect.declared {
        header.dropped.insert(0, 0);
    }
    let before = records.iter().take_while(|record| record.row() < header.data_row);
    let quote_before_data =
        dialect.quote.is_some_and(|quote| before.into_iter().any(|record| record.has_odd_quotes(quote)));
    Ok(Decisions { encoding, dialect, header, quote_before_data, stray_quote })
}

fn pass(source: &Source, decisions: &Decisions) -> Result<Pass, Trouble> {
    let file = File::open(source.path()).map_err(Trouble::Io)?;
    let mut records = Records::new(Decoded::new(file, decisions.encoding), decisions.dialect);
    let mut profile = Profile::new(decisions.header.clone(), Widths::Vary);
    let mut record = Record::default();
    let mut cut_off = false;
    loop {
        match records.read(&mut record) {
            Ok(true) if record.row() < decisions.header.data_row => {}
            Ok(true) => profile.add(&record),
            Ok(false) => break,
            Err(Trouble::QuoteNeverCloses { .. })
                if record.line_breaks() <= CUT_OFF_LINES && profile.rows() > 0 =>
            {
                cut_off = true;
                break;
            }
            Err(trouble) => return Err(trouble),
        }
    }
    Ok(Pass { profile, damaged: records.source().replaced() > 0, line_ends: records.line_ends(), cut_off })
}

fn explain(source: &Source, trouble: Trouble) -> TableError {
    let file = source.file_name();
    match trouble {
        Trouble::Io(error) => source.trouble(error),
        Trouble::TooManyCells => TableError::Unsupported { file, what: "it has more than 16,384 columns" },
        Trouble::RecordTooLong | Trouble::QuoteNeverCloses { .. } | Trouble::NotInEncoding => {
            TableError::Unsupported { file, what: "it has no rows, only one text without an end" }
        }
    }
}
