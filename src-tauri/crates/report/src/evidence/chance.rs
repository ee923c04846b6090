//! How likely a find is to be chance.

use std::collections::HashMap;

use super::Verdict;
use super::stems::Stem;
use super::wanted::Wanted;
use crate::figures::{Kind, Moment};

/// A find counts when fewer than so many of its like are to be expected by chance.
const MOST_BY_CHANCE: f64 = 0.3;
/// Words that a place and a sentence share make no more than so many factors: they do not come alone.
const MOST_SHARED: usize = 3;
/// The same for other figures of the sentence that stand there too.
const MOST_AGREEING: usize = 3;

/// The best find for each figure.
#[derive(Default)]
pub(crate) struct Finds {
    best: HashMap<usize, (f64, Verdict)>,
}

impl Finds {
    /// Takes a find if it is better than what there is.
    pub(crate) fn offer(&mut self, figure: usize, chance: f64, verdict: impl FnOnce() -> Verdict) {
        if chance <= MOST_BY_CHANCE && self.best.get(&figure).is_none_or(|(best, _)| chance < *best) {
            self.best.insert(figure, (chance, verdict()));
        }
    }

    /// Takes what is better in others.
    pub(crate) fn extend(&mut self, others: Self) {
        for (figure, (chance, verdict)) in others.best {
            self.offer(figure, chance, || verdict);
        }
    }

    /// Takes a find where there is none yet.
    pub(crate) fn fill(&mut self, figure: usize, verdict: impl FnOnce() -> Verdict) {
        self.best.entry(figure).or_insert_with(|| (MOST_BY_CHANCE, verdict()));
    }

    /// The verdicts on so many figures.
    pub(crate) fn settle(mut self, figures: usize) -> Vec<Verdict> {
        let verdict = |figure| self.best.remove(&figure).map_or(Verdict::NotFound, |(_, verdict)| verdict);
        (0..figures).map(verdict).collect()
    }
}

/// Steps of the size of numbers in which their density is counted, per octave.
const BINS_PER_OCTAVE: i32 = 8;
/// Octaves below and above one that are told apart.
const OCTAVES: i32 = 64;

/// How many numbers there are of which size.
#[derive(Clone)]
pub(crate) struct Density {
    bins: Vec<u32>,
    zeros: u32,
}

impl Density {
    pub(crate) fn new() -> Self {
        Self { bins: vec![0; (2 * OCTAVES * BINS_PER_OCTAVE) as usize], zeros: 0 }
    }

    pub(crate) fn add(&mut self, value: f64) {
        match bin(value.abs()) {
            Some(bin) => self.bins[bin] += 1,
            None => self.zeros += 1,
        }
    }

    /// Takes the numbers of another column too.
    pub(crate) fn extend(&mut self, further: &Self) {
        self.bins.iter_mut().zip(&further.bins).for_each(|(count, more)| *count += more);
        self.zeros += further.zeros;
    }

    /// How many numbers are to be expected within a span of this width around a value, besides the one found.
    pub(crate) fn expected(&self, value: f64, width: f64) -> f64 {
        let size = value.abs();
        let Some(bin) = bin(size) else { return f64::from(self.zeros).max(1.0) };
        let reach = (BINS_PER_OCTAVE / 2) as usize;
        let bins = &self.bins[bin.saturating_sub(reach)..(bin + reach + 1).min(self.bins.len())];
        let count = f64::from(bins.iter().sum::<u32>()) - 1.0;
        // Four bins to each side reach over a little more than from value/√2 to value·√2.
        count.max(0.2) * width / (0.8 * size).max(width)
    }
}

/// Where the bins between one and two begin: the powers of the eighth root of two.
const BINS: [f64; BINS_PER_OCTAVE as usize] = [
    1.0,
    1.090_507_732_665_257_7,
    1.189_207_115_002_721,
    1.296_839_554_651_009_6,
    std::f64::consts::SQRT_2,
    1.542_210_825_407_940_7,
    1.681_792_830_507_429,
    1.834_008_086_409_342_4,
];

/// The bin of a number, from its exponent and its fraction: a logarithm would take longer than reading it.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "held within"
)]
fn bin(size: f64) -> Option<usize> {
    if size < 1e-300 || !size.is_finite() {
        return None;
    }
    let octave = (size.to_bits() >> 52) as i32 - 1023;
    let fraction = f64::from_bits(size.to_bits() & ((1 << 52) - 1) | 1.0_f64.to_bits());
    let within = BINS.iter().filter(|begin| **begin <= fraction).count() as i32 - 1;
    let bin = (octave + OCTAVES) * BINS_PER_OCTAVE + within;
    Some(bin.clamp(0, 2 * OCTAVES * BINS_PER_OCTAVE - 1) as usize)
}

/// Which days there are.
#[derive(Clone, Default)]
pub(crate) struct Days {
    /// For each year and month its days, one bit each.
    months: HashMap<(i32, u8), u32>,
    /// The month that was met last: rows of one month mostly stand together.
    last: ((i32, u8), u32),
}

impl Days {
    pub(crate) fn add(&mut self, moment: &Moment) {
        if let (Some(month), Some(day)) = (moment.month, moment.day) {
            self.add_days((moment.year.unwrap_or(0), month), 1 << (day % 32));
        }
    }

    fn add_days(&mut self, month: (i32, u8), days: u32) {
        if self.last.0 != month {
            self.last = (month, self.months.get(&month).copied().unwrap_or(0));
        }
        if self.last.1 & days != days {
            self.last.1 |= days;
            self.months.insert(month, self.last.1);
        }
    }

    /// Takes the days of another column too.
    pub(crate) fn extend(&mut self, further: &Self) {
        further.months.iter().for_each(|(month, days)| self.add_days(*month, *days));
    }

    /// The share of the days between the first and the last that are there.
    pub(crate) fn expected(&self) -> f64 {
        let number = |(year, month): &(i32, u8), day: u32| {
            f64::from(*year) * 365.25 + f64::from(*month) * 30.44 + f64::from(day)
        };
        let (mut first, mut last, mut count) = (f64::INFINITY, f64::NEG_INFINITY, -1.0);
        for (month, days) in &self.months {
            first = first.min(number(month, days.trailing_zeros()));
            last = last.max(number(month, days.ilog2()));
            count += f64::from(days.count_ones());
        }
        // Whoever makes a date up takes one from the same months.
        (f64::max(count, 0.2) / (last - first + 1.0).max(60.0)).min(1.0)
    }
}

/// A figure that is found at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) figure: usize,
    /// How many such finds chance alone would make, without a look at the words.
    pub(crate) expected: f64,
    /// How much less likely it is that this value is meant, as a factor from 1.
    pub(crate) doubt: f64,
    /// Which of the things at the place it is.
    pub(crate) part: usize,
}

/// How frequent the words are at the places of one kind.
pub(crate) struct Frequencies {
    places: f64,
    counts: HashMap<Stem, u32>,
}

impl Frequencies {
    pub(crate) fn of<'a>(places: impl Iterator<Item = &'a [Stem]>) -> Self {
        let mut counts: HashMap<Stem, u32> = HashMap::new();
        let mut number = 0_u32;
        for stems in places {
            number += 1;
            for stem in stems {
                *counts.entry(*stem).or_default() += 1;
            }
        }
        Self { places: f64::from(number.max(1)), counts }
    }

    /// The words of a place with the share of places that have them, the rarest first.
    pub(crate) fn shares(&self, here: &[Stem]) -> Vec<(f64, Stem)> {
        let share = |stem: &Stem| f64::from(self.counts.get(stem).copied().unwrap_or(1)) / self.places;
        let mut shares: Vec<(f64, Stem)> = here.iter().map(|stem| (share(stem).min(1.0), *stem)).collect();
        shares.sort_by(|one, other| one.0.total_cmp(&other.0));
        shares
    }
}

/// How likely it is that a place shares so much with the words near a figure.
pub(crate) fn sharing(shares: &[(f64, Stem)], near: &[Stem]) -> f64 {
    let shared = shares.iter().filter(|(_, stem)| near.binary_search(stem).is_ok());
    shared.take(MOST_SHARED).map(|(share, _)| share).product()
}

/// How likely it is that one of the finds at a place is chance, in the light of the others there.
pub(crate) fn agreement(wanted: &Wanted<'_>, here: &[Found], which: &Found) -> f64 {
    let group = wanted.figures[which.figure].context.group;
    let mut others: Vec<(usize, f64)> = here
        .iter()
        .filter(|other| {
            other.part != which.part
                && other.figure != which.figure
                && wanted.figures[other.figure].context.group == group
                && wanted.figures[other.figure].text != wanted.figures[which.figure].text
        })
        .map(|other| (other.part, other.expected.min(1.0)))
        .collect();
    others.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    others.dedup_by_key(|(part, _)| *part);
    let mut factors: Vec<f64> = others.into_iter().map(|(_, expected)| expected).collect();
    factors.sort_by(f64::total_cmp);
    factors.iter().take(MOST_AGREEING).product()
}

/// All finds at a place, weighed.
pub(crate) fn weigh<'a>(
    wanted: &'a Wanted<'_>,
    here: &'a [Found],
    stems: &'a [Stem],
    frequencies: &'a Frequencies,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let shares = frequencies.shares(stems);
    here.iter().map(move |found| {
        let sharing = sharing(&shares, &wanted.near[found.figure]);
        let is_words = matches!(wanted.figures[found.figure].reads, Kind::Words(_));
        let chance = if is_words { 0.01 } else { found.expected * found.doubt };
        (found.figure, chance * sharing * agreement(wanted, here, found))
    })
}
