//! Numbers with something around them, and spans of time.

use super::Tally;
use super::numbers::Numbers;
use super::strays::Strays;
use crate::dress::{Dressed, Mark};

/// Currencies of one column that are told apart.
const CURRENCIES: usize = 8;

/// What a column has besides plain numbers.
#[derive(Debug, Default)]
pub(super) struct Amounts {
    pub(super) numbers: Numbers,
    /// Cells that are neither plain numbers nor amounts.
    pub(super) others: Strays,
    currencies: Vec<(&'static str, u64)>,
    percents: u64,
}

/// The spans of time of a column.
#[derive(Debug, Default)]
pub(super) struct Spans {
    pub(super) count: u64,
    pub(super) clocks: u64,
    pub(super) others: Strays,
    pub(super) least: i64,
    pub(super) most: i64,
    pub(super) sum: f64,
}

impl Amounts {
    pub(super) fn add(&mut self, dressed: &Dressed) {
        self.numbers.add(&dressed.number);
        let room = self.currencies.len() < CURRENCIES;
        match dressed.mark {
            Mark::Percent => self.percents += 1,
            Mark::Plain => {}
            Mark::Currency(sign) => match self.currencies.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, count)) => *count += 1,
                None if room => self.currencies.push((sign, 1)),
                None => {}
            },
        }
    }

    /// Whether the marks agree, beside so many plain numbers: one currency at most, and percent signs at all
    /// values or at none.
    fn agree(&self, plain: u64) -> bool {
        match (self.currencies.len(), self.percents) {
            (0 | 1, 0) => true,
            (0, percents) => percents == self.numbers.count() && plain == 0,
            _ => false,
        }
    }

    /// The unit that the marks give to the column.
    fn unit(&self) -> Option<&'static str> {
        let percent = (self.percents > 0).then_some("%");
        self.currencies.first().map(|(sign, _)| *sign).or(percent)
    }

    /// The currencies, for a sentence about a column that mixes them.
    pub(super) fn marks(&self) -> Vec<String> {
        let percent = (self.percents > 0).then_some("%");
        self.currencies.iter().map(|(sign, _)| *sign).chain(percent).map(str::to_owned).collect()
    }
}

impl Spans {
    #[allow(clippy::cast_precision_loss, reason = "the mean is shown, not computed with")]
    pub(super) fn add(&mut self, span: crate::duration::Span) {
        (self.least, self.most) = match self.count {
            0 => (span.thousandths, span.thousandths),
            _ => (self.least.min(span.thousandths), self.most.max(span.thousandths)),
        };
        self.count += 1;
        self.clocks += u64::from(span.is_clock);
        self.sum += span.thousandths as f64 / 1000.0;
    }
}

impl Tally {
    /// Takes in a cell that is no plain number.
    pub(super) fn add_amount(&mut self, cell: &[u8], row: u64) {
        match crate::dress::scan(cell) {
            Some(dressed) => {
                let others = &self.not_numbers;
                let amounts = self.amounts.get_or_insert_with(|| {
                    Box::new(Amounts { others: others.clone(), ..Amounts::default() })
                });
                amounts.add(&dressed);
            }
            None => {
                if let Some(amounts) = &mut self.amounts {
                    amounts.others.add(cell, row);
                }
            }
        }
        match crate::duration::scan(cell) {
            Some(span) => {
                let others = &self.not_numbers;
                self.spans
                    .get_or_insert_with(|| Box::new(Spans { others: others.clone(), ..Spans::default() }))
                    .add(span);
            }
            None => {
                if let Some(spans) = &mut self.spans {
                    spans.others.add(cell, row);
                }
            }
        }
    }

    /// The numbers of the column with those that have something around them, and the cells that are
    /// neither; none where nothing has anything around it or the marks disagree.
    pub(super) fn with_amounts(&self) -> Option<(Numbers, &Strays, Option<&'static str>)> {
        let amounts = self.amounts.as_ref().filter(|_| self.numbers.zero_padded() == 0)?;
        if !amounts.agree(self.numbers.count()) {
            return None;
        }
        let unit = amounts.unit();
        let numbers = self.numbers.merged(&amounts.numbers);
        amounts.others.tolerable(numbers.count()).then_some((numbers, &amounts.others, unit))
    }

    /// The spans of time, where the column is of them; times of day alone are none.
    pub(super) fn mostly_spans(&self) -> Option<&Spans> {
        let spans = self.spans.as_ref()?;
        (spans.clocks < spans.count && spans.others.tolerable(spans.count) && self.numbers.count() == 0)
            .then_some(&**spans)
    }
}
