//! Dates and times as people write them. Nothing is guessed value by value: a written date gives every
//! reading it allows, and the column decides.

mod scan;

pub(crate) use scan::scan;

/// How one date or time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) date: DateShape,
    /// What stands between the date and the time.
    joint: char,
    pub(crate) time: TimeShape,
    zone: ZoneShape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateShape {
    None,
    /// `2019-01-31`
    YearFirst {
        mark: char,
    },
    /// `2019-01`
    YearMonth {
        mark: char,
    },
    /// `31.01.2019` or `1/31/19`
    Numbers {
        mark: char,
        year: YearShape,
    },
    /// `31 January 2019` or `31-Jan-19`
    DayName {
        mark: char,
        name: NameShape,
        year: YearShape,
    },
    /// `January 31, 2019`
    NameDay {
        name: NameShape,
        comma: bool,
    },
    /// `Jan 2019`
    NameYear {
        mark: char,
        name: NameShape,
    },
    /// `20190131`
    Compact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum YearShape {
    Two,
    Four,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameShape {
    Short,
    Full,
    /// May, which is both.
    Either,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeShape {
    None,
    Clock { seconds: SecondsShape, half: HalfShape },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecondsShape {
    None,
    Whole,
    Fraction,
}

/// The halves of the day, AM and PM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HalfShape {
    None,
    Attached,
    Apart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ZoneShape {
    None,
    Offset { apart: bool },
    Name,
}

/// Which of the first two numbers of `03/04/2019` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DayOrder {
    DayFirst,
    MonthFirst,
}

/// One written date or time, as seconds since 1970 (since midnight for times without a date).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) shape: Shape,
    /// The reading with the day first, or the only reading.
    pub(crate) day_first: Option<i64>,
    /// The reading with the month first, or the only reading.
    pub(crate) month_first: Option<i64>,
    /// Seconds since midnight as written.
    pub(crate) clock: i64,
    /// Parts of a second are written, and they are not zero.
    pub(crate) fraction: bool,
    /// Seconds that the written zone is ahead of UTC.
    pub(crate) offset: Option<i64>,
}

impl Shape {
    /// Whether both shapes can be read with one format.
    pub(crate) fn agrees_with(self, other: Self) -> bool {
        self == other
            || self.with_name(NameShape::Either) == other.with_name(NameShape::Either) && self.loose(other)
    }

    /// Whether the date names a month and no day.
    pub(crate) fn is_month(self) -> bool {
        matches!(self.date, DateShape::YearMonth { .. } | DateShape::NameYear { .. })
    }

    fn loose(self, other: Self) -> bool {
        self.name() == Some(NameShape::Either) || other.name() == Some(NameShape::Either)
    }

    pub(crate) fn name(self) -> Option<NameShape> {
        match self.date {
            DateShape::DayName { name, .. }
            | DateShape::NameDay { name, .. }
            | DateShape::NameYear { name, .. } => Some(name),
            _ => None,
        }
    }

    pub(crate) fn with_name(mut self, shape: NameShape) -> Self {
        if let DateShape::DayName { name, .. }
        | DateShape::NameDay { name, .. }
        | DateShape::NameYear { name, .. } = &mut self.date
        {
            *name = shape;
        }
        self
    }

    /// The `strptime` format of the shape.
    pub(crate) fn format(self, order: DayOrder) -> String {
        let year_of = |year| if year == YearShape::Two { "%y" } else { "%Y" };
        let name_of = |name| if name == NameShape::Full { "%B" } else { "%b" };
        let mut format = match self.date {
            DateShape::None => String::new(),
            DateShape::YearFirst { mark } => format!("%Y{mark}%m{mark}%d"),
            DateShape::YearMonth { mark } => format!("%Y{mark}%m"),
            DateShape::Numbers { mark, year } => match order {
                DayOrder::DayFirst => format!("%d{mark}%m{mark}{}", year_of(year)),
                DayOrder::MonthFirst => format!("%m{mark}%d{mark}{}", year_of(year)),
            },
            DateShape::DayName { mark, name, year } => {
                format!("%d{mark}{}{mark}{}", name_of(name), year_of(year))
            }
            DateShape::NameDay { name, comma } => {
                format!("{} %d{} %Y", name_of(name), if comma { "," } else { "" })
            }
            DateShape::NameYear { mark, name } => format!("{}{mark}%Y", name_of(name)),
            DateShape::Compact => "%Y%m%d".to_owned(),
        };
        if let TimeShape::Clock { seconds, half } = self.time {
            if self.date != DateShape::None {
                format.push(self.joint);
            }
            format.push_str(if half == HalfShape::None { "%H:%M" } else { "%I:%M" });
            format.push_str(match seconds {
                SecondsShape::None => "",
                SecondsShape::Whole => ":%S",
                SecondsShape::Fraction => ":%S.%f",
            });
            format.push_str(match half {
                HalfShape::None => "",
                HalfShape::Attached => "%p",
                HalfShape::Apart => " %p",
            });
        }
        format.push_str(match self.zone {
            ZoneShape::None => "",
            ZoneShape::Offset { apart: false } => "%z",
            ZoneShape::Offset { apart: true } => " %z",
            ZoneShape::Name => " %Z",
        });
        format
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(text: &str) -> Option<String> {
        scan(text.as_bytes()).map(|stamp| stamp.shape.format(DayOrder::DayFirst))
    }

    #[test]
    fn formats_are_those_of_strptime() {
        for (text, expected) in [
            ("2025-01-31 23:00:00", "%Y-%m-%d %H:%M:%S"),
            ("2025-01-31T23:00:00.125Z", "%Y-%m-%dT%H:%M:%S.%f%z"),
            ("2020-01-01T15:00:00+03:00", "%Y-%m-%dT%H:%M:%S%z"),
            ("31.12.2022", "%d.%m.%Y"),
            ("01-01-13", "%d-%m-%y"),
            ("24 October 2011", "%d %B %Y"),
            ("19-Jan-18", "%d-%b-%y"),
            ("Apr 13  2017 12:15:00 AM", "%b %d %Y %I:%M:%S %p"),
            ("7:13 PM", "%I:%M %p"),
            ("09:15:59", "%H:%M:%S"),
            ("20190131", "%Y%m%d"),
            ("2010-11", "%Y-%m"),
            ("Jan 2019", "%b %Y"),
        ] {
            assert_eq!(format(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "12",
            "12.05",
            "2019",
            "31.13.2019x",
            "2019-13-01",
            "25:00",
            "14-Jan",
            "1/2",
            "10:5",
            "2010.11",
        ] {
            assert_eq!(format(text), None, "{text}");
        }
    }

    #[test]
    fn both_orders_are_kept_where_both_are_possible() {
        let stamp = scan(b"03/04/1991").unwrap();
        assert_ne!(stamp.day_first, stamp.month_first);
        let stamp = scan(b"15/04/1991").unwrap();
        assert!(stamp.day_first.is_some() && stamp.month_first.is_none());
    }
}
