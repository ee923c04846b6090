//! What stands around a number: a currency, a percent sign, the brackets of accounting.

use crate::number::{self, Number};

/// Signs of currencies. `kr` and the like are told from units by the columns they stand in.
const SIGNS: [&str; 16] =
    ["$", "€", "£", "¥", "￥", "₹", "₩", "₽", "₺", "₫", "₪", "₴", "฿", "₦", "R$", "US$"];

/// Codes of currencies that are written beside amounts.
const CODES: [&str; 24] = [
    "USD", "EUR", "GBP", "JPY", "CNY", "RMB", "CHF", "CAD", "AUD", "NZD", "INR", "BRL", "MXN", "ZAR", "SEK",
    "NOK", "DKK", "PLN", "CZK", "HUF", "TRY", "SGD", "HKD", "KRW",
];

/// What stands around a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A currency, as it is written.
    Currency(&'static str),
    /// A percent sign.
    Percent,
    /// Nothing that has a name: brackets, or a minus sign behind the number.
    Plain,
}

/// A number taken out of what stands around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dressed {
    pub(crate) number: Number,
    pub(crate) mark: Mark,
}

/// Reads a cell as a number with something around it; none for plain numbers and for everything else.
pub(crate) fn scan(cell: &[u8]) -> Option<Dressed> {
    let (bare, negative, mark) = undress(cell)?;
    let number = number::scan(bare.as_bytes())?;
    // Two signs, as in `(-5)`, are no number that people write.
    let signed = bare.starts_with(['-', '+']);
    (!(negative && signed))
        .then(|| Dressed { number: if negative { number.negated() } else { number }, mark })
}

/// The number as it is written inside, whether what is around it makes it negative, and the mark.
pub(crate) fn undress(cell: &[u8]) -> Option<(&str, bool, Mark)> {
    if cell.len() > 60 || !is_candidate(cell) {
        return None;
    }
    let whole = std::str::from_utf8(cell).ok()?.trim();
    let (mut text, mut negative) = match whole.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => (inside.trim(), true),
        None => (whole, false),
    };
    let mut mark = Mark::Plain;
    if let Some(rest) = text.strip_suffix('%') {
        (text, mark) = (rest.trim_end(), Mark::Percent);
    } else if let Some((rest, sign)) = without_currency(text) {
        (text, mark) = (rest, Mark::Currency(sign));
    } else if let Some((rest, sign)) =
        text.strip_prefix('-').and_then(|rest| without_currency(rest.trim_start()))
        && !negative
    {
        (text, mark, negative) = (rest, Mark::Currency(sign), true);
    }
    // Brackets around all but the currency: `$(5.00)`.
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        if negative {
            return None;
        }
        (text, negative) = (inside.trim(), true);
    }
    if let Some(rest) = text.strip_suffix('-').filter(|_| !negative) {
        (text, negative) = (rest.trim_end(), true);
    }
    // `(2)` alone is as often a footnote as a number; amounts have a mark or a decimal part.
    (text.len() < whole.len()
        && text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+')))
    .then_some((text, negative, mark))
}

fn is_candidate(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let (Some(first), Some(last)) = (cell.first(), cell.last()) else { return false };
    let outside = |byte: &u8| {
        !byte.is_ascii() || matches!(byte, b'$' | b'(' | b')' | b'%' | b'-') || byte.is_ascii_uppercase()
    };
    (outside(first) || outside(last)) && cell.iter().any(u8::is_ascii_digit)
}

fn without_currency(text: &str) -> Option<(&str, &'static str)> {
    let names = || SIGNS.iter().rev().chain(&CODES);
    let before = |name: &&&str| text.strip_prefix(**name).is_some();
    let after = |name: &&&str| text.strip_suffix(**name).is_some();
    if let Some(name) = names().find(before) {
        return Some((text[name.len()..].trim_start(), name));
    }
    let name = names().find(after)?;
    Some((text[..text.len() - name.len()].trim_end(), name))
}

#[cfg(test)]
mod tests {
    use super::{Mark, scan};

    #[test]
    fn numbers_are_taken_out_of_what_stands_around_them() {
        for (text, point, comma, mark) in [
            ("$3,000", Some(3000.0), Some(3.0), Mark::Currency("$")),
            ("(1,250.00)", Some(-1250.0), None, Mark::Plain),
            ("1.250,00 €", None, Some(1250.0), Mark::Currency("€")),
            ("-£5", Some(-5.0), Some(-5.0), Mark::Currency("£")),
            ("£-5", Some(-5.0), Some(-5.0), Mark::Currency("£")),
            ("$(5.00)", Some(-5.0), None, Mark::Currency("$")),
            ("($5.00)", Some(-5.0), None, Mark::Currency("$")),
            ("12 %", Some(12.0), Some(12.0), Mark::Percent),
            ("1,5%", None, Some(1.5), Mark::Percent),
            ("EUR 12.50", Some(12.5), None, Mark::Currency("EUR")),
            ("12-", Some(-12.0), Some(-12.0), Mark::Plain),
            ("US$7", Some(7.0), Some(7.0), Mark::Currency("US$")),
        ] {
            let dressed = scan(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            let (left, right) = (dressed.number.point, dressed.number.comma);
            assert_eq!(
                (left.map(|v| v.amount), right.map(|v| v.amount), dressed.mark),
                (point, comma, mark),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for text in ["", "5", "-5", "$", "%", "(a)", "5 kg", "A5", "--5", "(-5)", "()", "$5 each", "€ €5"]
        {
            assert_eq!(scan(text.as_bytes()), None, "{text}");
        }
    }
}
