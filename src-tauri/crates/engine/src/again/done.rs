//! How far a run is that does an earlier one again, as its journal tells.

use assay_agent::Event;
use assay_sandbox::StepOutcome;

/// Stands in a call's id behind that of the step which it mends.
pub(super) const AS_MENDED: &str = "-mended";
/// Stands in a call's id before a number, where the same is asked for more than once.
const ONCE_MORE: char = '~';

/// A call that was made.
pub(super) struct Done<'a> {
    pub(super) call: &'a str,
    pub(super) step: u32,
    pub(super) turn: u32,
    pub(super) title: &'a str,
    /// Whether it worked, once it has ended.
    pub(super) ok: Option<bool>,
    pub(super) outcome: Option<&'a StepOutcome>,
}

impl<'a> Done<'a> {
    /// Whether it is an attempt at the step with this id.
    pub(super) fn is_of(&self, id: &str) -> bool {
        base(self.call) == id || self.mends() == Some(id)
    }

    /// The id of the step that it mends.
    pub(super) fn mends(&self) -> Option<&'a str> {
        base(self.call).strip_suffix(AS_MENDED)
    }
}

/// The calls of a run, in order.
pub(super) fn done(events: &[Event]) -> Vec<Done<'_>> {
    let mut all: Vec<Done<'_>> = Vec::new();
    for event in events {
        match event {
            Event::StepStarted { step, turn, call, title, .. } => {
                all.push(Done { call, step: *step, turn: *turn, title, ok: None, outcome: None });
            }
            Event::StepEnded { step, ok, outcome, .. } => {
                if let Some(last) = all.iter_mut().rfind(|done| done.step == *step) {
                    last.ok = Some(*ok);
                    last.outcome = outcome.as_deref();
                }
            }
            _ => {}
        }
    }
    all
}

/// The id of a call without what tells it from an earlier one.
fn base(id: &str) -> &str {
    id.split(ONCE_MORE).next().unwrap_or(id)
}

/// An id that no call of the run has yet.
pub(super) fn fresh(id: &str, done: &[Done<'_>]) -> String {
    match done.iter().filter(|done| base(done.call) == id).count() {
        0 => id.to_owned(),
        before => format!("{id}{ONCE_MORE}{}", before + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_apart_and_belong_to_their_step() {
        let call =
            |call: &'static str| Done { call, step: 1, turn: 1, title: "", ok: Some(true), outcome: None };
        let all = [call("again-7"), call("again-7-mended"), call("again-7-mended~2"), call("again-71")];
        assert_eq!(all.iter().filter(|done| done.is_of("again-7")).count(), 3);
        assert_eq!(all[2].mends(), Some("again-7"));
        assert_eq!(fresh("again-7-mended", &all), "again-7-mended~3");
        assert_eq!(fresh("again-8", &all), "again-8");
    }
}
