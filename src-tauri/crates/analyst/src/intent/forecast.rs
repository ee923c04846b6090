//! A forecast with its likely error, checked on held-back data.

use super::{Clues, Intent};
use crate::plan::{Plan, Task, four_steps};

pub(super) const INTENT: Intent = Intent {
    word: "forecast",
    does: "a forecast with its likely error, checked on held-back data",
    cues: &[
        ("forecast*", 8),
        ("predict*", 7),
        ("project*", 4),
        ("next month", 6),
        ("next week", 6),
        ("next year", 6),
        ("next quarter", 6),
        ("extrapolat*", 6),
        ("expect next", 6),
        ("will be", 4),
        ("in the future", 5),
        ("outlook", 5),
    ],
    fits,
    plan,
};

fn fits(_: &Clues<'_>) -> i32 {
    0
}

fn plan(task: &Task<'_>) -> Plan {
    let (compute, chart) =
        (include_str!("../python/forecast/compute.py"), include_str!("../python/forecast/chart.py"));
    four_steps(task, "Forecasting and checking the forecast", compute, chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "sales", &["forecast revenue", "predict next month's sales"]);
    }
}
