//! Survey answers: scales, multiple choice, free text counted.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};
use crate::question::Aggregate;

pub(super) const INTENT: Intent = Intent {
    word: "survey",
    does: "survey answers: scales, multiple choice, free text counted",
    cues: &[
        ("survey*", 8),
        ("respond*", 5),
        ("respondents", 5),
        ("questionnaire", 8),
        ("answers", 5),
        ("answered", 4),
        ("people say", 6),
        ("opinions", 5),
        ("poll", 4),
    ],
    fits,
    plan,
};

fn fits(clues: &Clues<'_>) -> i32 {
    -4 * i32::from(clues.measures > 0 && !clues.aggregates.is_empty())
        - 6 * i32::from(clues.computes(&[Aggregate::Count, Aggregate::Distinct]) || clues.groups > 0)
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/survey/compute.py"), include_str!("../python/survey/chart.py"));
    four_steps(task, "Counting the answers", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "staff", &["summarise the survey answers"]);
    }
}
