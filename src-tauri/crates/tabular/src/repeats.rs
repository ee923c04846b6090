//! Counts rows that stand in the table before, in bounded memory.

use crate::records::Record;
use foldhash::fast;
use foldhash::quality::RandomState;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};

/// Different rows that are remembered; beyond them nothing is said.
const REMEMBERED: usize = 2_000_000;

/// The rows that were seen.
pub(crate) struct Repeats {
    hasher: RandomState,
    /// None once there were too many.
    seen: Option<HashSet<u64, fast::RandomState>>,
    count: u64,
}

impl Repeats {
    pub(crate) fn new() -> Self {
        Self { hasher: RandomState::default(), seen: Some(HashSet::default()), count: 0 }
    }

    pub(crate) fn add(&mut self, record: &Record) {
        let Some(seen) = &mut self.seen else { return };
        let mut hasher = self.hasher.build_hasher();
        for cell in record.cells() {
            hasher.write(cell);
            // A byte that no text has keeps `a,bc` apart from `ab,c`.
            hasher.write_u8(0xFF);
        }
        if !seen.insert(hasher.finish()) {
            self.count += 1;
        } else if seen.len() > REMEMBERED {
            self.seen = None;
        }
    }

    /// Rows that are like an earlier one in every cell; none when there are none, or too many rows to tell.
    pub(crate) fn count(&self) -> Option<u64> {
        self.seen.as_ref().map(|_| self.count).filter(|count| *count > 0)
    }
}
