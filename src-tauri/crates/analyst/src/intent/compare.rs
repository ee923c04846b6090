//! Groups compared: averages, spread, whether the difference is more than chance.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "compare",
    does: "groups compared: averages, spread, whether the difference is more than chance",
    cues: &[
        ("compare", 4),
        ("compared", 4),
        ("comparing", 4),
        ("comparison*", 4),
        ("differ*", 4),
        ("versus", 3),
        ("vs", 3),
        ("against", 2),
        ("between groups", 4),
        ("better than", 3),
        ("than", 1),
        ("significan*", 5),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    let grouped = clues.groups > 0 && clues.measures > 0;
    4 * i32::from(grouped)
        + 4 * i32::from(
            clues.alternatives
                && clues
                    .words
                    .iter()
                    .any(|word| matches!(*word, "compare" | "than" | "vs" | "versus" | "difference")),
        )
        + 5 * i32::from(clues.periods > 1)
        - 3 * i32::from(clues.has_top)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/compare/compute.py"), include_str!("../python/compare/chart.py"));
    four_steps(task, "Comparing the groups", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["average revenue by region", "compare North and South"]);
    }
}
