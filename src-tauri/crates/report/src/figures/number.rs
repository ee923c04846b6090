//! Numbers as people write them.

/// One way to understand a written number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    /// The number.
    pub(crate) value: f64,
    /// What one more in its last written place would add.
    pub(crate) place: f64,
    /// How much less likely it is meant so than in the likeliest way, as a factor from 1.
    pub(crate) doubt: f64,
}

impl Reading {
    /// The same, so many times as large and as doubtful.
    pub(crate) fn but(self, by: f64, doubt: f64) -> Self {
        Self { value: self.value * by, place: self.place * by, doubt: self.doubt * doubt }
    }
}

/// A written number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    /// The ways to understand it, best first.
    pub(crate) readings: Vec<Reading>,
    /// Whether it is a percentage.
    pub(crate) percent: bool,
    /// Whether it stands with a sign.
    pub(crate) signed: bool,
    /// How many of its digits say something.
    pub(crate) digits: usize,
    /// The year it may be.
    pub(crate) year: Option<i32>,
    /// The decimal mark, where there is no doubt which it is.
    pub(crate) decimal_mark: Option<char>,
    /// How much a word behind it scales it, as a power of ten.
    pub(crate) power: i32,
}

/// What one reading of a number covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Span {
    /// All values that are written as `value` where the last place is worth `place`.
    pub(crate) fn around(value: f64, place: f64) -> Self {
        // Half a place, and what binary fractions lose.
        let slack = place / 2.0 * 1.000_001 + value.abs() * 1e-12;
        Self { low: value - slack, high: value + slack }
    }

    pub(crate) fn holds(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }
}

impl Written {
    /// The values that are written so; a share may have been computed as a fraction.
    /// Each comes with how doubtful it is that it is meant.
    pub(crate) fn spans(&self) -> Vec<(Span, f64)> {
        let mut spans = Vec::new();
        for Reading { value, place, doubt } in &self.readings {
            spans.push((Span::around(*value, *place), *doubt));
            if self.percent {
                spans.push((Span::around(value / 100.0, place / 100.0), *doubt));
            }
        }
        spans
    }
}

/// A numeral: digits with marks between them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numeral {
    pub(crate) readings: Vec<Reading>,
    pub(crate) digits: usize,
    /// Its length in bytes.
    pub(crate) length: usize,
    /// Whether it is digits only.
    pub(crate) plain: bool,
    /// The decimal mark, where there is no doubt which it is.
    pub(crate) decimal_mark: Option<char>,
}

/// Reads the numeral at the beginning of a text.
pub(crate) fn numeral(text: &str) -> Option<Numeral> {
    let length = numeral_length(text);
    let body = &text[..length];
    let digits = body.bytes().filter(u8::is_ascii_digit).skip_while(|byte| *byte == b'0').count().max(1);
    let forms = forms(body)?;
    let (exponent, exponent_length) = exponent(&text[length..]);
    let readings = forms
        .iter()
        .filter_map(|form| {
            let decimals = form.find('.').map_or(0, |at| form.len() - at - 1);
            // Parsed in one go, so that it is the nearest number there is.
            let value: f64 = format!("{form}e{exponent}").parse().ok()?;
            let place = 10_f64.powi(exponent - i32::try_from(decimals).ok()?);
            Some(Reading { value, place, doubt: 1.0 })
        })
        .filter(|reading| reading.value.is_finite())
        .collect::<Vec<_>>();
    let plain = body.bytes().all(|byte| byte.is_ascii_digit()) && exponent_length == 0;
    let is_decimal = readings.len() == 1 && forms[0].contains('.');
    let decimal_mark = body.chars().rev().find(|c| !c.is_ascii_digit()).filter(|_| is_decimal);
    (!readings.is_empty()).then_some(Numeral {
        readings,
        digits,
        length: length + exponent_length,
        plain,
        decimal_mark,
    })
}

/// A number as programs write it, `-12.5` or `1.25e-3`, and nothing else.
pub(crate) fn plain_number(text: &[u8]) -> Option<f64> {
    let (negative, unsigned) = match text {
        [sign @ (b'-' | b'+'), rest @ ..] => (*sign == b'-', rest),
        rest => (false, rest),
    };
    // Tables hold millions of short decimals. Up to fifteen digits and a power of ten that fits a float are both
    // exact, so that their quotient is the nearest number there is.
    let (mut whole, mut digits, mut point) = (0_u64, 0, None);
    for (at, byte) in unsigned.iter().enumerate() {
        match byte {
            b'0'..=b'9' if digits < EXACT_DIGITS => {
                whole = whole * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if point.is_none() => point = Some(at),
            b'0'..=b'9' | b'e' | b'E' => {
                let text = std::str::from_utf8(text).ok()?;
                return text.parse().ok().filter(|value: &f64| value.is_finite());
            }
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |at| unsigned.len() - at - 1);
    #[allow(clippy::cast_precision_loss, reason = "fewer than sixteen digits")]
    let size = whole as f64 / POWERS_OF_TEN[decimals];
    (digits > 0).then_some(if negative { -size } else { size })
}

/// Whole numbers of so many digits are exact.
const EXACT_DIGITS: usize = 15;

const POWERS_OF_TEN: [f64; EXACT_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// How far digits and the marks between them go.
fn numeral_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let three = |at: usize| (at..at + 3).all(is_digit) && !is_digit(at + 3);
    let mut at = usize::from(text.starts_with('.') && is_digit(1));
    loop {
        while is_digit(at) {
            at += 1;
        }
        let Some(mark) = text[at..].chars().next() else { return at };
        let next = at + mark.len_utf8();
        let goes_on = match mark {
            '.' | ',' => at > 0 && is_digit(next),
            '\'' | '\u{2019}' | '\u{2009}' | '\u{202f}' | '\u{a0}' => at > 0 && three(next),
            _ => false,
        };
        if !goes_on {
            return at;
        }
        at = next;
    }
}

/// The plain forms that a numeral may stand for, likelier first; `None` for what is no number, such as `1.2.3`.
fn forms(body: &str) -> Option<Vec<String>> {
    let with_point = |point: Option<usize>| -> String {
        body.char_indices()
            .filter_map(
                |(at, c)| if c.is_ascii_digit() { Some(c) } else { (Some(at) == point).then_some('.') },
            )
            .collect()
    };
    if !body.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let marks: Vec<(usize, char)> = body.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
    let points: Vec<(usize, char)> = marks.iter().copied().filter(|(_, c)| matches!(c, '.' | ',')).collect();
    let Some(&(at, mark)) = points.last() else { return Some(vec![with_point(None)]) };
    let of_its_kind = points.iter().filter(|(_, c)| *c == mark).count();
    if of_its_kind == 1 && marks.len() > 1 {
        // The other marks group the digits.
        return Some(vec![with_point(Some(at))]);
    }
    let grouped = are_groups(body, &marks);
    if of_its_kind > 1 {
        return (grouped && points.len() == of_its_kind).then(|| vec![with_point(None)]);
    }
    if grouped && !body.starts_with('0') {
        let (whole, decimal) = (with_point(None), with_point(Some(at)));
        return Some(if mark == ',' { vec![whole, decimal] } else { vec![decimal, whole] });
    }
    Some(vec![with_point(Some(at))])
}

/// Whether the marks stand where groups of three digits meet.
fn are_groups(body: &str, marks: &[(usize, char)]) -> bool {
    let starts = marks.iter().map(|(at, c)| at + c.len_utf8());
    let ends = marks.iter().skip(1).map(|(at, _)| *at).chain([body.len()]);
    marks.first().is_some_and(|(at, _)| (1..=3).contains(at))
        && starts.zip(ends).all(|(start, end)| end - start == 3)
}

fn exponent(rest: &str) -> (i32, usize) {
    let bytes = rest.as_bytes();
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return (0, 0);
    }
    let signed = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let digits = bytes[1 + signed..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = 1 + signed + digits;
    let is_whole = !rest[end..].starts_with(char::is_alphanumeric);
    match rest[1..end].parse() {
        Ok(exponent) if (1..=3).contains(&digits) && is_whole => (exponent, end),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_apart() {
        let values = |text: &str| {
            numeral(text)
                .map(|numeral| numeral.readings.iter().map(|reading| reading.value).collect::<Vec<_>>())
        };
        assert_eq!(values("1234.5 x"), Some(vec![1234.5]));
        assert_eq!(values("1,234.5"), Some(vec![1234.5]));
        assert_eq!(values("1.234,5"), Some(vec![1234.5]));
        assert_eq!(values("1'234'567.25"), Some(vec![1_234_567.25]));
        assert_eq!(values("12\u{202f}345"), Some(vec![12_345.0]));
        assert_eq!(values("1,234"), Some(vec![1234.0, 1.234]));
        assert_eq!(values("1.234"), Some(vec![1.234, 1234.0]));
        assert_eq!(values("0,250"), Some(vec![0.25]));
        assert_eq!(values("1,234,567"), Some(vec![1_234_567.0]));
        assert_eq!(values("12,34"), Some(vec![12.34]));
        assert_eq!(values(".5"), Some(vec![0.5]));
        assert_eq!(values("7, 8"), Some(vec![7.0]));
        assert_eq!(values("1.2e-05"), Some(vec![1.2e-5]));
        assert_eq!(values("1.2.3"), None);
        assert_eq!(values("x"), None);
    }

    #[test]
    fn plain_numbers_are_the_nearest_there_are() {
        for text in [
            "0",
            "-0",
            "12",
            "+12.5",
            "-.5",
            "5.",
            "0.1",
            "0.30000000000000004",
            "123456789012345",
            "1234567890123456",
            "9007199254740993",
            "1.7976931348623157e308",
            "1e400",
            "2.5E-3",
            "1e",
            "e5",
            "-",
            ".",
            "+.",
            "1.2.3",
            "1,5",
            "--1",
            "1 ",
            "-inf",
            "+nan",
            "2025-01-02",
            "0x10",
            "12:30",
            "1_000",
            "0.000000000000001",
            "00000000000000000001",
        ] {
            let expected = text.parse().ok().filter(|value: &f64| value.is_finite());
            let read = plain_number(text.as_bytes());
            assert_eq!(read.map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        }
    }

    #[test]
    fn a_written_number_covers_what_rounds_to_it() {
        let found = numeral("41.2").unwrap();
        let span = Span::around(found.readings[0].value, found.readings[0].place);
        assert!(span.holds(41.249) && span.holds(41.15) && !span.holds(41.26) && !span.holds(41.14));
    }
}
