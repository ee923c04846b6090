//! One figure: an average, a total, the highest.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "figure",
    does: "one figure: an average, a total, the highest",
    cues: &[("what is the", 1), ("calculate", 1), ("compute", 1), ("how much", 2), ("add up", 2)],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    let computed = !clues.aggregates.is_empty() && clues.measures > 0;
    5 * i32::from(computed && clues.groups == 0) + 2 * i32::from(clues.measures > 0)
        - 3 * i32::from(clues.has_top)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/figure/compute.py"), include_str!("../python/figure/chart.py"));
    four_steps(task, "Computing it", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "staff", &["average age", "who earns the most?"]);
    }
}
