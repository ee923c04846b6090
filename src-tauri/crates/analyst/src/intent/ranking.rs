//! Top and bottom, shares, concentration.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};
use crate::question::Aggregate;

pub(super) const INTENT: Intent = Intent {
    word: "ranking",
    does: "top and bottom, shares, concentration",
    cues: &[
        ("rank*", 5),
        ("shares", 4),
        ("share of", 4),
        ("concentrat*", 5),
        ("pareto", 6),
        ("leader*", 3),
        ("sorted by", 4),
        ("sort by", 4),
        ("ordered by", 4),
        ("largest", 1),
        ("biggest", 1),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    let extreme = clues.computes(&[Aggregate::Highest, Aggregate::Lowest]);
    let which =
        ["which", "who", "when", "where"].iter().any(|word| clues.says(word)) || clues.aggregates.len() > 1;
    let share = clues.computes(&[Aggregate::Share]);
    8 * i32::from(clues.has_top)
        + 6 * i32::from(extreme && which && clues.groups > 0)
        + 5 * i32::from(share && clues.groups > 0)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/ranking/compute.py"), include_str!("../python/ranking/chart.py"));
    four_steps(task, "Ranking", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["top 10 customers by revenue", "which region has the lowest revenue?"]);
    }
}
