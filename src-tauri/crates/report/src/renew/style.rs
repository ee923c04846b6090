//! Another value, written as the one before it was.

use crate::figures::{Figure, Kind, Moment, numeral};

/// A number in the style of a figure. `before` is the value that the figure was written for, wherever that
/// came from; it may be a share of 1 for a percentage, or in full for millions.
pub(super) fn number(figure: &Figure, before: f64, now: f64, mark: Option<char>) -> Option<(String, f64)> {
    let Kind::Number(written) = &figure.reads else { return None };
    let scale = 10_f64.powi(written.power);
    let (shown, place) = (written.readings[0].value / scale, written.readings[0].place / scale);
    // What is shown is the value, or so many powers of ten of it.
    let factor = if before == 0.0 || shown == 0.0 {
        if written.percent { 100.0 } else { 1.0 / scale }
    } else {
        10_f64.powf((shown / before).abs().log10().round()) * (shown / before).signum()
    };
    if (shown - before * factor).abs() > place * 0.51 + shown.abs() * 1e-9 {
        return None;
    }
    let value = now * factor;
    Some((written_like(&figure.text, place, value, mark)?, value * scale))
}

/// A value in the style of a figure, in the figure's own unit.
pub(super) fn value(figure: &Figure, now: f64, mark: Option<char>) -> Option<String> {
    let Kind::Number(written) = &figure.reads else { return None };
    let scale = 10_f64.powi(written.power);
    written_like(&figure.text, written.readings[0].place / scale, now / scale, mark)
}

fn written_like(text: &str, place: f64, value: f64, mark: Option<char>) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let start = if text[..start].ends_with('.') { start - 1 } else { start };
    let length = numeral(&text[start..])?.length;
    let body = &text[start..start + length];
    if !value.is_finite() || body.contains(['e', 'E']) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few digits")]
    let decimals = (-place.log10()).round().max(0.0) as usize;
    let last_mark = body.chars().rev().find(|c| !c.is_ascii_digit());
    let decimal_mark = last_mark.filter(|_| decimals > 0).unwrap_or('.');
    let own = body.chars().find(|c| !c.is_ascii_digit() && (decimals == 0 || *c != decimal_mark));
    let whole = body.chars().take_while(|c| *c != decimal_mark || decimals == 0);
    let is_short = whole.filter(char::is_ascii_digit).count() <= 3;
    let grouped = own.or(mark.filter(|mark| is_short && *mark != decimal_mark));
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut new = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if let Some(mark) = grouped.filter(|_| at > 0 && (whole.len() - at).is_multiple_of(3)) {
            new.push(mark);
        }
        new.push(digit);
    }
    if decimals > 0 {
        new.push(decimal_mark);
        new.push_str(fraction);
    }
    let before = &text[..start];
    let is_sign = |c: char| matches!(c, '+' | '-' | '\u{2212}' | '\u{2013}');
    let bare: String = before.chars().filter(|c| !is_sign(*c)).collect();
    let is_zero = new.chars().all(|c| !c.is_ascii_digit() || c == '0');
    let sign = match before.chars().find(|c| is_sign(*c)) {
        Some('+') if value >= 0.0 => "+".to_owned(),
        Some(minus) if value < 0.0 && minus != '+' => minus.to_string(),
        _ if value < 0.0 && !is_zero => "-".to_owned(),
        _ => String::new(),
    };
    Some(format!("{sign}{bare}{new}{}", &text[start + length..]))
}

/// The mark between groups of three digits that a report uses, where it uses one.
pub(super) fn group_mark(figures: &[Figure]) -> Option<char> {
    figures.iter().find_map(|figure| {
        let Kind::Number(written) = &figure.reads else { return None };
        let is_large = written.power == 0 && written.readings[0].value.abs() >= 1000.0;
        let start = figure.text.find(|c: char| c.is_ascii_digit()).filter(|_| is_large)?;
        let mark = figure.text[start..].chars().find(|c| !c.is_ascii_digit())?;
        let groups = figure.text[start..]
            .split(mark)
            .nth(1)
            .is_some_and(|group| group.chars().take_while(char::is_ascii_digit).count() == 3);
        (groups && written.decimal_mark != Some(mark)).then_some(mark)
    })
}

const MONTHS: [(&str, [&str; 12]); 2] = [
    (
        "English",
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
    ),
    (
        "German",
        [
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ],
    ),
];

/// A date or time in the style of a figure; `None` where the new one does not say all that the old one did.
pub(super) fn date(text: &str, before: Moment, now: Moment) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let iso = text.len() >= 7 && text.as_bytes()[4..].starts_with(b"-") && text[..4].parse::<u16>().is_ok();
    let (mut month_done, mut day_done) = (before.month.is_none(), before.day.is_none());
    let mut clock = 0;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let digits = &rest[..length];
            let value: i32 = digits.parse().ok()?;
            let part = |part: Option<u8>| Some(padded(i32::from(part?), digits, text));
            let is_clock = rest[length..].starts_with(':') || out.ends_with(':');
            if length == 4 {
                out.push_str(&now.year?.to_string());
            } else if is_clock {
                clock += 1;
                match clock {
                    1 => out.push_str(&part(now.hour.or(now.day.map(|_| 0)))?),
                    2 => out.push_str(&part(now.minute.or(now.day.map(|_| 0)))?),
                    _ => out.push_str("00"),
                }
            } else if !month_done
                && before.month.map(i32::from) == Some(value)
                && (iso || day_done || before.day != before.month && before.day.map(i32::from) != Some(value))
            {
                month_done = true;
                out.push_str(&part(now.month)?);
            } else if !day_done && before.day.map(i32::from) == Some(value) {
                day_done = true;
                out.push_str(&part(now.day)?);
            } else if before.year.is_some_and(|year| year % 100 == value) {
                out.push_str(&padded(now.year? % 100, digits, text));
            } else {
                return None;
            }
            rest = &rest[length..];
        } else if c.is_alphabetic() {
            let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            let word = &rest[..length];
            match month_like(word, before.month) {
                Some(names) => {
                    month_done = true;
                    let name = names[usize::from(now.month?) - 1];
                    let is_whole = names.contains(&word);
                    out.extend(name.chars().take(if is_whole { usize::MAX } else { word.chars().count() }));
                }
                None => out.push_str(word),
            }
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    (month_done && day_done).then_some(out)
}

/// The names of the months in the language of a month's name.
fn month_like(word: &str, month: Option<u8>) -> Option<&'static [&'static str; 12]> {
    let at = usize::from(month?) - 1;
    let named = MONTHS.iter().find(|(_, names)| word.chars().count() >= 3 && names[at].starts_with(word));
    named.map(|(_, names)| names)
}

/// Beside a month's name a day has as many digits as it needs.
fn padded(value: i32, like: &str, text: &str) -> String {
    let is_named = text.contains(char::is_alphabetic) && !like.starts_with('0');
    if like.len() > 1 && !is_named {
        format!("{value:0width$}", width = like.len())
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn figure(text: &str) -> Figure {
        Document::read(&format!("It was {text} then."), &|_| true).figures.remove(0)
    }

    #[test]
    fn a_number_is_written_as_the_one_before_it() {
        let like = |text: &str, before: f64, now: f64| {
            number(&figure(text), before, now, Some(',')).map(|(text, _)| text)
        };
        for (text, before, now, new) in [
            ("40", 40.0, 75.4, Some("75")),
            ("1,234.5", 1234.5, 987_654.321, Some("987,654.3")),
            ("1.234,50", 1234.5, 1.0, Some("1,00")),
            ("66.7 %", 0.666_67, 0.5, Some("50.0 %")),
            ("66.7 %", 66.67, 50.0, Some("50.0 %")),
            ("+4.2", 4.2, -1.0, Some("-1.0")),
            ("\u{2212}4.2", -4.2, -1.0, Some("\u{2212}1.0")),
            ("2.5 million", 2_512_345.0, 3_000_000.0, Some("3.0 million")),
            ("950", 950.0, 12_345.0, Some("12,345")),
            ("2024", 2024.0, 2025.0, Some("2025")),
            ("40", 12.0, 75.0, None),
        ] {
            assert_eq!(like(text, before, now).as_deref(), new, "{text}");
        }
    }

    #[test]
    fn a_date_is_written_as_the_one_before_it() {
        let moment = |text: &str| crate::figures::date(text).unwrap().0[0];
        for (text, before, now, new) in [
            ("2025-03-12", "2025-03-12", "2026-11-02", Some("2026-11-02")),
            ("12 March 2025", "2025-03-12", "2026-11-02", Some("2 November 2026")),
            ("Mar 3, 2025", "2025-03-03", "2026-11-12", Some("Nov 12, 2026")),
            ("12.03.2025", "2025-03-12", "2026-11-02", Some("02.11.2026")),
            ("03.03.2025", "2025-03-03", "2026-11-02", Some("02.11.2026")),
            ("2025-03-12 14:00", "2025-03-12 14:00", "2026-11-02 07:30", Some("2026-11-02 07:30")),
            ("12. März 2025", "2025-03-12", "2026-10-02", Some("2. Oktober 2026")),
            ("March 2025", "2025-03", "2026-10", Some("October 2026")),
            ("2025-03-12", "2025-03-12", "2026-10", None),
        ] {
            let mut old = moment(before);
            if text == "March 2025" {
                old.day = None;
            }
            assert_eq!(date(text, old, moment(now)).as_deref(), new, "{text}");
        }
    }
}
