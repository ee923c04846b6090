//! Splits text into records and cells.
//!
//! The rules are those of pandas' own reader, case by case, because a table is only described rightly
//! when [`read_with`](crate::Table::read_with) gives the same rows: a quote opens a cell only at its
//! beginning, text after a closing quote belongs to the cell, `\n`, `\r` and `\r\n` end a record and
//! nothing else does, a line of blanks is no record. The `csv` crate knows no escape outside quotes, no
//! blanks between delimiter and quote, no runs of blanks as delimiter, and does not report blank lines,
//! on which the row numbers that people are told depend; in the tests it is the measure for plain files.

use crate::dialect::{Delimiter, Dialect};
use std::io::{self, BufRead};

/// A record beyond this is a quote that was never closed, or no table.
const RECORD_BYTES: usize = 16 * 1024 * 1024;

/// A record beyond this is no table; the widest workbooks have as many columns.
pub(crate) const CELLS: usize = 16_384;

/// Line breaks within a last cell that was cut off; more mean that its quote is no quote.
pub(crate) const CUT_OFF_LINES: usize = 2;

/// Why the records of a file cannot be read.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The system does not give the content.
    Io(io::Error),
    /// The content is not in the encoding that was decided on.
    NotInEncoding,
    /// The quote that opens in this row (from 0), or the escape at its end, has no end.
    QuoteNeverCloses { row: u64 },
    /// A record is longer than any table's.
    RecordTooLong,
    /// A record has more than [`CELLS`] cells.
    TooManyCells,
    /// There are more rows than can be numbered or put in order.
    TooManyRows,
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidData { Self::NotInEncoding } else { Self::Io(error) }
    }
}

/// The cells of one record. A blank line is a record without cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    row: u64,
    /// For each cell, whether a quote opened it.
    quoted: Vec<bool>,
    in_quoted_cell: bool,
}

impl Record {
    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The row of the file, from 0; blank lines are rows, line breaks inside quotes are not.
    pub(crate) fn row(&self) -> u64 {
        self.row
    }

    /// The cells, as UTF-8 without quotes.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let cell = &self.bytes[start..*end];
            start = *end;
            cell
        })
    }

    /// The cells as text.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
    }

    /// A record that was not split from text.
    pub(crate) fn from_texts<'a>(row: u64, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut record = Self { row, ..Self::default() };
        for text in texts {
            record.bytes.extend_from_slice(text.as_bytes());
            record.end_cell();
        }
        record
    }

    /// Line breaks inside the cells.
    pub(crate) fn line_breaks(&self) -> usize {
        self.bytes.split(|byte| *byte == b'\n').count() - 1
    }

    /// Ends the cell in which the text ended.
    pub(crate) fn close(&mut self) {
        self.end_cell();
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.quoted.clear();
        self.in_quoted_cell = false;
    }

    fn end_cell(&mut self) {
        self.ends.push(self.bytes.len());
        self.quoted.push(std::mem::take(&mut self.in_quoted_cell));
    }

    /// Whether an odd number of quotes stands where a quote does not count, within cells.
    pub(crate) fn has_odd_quotes(&self, quote: u8) -> bool {
        let cells = self.cells().zip(&self.quoted).filter(|(_, quoted)| !**quoted);
        cells.map(|(cell, _)| cell.split(|byte| *byte == quote).count() - 1).sum::<usize>() % 2 == 1
    }

    fn is_blank_line(&self) -> bool {
        self.ends.len() == 1 && !self.quoted[0] && self.bytes.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }
}

/// Where the splitting stands within a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    CellStart,
    InCell,
    InQuotes,
    QuoteInQuotes,
    EscapeInCell,
    EscapeInQuotes,
}

/// The records of a text.
pub(crate) struct Records<S> {
    source: S,
    dialect: Dialect,
    /// Bytes that may end a run of ordinary ones outside quotes.
    special: [bool; 256],
    row: u64,
    /// Bytes of the text that have been split.
    position: u64,
    /// The last record ended with a carriage return, and a line feed right after it belongs to it.
    after_carriage: bool,
    line_ends: LineEnds,
}

/// How the records of a text end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    /// Records that end with a line feed, perhaps behind a carriage return.
    pub(crate) feeds: u64,
    /// Records that end with a carriage return alone, as on old Macs.
    pub(crate) carriages: u64,
}

impl<S: BufRead> Records<S> {
    pub(crate) fn new(source: S, dialect: Dialect) -> Self {
        let mut special = [false; 256];
        for byte in [b'\n', b'\r'].into_iter().chain(dialect.escape) {
            special[usize::from(byte)] = true;
        }
        match dialect.delimiter {
            Delimiter::Byte(byte) => special[usize::from(byte)] = true,
            Delimiter::Blanks => {
                special[usize::from(b' ')] = true;
                special[usize::from(b'\t')] = true;
            }
        }
        Self {
            source,
            dialect,
            special,
            row: 0,
            position: 0,
            after_carriage: false,
            line_ends: LineEnds::default(),
        }
    }

    /// The text that is split.
    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// Bytes of the text before the next record.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// How the records so far end.
    pub(crate) fn line_ends(&self) -> LineEnds {
        self.line_ends
    }

    /// Reads the next record; false at the end of the text.
    pub(crate) fn read(&mut self, record: &mut Record) -> Result<bool, Trouble> {
        record.clear();
        record.row = self.row;
        let mut state = State::CellStart;
        let mut started = false;
        loop {
            let buffer = self.source.fill_buf()?;
            if buffer.is_empty() {
                return self.finish_at_end(record, state, started);
            }
            let mut position = 0;
            if self.after_carriage {
                self.after_carriage = false;
                if buffer[0] == b'\n' {
                    position = 1;
                    self.line_ends.feeds += 1;
                } else {
                    self.line_ends.carriages += 1;
                }
            }
            let mut ended = false;
            while position < buffer.len() {
                started = true;
                let byte = buffer[position];
                if matches!(state, State::CellStart | State::InCell | State::QuoteInQuotes)
                    && matches!(byte, b'\n' | b'\r')
                {
                    position += 1;
                    self.after_carriage = byte == b'\r';
                    self.line_ends.feeds += u64::from(byte == b'\n');
                    ended = true;
                    break;
                }
                match state {
                    State::CellStart => {
                        if Some(byte) == self.dialect.quote {
                            state = State::InQuotes;
                            record.in_quoted_cell = true;
                        } else if Some(byte) == self.dialect.escape {
                            state = State::EscapeInCell;
                        } else if self.dialect.delimiter.is(byte) {
                            if self.dialect.delimiter != Delimiter::Blanks {
                                record.end_cell();
                            }
                        } else if !(self.dialect.skip_blanks && byte == b' ') {
                            record.bytes.push(byte);
                            state = State::InCell;
                        }
                        position += 1;
                    }
                    State::InCell => {
                        let rest = &buffer[position..];
                        let run = rest.iter().position(|byte| self.special[usize::from(*byte)]);
                        let run = run.unwrap_or(rest.len());
                        record.bytes.extend_from_slice(&rest[..run]);
                        position += run;
                        if let Some(byte) = rest.get(run) {
                            if self.dialect.delimiter.is(*byte) {
                                record.end_cell();
                                state = State::CellStart;
                                position += 1;
                            } else if Some(*byte) == self.dialect.escape {
                                state = State::EscapeInCell;
                                position += 1;
                            }
                        }
                    }
                    State::InQuotes => {
                        let rest = &buffer[position..];
                        let run = rest.iter().position(|byte| {
                            Some(*byte) == self.dialect.quote || Some(*byte) == self.dialect.escape
                        });
                        let run = run.unwrap_or(rest.len());
                        record.bytes.extend_from_slice(&rest[..run]);
                        position += run;
                        if let Some(byte) = rest.get(run) {
                            let quote = Some(*byte) == self.dialect.quote;
                            state = if quote { State::QuoteInQuotes } else { State::EscapeInQuotes };
                            position += 1;
                        }
                    }
                    State::QuoteInQuotes => {
                        position += 1;
                        if Some(byte) == self.dialect.quote {
                            record.bytes.push(byte);
                            state = State::InQuotes;
                        } else if self.dialect.delimiter.is(byte) {
                            record.end_cell();
                            state = State::CellStart;
                        } else {
                            record.bytes.push(byte);
                            state = State::InCell;
                        }
                    }
                    State::EscapeInCell | State::EscapeInQuotes => {
                        record.bytes.push(byte);
                        state = if state == State::EscapeInCell { State::InCell } else { State::InQuotes };
                        position += 1;
                    }
                }
            }
            self.source.consume(position);
            self.position += position as u64;
            if record.ends.len() > CELLS {
                return Err(Trouble::TooManyCells);
            }
            if ended {
                self.end_record(record, state);
                return Ok(true);
            }
            if record.bytes.len() > RECORD_BYTES {
                return Err(match state {
                    State::InQuotes | State::QuoteInQuotes => Trouble::QuoteNeverCloses { row: self.row },
                    _ => Trouble::RecordTooLong,
                });
            }
        }
    }

    fn finish_at_end(&mut self, record: &mut Record, state: State, started: bool) -> Result<bool, Trouble> {
        match state {
            _ if !started => Ok(false),
            State::InQuotes | State::EscapeInQuotes | State::EscapeInCell => {
                Err(Trouble::QuoteNeverCloses { row: self.row })
            }
            _ => {
                self.end_record(record, state);
                Ok(true)
            }
        }
    }

    fn end_record(&mut self, record: &mut Record, state: State) {
        let nothing_open = state == State::CellStart;
        let trailing_blanks = nothing_open && self.dialect.delimiter == Delimiter::Blanks;
        let empty_line = nothing_open && record.ends.is_empty();
        if !trailing_blanks && !empty_line {
            record.end_cell();
        }
        if record.is_blank_line() {
            record.clear();
        }
        self.row += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, dialect: Dialect) -> Vec<Vec<String>> {
        let mut records = Records::new(text.as_bytes(), dialect);
        let mut record = Record::default();
        let mut rows = Vec::new();
        while records.read(&mut record).unwrap() {
            rows.push(record.texts());
        }
        rows
    }

    #[test]
    fn quotes_open_only_at_the_beginning_of_a_cell() {
        let rows = split("a\"b,\"c\"\"d\",\"e\"f\n", Dialect::default());
        assert_eq!(rows, [["a\"b", "c\"d", "ef"]]);
    }

    #[test]
    fn every_kind_of_line_end_ends_a_record() {
        let rows = split("a\nb\r\nc\rd", Dialect::default());
        assert_eq!(rows, [["a"], ["b"], ["c"], ["d"]]);
    }

    #[test]
    fn blank_lines_are_rows_without_cells() {
        let rows = split("a,b\n\n  \n1,\n", Dialect::default());
        assert_eq!(rows, [vec!["a", "b"], vec![], vec![], vec!["1", ""]]);
    }

    #[test]
    fn escapes_work_inside_and_outside_of_quotes() {
        let dialect = Dialect { escape: Some(b'\\'), ..Dialect::default() };
        assert_eq!(split("a\\,b,\"c\\\"d\"\n", dialect), [["a,b", "c\"d"]]);
    }

    #[test]
    fn blanks_before_a_quote_can_be_skipped() {
        let dialect = Dialect { skip_blanks: true, ..Dialect::default() };
        assert_eq!(split("a, \"b, c\",  d\n", dialect), [["a", "b, c", "d"]]);
    }

    #[test]
    fn runs_of_blanks_can_be_the_delimiter() {
        let dialect = Dialect { delimiter: Delimiter::Blanks, ..Dialect::default() };
        assert_eq!(split("  a   b \n1 \t 2\n", dialect), [["a", "b"], ["1", "2"]]);
    }

    #[test]
    fn a_quote_that_never_closes_is_told() {
        let mut records = Records::new("a\n\"b\nc".as_bytes(), Dialect::default());
        let mut record = Record::default();
        assert!(records.read(&mut record).unwrap());
        assert!(matches!(records.read(&mut record), Err(Trouble::QuoteNeverCloses { row: 1 })));
    }
}
