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
pub(crate) struct Finds {
    best: Vec<Option<(f64, Verdict)>>,
}

impl Finds {
    pub(crate) fn new(figures: usize) -> Self {
        Self { best: vec![None; figures] }
    }

    /// Takes a find if it is better than what there is.
    pub(crate) fn offer(&mut self, figure: usize, chance: f64, verdict: impl FnOnce() -> Verdict) {
        if chance <= MOST_BY_CHANCE && self.best[figure].as_ref().is_none_or(|(best, _)| chance < *best) {
            self.best[figure] = Some((chance, verdict()));
        }
    }

    /// Takes what was found elsewhere, as far as it is better than what there is.
    pub(crate) fn merge(&mut self, others: Self) {
        for (best, other) in self.best.iter_mut().zip(others.best) {
            if let Some((chance, _)) = &other
                && best.as_ref().is_none_or(|(best, _)| chance < best)
            {
                *best = other;
            }
        }
    }

    /// Takes a find where there is none yet.
    pub(crate) fn fill(&mut self, figure: usize, verdict: impl FnOnce() -> Verdict) {
        if self.best[figure].is_none() {
            self.best[figure] = Some((MOST_BY_CHANCE, verdict()));
        }
    }

    pub(crate) fn settle(self) -> Vec<Verdict> {
        self.best.into_iter().map(|best| best.map_or(Verdict::NotFound, |(_, verdict)| verdict)).collect()
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

/// Where the steps of an octave begin: the powers of the eighth root of two.
const STEPS: [f64; BINS_PER_OCTAVE as usize - 1] = [
    1.090_507_732_665_257_7,
    1.189_207_115_002_721,
    1.296_839_554_651_009_6,
    std::f64::consts::SQRT_2,
    1.542_210_825_407_940_7,
    1.681_792_830_507_429,
    1.834_008_086_409_342_4,
];

fn bin(size: f64) -> Option<usize> {
    if size < 1e-300 || !size.is_finite() {
        return None;
    }
    // A logarithm for each cell of a table would take longer than reading it.
    let octave = i64::try_from(size.to_bits() >> 52).unwrap_or_default() - 1023 + i64::from(OCTAVES);
    if octave < 0 {
        return Some(0);
    }
    let mantissa = f64::from_bits(size.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    let step = STEPS.iter().filter(|start| mantissa >= **start).count();
    let bin = usize::try_from(octave).unwrap_or_default() * BINS_PER_OCTAVE as usize + step;
    Some(bin.min((2 * OCTAVES * BINS_PER_OCTAVE) as usize - 1))
}

/// Which days there are.
#[derive(Clone, Default)]
pub(crate) struct Days {
    days: std::collections::HashSet<(i32, u8, u8)>,
    last: Option<(i32, u8, u8)>,
}

impl Days {
    pub(crate) fn add(&mut self, moment: &Moment) {
        if let (Some(month), Some(day)) = (moment.month, moment.day) {
            let day = (moment.year.unwrap_or(0), month, day);
            // Rows of one day mostly stand together.
            if self.last.replace(day) != Some(day) {
                self.days.insert(day);
            }
        }
    }

    /// The share of the days between the first and the last that are there.
    pub(crate) fn expected(&self) -> f64 {
        let number = |(year, month, day): &(i32, u8, u8)| {
            f64::from(*year) * 365.25 + f64::from(*month) * 30.44 + f64::from(*day)
        };
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for day in &self.days {
            first = first.min(number(day));
            last = last.max(number(day));
        }
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52 days")]
        let count = self.days.len() as f64 - 1.0;
        // Whoever makes a date up takes one from the same months.
        (count.max(0.2) / (last - first + 1.0).max(60.0)).min(1.0)
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

    /// How likely it is that a place shares so much with the words near a figure.
    pub(crate) fn sharing(&self, here: &[Stem], near: &[Stem]) -> f64 {
        let mut shares: Vec<f64> = here
            .iter()
            .filter(|stem| near.binary_search(stem).is_ok())
            .map(|stem| (f64::from(self.counts.get(stem).copied().unwrap_or(1)) / self.places).min(1.0))
            .collect();
        shares.sort_by(f64::total_cmp);
        shares.iter().take(MOST_SHARED).product()
    }
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
    here.iter().map(move |found| {
        let sharing = frequencies.sharing(stems, &wanted.near[found.figure]);
        let is_words = matches!(wanted.figures[found.figure].reads, Kind::Words(_));
        let chance = if is_words { 0.01 } else { found.expected * found.doubt };
        (found.figure, chance * sharing * agreement(wanted, here, found))
    })
}
