//! Counts and cross tables.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};
use crate::question::Aggregate;

pub(super) const INTENT: Intent = Intent {
    word: "counts",
    does: "counts and cross tables",
    cues: &[
        ("count*", 3),
        ("how many", 4),
        ("how often", 4),
        ("cross*", 5),
        ("crosstab*", 6),
        ("tabulat*", 4),
        ("frequenc*", 4),
        ("breakdown", 3),
        ("number of rows", 4),
        ("by both", 1),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    let no_measure = clues.measures == 0;
    let counted = clues.computes(&[Aggregate::Count]);
    2 * i32::from(no_measure && (counted || clues.has_conditions && clues.aggregates.is_empty()))
        + 14 * i32::from(no_measure && clues.has_conditions && clues.computes(&[Aggregate::Share]))
        + 3 * i32::from(no_measure && clues.groups > 0)
        - 4 * i32::from(clues.measures > 0)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/counts/compute.py"), include_str!("../python/counts/chart.py"));
    four_steps(task, "Counting", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(
            &INTENT,
            "flights",
            &["how many flights were cancelled?", "cross table of airline and origin"],
        );
    }
}
