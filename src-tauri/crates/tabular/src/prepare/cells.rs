//! One cell as the prepared table has it.

use crate::cell::{is_blank, is_pandas_null};
use crate::column::{Form, NumberFormat};
use crate::date::{self, DayOrder};
use crate::plan::PlannedColumn;
use crate::table::Kind;
use crate::{dress, duration, number};
use jiff::SignedDuration;
use jiff::civil::DateTime;
use std::io::Write;

/// Adds what the cell becomes to `out`. What does not fit the form stays what it is.
pub(super) fn prepare(cell: &[u8], column: &PlannedColumn, out: &mut Vec<u8>) {
    let written = match column.form {
        Form::Text => false,
        _ if cell.is_empty() => return,
        _ if is_no_value(cell, column) => return,
        Form::Number(format) => number_cell(cell, format, out),
        Form::Dates(order, kind) => date_cell(cell, order, kind, out),
        Form::Span => span_cell(cell, out),
    };
    if !written {
        out.extend_from_slice(cell);
    }
}

fn is_no_value(cell: &[u8], column: &PlannedColumn) -> bool {
    is_pandas_null(cell) || is_blank(cell) || column.null_words.iter().any(|word| word.as_bytes() == cell)
}

/// Digits with a decimal point; no digit is changed, and none is computed with.
fn number_cell(cell: &[u8], format: NumberFormat, out: &mut Vec<u8>) -> bool {
    let plain = cell.trim_ascii();
    let (bare, negative) = match dress::undress(cell) {
        Some((bare, negative, _)) if number::scan(plain).is_none() => (bare.as_bytes(), negative),
        _ => (plain, false),
    };
    let fits = number::scan(bare).is_some_and(|number| {
        let reading = if format.decimal == ',' { number.comma } else { number.point };
        reading.is_some()
    });
    if !fits {
        return false;
    }
    let Ok(text) = std::str::from_utf8(bare) else { return false };
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let (minus, digits) = unsigned.strip_prefix('-').map_or((negative, unsigned), |rest| (!negative, rest));
    if minus {
        out.push(b'-');
    }
    if digits.starts_with(format.decimal) {
        out.push(b'0');
    }
    for character in digits.chars() {
        match character {
            mark if mark == format.decimal => out.push(b'.'),
            '0'..='9' | 'e' | 'E' | '+' | '-' => out.push(character as u8),
            _ => {}
        }
    }
    true
}

fn date_cell(cell: &[u8], order: DayOrder, kind: Kind, out: &mut Vec<u8>) -> bool {
    let Some(stamp) = date::scan(cell) else { return false };
    let moment = if order == DayOrder::MonthFirst { stamp.month_first } else { stamp.day_first };
    let Some(moment) = moment else { return false };
    let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let local = epoch.saturating_add(SignedDuration::from_secs(moment + stamp.offset.unwrap_or(0)));
    // A month without a day stays one.
    let format = if kind == Kind::Date && stamp.shape.is_month() { "%Y-%m" } else { kind.plain_format() };
    if write!(out, "{}", local.strftime(format)).is_err() {
        return false;
    }
    if kind != Kind::Date {
        out.extend_from_slice(fraction(cell));
    }
    if let Some(offset) = stamp.offset.filter(|_| kind == Kind::Timestamp) {
        let sign = if offset < 0 { '-' } else { '+' };
        let minutes = offset.abs() / 60;
        let _ = write!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
    }
    true
}

/// The digits behind the seconds, with their point.
fn fraction(cell: &[u8]) -> &[u8] {
    let Some(clock) = cell.iter().position(|byte| *byte == b':') else { return b"" };
    let Some(point) = cell[clock..].iter().position(|byte| *byte == b'.') else { return b"" };
    let digits = cell[clock + point + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    &cell[clock + point..=clock + point + digits]
}

fn span_cell(cell: &[u8], out: &mut Vec<u8>) -> bool {
    let Some(span) = duration::scan(cell) else { return false };
    let sign = if span.thousandths < 0 { "-" } else { "" };
    let thousandths = span.thousandths.unsigned_abs();
    let _ = match thousandths % 1000 {
        0 => write!(out, "{sign}{}", thousandths / 1000),
        part => write!(out, "{sign}{}.{part:03}", thousandths / 1000),
    };
    true
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use crate::column::{Form, NumberFormat};
    use crate::date::DayOrder;
    use crate::plan::PlannedColumn;
    use crate::table::Kind;

    fn prepared(form: Form, cell: &str) -> String {
        let column = PlannedColumn {
            name: "x".into(),
            form,
            omit: false,
            null_words: vec!["k.A.".into()],
            no_values: vec!["k.A.".into()],
            keep_text: false,
            some_look_like_numbers: false,
        };
        let mut out = Vec::new();
        prepare(cell.as_bytes(), &column, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_keep_every_digit() {
        let comma = Form::Number(NumberFormat { decimal: ',', thousands: Some('.') });
        let point = Form::Number(NumberFormat { decimal: '.', thousands: Some(',') });
        for (form, cell, expected) in [
            (comma, "1.234,50", "1234.50"),
            (comma, "-0,123456789012345678901", "-0.123456789012345678901"),
            (comma, ",5", "0.5"),
            (comma, "1.250,00 €", "1250.00"),
            (point, "(1,250.00)", "-1250.00"),
            (point, "$3,000", "3000"),
            (point, "12 %", "12"),
            (point, "+1e-3", "1e-3"),
            (point, "k.A.", ""),
            (point, "n/a", ""),
            (point, "about 5", "about 5"),
            (point, "12\u{A0}345", "12345"),
        ] {
            assert_eq!(prepared(form, cell), expected, "{cell}");
        }
    }

    #[test]
    fn dates_become_iso_and_keep_fractions_and_offsets() {
        let day = |kind| Form::Dates(DayOrder::DayFirst, kind);
        for (form, cell, expected) in [
            (day(Kind::Date), "03/04/1991", "1991-04-03"),
            (Form::Dates(DayOrder::MonthFirst, Kind::Date), "03/04/1991", "1991-03-04"),
            (day(Kind::Date), "Jan 2019", "2019-01"),
            (day(Kind::Timestamp), "31.12.2022 23:00", "2022-12-31 23:00:00"),
            (day(Kind::Timestamp), "2025-01-31T23:00:00.1250+03:30", "2025-01-31 23:00:00.1250+03:30"),
            (day(Kind::Time), "7:13 PM", "19:13:00"),
            (day(Kind::Date), "31.31.2022", "31.31.2022"),
        ] {
            assert_eq!(prepared(form, cell), expected, "{cell}");
        }
        assert_eq!(prepared(Form::Span, "26:10:00"), "94200");
        assert_eq!(prepared(Form::Span, "-PT0.25S"), "-0.250");
        assert_eq!(prepared(Form::Text, "n/a"), "n/a");
    }
}
