//! Numbers as people write them, under both readings of point and comma.

/// What separates groups of three digits, apart from the comma and the point.
const OTHER_GROUP_MARKS: [char; 4] = [' ', '\'', '\u{A0}', '\u{202F}'];

/// One reading of a written number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub(crate) amount: f64,
    /// Written without a decimal part.
    pub(crate) whole: bool,
    /// The mark between groups of three digits.
    pub(crate) thousands: Option<char>,
}

/// A written number. Both readings are there when the text does not tell them apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// The reading where the decimal mark is a point.
    pub(crate) point: Option<Value>,
    /// The reading where the decimal mark is a comma.
    pub(crate) comma: Option<Value>,
    /// Nothing but digits, with a zero in front of others.
    pub(crate) zero_padded: bool,
    /// Nothing but digits.
    pub(crate) digits: bool,
}

impl Number {
    /// The number with the other sign.
    pub(crate) fn negated(self) -> Self {
        let negated = |value: Value| Value { amount: -value.amount, ..value };
        Self { point: self.point.map(negated), comma: self.comma.map(negated), ..self }
    }
}

/// Reads a cell as a number; blanks around it do not count. Whole numbers beyond 64 bits are no
/// numbers, because no reader would keep their digits.
pub(crate) fn scan(cell: &[u8]) -> Option<Number> {
    let cell = cell.trim_ascii();
    let (negative, digits) = match cell.first()? {
        b'-' => (true, &cell[1..]),
        b'+' => (false, &cell[1..]),
        _ => (false, cell),
    };
    if !matches!(digits.first()?, b'0'..=b'9' | b'.' | b',') {
        return None;
    }
    if digits.iter().all(u8::is_ascii_digit) {
        let value = sign(whole_value(digits)?, negative);
        let value = Some(Value { amount: value, whole: true, thousands: None });
        let plain = digits.len() == cell.len();
        let zero_padded = plain && digits.len() > 1 && digits[0] == b'0';
        return Some(Number { point: value, comma: value, zero_padded, digits: plain });
    }
    if let Some((point, comma)) = short_readings(digits) {
        let signed = |value: Value| Value { amount: sign(value.amount, negative), ..value };
        let (point, comma) = (point.map(signed), comma.map(signed));
        return Some(Number { point, comma, zero_padded: false, digits: false });
    }
    let letter = |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_digit() && !b".,'eE+-".contains(byte);
    if digits.iter().any(letter) {
        return None;
    }
    let text = std::str::from_utf8(digits).ok()?;
    let (mantissa, exponent) = split_exponent(text)?;
    let (point, comma) = if let Some(mark) = mantissa.chars().find(|c| OTHER_GROUP_MARKS.contains(c)) {
        (grouped(mantissa, mark, Some('.')), grouped(mantissa, mark, Some(',')))
    } else {
        readings(mantissa)
    };
    let finish = |value: Option<Value>| {
        let value = value.filter(|value| exponent.is_empty() || value.thousands.is_none())?;
        if exponent.is_empty() {
            return Some(Value { amount: sign(value.amount, negative), ..value });
        }
        let power: f64 = format!("{}e{exponent}", mantissa.replace(',', ".")).parse().ok()?;
        Some(Value { amount: sign(power, negative), whole: false, thousands: None })
    };
    let (point, comma) = (finish(point), finish(comma));
    (point.is_some() || comma.is_some()).then_some(Number { point, comma, zero_padded: false, digits: false })
}

/// The readings of digits with one mark among them, which is what most numbers with a mark are.
fn short_readings(text: &[u8]) -> Option<(Option<Value>, Option<Value>)> {
    let at = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let (whole, mark, part) = (&text[..at], text[at], &text[at + 1..]);
    let short = !whole.is_empty() && text.len() <= 16 && part.iter().all(u8::is_ascii_digit);
    if !short || !matches!(mark, b'.' | b',') {
        return None;
    }
    let decimal = Value { amount: short_decimal(whole, part)?, whole: false, thousands: None };
    let groups = part.len() == 3 && whole.len() <= 3 && whole[0] != b'0';
    let grouped = groups.then(|| Value {
        amount: (decimal.amount * 1000.0).round(),
        whole: true,
        thousands: Some(char::from(mark)),
    });
    Some(if mark == b'.' { (Some(decimal), grouped) } else { (grouped, Some(decimal)) })
}

/// The readings of a number whose only marks are points and commas.
fn readings(mantissa: &str) -> (Option<Value>, Option<Value>) {
    let points = mantissa.matches('.').count();
    let commas = mantissa.matches(',').count();
    match (points, commas) {
        (0, 0) => {
            let value = decimal(mantissa, '.');
            (value, value)
        }
        (1, 0) => (decimal(mantissa, '.'), grouped(mantissa, '.', None)),
        (0, 1) => (grouped(mantissa, ',', None), decimal(mantissa, ',')),
        (_, 0) => (None, grouped(mantissa, '.', None)),
        (0, _) => (grouped(mantissa, ',', None), None),
        (1, 1) => (grouped(mantissa, ',', Some('.')), grouped(mantissa, '.', Some(','))),
        (1, _) => (grouped(mantissa, ',', Some('.')), None),
        (_, 1) => (None, grouped(mantissa, '.', Some(','))),
        _ => (None, None),
    }
}

fn sign(value: f64, negative: bool) -> f64 {
    if negative { -value } else { value }
}

fn split_exponent(text: &str) -> Option<(&str, &str)> {
    let Some(at) = text.find(['e', 'E']) else { return Some((text, "")) };
    let exponent = &text[at + 1..];
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let well_formed = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
    well_formed.then_some((&text[..at], exponent))
}

#[allow(clippy::cast_precision_loss, reason = "the mean and the extremes are shown, not computed with")]
fn whole_value(digits: &[u8]) -> Option<f64> {
    let mut value: i64 = 0;
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
    }
    Some(value as f64)
}

/// A number without groups: digits, perhaps the mark and more digits.
fn decimal(text: &str, mark: char) -> Option<Value> {
    let (whole, part) = text.split_once(mark).map_or((text, None), |(whole, part)| (whole, Some(part)));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let part_digits = part.unwrap_or("");
    if !digits(whole) || !digits(part_digits) || whole.len() + part_digits.len() == 0 {
        return None;
    }
    let value = if part.is_none() {
        whole_value(whole.as_bytes())?
    } else if whole.len() + part_digits.len() <= 15 {
        short_decimal(whole.as_bytes(), part_digits.as_bytes())?
    } else {
        format!("{whole}.{part_digits}0").parse().ok()?
    };
    Some(Value { amount: value, whole: part.is_none(), thousands: None })
}

/// Exact for up to fifteen digits: both the digits and the power of ten are exact, and the division
/// rounds once.
fn short_decimal(whole: &[u8], part: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let digits = whole_value(whole)? * POWERS[part.len()] + whole_value(part)?;
    Some(digits / POWERS[part.len()])
}

/// A number with groups of three digits between `mark`s, perhaps with a decimal part behind
/// `decimal_mark`.
fn grouped(text: &str, mark: char, decimal_mark: Option<char>) -> Option<Value> {
    let (whole, part) = match decimal_mark.and_then(|decimal_mark| text.split_once(decimal_mark)) {
        Some((whole, part)) => (whole, Some(part)),
        None => (text, None),
    };
    let mut groups = whole.split(mark);
    let first = groups.next()?;
    let mut count = 0;
    let regular = groups.all(|group| {
        count += 1;
        group.len() == 3
    });
    if count == 0 || !regular || first.is_empty() || first.len() > 3 || first.starts_with('0') {
        return None;
    }
    let mut plain: String = whole.split(mark).collect();
    if let Some(part) = part {
        plain.push('.');
        plain.push_str(part);
    }
    Some(Value { thousands: Some(mark), ..decimal(&plain, '.')? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> (Option<f64>, Option<f64>) {
        let number = scan(text.as_bytes());
        let value = |reading: Option<Value>| reading.map(|value| value.amount);
        (number.and_then(|n| value(n.point)), number.and_then(|n| value(n.comma)))
    }

    #[test]
    fn both_readings_of_point_and_comma() {
        assert_eq!(values("12"), (Some(12.0), Some(12.0)));
        assert_eq!(values("-1.5"), (Some(-1.5), None));
        assert_eq!(values("120,5"), (None, Some(120.5)));
        assert_eq!(values("1,234"), (Some(1234.0), Some(1.234)));
        assert_eq!(values("1.234"), (Some(1.234), Some(1234.0)));
        assert_eq!(values("0,123"), (None, Some(0.123)));
        assert_eq!(values("1,234.5"), (Some(1234.5), None));
        assert_eq!(values("1.234,5"), (None, Some(1234.5)));
        assert_eq!(values("200.000.000"), (None, Some(2e8)));
        assert_eq!(values("1 234,5"), (None, Some(1234.5)));
        assert_eq!(values("12\u{A0}345"), (Some(12345.0), Some(12345.0)));
        assert_eq!(values("3.25e+21"), (Some(3.25e21), None));
        assert_eq!(values(" 7 "), (Some(7.0), Some(7.0)));
        assert_eq!(values("3504."), (Some(3504.0), None));
        assert_eq!(values(".5"), (Some(0.5), None));
    }

    #[test]
    fn what_is_no_number() {
        for text in
            ["", "-", ".", "1.2.3", "12a", "1,23,456", "1-2", "e5", "1e", "99999999999999999999", "$5"]
        {
            assert_eq!(scan(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn zero_padding_is_seen() {
        assert!(scan(b"007").is_some_and(|number| number.zero_padded));
        assert!(scan(b"0").is_some_and(|number| !number.zero_padded));
        assert!(scan(b"0.5").is_some_and(|number| !number.zero_padded));
    }
}
