//! Days, spans of time and what comes again, in words and back.

use super::tokens::Token;
use crate::words::is_among;

/// A calendar day.
#[allow(clippy::struct_field_names, reason = "a day of a month of a year")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    pub(crate) year: i32,
    pub(crate) month: u32,
    pub(crate) day: u32,
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Day {
    pub(crate) fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let real = (1000..=9998).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (real && day <= days_in(year, month)).then_some(Self { year, month, day })
    }

    /// The day of `2024-03-01`, whatever follows it.
    pub(crate) fn from_iso(text: &str) -> Option<Self> {
        let mut parts = text.get(..10)?.split('-');
        let mut next = || parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        Self::new(next()?.parse().ok()?, next()?.parse().ok()?, next()?.parse().ok()?)
    }

    pub(super) fn next(self) -> Self {
        if self.day < days_in(self.year, self.month) {
            Self { day: self.day + 1, ..self }
        } else {
            Self { day: 1, ..self.month_later(1) }
        }
    }

    fn previous(self) -> Self {
        if self.day > 1 {
            return Self { day: self.day - 1, ..self };
        }
        let before = Self { day: 1, ..self }.month_later(-1);
        Self { day: days_in(before.year, before.month), ..before }
    }

    /// The same day so many months later, or the last one of that month.
    fn month_later(self, months: i32) -> Self {
        let index = self.year * 12 + self.month.cast_signed() - 1 + months;
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12).cast_unsigned() + 1);
        Self { year, month, day: self.day.min(days_in(year, month)) }
    }

    fn days_later(self, days: i32) -> Self {
        let step = if days < 0 { Self::previous } else { Self::next };
        (0..days.unsigned_abs().min(4000)).fold(self, |day, _| step(day))
    }
}

fn days_in(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A span of days: from the first, to before the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The first day, unless it is open.
    pub(crate) from: Option<Day>,
    /// The day after the last, unless it is open.
    pub(crate) before: Option<Day>,
}

impl Span {
    fn months(from: Day, months: i32) -> Self {
        Self { from: Some(from), before: Some(from.month_later(months)) }
    }

    /// The year that it is, where it is one.
    pub(crate) fn year(self) -> Option<i32> {
        let from = self.from?;
        (from.month == 1 && from.day == 1 && self == Self::months(from, 12)).then_some(from.year)
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.from, self.before) {
            (Some(from), Some(_)) if self.year().is_some() => write!(f, "in {}", from.year),
            (Some(from), Some(_)) if from.day == 1 && *self == Self::months(from, 1) => {
                write!(f, "in {:04}-{:02}", from.year, from.month)
            }
            (Some(from), Some(before)) => write!(f, "from {from} to {}", before.previous()),
            (Some(from), None) => write!(f, "since {from}"),
            (None, Some(before)) => write!(f, "before {before}"),
            (None, None) => Ok(()),
        }
    }
}

/// Stretches of time of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Grain {
    /// Every one, with its word and the code pandas knows its periods by.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Hour, "hour", "h"),
        (Self::Day, "day", "D"),
        (Self::Week, "week", "W"),
        (Self::Month, "month", "M"),
        (Self::Quarter, "quarter", "Q"),
        (Self::Year, "year", "Y"),
    ];

    /// Its word.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The code that pandas knows its periods by.
    pub(crate) fn code(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// The grain of `month`, `months`, `monthly`, `daily`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let spelled =
            |own: &str| word == own || word.strip_prefix(own).is_some_and(|end| matches!(end, "s" | "ly"));
        let known = Self::ALL.iter().find(|(_, own, _)| spelled(own) || *own == "day" && word == "daily");
        known.or(Self::ALL.last().filter(|_| is_among(word, "annual annually"))).map(|(grain, ..)| *grain)
    }
}

/// What comes again in each year, week or day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cycle {
    /// 1 to 12.
    Month,
    /// 1, Monday, to 7.
    Weekday,
    /// 0 to 23.
    Hour,
}

impl Cycle {
    /// Every one, with its words.
    pub(crate) const ALL: [(Self, &'static str); 3] =
        [(Self::Month, "month of the year"), (Self::Weekday, "weekday"), (Self::Hour, "hour of the day")];

    /// Its words.
    pub(crate) fn words(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
pub(crate) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Words for several months, weekdays or hours.
pub(crate) const PARTS: [(&str, Cycle, &[u32]); 11] = [
    ("winter", Cycle::Month, &[12, 1, 2]),
    ("spring", Cycle::Month, &[3, 4, 5]),
    ("summer", Cycle::Month, &[6, 7, 8]),
    ("autumn", Cycle::Month, &[9, 10, 11]),
    ("fall", Cycle::Month, &[9, 10, 11]),
    ("weekend", Cycle::Weekday, &[6, 7]),
    ("workday", Cycle::Weekday, &[1, 2, 3, 4, 5]),
    ("morning", Cycle::Hour, &[6, 7, 8, 9, 10, 11]),
    ("afternoon", Cycle::Hour, &[12, 13, 14, 15, 16, 17]),
    ("evening", Cycle::Hour, &[18, 19, 20, 21]),
    ("night", Cycle::Hour, &[22, 23, 0, 1, 2, 3, 4, 5]),
];

/// A time that was named.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum When {
    Span(Span),
    Recurring(Cycle, Vec<u32>),
}

/// The number of the name that the word is or begins, from 1.
fn named(word: &str, names: &[&str]) -> Option<u32> {
    let bare = word.strip_suffix('s').filter(|bare| names.contains(bare)).unwrap_or(word);
    let at = names.iter().position(|name| {
        *name == bare || bare.len() >= 3 && name.starts_with(bare) && matches!(bare.len(), 3 | 4)
    })?;
    u32::try_from(at + 1).ok()
}

/// The time that these tokens begin with, and how many of them say it. `today` is the last day of the data.
pub(crate) fn when(tokens: &[Token], today: Option<Day>) -> Option<(When, usize)> {
    let word =
        |at: usize| tokens.get(at).filter(|token| !token.quoted).map_or("", |token| token.text.as_str());
    let year = |at: usize| {
        let digits = word(at).len() == 4 && word(at).bytes().all(|byte| byte.is_ascii_digit());
        word(at).parse::<i32>().ok().filter(|year| digits && (1800..2200).contains(year))
    };
    let number = |at: usize| {
        let bare = word(at)
            .trim_end_matches("st")
            .trim_end_matches("nd")
            .trim_end_matches("rd")
            .trim_end_matches("th");
        bare.parse::<u32>().ok().filter(|day| (1..=31).contains(day))
    };
    let span = |from: Option<Day>, months: i32| Some(When::Span(Span::months(from?, months)));
    let one_day = |day: Day| When::Span(Span { from: Some(day), before: Some(day.next()) });
    let first = word(0);
    if let Some(found) = written(first) {
        return Some((found, 1));
    }
    if let Some(found) = relative(first, &word, today) {
        return Some(found);
    }
    // 15 March 2024, March 15 2024, March 2024, March.
    let (day, month_at) = match (number(0), named(word(1), &MONTHS)) {
        (Some(day), Some(_)) => (Some(day), 1),
        _ => (None, 0),
    };
    if let Some(month) = named(word(month_at), &MONTHS) {
        let after = month_at + 1;
        let comma = |at: usize| usize::from(word(at) == ",");
        if let (Some(day), Some(year)) = (day, year(after)) {
            return Some((one_day(Day::new(year, month, day)?), after + 1));
        }
        if let (None, Some(day), Some(year)) = (day, number(after), year(after + 1 + comma(after + 1))) {
            return Some((one_day(Day::new(year, month, day)?), after + 2 + comma(after + 1)));
        }
        if let Some(year) = year(after).filter(|_| day.is_none()) {
            return Some((span(Day::new(year, month, 1), 1)?, after + 1));
        }
        // `may` is a verb more often than a month, unless it is written as a name.
        let is_name = first != "may" || tokens[month_at].raw.starts_with('M');
        return (day.is_none() && is_name).then(|| (When::Recurring(Cycle::Month, vec![month]), after));
    }
    let quarter = |text: &str| text.strip_prefix('q')?.parse::<u32>().ok().filter(|q| (1..=4).contains(q));
    if let (Some(quarter), Some(year)) = (quarter(first), year(1)) {
        return Some((span(Day::new(year, quarter * 3 - 2, 1), 3)?, 2));
    }
    if let (Some(year), Some(quarter)) = (year(0), quarter(word(1))) {
        return Some((span(Day::new(year, quarter * 3 - 2, 1), 3)?, 2));
    }
    if let Some(year) = year(0) {
        return Some((span(Day::new(year, 1, 1), 12)?, 1));
    }
    if let Some(weekday) = named(first, &WEEKDAYS).filter(|_| first.len() > 3) {
        return Some((When::Recurring(Cycle::Weekday, vec![weekday]), 1));
    }
    let bare = first.strip_suffix('s').unwrap_or(first);
    let bare = if bare == "weekday" { "workday" } else { bare };
    let (name, cycle, values) = PARTS.iter().find(|(name, ..)| *name == bare)?;
    if let (Cycle::Month, Some(year)) = (cycle, year(1)) {
        // The winter of 2023 begins in December 2022.
        let year = year - i32::from(*name == "winter");
        return Some((span(Day::new(year, values[0], 1), 3)?, 2));
    }
    Some((When::Recurring(*cycle, values.to_vec()), 1))
}

/// `2024-03-01`, `2024-03`, `2024/03/01`, `15.3.2024`; `3/15/2024` where the first number can be no month.
fn written(text: &str) -> Option<When> {
    let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
    let number = |at: usize| parts.get(at)?.parse::<u32>().ok();
    let month = |year: u32, month: u32| Day::new(i32::try_from(year).ok()?, month, 1);
    let (year, month_number, day) = match (parts.len(), parts.first()?.len()) {
        (2, 4) => {
            let from = month(number(0)?, number(1)?)?;
            return Some(When::Span(Span::months(from, 1)));
        }
        (3, 4) => (number(0)?, number(1)?, number(2)?),
        (3, 1 | 2) if parts[2].len() == 4 => {
            let month_first = text.contains('/') && number(0)? <= 12;
            let (day, month) = if month_first { (number(1)?, number(0)?) } else { (number(0)?, number(1)?) };
            (number(2)?, month, day)
        }
        _ => return None,
    };
    let day = Day::new(i32::try_from(year).ok()?, month_number, day)?;
    Some(When::Span(Span { from: Some(day), before: Some(day.next()) }))
}

/// `last month`, `the last 30 days`, `this year`: counted from the last day of the data.
fn relative<'a>(first: &str, word: &impl Fn(usize) -> &'a str, today: Option<Day>) -> Option<(When, usize)> {
    let today = today?;
    let (count, at) = match (first, word(1).parse::<i32>()) {
        ("last" | "past", Ok(count)) if (1..=1000).contains(&count) => (Some(count), 2),
        ("last" | "this" | "previous" | "past", Err(_)) => (None, 1),
        _ => return None,
    };
    let grain = Grain::of(word(at))?;
    let start = match grain {
        Grain::Year => Day { month: 1, day: 1, ..today },
        Grain::Quarter => Day { month: (today.month - 1) / 3 * 3 + 1, day: 1, ..today },
        Grain::Month => Day { day: 1, ..today },
        Grain::Week | Grain::Day | Grain::Hour => today,
    };
    let back = |count: i32, day: Day| match grain {
        Grain::Year => day.month_later(-12 * count),
        Grain::Quarter => day.month_later(-3 * count),
        Grain::Month => day.month_later(-count),
        Grain::Week => day.days_later(-7 * count),
        Grain::Day | Grain::Hour => day.days_later(-count),
    };
    let (from, before) = match (count, first, grain) {
        (Some(count), ..) => (back(count, today).next(), today.next()),
        (None, _, Grain::Week | Grain::Day | Grain::Hour) => (back(1, today).next(), today.next()),
        (None, "this", _) => (start, today.next()),
        (None, ..) => (back(1, start), start),
    };
    Some((When::Span(Span { from: Some(from), before: Some(before) }), at + 1))
}

/// The latest such month that begins before the end of the data, as a span: `since March`.
pub(crate) fn latest(month: u32, today: Option<Day>) -> Option<Span> {
    let today = today?;
    let year = today.year - i32::from(month > today.month);
    Some(Span::months(Day::new(year, month, 1)?, 1))
}

/// The hour of `6pm`, `18:00`, `9 am`, and how many tokens say it.
pub(crate) fn hour(tokens: &[Token]) -> Option<(u32, usize)> {
    let first = tokens.first()?.text.as_str();
    let next = tokens.get(1).map_or("", |token| token.text.as_str());
    let (digits, half, taken) = match (first.strip_suffix("am"), first.strip_suffix("pm"), next) {
        (Some(digits), ..) => (digits, "am", 1),
        (_, Some(digits), _) => (digits, "pm", 1),
        (.., "am" | "pm") => (first, next, 2),
        _ => (first.split_once(':')?.0, "", 1),
    };
    let hour = digits.split(':').next()?.parse::<u32>().ok().filter(|hour| *hour <= 24)?;
    let hour = match half {
        "am" => hour % 12,
        "pm" => hour % 12 + 12,
        _ => hour % 24,
    };
    Some((hour, taken))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn read(text: &str) -> Option<String> {
        let found = when(&tokens(text), Day::new(2024, 5, 20));
        found.map(|(found, taken)| match found {
            When::Span(span) => format!("{span}/{taken}"),
            When::Recurring(cycle, values) => format!("{cycle:?}{values:?}/{taken}"),
        })
    }

    #[test]
    fn days_months_and_years_are_read() {
        for (text, expected) in [
            ("2024", "in 2024/1"),
            ("2024-03", "in 2024-03/1"),
            ("2024-02-29", "from 2024-02-29 to 2024-02-29/1"),
            ("15 March 2024", "from 2024-03-15 to 2024-03-15/3"),
            ("March 15th, 2024", "from 2024-03-15 to 2024-03-15/4"),
            ("march 2024", "in 2024-03/2"),
            ("March", "Month[3]/1"),
            ("May", "Month[5]/1"),
            ("Q3 2023", "from 2023-07-01 to 2023-09-30/2"),
            ("summer 2023", "from 2023-06-01 to 2023-08-31/2"),
            ("winter 2024", "from 2023-12-01 to 2024-02-29/2"),
            ("weekends", "Weekday[6, 7]/1"),
            ("Mondays", "Weekday[1]/1"),
            ("last month", "in 2024-04/2"),
            ("last 7 days", "from 2024-05-14 to 2024-05-20/3"),
            ("last year", "in 2023/2"),
            ("this year", "from 2024-01-01 to 2024-05-20/2"),
            ("24/12/2023", "from 2023-12-24 to 2023-12-24/1"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["may", "2024-02-30", "12345", "sat", "mar_", "99/99/9999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn hours_are_read() {
        let at = |text| hour(&tokens(text));
        assert_eq!(at("6pm"), Some((18, 1)));
        assert_eq!(at("12 am"), Some((0, 2)));
        assert_eq!(at("18:30"), Some((18, 1)));
        assert_eq!(at("18"), None);
    }
}
