//! Dates and times as people and programs write them.

/// A date or time with the parts that are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Moment {
    pub(crate) year: Option<i32>,
    /// 1 to 12.
    pub(crate) month: Option<u8>,
    /// 1 to 31.
    pub(crate) day: Option<u8>,
    /// 0 to 24.
    pub(crate) hour: Option<u8>,
    /// 0 to 59.
    pub(crate) minute: Option<u8>,
}

impl Moment {
    /// Whether everything that is written here is so in `other`, which may say more.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        fn agrees<T: PartialEq + Copy>(one: Option<T>, other: Option<T>) -> bool {
            one.is_none() || one == other
        }
        // A day without a time begins at midnight.
        let midnight =
            self.hour == Some(0) && self.minute == Some(0) && other.hour.is_none() && other.day.is_some();
        agrees(self.year, other.year)
            && agrees(self.month, other.month)
            && agrees(self.day, other.day)
            && (midnight || (agrees(self.hour, other.hour) && agrees(self.minute, other.minute)))
    }
}

impl Moment {
    /// `2025-03-12`, with or without ` 14:30` or `T14:30:00`, and nothing else: how tables write it millions of
    /// times, read without a look at other ways.
    pub(crate) fn iso(text: &[u8]) -> Option<Self> {
        let part = |at: usize, width: usize, least: i32, most: i32| {
            let digits = text.get(at..at + width)?;
            let number = digits.iter().try_fold(0, |number, digit| {
                digit.is_ascii_digit().then(|| number * 10 + i32::from(digit - b'0'))
            });
            number.filter(|number| (least..=most).contains(number))
        };
        let small = |number: i32| u8::try_from(number).ok();
        let is_at = |at: usize, mark: u8| text.get(at) == Some(&mark);
        if !is_at(4, b'-') || !is_at(7, b'-') {
            return None;
        }
        let day = Self {
            year: Some(part(0, 4, 1800, 2199)?),
            month: small(part(5, 2, 1, 12)?),
            day: small(part(8, 2, 1, 31)?),
            ..Self::default()
        };
        if text.len() == 10 {
            return Some(day);
        }
        let has_time = (is_at(10, b' ') || is_at(10, b'T')) && is_at(13, b':');
        let whole = text.len() == 16 || (text.len() == 19 && is_at(16, b':') && part(17, 2, 0, 60).is_some());
        if !has_time || !whole {
            return None;
        }
        Some(Self { hour: small(part(11, 2, 0, 24)?), minute: small(part(14, 2, 0, 59)?), ..day })
    }
}

/// A date at the beginning of a text: the ways to understand it, and its length in bytes.
pub(crate) fn date(text: &str) -> Option<(Vec<Moment>, usize)> {
    let (mut moments, length) = day_of(text)?;
    let rest = &text[length..];
    let blank = rest.len() - rest.trim_start_matches([' ', 'T', ',']).len();
    let at = rest[blank..].strip_prefix("at ").map_or(blank, |_| blank + 3);
    if (1..=5).contains(&at)
        && moments.iter().all(|moment| moment.day.is_some())
        && let Some((time, time_length)) = time(&rest[at..])
    {
        for moment in &mut moments {
            moment.hour = time.hour;
            moment.minute = time.minute;
        }
        return Some((moments, length + at + time_length));
    }
    Some((moments, length))
}

fn day_of(text: &str) -> Option<(Vec<Moment>, usize)> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return numeric(text).or_else(|| day_first(text));
    }
    month_first(text)
}

/// A time at the beginning of a text.
pub(crate) fn time(text: &str) -> Option<(Moment, usize)> {
    let (hour, at) = digits(text, 1, 2)?;
    let rest = text[at..].strip_prefix([':', '.'])?;
    let by_colon = text[at..].starts_with(':');
    let (minute, width) = digits(rest, 2, 2)?;
    let mut end = at + 1 + width;
    if let Some(rest) = text[end..].strip_prefix(':').filter(|_| by_colon)
        && let Some((_, width)) = digits(rest, 2, 2)
    {
        end += 1 + width;
        let fraction = text[end..]
            .strip_prefix('.')
            .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        if fraction > 0 {
            end += 1 + fraction;
        }
    }
    let mut hour = u8::try_from(hour).ok()?;
    let rest = text[end..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let half =
        rest.get(..2).map(str::to_ascii_lowercase).filter(|_| !rest[2..].starts_with(char::is_alphanumeric));
    if let Some(half @ ("am" | "pm")) = half.as_deref() {
        hour = hour % 12 + if half == "pm" { 12 } else { 0 };
        end = text.len() - rest.len() + 2;
    }
    // A point between the digits is a decimal mark unless a word says otherwise.
    let said = text[end..].trim_start().starts_with("Uhr");
    if (!by_colon && !said && half.as_deref().is_none_or(|half| half != "am" && half != "pm"))
        || hour > 24
        || minute > 59
    {
        return None;
    }
    Some((Moment { hour: Some(hour), minute: u8::try_from(minute).ok(), ..Moment::default() }, end))
}

/// `2025-03-12`, `2025-03`, `2025/3/12`, `12.3.2025`, `12/03/25`.
fn numeric(text: &str) -> Option<(Vec<Moment>, usize)> {
    let (first, at) = digits(text, 1, 4)?;
    let mark = text[at..].chars().next().filter(|mark| matches!(mark, '-' | '/' | '.'))?;
    let (second, width) = digits(&text[at + 1..], 1, 2)?;
    let middle = at + 1 + width;
    if at == 4 {
        let year = Some(first).filter(|year| (1800..2200).contains(year));
        let month = part(second, 12);
        let third = text[middle..].strip_prefix(mark).and_then(|rest| digits(rest, 1, 2));
        if let Some((day, day_width)) = third {
            let moment = Moment { year, month, day: part(day, 31), ..Moment::default() };
            let whole = moment.year.is_some() && moment.month.is_some() && moment.day.is_some();
            return whole.then_some((vec![moment], middle + 1 + day_width));
        }
        let moment = Moment { year, month, ..Moment::default() };
        let is_month = mark == '-' && width == 2 && moment.year.is_some() && moment.month.is_some();
        return is_month.then_some((vec![moment], middle));
    }
    if at > 2 {
        return None;
    }
    let rest = text[middle..].strip_prefix(mark)?;
    let (third, third_width) = digits(rest, 4, 4).or_else(|| digits(rest, 2, 2).filter(|_| mark == '/'))?;
    let year = Some(if third < 100 { third + 2000 } else { third });
    let orders = [(first, second), (second, first)];
    let orders = if mark == '.' { &orders[..1] } else { &orders[..] };
    let mut moments: Vec<Moment> = orders
        .iter()
        .filter_map(|(day, month)| {
            Some(Moment {
                year,
                month: Some(part(*month, 12)?),
                day: Some(part(*day, 31)?),
                ..Moment::default()
            })
        })
        .collect();
    moments.dedup();
    (!moments.is_empty()).then_some((moments, middle + 1 + third_width))
}

/// `12 March 2025`, `12. März`, `12th of March`.
fn day_first(text: &str) -> Option<(Vec<Moment>, usize)> {
    let (day, mut at) = digits(text, 1, 2)?;
    let day = part(day, 31)?;
    for ending in ["st", "nd", "rd", "th", "."] {
        if text[at..].starts_with(ending) {
            at += ending.len();
            break;
        }
    }
    at += blanks(&text[at..])?;
    if text[at..].starts_with("of ") {
        at += 3;
    }
    let (month, width) = month(&text[at..])?;
    at += width;
    let moment = Moment { month: Some(month), day: Some(day), ..Moment::default() };
    Some(with_year(text, at, moment))
}

/// `March 12, 2025`, `March 2025`, `Mar 12`.
fn month_first(text: &str) -> Option<(Vec<Moment>, usize)> {
    let (month, at) = month(text)?;
    let mut next = at + blanks(&text[at..])?;
    if let Some((year, width)) = digits(&text[next..], 4, 4).filter(|(year, _)| (1800..2200).contains(year)) {
        let moment = Moment { year: Some(year), month: Some(month), ..Moment::default() };
        return Some((vec![moment], next + width));
    }
    let (day, width) = digits(&text[next..], 1, 2)?;
    let day = part(day, 31)?;
    next += width;
    for ending in ["st", "nd", "rd", "th"] {
        if text[next..].starts_with(ending) {
            next += ending.len();
            break;
        }
    }
    // "March 12 kWh" is no day, but "March 12" and "March 12, 2025" are.
    let moment = Moment { month: Some(month), day: Some(day), ..Moment::default() };
    Some(with_year(text, next, moment))
}

fn with_year(text: &str, at: usize, moment: Moment) -> (Vec<Moment>, usize) {
    let rest = &text[at..];
    let gap = rest.len() - rest.trim_start_matches([' ', ',', '.', '\u{a0}']).len();
    match digits(&rest[gap..], 4, 4).filter(|(year, _)| (1..=3).contains(&gap) && (1800..2200).contains(year))
    {
        Some((year, width)) => (vec![Moment { year: Some(year), ..moment }], at + gap + width),
        None => (vec![moment], at),
    }
}

/// How many blanks there are; `None` for none.
fn blanks(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('.').unwrap_or(text);
    let count = behind.len() - behind.trim_start_matches([' ', '\u{a0}', '-', '\u{202f}']).len();
    (1..=3).contains(&count).then_some(text.len() - behind.len() + count)
}

/// A number of `fewest` to `most` digits that no further digit follows.
fn digits(text: &str, fewest: usize, most: usize) -> Option<(i32, usize)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    (fewest..=most).contains(&count).then(|| text[..count].parse().ok().map(|number| (number, count)))?
}

fn part(number: i32, most: u8) -> Option<u8> {
    u8::try_from(number).ok().filter(|number| (1..=most).contains(number))
}

/// The names of the months in English, German and French, short and long.
const MONTHS: [&str; 12] = [
    "january januar janvier jan",
    "february februar février feb",
    "march märz mars mar",
    "april avril apr",
    "may mai",
    "june juni juin jun",
    "july juli juillet jul",
    "august août aug",
    "september septembre sept sep",
    "october oktober octobre oct okt",
    "november novembre nov",
    "december dezember décembre dec dez",
];

/// The name of a month at the beginning of a text, without the point behind a short one.
fn month(text: &str) -> Option<(u8, usize)> {
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let name = text[..length].to_lowercase();
    if !text.starts_with(char::is_uppercase) && name.len() < 5 {
        return None;
    }
    let at = MONTHS.iter().position(|names| names.split(' ').any(|known| known == name))?;
    let month = u8::try_from(at + 1).ok()?;
    Some((month, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let (moments, length) = date(text)?;
        let shown: Vec<String> = moments
            .iter()
            .map(|moment| {
                let part = |number: Option<i32>| number.map_or("?".into(), |number| number.to_string());
                let small = |number: Option<u8>| part(number.map(i32::from));
                let day = format!("{}-{}-{}", part(moment.year), small(moment.month), small(moment.day));
                if moment.hour.is_some() {
                    format!("{day} {}:{}", small(moment.hour), small(moment.minute))
                } else {
                    day
                }
            })
            .collect();
        Some(format!("{} / {}", shown.join(" or "), &text[length..]))
    }

    #[test]
    fn the_short_way_reads_what_the_long_one_reads() {
        for text in [
            "2025-03-12",
            "2025-03-12 14:30",
            "2025-03-12T14:30:05",
            "2025-02-31T00:00",
            "2025-13-01",
            "2025-03-12 25:00",
            "2025-03-12 14:61",
            "2025-03-12 14:30:05.25",
            "2025-03-12Z",
            "1700-01-01",
            "2025-3-1",
            "12.03.2025",
            "",
        ] {
            if let Some(short) = Moment::iso(text.as_bytes()) {
                let (long, length) = date(text).unwrap();
                assert_eq!((vec![short], text.len()), (long, length), "{text}");
            }
        }
        assert!(Moment::iso(b"2025-03-12T14:30:05").is_some_and(|moment| moment.minute == Some(30)));
        assert!(Moment::iso(b"2025-03-12 25:00").is_none() && Moment::iso(b"2025-13-01").is_none());
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for (text, expected) in [
            ("2025-03-12", "2025-3-12 / "),
            ("2025-03-12 14:00:00 x", "2025-3-12 14:0 /  x"),
            ("2025-03-12T14:05", "2025-3-12 14:5 / "),
            ("2025-03", "2025-3-? / "),
            ("12 March 2025, and", "2025-3-12 / , and"),
            ("12. März 2025", "2025-3-12 / "),
            ("12th of March", "?-3-12 / "),
            ("March 12, 2025", "2025-3-12 / "),
            ("March 12th", "?-3-12 / "),
            ("Mar 2025", "2025-3-? / "),
            ("Sept. 3", "?-9-3 / "),
            ("12 Sep. 2024", "2024-9-12 / "),
            ("25 May. Then", "?-5-25 / . Then"),
            ("12.3.2025", "2025-3-12 / "),
            ("12/03/2025", "2025-3-12 or 2025-12-3 / "),
            ("5/6/25", "2025-6-5 or 2025-5-6 / "),
            ("12 March 2025 at 7:30 pm", "2025-3-12 19:30 / "),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["2025", "12.5", "1-2", "marching 12", "may 12", "12/13", "3/4", "2025-13-01"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_vaguer_date_lies_within_a_finer_one() {
        let read = |text: &str| date(text).unwrap().0[0];
        assert!(read("March 2025").is_within(&read("2025-03-12 14:00")));
        assert!(read("12 March").is_within(&read("2025-03-12")));
        assert!(read("2025-03-12 00:00").is_within(&read("2025-03-12")));
        assert!(!read("2025-03-12 14:00").is_within(&read("2025-03-12 15:00")));
        assert!(!read("2025-03-12 14:00").is_within(&read("2025-03-12")));
        assert!(!read("April 2025").is_within(&read("2025-03-12")));
    }
}
