//! How values are spread, and which lie far from the rest.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "distribution",
    does: "how values are spread, and which lie far from the rest",
    cues: &[
        ("distribut*", 6),
        ("histogram", 6),
        ("spread", 4),
        ("quantile*", 5),
        ("percentile*", 5),
        ("skew*", 5),
        ("range*", 3),
        ("how varied", 4),
        ("varies", 2),
        ("vary", 2),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    i32::from(
        clues.measures == 1 && clues.groups == 0 && clues.aggregates.is_empty() && !clues.has_conditions,
    )
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/distribution/compute.py"), include_str!("../python/distribution/chart.py"));
    four_steps(task, "Looking at how the values are spread", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "cars", &["distribution of weight", "how is horsepower spread?"]);
    }
}
