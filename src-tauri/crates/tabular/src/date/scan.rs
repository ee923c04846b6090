//! Takes a written date apart.

use super::{DateShape, HalfShape, NameShape, SecondsShape, Shape, Stamp, TimeShape, YearShape, ZoneShape};
use jiff::civil::Date;

/// Reads a cell as a date or a time, or both.
pub(crate) fn scan(cell: &[u8]) -> Option<Stamp> {
    if cell.len() < 4 || cell.len() > 40 || !cell.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let mut cursor = Cursor { rest: cell };
    let (date, parts) = read_date(&mut cursor)?;
    let mut shape = Shape { date, joint: ' ', time: TimeShape::None, zone: ZoneShape::None };
    let mut clock = 0;
    let mut fraction = false;
    let mut offset = None;
    if !cursor.rest.is_empty() {
        if date != DateShape::None {
            shape.joint = if cursor.eat(b'T') { 'T' } else { cursor.blanks().then_some(' ')? };
        }
        (shape.time, clock, fraction) = read_time(&mut cursor)?;
        (shape.zone, offset) = read_zone(&mut cursor)?;
    }
    if !cursor.rest.is_empty() || (date == DateShape::None && shape.time == TimeShape::None) {
        return None;
    }
    let seconds =
        |[year, month, day]: [u32; 3]| Some(days(year, month, day)? * 86_400 + clock - offset.unwrap_or(0));
    let (day_first, month_first) = match (date, parts) {
        (DateShape::None, _) => (Some(clock), Some(clock)),
        (DateShape::Numbers { .. }, [first, second, year]) => {
            (seconds([year, second, first]), seconds([year, first, second]))
        }
        _ => (seconds(parts), seconds(parts)),
    };
    (day_first.is_some() || month_first.is_some()).then_some(Stamp {
        shape,
        day_first,
        month_first,
        clock,
        fraction,
        offset,
    })
}

fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let epoch = Date::constant(1970, 1, 1);
    let date =
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some(date.duration_since(epoch).as_secs() / 86_400)
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn blanks(&mut self) -> bool {
        let count = self.rest.iter().take_while(|byte| **byte == b' ').count();
        self.rest = &self.rest[count..];
        count > 0
    }

    /// A mark between the parts of a date; a run of blanks counts as one.
    fn mark(&mut self, allowed: &[u8]) -> Option<char> {
        let byte = *self.rest.first().filter(|byte| allowed.contains(byte))?;
        if byte == b' ' {
            self.blanks();
        } else {
            self.rest = &self.rest[1..];
        }
        Some(char::from(byte))
    }

    /// A number of `least` to `most` digits, all the digits there are.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count < least || count > most {
            return None;
        }
        let value = self.rest[..count].iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        self.rest = &self.rest[count..];
        Some(value)
    }

    fn digits(&self) -> usize {
        self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn year(&mut self) -> Option<(u32, YearShape)> {
        match self.digits() {
            4 => Some((self.number(4, 4).filter(|year| *year >= 1000)?, YearShape::Four)),
            // The pivot is that of POSIX and Python.
            2 => self.number(2, 2).map(|year| (if year < 69 { 2000 } else { 1900 } + year, YearShape::Two)),
            _ => None,
        }
    }

    fn month_name(&mut self) -> Option<(u32, NameShape)> {
        const NAMES: [&str; 12] = [
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
        if !matches!(
            self.rest.first()?.to_ascii_lowercase(),
            b'a' | b'd' | b'f' | b'j' | b'm' | b'n' | b'o' | b's'
        ) {
            return None;
        }
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &self.rest[..length];
        let index = NAMES.iter().position(|name| {
            word.eq_ignore_ascii_case(name.as_bytes()) || word.eq_ignore_ascii_case(&name.as_bytes()[..3])
        })?;
        let shape = match (index, length) {
            (4, _) => NameShape::Either,
            (_, 3) => NameShape::Short,
            _ => NameShape::Full,
        };
        self.rest = &self.rest[length..];
        Some((u32::try_from(index).ok()? + 1, shape))
    }
}

/// The date at the cursor as year, month and day; for [`DateShape::Numbers`] in the written order.
fn read_date(cursor: &mut Cursor) -> Option<(DateShape, [u32; 3])> {
    if cursor.rest[0].is_ascii_alphabetic() {
        return read_date_by_name(cursor);
    }
    match cursor.digits() {
        4 => {
            let year = cursor.number(4, 4).filter(|year| *year >= 1000)?;
            let mark = cursor.mark(b"-/.")?;
            let month = cursor.number(1, 2)?;
            if cursor.mark(&[mark as u8]).is_some() {
                let day = cursor.number(1, 2)?;
                return Some((DateShape::YearFirst { mark }, [year, month, day]));
            }
            let plain = cursor.rest.is_empty() && mark != '.';
            plain.then_some((DateShape::YearMonth { mark }, [year, month, 1]))
        }
        8 => {
            let digits = cursor.number(8, 8)?;
            let parts = [digits / 10_000, digits / 100 % 100, digits % 100];
            let plausible = (1800..2100).contains(&parts[0]) && cursor.rest.is_empty();
            plausible.then_some((DateShape::Compact, parts))
        }
        1 | 2 if cursor.rest.get(cursor.digits()) == Some(&b':') => Some((DateShape::None, [0; 3])),
        1 | 2 => {
            let first = cursor.number(1, 2)?;
            let mark = cursor.mark(b"-/. ")?;
            if let Some((month, name)) = cursor.month_name() {
                cursor.mark(&[mark as u8])?;
                let (number, year) = cursor.year()?;
                return Some((DateShape::DayName { mark, name, year }, [number, month, first]));
            }
            let second = cursor.number(1, 2)?;
            cursor.mark(&[mark as u8]).filter(|_| mark != ' ')?;
            let (number, year) = cursor.year()?;
            Some((DateShape::Numbers { mark, year }, [first, second, number]))
        }
        _ => None,
    }
}

fn read_date_by_name(cursor: &mut Cursor) -> Option<(DateShape, [u32; 3])> {
    let (month, name) = cursor.month_name()?;
    let mark = cursor.mark(b"- /")?;
    if cursor.digits() == 4 {
        let (year, _) = cursor.year()?;
        return Some((DateShape::NameYear { mark, name }, [year, month, 1]));
    }
    let day = cursor.number(1, 2).filter(|_| mark == ' ')?;
    let comma = cursor.eat(b',');
    cursor.blanks().then_some(())?;
    let (year, shape) = cursor.year()?;
    (shape == YearShape::Four).then_some((DateShape::NameDay { name, comma }, [year, month, day]))
}

/// The time at the cursor, with the seconds since midnight and whether there are parts of a second.
fn read_time(cursor: &mut Cursor) -> Option<(TimeShape, i64, bool)> {
    let mut hour = cursor.number(1, 2)?;
    cursor.eat(b':').then_some(())?;
    let minute = cursor.number(2, 2).filter(|minute| *minute < 60)?;
    let mut seconds = SecondsShape::None;
    let mut second = 0;
    let mut fraction = false;
    if cursor.eat(b':') {
        second = cursor.number(2, 2).filter(|second| *second < 60)?;
        seconds = SecondsShape::Whole;
        if cursor.eat(b'.') {
            fraction = cursor.number(1, 9)? > 0;
            seconds = SecondsShape::Fraction;
        }
    }
    let rest = cursor.rest;
    let apart = cursor.blanks();
    let half = match cursor.rest {
        [letter, b'M' | b'm', ..] if matches!(letter, b'A' | b'a' | b'P' | b'p') => {
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if matches!(letter, b'P' | b'p') { 12 } else { 0 };
            cursor.rest = &cursor.rest[2..];
            if apart { HalfShape::Apart } else { HalfShape::Attached }
        }
        _ => {
            cursor.rest = rest;
            HalfShape::None
        }
    };
    let clock = i64::from(hour * 3600 + minute * 60 + second);
    (hour < 24).then_some((TimeShape::Clock { seconds, half }, clock, fraction))
}

/// The zone at the cursor, with its offset in seconds.
fn read_zone(cursor: &mut Cursor) -> Option<(ZoneShape, Option<i64>)> {
    let apart = cursor.blanks();
    if cursor.rest.is_empty() {
        return (!apart).then_some((ZoneShape::None, None));
    }
    if cursor.eat(b'Z') {
        return Some((ZoneShape::Offset { apart }, Some(0)));
    }
    if apart && matches!(cursor.rest, b"UTC" | b"GMT") {
        cursor.rest = &[];
        return Some((ZoneShape::Name, Some(0)));
    }
    let sign = if cursor.eat(b'-') { -1 } else { cursor.eat(b'+').then_some(1)? };
    let (hours, minutes) = if cursor.digits() == 4 {
        let digits = cursor.number(4, 4)?;
        (digits / 100, digits % 100)
    } else {
        let hours = cursor.number(2, 2)?;
        cursor.eat(b':').then_some(())?;
        (hours, cursor.number(2, 2)?)
    };
    Some((ZoneShape::Offset { apart }, Some(sign * i64::from(hours * 3600 + minutes * 60))))
}
