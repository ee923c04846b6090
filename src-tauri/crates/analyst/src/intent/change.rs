//! Change over time: trend, season, steps, year on year.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "change",
    does: "change over time: trend, season, steps, year on year",
    cues: &[
        ("trend*", 5),
        ("up or down", 6),
        ("drop*", 3),
        ("pattern*", 3),
        ("over time", 4),
        ("time", 2),
        ("over time", 6),
        ("over the years", 6),
        ("change", 3),
        ("changed", 4),
        ("changes", 3),
        ("evol*", 4),
        ("develop*", 3),
        ("grow*", 4),
        ("grew", 4),
        ("increas*", 3),
        ("decreas*", 3),
        ("declin*", 3),
        ("rise", 3),
        ("rising", 4),
        ("rose", 4),
        ("fall", 2),
        ("falling", 4),
        ("fell", 4),
        ("season*", 4),
        ("year on year", 6),
        ("year over year", 6),
        ("progress*", 3),
        ("histor*", 2),
        ("yoy", 6),
        ("step", 2),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    if !clues.has_time {
        return -2;
    }
    7 * i32::from(clues.over_time) - 4 * i32::from(clues.has_top)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/change/compute.py"), include_str!("../python/change/chart.py"));
    four_steps(task, "Following it over time", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["how did revenue change over time?", "revenue per month"]);
    }
}
