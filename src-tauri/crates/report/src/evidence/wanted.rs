//! The figures of a report, ready to be asked whether a value is one of them.

use std::collections::{BTreeMap, HashMap};

use super::stems::{Stem, day_stem, stems, value_stem};
use crate::figures::{Figure, Kind, Moment, Span};

/// How many steps there are between a number and its double.
const STEPS_PER_OCTAVE: u32 = 256;
/// How far below its end a span that reaches down to zero is looked at, in such steps.
const DEPTH_OF_ZERO: u32 = 8 * STEPS_PER_OCTAVE;

/// What a value costs whose sign is the other one, as after "fell by".
const TURNED: f64 = 3.0;

/// A value that a figure stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// The figure.
    pub(crate) figure: usize,
    /// How wide the span of values is that are written so.
    pub(crate) width: f64,
    /// How much less likely it is that this value is meant, as a factor from 1.
    pub(crate) doubt: f64,
}

/// So many places there are for a month and a day.
const PLACES: usize = 16 * 32;

/// Where a month and a day are, as far as they are known.
fn place_of(month: Option<u8>, day: Option<u8>) -> usize {
    usize::from(month.unwrap_or(0) % 16) * 32 + usize::from(day.unwrap_or(0) % 32)
}

/// The figures of a report.
pub(crate) struct Wanted<'f> {
    pub(crate) figures: &'f [Figure],
    /// The words around each figure.
    pub(crate) near: Vec<Vec<Stem>>,
    /// All of them, sorted.
    pub(crate) all_near: Vec<Stem>,
    /// Each with how doubtful it is, and the figure.
    spans: Vec<(Span, f64, usize)>,
    /// For each key of a number the spans that may hold it.
    by_key: HashMap<u32, Vec<u32>>,
    filter: Keys,
    /// At [`place_of`] their month and day, as far as they are written.
    moments: Vec<Vec<(Moment, usize)>>,
    years: BTreeMap<i32, Vec<usize>>,
    words: HashMap<String, Vec<usize>>,
}

impl<'f> Wanted<'f> {
    pub(crate) fn new(figures: &'f [Figure]) -> Self {
        let mut wanted = Self {
            figures,
            near: figures.iter().map(|figure| stems(&figure.context.near)).collect(),
            all_near: Vec::new(),
            spans: Vec::new(),
            by_key: HashMap::new(),
            filter: Keys(vec![0; (1 << 19) / 64]),
            moments: Vec::new(),
            years: BTreeMap::new(),
            words: HashMap::new(),
        };
        for (index, figure) in figures.iter().enumerate() {
            match &figure.reads {
                Kind::Number(written) => {
                    for (span, doubt) in written.spans() {
                        wanted.add_span(span, doubt, index);
                    }
                    if let Some(year) = written.year {
                        wanted.years.entry(year).or_default().push(index);
                    }
                }
                Kind::Date(moments) => {
                    for moment in moments {
                        wanted.moments.resize(PLACES, Vec::new());
                        wanted.moments[place_of(moment.month, moment.day)].push((*moment, index));
                        // A full hour may be printed as its number.
                        if let (None, Some(hour), Some(0)) = (moment.month, moment.hour, moment.minute) {
                            wanted.add_span(Span::around(f64::from(hour), 1e-6), 1.0, index);
                        }
                    }
                }
                Kind::Words(words) => wanted.words.entry(words.to_lowercase()).or_default().push(index),
            }
        }
        wanted.name_rows();
        let mut all: Vec<Stem> = wanted.near.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        wanted.all_near = all;
        wanted
    }

    /// A figure can name the row that another one stands in: "in 2021", "at 14:00", "on 12 March".
    fn name_rows(&mut self) {
        let mut names: HashMap<usize, Vec<(usize, Stem)>> = HashMap::new();
        for (index, figure) in self.figures.iter().enumerate() {
            let group = names.entry(figure.context.group).or_default();
            match &figure.reads {
                Kind::Number(written) if written.readings[0].value.fract() == 0.0 => {
                    group.push((index, value_stem(written.readings[0].value)));
                }
                Kind::Date(moments) => {
                    for moment in moments {
                        if let (Some(month), Some(day)) = (moment.month, moment.day) {
                            group.push((index, day_stem(month, day)));
                        } else if let (None, Some(hour), Some(0)) = (moment.month, moment.hour, moment.minute)
                        {
                            group.push((index, value_stem(f64::from(hour))));
                        }
                    }
                }
                _ => {}
            }
        }
        for (index, figure) in self.figures.iter().enumerate() {
            let others = &names[&figure.context.group];
            self.near[index]
                .extend(others.iter().filter(|(other, _)| *other != index).map(|(_, stem)| *stem));
            self.near[index].sort_unstable();
            self.near[index].dedup();
        }
    }

    fn add_span(&mut self, span: Span, doubt: f64, figure: usize) {
        // Numbers are compared without their sign; the sign is compared apart.
        let (low, high) = if span.low <= 0.0 && span.high >= 0.0 {
            (0.0, span.high.max(-span.low))
        } else {
            (span.low.abs().min(span.high.abs()), span.low.abs().max(span.high.abs()))
        };
        let number = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        self.spans.push((Span { low, high }, doubt, figure));
        let last = key(high);
        let first = if low == 0.0 { last.saturating_sub(DEPTH_OF_ZERO) } else { key(low) };
        for key in (first..=last).chain((low == 0.0).then_some(0)) {
            self.filter.0[key as usize / 64] |= 1 << (key % 64);
            self.by_key.entry(key).or_default().push(number);
        }
    }

    /// The keys of all numbers, to rule out nearly every value that is none of the figures.
    pub(crate) fn keys(&self) -> Keys {
        self.filter.clone()
    }

    /// Whether all figures that share the key of a value are of no more interest.
    pub(crate) fn are_all(&self, value: f64, done: impl Fn(usize) -> bool) -> bool {
        let here = self.by_key.get(&key(value.abs())).into_iter().flatten();
        here.copied().all(|number| done(self.spans[number as usize].2))
    }

    /// The figures that a value is written as.
    pub(crate) fn numbers(&self, value: f64) -> impl Iterator<Item = Hit> + '_ {
        let size = value.abs();
        let here = if self.filter.may_hold(value) { self.by_key.get(&key(size)) } else { None };
        here.into_iter().flatten().filter_map(move |number| {
            let (span, doubt, figure) = self.spans[*number as usize];
            {
                let doubt = if self.is_turned(figure, value) { doubt * TURNED } else { doubt };
                span.holds(size).then(|| Hit { figure, width: span.width(), doubt })
            }
        })
    }

    fn is_turned(&self, figure: usize, value: f64) -> bool {
        match &self.figures[figure].reads {
            Kind::Number(written) => written.signed && written.readings[0].value * value < 0.0,
            _ => false,
        }
    }

    /// The figures that a date is written as.
    pub(crate) fn dates(&self, moment: &Moment) -> impl Iterator<Item = usize> + '_ {
        let moment = *moment;
        let keys = [(moment.month, moment.day), (moment.month, None), (None, None)];
        let first = usize::from(moment.day.is_none());
        let count = if moment.month.is_none() { 1 } else { keys.len() };
        let unique = keys.into_iter().skip(first).take(count);
        let dated = unique
            .filter_map(|(month, day)| self.moments.get(place_of(month, day)))
            .flatten()
            .filter(move |(wanted, _)| wanted.is_within(&moment))
            .map(|(_, figure)| *figure);
        let years = moment.year.and_then(|year| self.years.get(&year)).into_iter().flatten().copied();
        dated.chain(years)
    }

    /// The figures that quote these words.
    pub(crate) fn quoted(&self, words: &str) -> &[usize] {
        if self.words.is_empty() {
            return &[];
        }
        self.words.get(&words.trim().to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// The quoted words that are looked for.
    pub(crate) fn all_words(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.words.iter().map(|(words, figures)| (words.as_str(), figures.as_slice()))
    }

    /// Whether dates are looked for at all.
    pub(crate) fn has_dates(&self) -> bool {
        !self.moments.is_empty() || !self.years.is_empty()
    }

    /// Those of some stems that stand near any figure.
    pub(crate) fn of_interest(&self, found: Vec<Stem>) -> Vec<Stem> {
        found.into_iter().filter(|stem| self.is_of_interest(*stem)).collect()
    }

    /// Whether a stem stands near any figure.
    pub(crate) fn is_of_interest(&self, stem: Stem) -> bool {
        self.all_near.binary_search(&stem).is_ok()
    }
}

/// A set of keys of numbers, one bit each.
#[derive(Clone)]
pub(crate) struct Keys(Vec<u64>);

impl Keys {
    pub(crate) fn may_hold(&self, value: f64) -> bool {
        let key = key(value.abs());
        self.0[key as usize / 64] >> (key % 64) & 1 == 1
    }

    pub(crate) fn remove(&mut self, value: f64) {
        let key = key(value.abs());
        self.0[key as usize / 64] &= !(1 << (key % 64));
    }
}

/// The exponent of a number and the first eight bits behind its point.
#[allow(clippy::cast_possible_truncation, reason = "20 bits are left")]
fn key(size: f64) -> u32 {
    (size.to_bits() >> 44) as u32 & 0x7_ffff
}
