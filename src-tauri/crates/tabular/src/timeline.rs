//! What the dates of one column have in common.

use crate::date::{DateShape, DayOrder, NameShape, Shape, Stamp, TimeShape};
use crate::histogram::Histogram;
use crate::table::Kind;
use jiff::SignedDuration;
use jiff::civil::DateTime;
use std::collections::HashMap;

/// Seconds of a day.
const DAY_S: u64 = 24 * 60 * 60;

/// Different steps that are counted.
const STEPS: usize = 1024;

/// Different ways to write a date that are told apart.
const SHAPES: usize = 4;

/// The dates of a column under one order of day and month.
#[derive(Debug, Default)]
struct Timeline {
    valid: u64,
    earliest: Option<i64>,
    latest: Option<i64>,
    histogram: Histogram,
    previous: Option<i64>,
    forward: u64,
    backward: u64,
    steps: HashMap<i64, u64>,
    usual_step: (i64, u64),
}

impl Timeline {
    fn add(&mut self, moment: i64) {
        self.valid += 1;
        self.earliest = Some(self.earliest.map_or(moment, |earliest| earliest.min(moment)));
        self.latest = Some(self.latest.map_or(moment, |latest| latest.max(moment)));
        self.histogram.add(seconds(moment));
        if let Some(previous) = self.previous.replace(moment) {
            let step = moment - previous;
            self.forward += u64::from(step > 0);
            self.backward += u64::from(step < 0);
            self.add_step(step.abs());
        }
    }

    fn add_step(&mut self, step: i64) {
        if step == self.usual_step.0 {
            self.usual_step.1 += 1;
            return;
        }
        let (usual, count) = std::mem::replace(&mut self.usual_step, (step, 1));
        if count > 0 && (self.steps.len() < STEPS || self.steps.contains_key(&usual)) {
            *self.steps.entry(usual).or_default() += count;
        }
    }

    /// The share of steps that go the way most steps go, in thousandths.
    fn order(&self) -> u64 {
        let steps = self.forward + self.backward;
        (self.forward.max(self.backward) * 1000).checked_div(steps).unwrap_or(0)
    }

    /// The heights of the bars of a histogram.
    fn shape(&self, step_s: Option<u64>) -> Option<Vec<u32>> {
        let step = step_s.and_then(|step| i64::try_from(step).ok()).map(seconds);
        Some(self.histogram.bars(seconds(self.earliest?), seconds(self.latest?), step))
    }

    /// The median of the steps that are not zero, when three quarters of them are within a tenth of it.
    fn regular_step(&self) -> Option<u64> {
        let mut counts = self.steps.clone();
        *counts.entry(self.usual_step.0).or_default() += self.usual_step.1;
        let mut steps: Vec<(i64, u64)> = counts.into_iter().filter(|(step, _)| *step > 0).collect();
        steps.sort_unstable();
        let total: u64 = steps.iter().map(|(_, count)| count).sum();
        if total < 2 {
            return None;
        }
        let mut below = 0;
        let median = steps.iter().find(|(_, count)| {
            below += count;
            below * 2 >= total
        })?;
        let near = |step: i64| (step - median.0).abs() * 10 <= median.0;
        let regular: u64 = steps.iter().filter(|(step, _)| near(*step)).map(|(_, count)| count).sum();
        if regular * 4 >= total * 3 { u64::try_from(median.0).ok() } else { None }
    }
}

/// The dates of one column.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    shapes: Vec<(Shape, u64)>,
    other_shapes: u64,
    count: u64,
    only_day_first: u64,
    only_month_first: u64,
    /// Values that are the same date in either order.
    alike: u64,
    day_first: Timeline,
    month_first: Timeline,
    numbers: bool,
    with_clock: bool,
    offsets: Offsets,
    fiscal: u64,
}

/// The zones that the values are written in.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Offsets {
    #[default]
    Unseen,
    None,
    One(i64),
    Several,
}

/// What the order of day and month can be told from, besides the column itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderHint {
    /// Another column of the file, or the decimal comma, speaks for one order.
    Known(DayOrder),
    /// A person said so.
    Chosen(DayOrder),
    /// Nothing speaks for either order.
    Unknown,
}

/// What decided the order of day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderReason {
    /// Some values can only be read one way.
    Values,
    /// The rows follow each other under one order only.
    Rows,
    /// Another column, or the decimal comma.
    Hint,
    /// Slashes are American as often as not, points and hyphens are not.
    Custom,
    /// A person.
    Chosen,
}

/// The decision about the dates of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DateReading {
    pub(crate) kind: Kind,
    pub(crate) format: Option<String>,
    pub(crate) first: String,
    pub(crate) last: String,
    pub(crate) step_s: Option<u64>,
    /// The order, where the values have one to decide.
    pub(crate) order: Option<DayOrder>,
    pub(crate) assumed: bool,
    pub(crate) reason: OrderReason,
    /// Values whose day and month could be either way round.
    pub(crate) either: u64,
    pub(crate) count: u64,
    /// Written as the prepared table writes them.
    pub(crate) plain: bool,
    pub(crate) several_zones: bool,
    pub(crate) shape: Option<Vec<u32>>,
}

impl Dates {
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Whether some values can only be day-first and others only month-first, so that no reading fits.
    pub(crate) fn contradict(&self) -> bool {
        self.only_day_first > 0 && self.only_month_first > 0
    }

    /// Whether the values are runs of eight digits, which are dates only where the name says so.
    pub(crate) fn compact(&self) -> bool {
        self.shapes.iter().any(|(shape, _)| shape.date == DateShape::Compact)
    }

    /// Whether every `2010-11` could be the fiscal year 2010/11.
    pub(crate) fn fiscal(&self) -> bool {
        self.fiscal == self.count
    }

    pub(crate) fn add(&mut self, stamp: Stamp) {
        self.count += 1;
        self.add_shape(stamp.shape);
        self.numbers |= matches!(stamp.shape.date, DateShape::Numbers { .. });
        self.with_clock |= stamp.clock != 0 || stamp.fraction;
        self.offsets = match (self.offsets, stamp.offset) {
            (Offsets::Unseen, Some(offset)) => Offsets::One(offset),
            (Offsets::Unseen | Offsets::None, None) => Offsets::None,
            (Offsets::One(known), Some(offset)) if known == offset => Offsets::One(known),
            _ => Offsets::Several,
        };
        match (stamp.day_first, stamp.month_first) {
            (left, right) if left == right => self.alike += 1,
            (Some(_), None) => self.only_day_first += 1,
            (None, Some(_)) => self.only_month_first += 1,
            _ => {}
        }
        if let Some(moment) = stamp.day_first {
            self.day_first.add(moment);
            if let DateShape::YearMonth { .. } = stamp.shape.date {
                let date = civil(moment).date();
                self.fiscal += u64::from(i16::from(date.month()) == (date.year() + 1) % 100);
            }
        }
        if let Some(moment) = stamp.month_first.filter(|_| self.numbers) {
            self.month_first.add(moment);
        }
    }

    fn add_shape(&mut self, shape: Shape) {
        if let Some((known, count)) = self.shapes.iter_mut().find(|(known, _)| known.agrees_with(shape)) {
            if known.name() == Some(NameShape::Either) {
                *known = shape;
            }
            *count += 1;
        } else if self.shapes.len() < SHAPES {
            self.shapes.push((shape, 1));
        } else {
            self.other_shapes += 1;
        }
    }

    /// The order of day and month, when the values leave no doubt.
    pub(crate) fn certain_order(&self) -> Option<DayOrder> {
        match (self.only_day_first, self.only_month_first) {
            (1.., 0) => Some(DayOrder::DayFirst),
            (0, 1..) => Some(DayOrder::MonthFirst),
            _ => None,
        }
    }

    /// Decides how the dates are read; none when there is no date.
    pub(crate) fn decide(&self, hint: OrderHint) -> Option<DateReading> {
        let (order, reason) = match (hint, self.certain_order()) {
            (OrderHint::Chosen(order), _) => (order, OrderReason::Chosen),
            (_, Some(order)) => (order, OrderReason::Values),
            _ if self.numbers => self.likely_order(hint),
            _ => (DayOrder::DayFirst, OrderReason::Values),
        };
        let assumed = !matches!(reason, OrderReason::Values | OrderReason::Chosen);
        let timeline = if order == DayOrder::MonthFirst { &self.month_first } else { &self.day_first };
        let kind = self.kind();
        let one_shape = self.shapes.len() == 1 && self.other_shapes == 0;
        let write = |moment| write(moment, kind, self.offsets);
        let step_s = timeline.regular_step();
        Some(DateReading {
            kind,
            format: one_shape.then(|| self.shapes[0].0.format(order)),
            first: write(timeline.earliest?),
            last: write(timeline.latest?),
            step_s,
            order: self.numbers.then_some(order),
            assumed,
            reason,
            either: self.count - self.only_day_first - self.only_month_first - self.alike,
            count: self.count,
            plain: self.are_plain(kind),
            several_zones: self.offsets == Offsets::Several,
            shape: timeline.shape(step_s.or((kind == Kind::Date).then_some(DAY_S))),
        })
    }

    /// Whether the values are written as the prepared table writes them.
    fn are_plain(&self, kind: Kind) -> bool {
        let plain = |shape: &Shape| shape.format(DayOrder::DayFirst) == kind.plain_format();
        self.other_shapes == 0 && self.shapes.iter().all(|(shape, _)| plain(shape))
    }

    fn kind(&self) -> Kind {
        let dated = self.shapes.iter().any(|(shape, _)| shape.date != DateShape::None);
        let timed = self.shapes.iter().any(|(shape, _)| shape.time != TimeShape::None);
        match (dated, timed && self.with_clock) {
            (false, _) => Kind::Time,
            (true, false) => Kind::Date,
            (true, true) => Kind::Timestamp,
        }
    }

    /// The order of dates that can all be read both ways. Rows that go steadily forward or backward
    /// under one reading only decide it; else the hint does, then custom: points and hyphens are
    /// written day first.
    fn likely_order(&self, hint: OrderHint) -> (DayOrder, OrderReason) {
        let (day_first, month_first) = (self.day_first.order(), self.month_first.order());
        if self.count >= 4 && day_first.max(month_first) >= 950 && day_first.abs_diff(month_first) >= 50 {
            let order = if day_first > month_first { DayOrder::DayFirst } else { DayOrder::MonthFirst };
            return (order, OrderReason::Rows);
        }
        if let OrderHint::Known(order) = hint {
            return (order, OrderReason::Hint);
        }
        let slashes = |shape: &Shape| matches!(shape.date, DateShape::Numbers { mark: '/', .. });
        let month_first = self.shapes.iter().any(|(shape, _)| slashes(shape));
        (if month_first { DayOrder::MonthFirst } else { DayOrder::DayFirst }, OrderReason::Custom)
    }
}

#[allow(clippy::cast_precision_loss, reason = "the moments of calendars are far below 2^53 seconds")]
fn seconds(moment: i64) -> f64 {
    moment as f64
}

fn civil(moment: i64) -> DateTime {
    let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    epoch.saturating_add(SignedDuration::from_secs(moment))
}

fn write(moment: i64, kind: Kind, offsets: Offsets) -> String {
    let moment = civil(moment);
    let zone = if matches!(offsets, Offsets::One(_) | Offsets::Several) { "+00:00" } else { "" };
    match kind {
        Kind::Date => moment.strftime("%Y-%m-%d").to_string(),
        Kind::Time => moment.strftime("%H:%M:%S").to_string(),
        _ => format!("{}{zone}", moment.strftime("%Y-%m-%d %H:%M:%S")),
    }
}
