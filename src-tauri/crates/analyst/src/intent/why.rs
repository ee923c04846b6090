//! Why something rose or fell: the change divided by what the table has.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "why",
    does: "why something rose or fell: the change divided by what the table has",
    cues: &[
        ("why", 9),
        ("reason*", 5),
        ("cause*", 3),
        ("caused", 4),
        ("what drove", 8),
        ("what explains", 7),
        ("account for", 5),
        ("behind the", 4),
    ],
    fits,
    plan,
};

fn fits(_: &Clues<'_>) -> i32 {
    0
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) = (include_str!("../python/why/compute.py"), include_str!("../python/why/chart.py"));
    four_steps(task, "Dividing the change", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["why did revenue drop in May?", "what is the reason for the drop?"]);
    }
}
