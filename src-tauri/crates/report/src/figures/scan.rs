//! Finds numbers, dates and quoted words in a line of text.

use super::date::{Moment, date, time};
use super::number::{Written, numeral};
use super::{FigureKind, Unit};

/// Something found in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// What it says.
    pub(crate) kind: Kind,
}

/// What is found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A number.
    Number(Written),
    /// A date or a time; several where it can be understood in several ways.
    Date(Vec<Moment>),
    /// Words in quotation marks, without the marks.
    Words(String),
}

impl Kind {
    pub(crate) fn of_figure(&self) -> FigureKind {
        match self {
            Self::Number(_) => FigureKind::Number,
            Self::Date(_) => FigureKind::Date,
            Self::Words(_) => FigureKind::Words,
        }
    }
}

impl Kind {
    /// The decimal mark of a number, where there is no doubt which it is.
    pub(crate) fn decimal_mark(&self) -> Option<char> {
        match self {
            Self::Number(written) => written.decimal_mark,
            _ => None,
        }
    }

    /// Takes the other one of two ways to understand a number as the likelier one.
    pub(crate) fn turn(&mut self) {
        if let Self::Number(written) = self {
            let half = written.readings.len() / 2;
            match written.readings.len() {
                2 if written.decimal_mark.is_none() => written.readings.swap(0, 1),
                4 => {
                    written.readings.swap(0, 1);
                    written.readings.swap(half, half + 1);
                }
                _ => {}
            }
        }
    }

    /// Adds the readings of a number that is written in thousands or millions.
    pub(crate) fn scale(&mut self, power: i32) {
        if let Self::Number(written) = self
            && !written.percent
        {
            let by = 10_f64.powi(power);
            let as_written = written.readings.iter().map(|reading| reading.but(1.0, DOUBT));
            let scaled = written.readings.iter().map(|reading| reading.but(by, 1.0));
            written.readings = scaled.chain(as_written).collect();
            written.power = power;
        }
    }
}

/// The scale that a table's caption gives a column, as in "in CHF million, the median in CHF thousand".
pub(crate) fn scale_in_caption(caption: &str, head: &str) -> Option<i32> {
    if caption.len() > LONGEST_CAPTION {
        return None;
    }
    let own = |text: &str| {
        text.to_lowercase().split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect::<Vec<_>>()
    };
    let head: Vec<String> = own(head).into_iter().filter(|word| word.len() > 3).collect();
    let clauses: Vec<(&str, i32)> =
        caption.split([',', ';']).filter_map(|clause| Some((clause, scale_in_words(clause)?))).collect();
    let named = clauses.iter().find(|(clause, _)| own(clause).iter().any(|word| head.contains(word)));
    named.or(clauses.first()).map(|(_, power)| *power)
}

/// What is longer is no caption.
const LONGEST_CAPTION: usize = 160;

/// The scale that the head of a column gives its numbers, as a power of ten.
pub(crate) fn scale_in_words(head: &str) -> Option<i32> {
    let words = head.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    for word in words {
        let found = match word.as_str() {
            "thousand" | "thousands" | "tsd" | "tausend" | "teur" | "tchf" | "kusd" | "keur" | "1000" => {
                Some(3)
            }
            "million" | "millions" | "mio" | "mn" | "millionen" => Some(6),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

const CURRENCIES: [&str; 8] = ["usd", "eur", "chf", "gbp", "euro", "euros", "dollar", "dollars"];

/// What the numbers below a head are.
pub(crate) fn unit_in_words(head: &str) -> Unit {
    let lower = head.to_lowercase();
    if lower.contains('%') || lower.contains("percent") || lower.contains("share") {
        Unit::Percent
    } else if lower.contains(['$', '€', '£'])
        || CURRENCIES.iter().any(|code| lower.split(|c: char| !c.is_alphabetic()).any(|word| word == *code))
    {
        Unit::Money
    } else {
        Unit::Other
    }
}

/// What the number of a token is.
pub(crate) fn unit(text: &str, token: &Token) -> Unit {
    let Kind::Number(written) = &token.kind else { return Unit::Other };
    if written.percent {
        return Unit::Percent;
    }
    let word = |text: &str| {
        text.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase()
    };
    let behind = word(&text[token.end..]);
    if matches!(behind.as_str(), "points" | "point" | "percentage" | "prozentpunkte" | "pp") {
        return Unit::Percent;
    }
    let before = text[..token.start].trim_end();
    let last = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let by_mark =
        before.ends_with(['$', '€', '£']) || text[token.end..].trim_start().starts_with(['$', '€', '£']);
    if by_mark || CURRENCIES.contains(&last.as_str()) || CURRENCIES.contains(&behind.as_str()) {
        return Unit::Money;
    }
    Unit::Other
}

impl Default for Kind {
    fn default() -> Self {
        Self::Words(String::new())
    }
}

impl Token {
    /// Whether it is a small whole number, such as the number of a heading.
    pub(crate) fn is_plain_number(&self) -> bool {
        matches!(&self.kind, Kind::Number(written) if written.readings[0].value < 100.0 && !written.percent)
    }
}

/// More words in quotation marks than these are a quotation.
const MOST_WORDS: usize = 6;

/// What a number behind these words counts is a part of the report.
const REFERENCES: [&str; 22] = [
    "figure",
    "figures",
    "fig",
    "table",
    "tables",
    "tab",
    "chart",
    "charts",
    "step",
    "steps",
    "section",
    "sections",
    "page",
    "chapter",
    "appendix",
    "note",
    "version",
    "abbildung",
    "tabelle",
    "schritt",
    "abschnitt",
    "no",
];

/// Words behind a number that scale it, as powers of ten.
const SCALES: [(&str, i32); 16] = [
    ("thousand", 3),
    ("million", 6),
    ("millions", 6),
    ("billion", 9),
    ("billions", 9),
    ("trillion", 12),
    ("mn", 6),
    ("mio", 6),
    ("mrd", 9),
    ("bn", 9),
    ("tsd", 3),
    ("k", 3),
    ("tausend", 3),
    ("millionen", 6),
    ("milliarden", 9),
    ("m", 6),
];

/// How much less likely a number is meant as it stands than as its scale says, or the other way round.
const DOUBT: f64 = 5.0;

/// Units that are a thousand of the unit that the file may be in.
const KILO_UNITS: [&str; 8] = ["mwh", "gwh", "mw", "gw", "kwh", "kw", "km", "kg"];

/// Everything in a text that can be checked, in order.
pub(crate) fn scan(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    // The character before, as far as it decides whether a word goes on.
    let mut before: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let in_word = before.is_some_and(|b| b.is_alphanumeric() || b == '_' || b == '\u{1f}');
        let found = match c {
            '0'..='9' if !in_word => number_or_date(text, at),
            '.' if !in_word && before != Some('.') => number_or_date(text, at),
            '"' | '\u{201c}' | '\u{201e}' | '«' => {
                quoted(rest).map(|(kind, length)| Found::Token(at, at + length, kind))
            }
            _ if c.is_alphabetic() && !in_word => {
                date(rest).map(|(moments, length)| Found::Token(at, at + length, Kind::Date(moments)))
            }
            _ => None,
        };
        let end = match found {
            Some(Found::Token(start, end, kind)) => {
                tokens.push(Token { start, end, kind });
                end
            }
            Some(Found::Nothing(end)) => end,
            None if in_word && c.is_ascii_digit() => at + rest_of_name(rest),
            None => at + c.len_utf8(),
        };
        before = text[..end].chars().next_back();
        at = end;
    }
    share_units(text, &mut tokens);
    tokens
}

/// What may stand between two numbers of which only the last has its unit: "3 to 5 %", "2.9 and 3.2 million".
const BETWEEN: [&str; 12] =
    ["-", "\u{2013}", "to", "and", "or", "bis", "und", "oder", ",", "/", "\u{2212}", "and $"];

fn share_units(text: &str, tokens: &mut [Token]) {
    for index in (1..tokens.len()).rev() {
        let (before, after) = tokens.split_at_mut(index);
        let (one, two) = (&mut before[index - 1], &after[0]);
        let Kind::Number(with) = &two.kind else { continue };
        let between = text[one.end..two.start].trim();
        let shares = (with.percent || with.power != 0) && BETWEEN.contains(&between);
        let Kind::Number(without) = &mut one.kind else { continue };
        if !shares || without.percent || without.power != 0 || without.year.is_some() {
            continue;
        }
        without.percent = with.percent;
        if with.power != 0 {
            one.kind.scale(with.power);
        }
    }
    // "EUR 2.9m to 3.2m": a lone m is metres unless the number before was of money.
    for index in 1..tokens.len() {
        let (before, after) = tokens.split_at_mut(index);
        let (one, two) = (&before[index - 1], &mut after[0]);
        let (Kind::Number(with), Kind::Number(without)) = (&one.kind, &two.kind) else { continue };
        let behind = &text[two.end..];
        let is_lone = behind.starts_with('m') && !behind[1..].starts_with(char::is_alphanumeric);
        if with.power == 6
            && without.power == 0
            && is_lone
            && BETWEEN.contains(&text[one.end..two.start].trim())
        {
            two.kind.scale(6);
            two.end += 1;
        }
    }
}

/// How far a name goes on from within: `1.2.3` behind `v`.
fn rest_of_name(rest: &str) -> usize {
    let mut end = 0;
    for c in rest.chars() {
        let next = rest[end + c.len_utf8()..].chars().next();
        let is_part =
            c.is_alphanumeric() || c == '_' || (c == '.' && next.is_some_and(|next| next.is_ascii_digit()));
        if !is_part {
            break;
        }
        end += c.len_utf8();
    }
    end
}

enum Found {
    Token(usize, usize, Kind),
    /// No figure up to here.
    Nothing(usize),
}

fn number_or_date(text: &str, at: usize) -> Option<Found> {
    let rest = &text[at..];
    let ends_word = |end: usize| !rest[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if let Some((moments, length)) = date(rest).filter(|(_, length)| ends_word(*length)) {
        return Some(Found::Token(at, at + length, Kind::Date(moments)));
    }
    if let Some((moment, length)) = time(rest).filter(|(_, length)| ends_word(*length)) {
        return Some(Found::Token(at, at + length, Kind::Date(vec![moment])));
    }
    let Some(numeral) = numeral(rest) else {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        return (length > 0 && rest.starts_with(|c: char| c.is_ascii_digit()))
            .then_some(Found::Nothing(at + length));
    };
    let mut end = numeral.length;
    let suffix: String = rest[end..].chars().take_while(|c| c.is_alphabetic()).collect();
    let lower = suffix.to_lowercase();
    let goes_on = rest[end + suffix.len()..].starts_with(|c: char| c.is_ascii_digit() || c == '_');
    // `12th` is a place in an order, `3D_x2` and `7b` are names.
    let is_name = numeral.plain && matches!(lower.as_str(), "a" | "b" | "c" | "d" | "e" | "f");
    if goes_on || is_name || (numeral.plain && matches!(lower.as_str(), "st" | "nd" | "rd" | "th")) {
        let length =
            rest[end..].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len() - end);
        return Some(Found::Nothing(at + end + length));
    }
    if is_reference(&text[..at]) {
        return Some(Found::Nothing(at + end));
    }
    let mut readings = numeral.readings;
    let (mut percent, mut power) = (false, 0);
    let gap =
        rest[end..].len() - rest[end..].trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']).len();
    let behind = &rest[end + gap..];
    let word: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
    if gap <= 2 && behind.starts_with('%') {
        (percent, end) = (true, end + gap + 1);
    } else if gap <= 2 && ["percent", "percentage", "prozent", "pp"].contains(&word.to_lowercase().as_str()) {
        percent = true;
    } else if let Some(scaled_by) = scale(&word, gap, &text[..at]) {
        power = scaled_by;
        let by = 10_f64.powi(power);
        // The table may count in the same thousands or millions.
        let as_written = readings.iter().map(|reading| reading.but(1.0, DOUBT));
        readings = readings.iter().map(|reading| reading.but(by, 1.0)).chain(as_written).collect();
        end += gap + word.len();
    } else if gap <= 2 && KILO_UNITS.contains(&word.to_lowercase().as_str()) {
        let scaled = readings.iter().map(|reading| reading.but(1e3, DOUBT)).collect::<Vec<_>>();
        readings.extend(scaled);
    }
    let year = (numeral.plain && numeral.length == 4 && !percent)
        .then(|| readings[0].value)
        .filter(|value| (1800.0..2200.0).contains(value));
    let (start, negative) = sign(text, at);
    if negative {
        for reading in &mut readings {
            reading.value = -reading.value;
        }
    }
    let (digits, decimal_mark) = (numeral.digits, numeral.decimal_mark);
    #[allow(clippy::cast_possible_truncation, reason = "a whole number of four digits")]
    let year = year.map(|value| value as i32);
    Some(Found::Token(
        start,
        at + end,
        Kind::Number(Written { readings, percent, signed: start < at, digits, year, decimal_mark, power }),
    ))
}

/// How much the word behind a number scales it.
fn scale(word: &str, gap: usize, before: &str) -> Option<i32> {
    let lower = word.to_lowercase();
    let (_, power) = SCALES.iter().find(|(name, _)| *name == lower)?;
    match lower.as_str() {
        "k" => (gap == 0).then_some(*power),
        // Metres are more frequent than millions, but not of money.
        "m" => {
            let money = before.trim_end().ends_with(['$', '€', '£', '¥'])
                || ["usd", "eur", "chf", "gbp"]
                    .iter()
                    .any(|code| before.trim_end().to_lowercase().ends_with(code));
            (gap == 0 && (money || word == "M")).then_some(*power)
        }
        _ => (gap <= 1).then_some(*power),
    }
}

/// Where the number begins with its sign, and whether it is negative. A stroke between two numbers is none.
fn sign(text: &str, at: usize) -> (usize, bool) {
    let before = &text[..at];
    let unmarked = before.strip_suffix(|c: char| matches!(c, '$' | '€' | '£')).unwrap_or(before);
    let Some(mark) = unmarked.chars().next_back().filter(|c| matches!(c, '-' | '\u{2212}' | '+')) else {
        return (at, false);
    };
    let start = unmarked.len() - mark.len_utf8();
    let stands_free = text[..start].chars().next_back().is_none_or(|c| {
        c.is_whitespace() || matches!(c, '(' | '[' | '=' | ':' | ',' | '|' | '/' | '~' | '\u{1f}')
    });
    // A currency mark between sign and number stays outside of neither.
    if stands_free { (start, mark != '+') } else { (at, false) }
}

/// Whether the text ends with a word behind which a number only counts.
fn is_reference(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\u{a0}', '.']);
    if before.ends_with('#') {
        return true;
    }
    let start = before
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    REFERENCES.contains(&before[start..].to_lowercase().as_str())
}

/// Words in quotation marks at the beginning of a text.
fn quoted(text: &str) -> Option<(Kind, usize)> {
    let open = text.chars().next()?;
    let closers: &[char] = match open {
        '\u{201c}' => &['\u{201d}'],
        '\u{201e}' => &['\u{201c}', '\u{201d}'],
        '«' => &['»'],
        _ => &['"'],
    };
    let inner = &text[open.len_utf8()..];
    let end = inner.find(|c: char| closers.contains(&c) || c == '\n')?;
    let close = inner[end..].chars().next().filter(|c| *c != '\n')?;
    let words = inner[..end].trim().trim_end_matches([',', '.']);
    let count = words.split_whitespace().count();
    (1..=MOST_WORDS)
        .contains(&count)
        .then(|| (Kind::Words(words.to_owned()), open.len_utf8() + end + close.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn what_can_be_checked_is_found() {
        for (text, expected) in [
            ("It rose by 12.5 % to 1,234 kWh.", vec!["12.5 %", "1,234"]),
            ("From 12-15 and 3–4; -7 and −2.5 (-1)", vec!["12", "15", "3", "4", "-7", "−2.5", "-1"]),
            ("EUR 1.2m, $3,400, $4.5k and 3.4 million", vec!["1.2m", "3,400", "4.5k", "3.4 million"]),
            ("On 12 March 2025 between 7:00 and 18:30", vec!["12 March 2025", "7:00", "18:30"]),
            ("In CO2, Q3, P90, building_2 and v1.2.3", vec![]),
            ("As Figure 3 and Table 12 show, the 2nd and 3rd", vec![]),
            ("Region “North” and \"South West\" in 2024", vec!["“North”", "\"South West\"", "2024"]),
            ("p = 1.2e-05, 10kWh, 24h, 2.3x", vec!["1.2e-05", "10", "24", "2.3"]),
            ("1.2.3 is a version, 3/4 not a date", vec!["3", "4"]),
            ("+4.2 and 45%", vec!["+4.2", "45%"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_scaled_by_what_follows() {
        let first = |text: &str| match &scan(text)[0].kind {
            Kind::Number(written) => written.readings.iter().map(|reading| reading.value).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(first("1.5 million"), [1.5e6, 1.5]);
        assert_eq!(first("$2.5m"), [2.5e6, 2.5]);
        assert_eq!(first("5 m deep"), [5.0]);
        assert_eq!(first("-3.5 MWh"), [-3.5, -3500.0]);
        assert_eq!(first("1.2e-05"), [1.2e-5]);
    }
}
