//! Counts different values in bounded memory.

use foldhash::fast;
use foldhash::quality::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// Different values of one column that are counted.
pub(crate) const COUNTED: usize = 10_000;

/// Different values whose frequency is kept.
const FREQUENCIES: usize = 256;

/// Longest value whose frequency is kept, in bytes.
const LONGEST: usize = 240;

/// The different values of one column.
pub(crate) struct Distinct {
    limit: usize,
    hasher: RandomState,
    seen: Seen,
    /// The last value that was added, because neighbours are often alike.
    last: Option<u64>,
}

enum Seen {
    Values(HashMap<u64, (Box<[u8]>, u64), fast::RandomState>),
    Hashes(HashSet<u64, fast::RandomState>),
    TooMany,
}

impl Distinct {
    /// Counts up to `limit` values.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, hasher: RandomState::default(), seen: Seen::Values(HashMap::default()), last: None }
    }

    pub(crate) fn add(&mut self, value: &[u8]) {
        if matches!(self.seen, Seen::TooMany) {
            return;
        }
        let hash = self.hasher.hash_one(value);
        match &mut self.seen {
            Seen::Values(values) => {
                if let Some((_, count)) = values.get_mut(&hash) {
                    *count += 1;
                } else if values.len() < FREQUENCIES && value.len() <= LONGEST {
                    values.insert(hash, (value.into(), 1));
                } else {
                    let hashes = values.keys().copied().chain([hash]).collect();
                    self.seen = Seen::Hashes(hashes);
                }
            }
            Seen::Hashes(hashes) => {
                if self.last != Some(hash) {
                    hashes.insert(hash);
                    if hashes.len() > self.limit {
                        self.seen = Seen::TooMany;
                    }
                }
            }
            Seen::TooMany => {}
        }
        self.last = Some(hash);
    }

    /// Number of different values; none beyond the limit.
    pub(crate) fn count(&self) -> Option<u64> {
        match &self.seen {
            Seen::Values(values) => Some(values.len() as u64),
            Seen::Hashes(hashes) => Some(hashes.len() as u64),
            Seen::TooMany => None,
        }
    }

    /// The most frequent values with their counts, when all frequencies are known.
    pub(crate) fn most_frequent(&self, number: usize) -> Vec<(String, u64)> {
        let Seen::Values(values) = &self.seen else { return Vec::new() };
        let mut counts: Vec<(String, u64)> = values
            .values()
            .map(|(value, count)| (String::from_utf8_lossy(value).into_owned(), *count))
            .collect();
        counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        counts.truncate(number);
        counts
    }

    /// Whether the frequency of every value is known.
    pub(crate) fn is_few(&self) -> bool {
        matches!(self.seen, Seen::Values(_))
    }
}
