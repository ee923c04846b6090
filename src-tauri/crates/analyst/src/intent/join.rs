//! Two files joined on the columns that fit, and what did not match.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "join",
    does: "two files joined on the columns that fit, and what did not match",
    cues: &[
        ("join", 7),
        ("joined", 6),
        ("merge*", 7),
        ("combine", 6),
        ("combined", 4),
        ("link the", 4),
        ("match up", 6),
        ("match the", 5),
        ("put together", 5),
        ("lookup", 5),
        ("look up", 4),
    ],
    fits,
    plan,
};

fn fits(_: &Clues<'_>) -> i32 {
    0
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/join/compute.py"), include_str!("../python/join/chart.py"));
    let mut plan = four_steps(task, "Finding the columns that fit and joining", compute, chart);
    let first = &mut plan.steps[0].code;
    *first = format!("{first}\n{}", super::other_tables(task));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["join the two files", "merge both tables on the customer"]);
    }
}
