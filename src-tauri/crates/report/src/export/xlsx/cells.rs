//! What a cell holds: a number, a date, or words.

use rust_xlsxwriter::ExcelDateTime;

/// Excel keeps so many digits of a number.
const MOST_DIGITS: usize = 15;
/// Decimals beyond these are not shown one by one.
const MOST_DECIMALS: usize = 6;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// Empty.
    Nothing,
    /// A number, and how it is shown. A date is the number of days since 1900.
    Number { value: f64, format: String },
    /// True or false.
    Truth(bool),
    /// Anything else, as it is written.
    Words,
}

/// How the numbers of a table are written, as far as its own cells leave no doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
    /// `1,234` and `1.234` may each be a thousand or hardly more than one.
    Unknown,
}

impl Marks {
    /// Looks at the cells of a table.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut points, mut commas) = (false, false);
        for cell in cells {
            match decimal_mark(cell) {
                Some('.') => points = true,
                Some(_) => commas = true,
                None => {}
            }
        }
        match (points, commas) {
            (true, false) => Self::Point,
            (false, true) => Self::Comma,
            _ => Self::Unknown,
        }
    }

    /// The decimal mark, and that between thousands.
    fn pair(self) -> (char, Option<char>) {
        match self {
            Self::Point => ('.', Some(',')),
            Self::Comma => (',', Some('.')),
            // Programs write numbers with a point and nothing between thousands.
            Self::Unknown => ('.', None),
        }
    }
}

/// The decimal mark of a number that can be read in one way only.
fn decimal_mark(cell: &str) -> Option<char> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let starts_well = digits.starts_with(|c: char| c.is_ascii_digit());
    if !starts_well || !digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let last = digits.rfind(['.', ','])?;
    let mark = if digits[last..].starts_with('.') { '.' } else { ',' };
    let (whole, decimals) = (&digits[..last], &digits[last + 1..]);
    let (other, has_same) = (if mark == '.' { ',' } else { '.' }, whole.contains(mark));
    match () {
        // Several of one kind stand between thousands, so the other is the decimal mark.
        () if has_same => is_grouped(digits, mark).then_some(other),
        () if decimals.is_empty() => None,
        () if whole.contains(other) => is_grouped(whole, other).then_some(mark),
        // Three digits behind a mark may be thousands, unless nothing or a zero is before it.
        () => (decimals.len() != 3 || whole.starts_with('0')).then_some(mark),
    }
}

/// Whether digits stand in groups of three.
fn is_grouped(digits: &str, mark: char) -> bool {
    let mut groups = digits.split(mark);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && groups.clone().count() > 0
        && digits.chars().all(|c| c.is_ascii_digit() || c == mark)
        && groups.all(|group| group.len() == 3)
}

impl Cell {
    /// Reads a cell. Whatever a number, a date or a truth would not keep as it is written stays words.
    pub(super) fn read(text: &str, marks: Marks) -> Self {
        let bare = text.trim();
        match bare {
            "" if text.is_empty() => return Self::Nothing,
            "" => return Self::Words,
            "true" | "True" | "TRUE" => return Self::Truth(true),
            "false" | "False" | "FALSE" => return Self::Truth(false),
            _ => {}
        }
        number(bare, marks).or_else(|| date(bare)).unwrap_or(Self::Words)
    }
}

fn number(text: &str, marks: Marks) -> Option<Cell> {
    let (decimal, thousands) = marks.pair();
    let (percent, text) = match text.strip_suffix('%') {
        Some(text) => (true, text.trim_end()),
        None => (false, text),
    };
    // In a report a minus is often the true sign.
    let unsigned = text.strip_prefix(['-', '−']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, decimals) = mantissa.split_once(decimal).unwrap_or((mantissa, ""));
    let grouped = thousands.is_some_and(|mark| is_grouped(whole, mark));
    let whole: String =
        if grouped { whole.chars().filter(char::is_ascii_digit).collect() } else { whole.to_owned() };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !whole.is_empty()
        && are_digits(&whole)
        && are_digits(decimals)
        && !mantissa.ends_with(decimal)
        && exponent.is_none_or(|exponent| {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !exponent.is_empty() && are_digits(exponent)
        });
    // A zero in front belongs to a number that is a name, such as a postcode.
    let is_name = whole.len() > 1 && whole.starts_with('0');
    let digits = whole.trim_start_matches('0').len() + decimals.len();
    if !is_number || is_name || digits > MOST_DIGITS {
        return None;
    }
    let sign = if text.len() == unsigned.len() { "" } else { "-" };
    let exponent = exponent.map(|exponent| format!("e{exponent}")).unwrap_or_default();
    let value: f64 = format!("{sign}{whole}.{decimals}0{exponent}").parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    let mut format = match (grouped, decimals.len()) {
        _ if !exponent.is_empty() => return Some(Cell::Number { value, format: "General".to_owned() }),
        (_, decimals) if decimals > MOST_DECIMALS => "General".to_owned(),
        (true, 0) => "#,##0".to_owned(),
        (true, decimals) => format!("#,##0.{}", "0".repeat(decimals)),
        (false, 0) if percent => "0".to_owned(),
        (false, 0) => "General".to_owned(),
        (false, decimals) => format!("0.{}", "0".repeat(decimals)),
    };
    if percent {
        format = if format == "General" { "0.00%".to_owned() } else { format + "%" };
    }
    Some(Cell::Number { value: if percent { value / 100.0 } else { value }, format })
}

/// A date as ISO 8601 writes it, alone or with a time of the day. With a zone it stays words.
fn date(text: &str) -> Option<Cell> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let [year, month, day] = numbers::<3>(day, '-', &[4, 2, 2])?;
    let date = ExcelDateTime::from_ymd(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?).ok()?;
    let cell = |date: &ExcelDateTime, format: &str| {
        Some(Cell::Number { value: date.to_excel(), format: format.to_owned() })
    };
    let Some(time) = time else { return cell(&date, "yyyy-mm-dd") };
    if time.get(..2).is_none_or(|hour| hour > "23") {
        return None;
    }
    if let Some([hour, minute]) = numbers::<2>(time, ':', &[2, 2]) {
        let date = date.and_hms(hour, u8::try_from(minute).ok()?, 0).ok()?;
        return cell(&date, "yyyy-mm-dd hh:mm");
    }
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    // More than Excel keeps would be lost.
    let parts: u32 = (fraction.len() <= 3).then(|| format!("{fraction:0<3}").parse().ok())??;
    let [hour, minute, second] = numbers::<3>(time, ':', &[2, 2, 2])?;
    let second = f64::from(second) + f64::from(parts) / 1000.0;
    let date = date.and_hms(hour, u8::try_from(minute).ok()?, second).ok()?;
    let format = if parts == 0 { "yyyy-mm-dd hh:mm:ss" } else { "yyyy-mm-dd hh:mm:ss.000" };
    cell(&date, format)
}

/// Numbers of fixed widths.
fn numbers<const COUNT: usize>(text: &str, mark: char, widths: &[usize; COUNT]) -> Option<[u16; COUNT]> {
    let mut found = [0; COUNT];
    let mut parts = text.split(mark);
    for (place, width) in found.iter_mut().zip(widths) {
        let part =
            parts.next().filter(|part| part.len() == *width && part.bytes().all(|b| b.is_ascii_digit()))?;
        *place = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, marks: Marks) -> Option<(f64, String)> {
        match Cell::read(text, marks) {
            Cell::Number { value, format } => Some((value, format)),
            Cell::Words => None,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn numbers_are_numbers_as_they_are_written() {
        for (text, marks, value, format) in [
            ("12", Marks::Unknown, 12.0, "General"),
            ("-5", Marks::Unknown, -5.0, "General"),
            ("−5", Marks::Unknown, -5.0, "General"),
            ("0", Marks::Unknown, 0.0, "General"),
            ("0.50", Marks::Unknown, 0.5, "0.00"),
            ("1.234", Marks::Point, 1.234, "0.000"),
            ("1.234", Marks::Comma, 1234.0, "#,##0"),
            ("1,234.50", Marks::Point, 1234.5, "#,##0.00"),
            ("1.234,5", Marks::Comma, 1234.5, "#,##0.0"),
            ("1e-7", Marks::Unknown, 1e-7, "General"),
            ("0.123456789", Marks::Unknown, 0.123_456_789, "General"),
            ("12 %", Marks::Unknown, 0.12, "0%"),
            ("12.5%", Marks::Point, 0.125, "0.0%"),
            ("123456789012345", Marks::Unknown, 123_456_789_012_345.0, "General"),
        ] {
            assert_eq!(read(text, marks), Some((value, format.to_owned())), "{text}");
        }
    }

    #[test]
    fn field_036_what_a_number_would_not_keep_stays_words() {
        for text in [
            "=1+1",
            "+1",
            "@x",
            "-2+3",
            "0017",
            "-007",
            "1234567890123456",
            "1,234",
            "1.2.3",
            ".",
            "-",
            "5.",
            "1e",
            "1e999",
            "NaN",
            "inf",
            "1 2",
            "$5",
            "١٢",
            "%",
            "0x10",
            "--1",
            "1_000",
            " ",
        ] {
            assert_eq!(read(text, Marks::Unknown), None, "{text}");
        }
        assert_eq!(read("1,23,456", Marks::Point), None);
    }

    #[test]
    fn the_marks_are_those_that_leave_no_doubt() {
        for (cells, marks) in [
            (&["9,120", "118,560.00"][..], Marks::Point),
            (&["1.234", "0.85"], Marks::Point),
            (&["1,234,567"], Marks::Point),
            (&["1.234", "0,85"], Marks::Comma),
            (&["0.123"], Marks::Point),
            (&["1,234", "1.234"], Marks::Unknown),
            (&["1.5", "1,5"], Marks::Unknown),
            (&["12", "x, y", "2025-01-01", "1.2.3", ""], Marks::Unknown),
        ] {
            assert_eq!(Marks::of(cells.iter().copied()), marks, "{cells:?}");
        }
    }

    #[test]
    fn dates_are_dates_and_truths_are_truths() {
        // Day 45,717 is the first of March 2025; 10:30 is 0.4375 of a day.
        for (text, value, format) in [
            ("2025-03-01", 45_717.0, "yyyy-mm-dd"),
            ("2025-03-01 10:30", 45_717.437_5, "yyyy-mm-dd hh:mm"),
            ("2025-03-01T10:30:00", 45_717.437_5, "yyyy-mm-dd hh:mm:ss"),
            ("2025-03-01 10:30:00.864", 45_717.437_51, "yyyy-mm-dd hh:mm:ss.000"),
        ] {
            let (read, shown) = read(text, Marks::Unknown).unwrap();
            assert!((read - value).abs() < 1e-9 && shown == format, "{text}: {read} {shown}");
        }
        for text in
            ["2025-02-30", "2025-3-1", "1850-01-01", "2025-03-01T10:30:15Z", "2025-03-01 25:00", "01.03.2025"]
        {
            assert_eq!(Cell::read(text, Marks::Unknown), Cell::Words, "{text}");
        }
        assert_eq!(Cell::read("true", Marks::Unknown), Cell::Truth(true));
        assert_eq!(Cell::read("False", Marks::Unknown), Cell::Truth(false));
        assert_eq!(Cell::read("", Marks::Unknown), Cell::Nothing);
    }
}
