//! What goes together: correlation and regression, with the warning about cause.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "relation",
    does: "what goes together: correlation and regression, with the warning about cause",
    cues: &[
        ("correlat*", 8),
        ("relat*", 6),
        ("link", 6),
        ("linked", 6),
        ("connect*", 4),
        ("associat*", 6),
        ("depend*", 9),
        ("affect*", 9),
        ("influenc*", 9),
        ("impact*", 9),
        ("drives", 9),
        ("drive", 9),
        ("driven", 7),
        ("explain*", 3),
        ("go together", 7),
        ("goes together", 7),
        ("effect of", 9),
        ("regress*", 8),
        ("scatter*", 6),
        ("predictor*", 5),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    6 * i32::from(
        clues.measures == 2 && clues.aggregates.is_empty() && clues.groups == 0 && clues.periods == 0,
    )
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/relation/compute.py"), include_str!("../python/relation/chart.py"));
    four_steps(task, "Seeing what goes together", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "cars", &["is weight related to fuel economy?", "what affects fuel economy?"]);
    }
}
