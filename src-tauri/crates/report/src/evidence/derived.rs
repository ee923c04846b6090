//! Figures that follow from others by arithmetic that a reader does in the head.

mod known;

use std::cell::LazyCell;

use super::Verdict;
use crate::document::Document;
use crate::figures::{Figure, Kind, Span, Unit, Written};
use known::{Known, Part, Reach};

/// A derivation counts when fewer than so many of its like are to be expected by chance.
const MOST_BY_CHANCE: f64 = 0.25;
/// So few numbers are combined whatever their places are.
const FEW: usize = 4;
/// So many of the largest counts may be what a share is a share of, where the sentence says of what.
const FEW_WHOLES: usize = 3;

/// Settles figures that were not found but follow from those that were. `wholes` are counts that a share can be
/// a share of, with what they count; `asked` are the numbers of the request.
pub(super) fn complete(
    document: &Document,
    wholes: &[(String, f64)],
    asked: &[f64],
    mut verdicts: Vec<Verdict>,
) -> Vec<Verdict> {
    let figures = &document.figures;
    // What was derived may be used once more, such as a difference and then its percentage.
    for _ in 0..2 {
        let known = Known::new(figures, &verdicts);
        for (index, figure) in figures.iter().enumerate() {
            let Kind::Number(written) = &figure.reads else { continue };
            if known.parts[index].is_some() {
                continue;
            }
            let parts = |reach| known.within(reach, index);
            let result = Wanted::new(figure, written);
            let found = if figure.context.cell.is_some() {
                result.derive(&parts(Reach::Row)).or_else(|| result.sum(&parts(Reach::Column)))
            } else {
                let named = LazyCell::new(|| known.named(figure));
                let (all, few) = (&known.largest, &known.largest[..known.largest.len().min(FEW_WHOLES)]);
                result
                    .derive(&parts(Reach::Beside))
                    .or_else(|| result.derive(&parts(Reach::Sentence)))
                    .or_else(|| result.derive(&parts(Reach::LastTwo)))
                    .or_else(|| named.iter().find_map(|cells| result.derive(cells)))
                    .or_else(|| result.of_a_column(&named, &known))
                    .or_else(|| result.of_a_whole(&parts(Reach::Sentence), few, wholes))
                    .or_else(|| result.of_a_whole(&parts(Reach::LastTwo), all, wholes))
                    .or_else(|| result.of_a_whole(&named.concat(), all, wholes))
                    .or_else(|| result.beside_the_request(&parts(Reach::LastTwo), asked))
                    .or_else(|| result.derive(&parts(Reach::Block)))
                    .or_else(|| result.derive(&parts(Reach::Near)))
            };
            if let Some(verdict) = found {
                verdicts[index] = verdict;
            }
        }
    }
    verdicts
}

/// A figure that may follow from others.
struct Wanted<'a> {
    unit: Unit,
    written: &'a Written,
    /// Whether a word announces a sum or a difference.
    announced: bool,
}

/// Words that announce a sum or a difference.
const SUMS: &str = " together combined total overall altogether both sum zusammen insgesamt ";
const DIFFERENCES: &str = " more less fewer higher lower above below difference points gain gained lost loss rose fell up down \
    over under remaining left rest distance mehr weniger höher tiefer ";
/// How much such a word takes off the number of tries.
const ANNOUNCED: f64 = 0.3;

impl<'a> Wanted<'a> {
    fn new(figure: &Figure, written: &'a Written) -> Self {
        let announced = figure.context.near.split(|c: char| !c.is_alphabetic()).any(|word| {
            let word = format!(" {} ", word.to_lowercase());
            SUMS.contains(&word) || DIFFERENCES.contains(&word)
        });
        Self { unit: figure.context.unit, written, announced }
    }

    fn holds(&self, result: f64) -> bool {
        let mut readings = self.written.readings.iter();
        result.is_finite()
            && readings.any(|reading| Span::around(reading.value.abs(), reading.place).holds(result.abs()))
    }

    /// Whether so many tries would hardly hit by chance, were their results spread over a few sizes.
    fn is_telling(&self, tries: usize) -> bool {
        let reading = self.written.readings[0];
        #[allow(clippy::cast_precision_loss, reason = "a few thousand at most")]
        let tries = tries as f64 * if self.announced { ANNOUNCED } else { 1.0 };
        tries * (reading.place / reading.value.abs().max(reading.place)) / 3.0 <= MOST_BY_CHANCE
    }

    fn derive(&self, parts: &[Part<'_>]) -> Option<Verdict> {
        let derived = |how: String, from: &[&Part<'_>]| {
            Some(Verdict::Derived { how, from: from.iter().map(|part| part.index).collect() })
        };
        let same: Vec<&Part> = parts.iter().filter(|part| part.is_of(self.unit)).collect();
        if self.unit == Unit::Percent
            && self.is_telling(same.len())
            && let Some(part) = same.iter().find(|part| part.value > 0.0 && self.holds(100.0 - part.value))
        {
            return derived(format!("100 − {}", part.text), &[part]);
        }
        if let Some(sum) = self.sum(parts) {
            return Some(sum);
        }
        let place = self.written.readings[0].place;
        let fits = |part: &Part| match self.unit {
            // Amounts are told in millions and in full.
            Unit::Money => part.place <= place * 10.5,
            _ => {
                (part.place / place - 1.0).abs() < 0.01 || (parts.len() <= FEW && part.place <= place * 10.5)
            }
        };
        let terms: Vec<&Part> = same.into_iter().filter(|part| fits(part)).collect();
        if self.is_telling(terms.len() * terms.len()) {
            for (one, two) in pairs(&terms) {
                if self.holds(one.value - two.value) {
                    let (large, small) = if one.value > two.value { (one, two) } else { (two, one) };
                    return derived(format!("{} − {}", large.text, small.text), &[large, small]);
                }
                if self.holds(one.value + two.value) {
                    return derived(format!("{} + {}", one.text, two.text), &[one, two]);
                }
            }
        }
        let sized: Vec<&Part> = parts
            .iter()
            .filter(|part| part.value > 0.0 && !part.is_year && part.unit != Unit::Percent)
            .collect();
        let ways = if self.unit == Unit::Percent { 3 } else { 1 };
        let of_one_unit = |one: &Part, two: &Part| {
            one.unit == two.unit
                && (parts.len() <= FEW
                    || one.unit == Unit::Money
                    || (one.place / two.place - 1.0).abs() < 0.01)
        };
        let tries = pairs(&sized).filter(|(one, two)| of_one_unit(one, two)).count();
        if self.is_telling(tries * ways) {
            for (one, two) in pairs(&sized).filter(|(one, two)| of_one_unit(one, two)) {
                let (small, large) = if one.value < two.value { (one, two) } else { (two, one) };
                if self.unit == Unit::Percent {
                    if self.holds(small.value / large.value * 100.0) {
                        return derived(format!("{} ÷ {}", small.text, large.text), &[small, large]);
                    }
                    if self.holds((large.value - small.value) / small.value * 100.0) {
                        return derived(format!("from {} to {}", small.text, large.text), &[small, large]);
                    }
                    if self.holds((large.value - small.value) / large.value * 100.0) {
                        return derived(format!("from {} to {}", large.text, small.text), &[large, small]);
                    }
                } else if self.unit == Unit::Other
                    && !self.written.signed
                    && self.holds(large.value / small.value)
                {
                    return derived(format!("{} ÷ {}", large.text, small.text), &[large, small]);
                }
            }
        }
        None
    }

    /// How far a figure of the sentence is from a number of the request.
    fn beside_the_request(&self, parts: &[Part<'_>], asked: &[f64]) -> Option<Verdict> {
        let terms: Vec<&Part> = parts.iter().filter(|part| part.is_of(self.unit)).collect();
        if !self.is_telling(terms.len() * asked.len()) {
            return None;
        }
        terms.into_iter().find_map(|part| {
            let given = asked.iter().find(|given| **given != 0.0 && self.holds(part.value - **given))?;
            Some(Verdict::Derived {
                how: format!("{} − {given}, which was asked for", part.text),
                from: vec![part.index],
            })
        })
    }

    /// The sum of all that stands in the same row, column or sentence.
    fn sum(&self, parts: &[Part<'_>]) -> Option<Verdict> {
        let same: Vec<&Part> = parts.iter().filter(|part| part.is_of(self.unit)).collect();
        let sum: f64 = same.iter().map(|part| part.value).sum();
        // What is summed up before it is rounded differs in the last place.
        let rounding: f64 = same.iter().map(|part| part.place).fold(0.0, f64::max);
        let holds = self.holds(sum) || self.holds(sum - rounding) || self.holds(sum + rounding);
        (same.len() > 2 && self.is_telling(3) && holds).then(|| Verdict::Derived {
            how: format!("the sum of {} figures", same.len()),
            from: same.iter().map(|part| part.index).collect(),
        })
    }

    /// What a named cell is of its whole column.
    fn of_a_column(&self, named: &[Vec<Part<'_>>], known: &Known<'_>) -> Option<Verdict> {
        let cells: Vec<&Part> =
            named.iter().flatten().filter(|cell| cell.unit != Unit::Percent && cell.value > 0.0).collect();
        if self.unit != Unit::Percent || !self.is_telling(cells.len()) {
            return None;
        }
        cells.into_iter().find_map(|cell| {
            let column =
                |part: &&Part| Reach::Column.holds(&known.figures[cell.index], &known.figures[part.index]);
            let parts: Vec<&Part> =
                known.parts.iter().flatten().filter(column).filter(|part| !part.is_year).collect();
            let sum: f64 = parts.iter().map(|part| part.value).sum();
            self.holds(cell.value / sum * 100.0).then(|| Verdict::Derived {
                how: format!("{} ÷ the sum of its column", cell.text),
                from: parts.iter().map(|part| part.index).collect(),
            })
        })
    }

    /// A share of one of the counts that the whole report is about, or what is left of it.
    fn of_a_whole(
        &self,
        parts: &[Part<'_>],
        largest: &[Part<'_>],
        wholes: &[(String, f64)],
    ) -> Option<Verdict> {
        let counts: Vec<&Part> = parts
            .iter()
            .filter(|part| part.unit == Unit::Other && part.value > 0.0 && !part.is_year)
            .collect();
        if self.unit == Unit::Money || !self.is_telling(counts.len() * (largest.len() + wholes.len())) {
            return None;
        }
        let fits = |part: &Part, whole: f64| {
            self.holds(if self.unit == Unit::Percent {
                part.value / whole * 100.0
            } else {
                whole - part.value
            })
        };
        let how = |part: &Part, whole: &str| {
            if self.unit == Unit::Percent {
                format!("{} ÷ {whole}", part.text)
            } else {
                format!("{whole} − {}", part.text)
            }
        };
        for part in counts {
            if let Some(whole) = largest.iter().find(|whole| fits(part, whole.value)) {
                let from = vec![part.index, whole.index];
                return Some(Verdict::Derived { how: how(part, whole.text), from });
            }
            if let Some((what, _)) = wholes.iter().find(|(_, whole)| fits(part, *whole)) {
                return Some(Verdict::Derived { how: how(part, what), from: vec![part.index] });
            }
        }
        None
    }
}

/// All pairs.
fn pairs<'p, 'a>(parts: &'p [&'p Part<'a>]) -> impl Iterator<Item = (&'p Part<'a>, &'p Part<'a>)> {
    parts.iter().enumerate().flat_map(move |(at, one)| parts[at + 1..].iter().map(move |two| (*one, *two)))
}
