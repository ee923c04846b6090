//! Two versions of a table: rows added, removed and changed.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "versions",
    does: "two versions of a table: rows added, removed and changed",
    cues: &[
        ("versions", 8),
        ("version", 6),
        ("two files", 5),
        ("both files", 5),
        ("what changed between", 8),
        ("files differ", 7),
        ("two tables", 4),
        ("the files", 3),
        ("old and new", 7),
        ("old and the new", 7),
        ("diff", 7),
        ("added or removed", 7),
    ],
    fits,
    plan,
};

fn fits(_: &Clues<'_>) -> i32 {
    0
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/versions/compute.py"), include_str!("../python/versions/chart.py"));
    let mut plan = four_steps(task, "Comparing the two versions", compute, chart);
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
        all_are(&INTENT, "sales", &["what changed between the two versions?", "compare the two files"]);
    }
}
