//! Duplicates, gaps, contradictions and other faults in the data.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};
use crate::question::Aggregate;

pub(super) const INTENT: Intent = Intent {
    word: "quality",
    does: "duplicates, gaps, contradictions and other faults in the data",
    cues: &[
        ("quality", 7),
        ("duplicate*", 7),
        ("repeated rows", 7),
        ("clean", 5),
        ("complete*", 4),
        ("inconsisten*", 6),
        ("contradict*", 7),
        ("gaps", 5),
        ("missing values", 6),
        ("missing data", 6),
        ("errors", 5),
        ("valid*", 4),
        ("trust*", 4),
        ("problems with", 5),
        ("wrong with", 6),
        ("data check", 6),
        ("check the data", 7),
        ("usable", 4),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    4 * i32::from(clues.computes(&[Aggregate::Missing]) && clues.measures == 0 && clues.groups == 0)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/quality/compute.py"), include_str!("../python/quality/chart.py"));
    four_steps(task, "Checking the data", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "staff", &["are there duplicates?", "check the data quality"]);
    }
}
