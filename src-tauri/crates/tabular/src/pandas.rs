//! Writes the decisions down as a Python expression for pandas 2 and 3.

use crate::column::{Described, NumberFormat};
use crate::dialect::{Delimiter, Dialect};
use crate::encoding::TextEncoding;
use crate::packing::Packing;
use crate::plan::PlannedColumn;
use crate::profile::Profiled;
use crate::records::LineEnds;
use std::fmt::Write;

/// Cells from which on pandas reads a text in pieces and may give numbers in some of them.
const READ_IN_PIECES: u64 = 400_000;

/// The expression that reads a prepared table of so many rows.
pub(crate) fn prepared(destination: &str, columns: &[&PlannedColumn], rows: u64) -> String {
    let mut arguments = Arguments::new("read_csv", destination);
    let in_pieces = rows * columns.len() as u64 > READ_IN_PIECES;
    arguments.add_columns(columns.iter().map(|column| OfColumn {
        name: &column.name,
        is_text: column.keep_text || (in_pieces && column.some_look_like_numbers),
        no_values: &column.no_values,
    }));
    arguments.finish()
}

/// What is said of one column.
#[derive(Clone, Copy)]
struct OfColumn<'a> {
    name: &'a str,
    is_text: bool,
    no_values: &'a [String],
}

/// What has to be said of columns of a file.
fn of_file(columns: &[Described], in_pieces: bool) -> impl Iterator<Item = OfColumn<'_>> + Clone {
    columns.iter().map(move |described| OfColumn {
        name: &described.column.name,
        is_text: described.keep_text || (in_pieces && described.some_look_like_numbers),
        no_values: &described.null_words,
    })
}

/// How to read one text file.
pub(crate) struct TextCall<'a> {
    pub(crate) destination: &'a str,
    pub(crate) packing: &'a Packing,
    pub(crate) encoding: TextEncoding,
    /// Some bytes are no text in the encoding.
    pub(crate) damaged: bool,
    pub(crate) dialect: Dialect,
    pub(crate) line_ends: LineEnds,
    pub(crate) profiled: &'a Profiled,
    /// Stop after the rows, because what follows is no row.
    pub(crate) stop_at_end: bool,
    /// A row before the data holds a stray quote, which pandas' fast engine would take for an opening one.
    pub(crate) quote_before_data: bool,
}

impl TextCall<'_> {
    pub(crate) fn expression(&self) -> String {
        let mut arguments = match self.packing {
            // pandas opens archives with one file in them only.
            Packing::Zip(member) => Arguments::of(
                "read_csv",
                &format!(
                    "__import__('zipfile').ZipFile({}).open({})",
                    literal(self.destination),
                    literal(&member.name)
                ),
            ),
            _ => Arguments::new("read_csv", self.destination),
        };
        if *self.packing == Packing::Gzip {
            arguments.add("compression", "'gzip'");
        }
        let codec = self.encoding.python_codec();
        let Dialect { delimiter, quote, escape, skip_blanks, .. } = self.dialect;
        match delimiter {
            Delimiter::Byte(b',') => {}
            Delimiter::Byte(byte) => arguments.add("sep", &literal(&char::from(byte).to_string())),
            Delimiter::Blanks => arguments.add("sep", r"r'\s+'"),
        }
        if codec != "utf-8" {
            arguments.add("encoding", &literal(&codec));
        }
        if self.damaged {
            arguments.add("encoding_errors", "'replace'");
        }
        match quote {
            None => arguments.add("quoting", "3"),
            Some(b'"') => {}
            Some(byte) => arguments.add("quotechar", &literal(&char::from(byte).to_string())),
        }
        if let Some(byte) = escape {
            arguments.add("escapechar", &literal(&char::from(byte).to_string()));
        }
        if skip_blanks {
            arguments.add("skipinitialspace", "True");
        }
        let format = self.profiled.format;
        // The fast engine loses its place at carriage returns unless it is told that they end the lines.
        let LineEnds { feeds, carriages } = self.line_ends;
        let wide_mark = format.thousands.is_some_and(|mark| !mark.is_ascii());
        let python_engine = self.quote_before_data || wide_mark || (carriages > 0 && feeds > 0);
        if carriages > 0 && !python_engine {
            arguments.add("lineterminator", "'\\r'");
        }
        arguments.add_number_format(format);
        self.add_header(&mut arguments);
        if self.stop_at_end {
            arguments.add("nrows", &self.profiled.rows.to_string());
        }
        let in_pieces = self.profiled.rows * self.profiled.columns.len() as u64 > READ_IN_PIECES;
        arguments.add_columns(of_file(&self.profiled.columns, in_pieces));
        if python_engine {
            arguments.add("engine", "'python'");
        }
        arguments.finish()
    }

    fn add_header(&self, arguments: &mut Arguments) {
        let header = &self.profiled.header;
        let own_names = header.written.as_ref() != Some(&header.names) || self.profiled.widened;
        let start = if own_names { header.data_row } else { header.row.unwrap_or(0) };
        let mut skipped = header.dropped.clone();
        if own_names {
            skipped.extend(header.row);
        }
        skipped.extend(&self.profiled.remarks);
        skipped.sort_unstable();
        skipped.dedup();
        match skipped.last() {
            None => {}
            Some(last) if *last < start => arguments.add("skiprows", &start.to_string()),
            Some(_) => {
                let rows: Vec<String> = skipped.iter().map(u64::to_string).collect();
                arguments.add("skiprows", &format!("[{}]", rows.join(", ")));
            }
        }
        if own_names {
            arguments.add("header", "None");
            arguments.add("names", &list(&header.names));
        }
    }
}

/// How to read one sheet of a workbook.
pub(crate) struct SheetCall<'a> {
    pub(crate) destination: &'a str,
    pub(crate) sheet: &'a str,
    pub(crate) profiled: &'a Profiled,
    /// Empty columns before the first one with a value.
    pub(crate) first_column: u32,
}

impl SheetCall<'_> {
    pub(crate) fn expression(&self) -> String {
        let mut arguments = Arguments::new("read_excel", self.destination);
        arguments.add("sheet_name", &literal(self.sheet));
        let header = &self.profiled.header;
        let own_names = header.written.as_ref() != Some(&header.names) || self.first_column > 0;
        let start = if own_names { header.data_row } else { header.row.unwrap_or(0) };
        if header.dropped.iter().any(|row| *row >= start) {
            let rows: Vec<String> = header.dropped.iter().map(u64::to_string).collect();
            arguments.add("skiprows", &format!("[{}]", rows.join(", ")));
        } else if start > 0 {
            arguments.add("skiprows", &start.to_string());
        }
        if own_names {
            arguments.add("header", "None");
            arguments.add("names", &list(&header.names));
        }
        if self.first_column > 0 {
            let last = self.first_column as usize + header.names.len();
            arguments.add("usecols", &format!("range({}, {last})", self.first_column));
        }
        arguments.add_columns(of_file(&self.profiled.columns, false));
        // What pandas chooses by itself reads the newer Excel format only.
        if ![".xlsx", ".xlsm"].iter().any(|ending| self.destination.to_lowercase().ends_with(ending)) {
            arguments.add("engine", &literal("calamine"));
        }
        arguments.finish()
    }
}

struct Arguments {
    text: String,
}

impl Arguments {
    fn new(function: &str, destination: &str) -> Self {
        Self::of(function, &literal(destination))
    }

    /// A call on what the expression gives.
    fn of(function: &str, expression: &str) -> Self {
        Self { text: format!("pd.{function}({expression}") }
    }

    fn add(&mut self, name: &str, value: &str) {
        let _ = write!(self.text, ", {name}={value}");
    }

    fn add_number_format(&mut self, format: NumberFormat) {
        if format.decimal != '.' {
            self.add("decimal", &literal(&format.decimal.to_string()));
        }
        if let Some(mark) = format.thousands {
            self.add("thousands", &literal(&mark.to_string()));
        }
    }

    fn add_columns<'a>(&mut self, columns: impl Iterator<Item = OfColumn<'a>> + Clone) {
        let text: Vec<String> = columns
            .clone()
            .filter(|column| column.is_text)
            .map(|column| format!("{}: str", literal(column.name)))
            .collect();
        if !text.is_empty() {
            self.add("dtype", &format!("{{{}}}", text.join(", ")));
        }
        let nulls: Vec<String> = columns
            .filter(|column| !column.no_values.is_empty())
            .map(|column| format!("{}: {}", literal(column.name), list(column.no_values)))
            .collect();
        if !nulls.is_empty() {
            self.add("na_values", &format!("{{{}}}", nulls.join(", ")));
        }
    }

    fn finish(mut self) -> String {
        self.text.push(')');
        self.text
    }
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| literal(item)).collect();
    format!("[{}]", items.join(", "))
}

/// The text as a Python string literal.
pub(crate) fn literal(text: &str) -> String {
    let mut literal = String::from("'");
    for character in text.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            unseen
                if unseen != ' '
                    && (unseen.is_control() || unseen.is_whitespace() || unseen == '\u{FEFF}') =>
            {
                let _ = write!(literal, "\\u{:04x}", u32::from(unseen));
            }
            other => literal.push(other),
        }
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn literals_cannot_end_early() {
        assert_eq!(literal("it's \\ a\nb\u{1}"), r"'it\'s \\ a\nb\u0001'");
    }
}
