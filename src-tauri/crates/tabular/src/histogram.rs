//! Counts numbers in bins of equal width whose range need not be known beforehand.
//!
//! The width is a power of two and the borders are multiples of it, so a bin twice as wide is always two
//! bins together: when the range grows, or when two histograms become one, nothing has to be guessed.

/// Bars of a histogram as it is shown.
pub(crate) const BARS: usize = 24;

/// As many, to reckon with.
const MOST_BARS: f64 = 24.0;

/// Bins that are kept.
const BINS: usize = 512;

/// How often numbers lie where.
#[derive(Debug, Clone, Default)]
pub(crate) struct Histogram {
    /// The only number so far, with its count, before there is a range.
    lone: Option<(f64, u32)>,
    width: f64,
    /// The bin `i` reaches from `(first + i) * width` to the next border.
    first: i64,
    bins: Vec<u32>,
}

impl Histogram {
    pub(crate) fn add(&mut self, number: f64) {
        self.add_many(number, 1);
    }

    /// Both together.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let (mut merged, added) =
            if self.width >= other.width { (self.clone(), other) } else { (other.clone(), self) };
        if let Some((number, count)) = added.lone {
            merged.add_many(number, count);
        }
        for (bin, count) in added.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
            // The middle of a finer bin lies within the wider bin that holds all of it.
            merged.add_many((as_float(added.first + index(bin)) + 0.5) * added.width, *count);
        }
        merged
    }

    /// Heights of at most [`BARS`] bars from the smallest number to the largest. With a `step`, of
    /// which the numbers are multiples counted from the smallest, every bar reaches over as many multiples.
    pub(crate) fn bars(&self, smallest: f64, largest: f64, step: Option<f64>) -> Vec<u32> {
        if let Some((_, count)) = self.lone {
            return vec![count];
        }
        let range = largest - smallest;
        if self.bins.is_empty() || !range.is_finite() || range <= 0.0 {
            return vec![self.bins.iter().fold(0, |sum: u32, count| sum.saturating_add(*count))];
        }
        let bars = match step {
            Some(step) => Bars::of_steps(smallest, range, step),
            None => Bars { smallest, width: range / MOST_BARS, number: MOST_BARS },
        };
        let mut heights = vec![0.0; as_index(bars.number)];
        for (bin, count) in self.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
            let low = as_float(self.first + index(bin)) * self.width;
            // A bin no wider than a step holds the numbers of the one multiple in it.
            let lone_multiple = step.filter(|step| self.width <= *step);
            match lone_multiple.map(|step| ((low - smallest) / step).ceil() * step + smallest) {
                Some(number) => heights[bars.at(number + bars.width / 1e6)] += f64::from(*count),
                None => bars.share(low, low + self.width, *count, &mut heights),
            }
        }
        rounded(&heights)
    }

    fn add_many(&mut self, number: f64, count: u32) {
        if !number.is_finite() {
            return;
        }
        if self.bins.is_empty() {
            match &mut self.lone {
                None => {
                    self.lone = Some((number, count));
                    return;
                }
                #[allow(clippy::float_cmp, reason = "only the very same number needs no range")]
                Some((lone, lone_count)) if *lone == number => {
                    *lone_count = lone_count.saturating_add(count);
                    return;
                }
                Some((lone, lone_count)) => {
                    let (lone, lone_count) = (*lone, *lone_count);
                    self.begin(lone, number);
                    self.add_to_bin(lone, lone_count);
                }
            }
        }
        self.add_to_bin(number, count);
    }

    /// Makes bins wide enough for two numbers.
    fn begin(&mut self, one: f64, other: f64) {
        self.lone = None;
        let wanted = (one / 2.0 - other / 2.0).abs() / as_float(index(BINS / 4));
        self.width = wanted.log2().ceil().exp2().max(f64::MIN_POSITIVE);
        self.first = self.bin_of(one);
        self.bins.push(0);
    }

    fn bin_of(&self, number: f64) -> i64 {
        #[allow(clippy::cast_possible_truncation, reason = "numbers far outside saturate, then bins widen")]
        let bin = (number / self.width).floor() as i64;
        bin
    }

    fn add_to_bin(&mut self, number: f64, count: u32) {
        let mut bin = self.bin_of(number);
        loop {
            let end = self.first.saturating_add(index(self.bins.len()));
            let needed = bin.saturating_add(1).max(end).saturating_sub(bin.min(self.first));
            if needed <= index(BINS) {
                break;
            }
            self.widen();
            bin = self.bin_of(number);
        }
        if bin < self.first {
            let more = usize::try_from(self.first - bin).unwrap_or(0);
            self.bins.splice(0..0, std::iter::repeat_n(0, more));
            self.first = bin;
        }
        let place = usize::try_from(bin - self.first).unwrap_or(0);
        if place >= self.bins.len() {
            self.bins.resize(place + 1, 0);
        }
        self.bins[place] = self.bins[place].saturating_add(count);
    }

    /// Makes every bin twice as wide.
    fn widen(&mut self) {
        let first = self.first.div_euclid(2);
        let shift = usize::from(self.first.rem_euclid(2) == 1);
        let mut wider = vec![0_u32; (self.bins.len() + shift).div_ceil(2)];
        for (bin, count) in self.bins.iter().enumerate() {
            let place = &mut wider[(bin + shift) >> 1];
            *place = place.saturating_add(*count);
        }
        self.width *= 2.0;
        self.first = first;
        self.bins = wider;
    }
}

/// Where the bars stand.
struct Bars {
    smallest: f64,
    width: f64,
    number: f64,
}

impl Bars {
    /// Bars over as many multiples of the step each.
    fn of_steps(smallest: f64, range: f64, step: f64) -> Self {
        let multiples = (range / step).round() + 1.0;
        let in_each = (multiples / MOST_BARS).ceil();
        Self { smallest, width: in_each * step, number: (multiples / in_each).ceil() }
    }

    /// The bar that holds the number.
    fn at(&self, number: f64) -> usize {
        as_index(((number - self.smallest) / self.width).floor().min(self.number - 1.0))
    }

    /// Shares the count of a bin among the bars that it reaches over.
    fn share(&self, low: f64, high: f64, count: u32, heights: &mut [f64]) {
        let low = low.max(self.smallest);
        let high = high.min(self.smallest + self.width * self.number).max(low);
        let (first, last) = (self.at(low), self.at(high));
        if first == last {
            heights[first] += f64::from(count);
            return;
        }
        for (bar, height) in heights.iter_mut().enumerate().take(last + 1).skip(first) {
            let start = self.smallest + as_float(index(bar)) * self.width;
            let shared = high.min(start + self.width) - low.max(start);
            *height += f64::from(count) * (shared / (high - low)).max(0.0);
        }
    }
}

/// The heights as whole numbers, with the same sum.
fn rounded(heights: &[f64]) -> Vec<u32> {
    let mut sum = 0.0;
    heights
        .iter()
        .map(|height| {
            let before = f64::round(sum);
            sum += height;
            as_count(sum.round() - before)
        })
        .collect()
}

fn index(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

#[allow(clippy::cast_precision_loss, reason = "the borders of bins are exact up to 2^53")]
fn as_float(number: i64) -> f64 {
    number as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bars are few and not negative")]
fn as_index(number: f64) -> usize {
    number.max(0.0) as usize
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "heights saturate")]
fn as_count(height: f64) -> u32 {
    height.max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::Histogram;

    fn filled(numbers: impl IntoIterator<Item = f64>) -> Histogram {
        let mut histogram = Histogram::default();
        for number in numbers {
            histogram.add(number);
        }
        histogram
    }

    #[test]
    fn whole_numbers_have_a_bar_each_or_share_it_alike() {
        assert_eq!(filled([3.0, 1.0, 3.0, 5.0]).bars(1.0, 5.0, Some(1.0)), [1, 0, 2, 0, 1]);
        let even = filled((0..48).map(f64::from)).bars(0.0, 47.0, Some(1.0));
        assert_eq!(even, [2; 24]);
        assert_eq!(filled((0..30).map(f64::from)).bars(0.0, 29.0, Some(1.0)), [2; 15]);
    }

    #[test]
    fn one_number_is_one_bar() {
        assert_eq!(filled([7.5; 9]).bars(7.5, 7.5, None), [9]);
        assert_eq!(Histogram::default().bars(0.0, 0.0, None), [0]);
    }

    #[test]
    fn the_range_may_grow_in_any_order() {
        let numbers = || (0..24_000).map(|number| f64::from(number) / 1000.0);
        for histogram in [filled(numbers()), filled(numbers().rev())] {
            let bars = histogram.bars(0.0, 23.999, None);
            assert_eq!(bars.len(), 24);
            assert!(bars.iter().all(|height| height.abs_diff(1000) < 60), "{bars:?}");
        }
        let extremes = filled([1e-300, -1e308, 1e308, 0.0, 5.0]).bars(-1e308, 1e308, None);
        assert_eq!(extremes.iter().sum::<u32>(), 5);
    }

    #[test]
    fn merging_is_as_if_counted_together() {
        let (left, right) = (filled((0..100).map(f64::from)), filled((100..3000).map(f64::from)));
        let both = left.merged(&right).bars(0.0, 2999.0, Some(1.0));
        assert_eq!(both, right.merged(&left).bars(0.0, 2999.0, Some(1.0)));
        assert_eq!(both.len(), 24);
        assert!(both.iter().all(|height| height.abs_diff(125) < 12), "{both:?}");
        let lone = filled([4.0]).merged(&filled([4.0, 6.0]));
        assert_eq!(lone.bars(4.0, 6.0, Some(1.0)), [2, 0, 1]);
    }
}
