//! The numbers of one column under both readings of point and comma.

use super::Aim;
use crate::histogram::Histogram;
use crate::number::{Number, Value};

/// How a file writes numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberFormat {
    /// The decimal mark, `.` or `,`.
    pub(crate) decimal: char,
    /// The mark between groups of three digits.
    pub(crate) thousands: Option<char>,
}

/// What a column says about the way that its file writes numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vote {
    /// The column has no numbers or leaves both readings open.
    None,
    /// Commas that are decimal marks or stand between groups.
    EitherComma,
    /// Only the reading with a decimal point makes all cells numbers.
    Point,
    /// Only the reading with a decimal comma makes all cells numbers.
    Comma,
}

/// Numbers under one reading.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    count: u64,
    fractional: u64,
    sum: f64,
    min: Option<f64>,
    max: Option<f64>,
    histogram: Histogram,
    /// The marks between groups, and how many numbers have them.
    marks: Vec<(char, u64)>,
}

impl Reading {
    fn add(&mut self, value: &Value) {
        self.count += 1;
        self.fractional += u64::from(!value.whole);
        self.sum += value.amount;
        self.min = Some(self.min.map_or(value.amount, |min| min.min(value.amount)));
        self.max = Some(self.max.map_or(value.amount, |max| max.max(value.amount)));
        self.histogram.add(value.amount);
        if let Some(mark) = value.thousands {
            match self.marks.iter_mut().find(|(known, _)| *known == mark) {
                Some((_, count)) => *count += 1,
                None => self.marks.push((mark, 1)),
            }
        }
    }

    fn merged(&self, other: &Self) -> Self {
        let pick = |left: Option<f64>, right: Option<f64>, choose: fn(f64, f64) -> f64| match (left, right) {
            (Some(left), Some(right)) => Some(choose(left, right)),
            (left, right) => left.or(right),
        };
        Self {
            count: self.count + other.count,
            fractional: self.fractional + other.fractional,
            sum: self.sum + other.sum,
            min: pick(self.min, other.min, f64::min),
            max: pick(self.max, other.max, f64::max),
            histogram: self.histogram.merged(&other.histogram),
            marks: self.marks.iter().chain(&other.marks).copied().collect(),
        }
    }

    pub(super) fn all_whole(&self) -> bool {
        self.fractional == 0
    }

    /// Whether marks stand between the groups of some numbers.
    pub(super) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// The heights of the bars of a histogram.
    pub(super) fn shape(&self) -> Option<Vec<u32>> {
        let step = self.all_whole().then_some(1.0);
        Some(self.histogram.bars(self.min?, self.max?, step))
    }

    /// Smallest, largest and mean.
    pub(super) fn summary(&self) -> (Option<f64>, Option<f64>, Option<f64>) {
        #[allow(clippy::cast_precision_loss, reason = "no file has 2^52 rows")]
        let mean = self.sum / self.count as f64;
        let finite = |value: &f64| value.is_finite();
        let mean = format!("{mean:.8e}").parse().ok().filter(finite);
        (self.min.filter(finite), self.max.filter(finite), mean)
    }
}

/// The numbers of one column.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    count: u64,
    zero_padded: u64,
    digits: u64,
    /// Cells made of the characters of numbers, which a tolerant reader takes for numbers.
    look_alike: u64,
    /// Numbers that are the same under both readings.
    neutral: Reading,
    /// Numbers with a mark that both readings make sense of, in different ways.
    open: u64,
    point: Reading,
    comma: Reading,
}

impl Numbers {
    pub(super) fn add(&mut self, number: &Number) {
        self.count += 1;
        self.look_alike += 1;
        self.zero_padded += u64::from(number.zero_padded);
        self.digits += u64::from(number.digits);
        match (&number.point, &number.comma) {
            (Some(point), Some(comma)) if point == comma => self.neutral.add(point),
            (point, comma) => {
                self.open += u64::from(point.is_some() && comma.is_some());
                if let Some(point) = point {
                    self.point.add(point);
                }
                if let Some(comma) = comma {
                    self.comma.add(comma);
                }
            }
        }
    }

    /// These and the others together.
    pub(super) fn merged(&self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            zero_padded: self.zero_padded + other.zero_padded,
            digits: self.digits + other.digits,
            look_alike: self.look_alike + other.look_alike,
            neutral: self.neutral.merged(&other.neutral),
            open: self.open + other.open,
            point: self.point.merged(&other.point),
            comma: self.comma.merged(&other.comma),
        }
    }

    /// Numbers that a point and a comma make different ones of.
    pub(super) fn open(&self) -> u64 {
        self.open
    }

    /// Takes in a cell that is no number.
    pub(super) fn add_other(&mut self, cell: &[u8]) {
        let cell = cell.trim_ascii();
        let unsigned = cell.strip_prefix(b"-").or(cell.strip_prefix(b"+")).unwrap_or(cell);
        let numeric = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b',' | b'e' | b'E' | b' ' | b'\'');
        self.look_alike += u64::from(unsigned.iter().all(numeric) && cell.iter().any(u8::is_ascii_digit));
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn zero_padded(&self) -> u64 {
        self.zero_padded
    }

    /// Cells of nothing but digits.
    pub(super) fn digits(&self) -> u64 {
        self.digits
    }

    pub(super) fn look_alike(&self) -> u64 {
        self.look_alike
    }

    pub(super) fn vote(&self) -> Vote {
        let marked = self.count - self.neutral.count;
        if marked == 0 {
            return Vote::None;
        }
        match (self.point.count == marked, self.comma.count == marked) {
            (true, false) => Vote::Point,
            (false, true) => Vote::Comma,
            (true, true) if self.groups_begin_at_a_thousand() => {
                if self.point.marks.is_empty() {
                    Vote::Comma
                } else {
                    Vote::Point
                }
            }
            (true, true) if !self.point.marks.is_empty() => Vote::EitherComma,
            _ => Vote::None,
        }
    }

    /// Numbers below a thousand have no mark and all others have one: the mark separates groups.
    fn groups_begin_at_a_thousand(&self) -> bool {
        self.open >= 2
            && self.neutral.count >= 2
            && self.neutral.all_whole()
            && self.neutral.max.is_some_and(|max| (100.0..1000.0).contains(&max))
    }

    /// Whether the format makes sense of every number.
    pub(super) fn fits(&self, format: NumberFormat) -> bool {
        let reading = self.reading(format);
        reading.count == self.count && reading.marks.iter().all(|(mark, _)| Some(*mark) == format.thousands)
    }

    pub(super) fn reading(&self, format: NumberFormat) -> Reading {
        self.neutral.merged(if format.decimal == ',' { &self.comma } else { &self.point })
    }
}

impl super::Tally {
    /// The marks between groups under one reading, with their numbers, if the column is of numbers.
    pub(crate) fn group_marks(&self, decimal: char) -> Vec<(char, u64)> {
        let (numbers, fits) = match self.with_amounts().filter(|_| self.aim == Aim::Prepared) {
            Some((numbers, ..)) => (numbers, true),
            None => (self.numbers.merged(&Numbers::default()), self.mostly_numbers()),
        };
        let reading = numbers.reading(NumberFormat { decimal, thousands: None });
        if fits && reading.count == numbers.count { reading.marks } else { Vec::new() }
    }
}
