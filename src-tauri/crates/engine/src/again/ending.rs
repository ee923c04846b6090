//! The last words of a run that does an earlier one again.

use assay_agent::Gap;
use assay_report::EARLIER;
use assay_sandbox::{StepOutcome, StepStatus};

use super::done::Done;
use super::model::Again;
use crate::contract::REPORT;

/// More of what was printed does not go into an answer.
const MOST_PRINTED: usize = 4000;
/// More of an error does not go into a sentence.
const MOST_OF_ERROR: usize = 200;
/// How an answer begins when a step did not work on the new file.
const BROKEN_OFF: &str = "The steps could not be done again on ";

/// What is missing of a run that broke off, from its answer.
pub(crate) fn broken_off(answer: &str) -> Option<Gap> {
    let (_, what) = answer.strip_prefix(BROKEN_OFF)?.split_once(": ")?;
    Some(Gap(what.trim().trim_end_matches('.').to_owned()))
}

impl Again {
    /// The last words when a step did not work.
    pub(super) fn broken_off(&self, failed: &Done<'_>) -> String {
        let next = match &self.helper {
            None => "Choose a model in the settings that may mend it, or ask the question anew on this file.",
            Some(_) => "The model could not mend it. Ask the question anew on this file.",
        };
        format!(
            "{BROKEN_OFF}{}: step {}, “{}”, did not work there ({}). {next}",
            self.plan.of.file.now,
            failed.step,
            failed.title,
            trouble(failed.outcome),
        )
    }

    /// The last words when all is done.
    pub(super) fn ended(&self, done: &[Done<'_>]) -> String {
        let (steps, were) = match self.plan.steps.iter().filter(|planned| !planned.loads).count() {
            1 => ("The step".to_owned(), "was"),
            count => (format!("The {count} steps"), "were"),
        };
        let mut answer = format!(
            "{steps} of the run of {} {were} done again on {}.",
            self.plan.day, self.plan.of.file.now
        );
        let report = self.engine.run_folder(&self.run).join("output").join(REPORT);
        let Ok(report) = std::fs::read_to_string(report) else {
            let printed = done.iter().rev().find_map(|done| printed(done.outcome?));
            answer.push_str(&printed.map_or_else(
                || " None of them printed anything.".into(),
                |text| format!(" The last of them printed:\n\n{text}"),
            ));
            return answer;
        };
        if let Ok(compared) = self.engine.compare(&self.run) {
            answer.push_str(&changed(compared.changed()));
        }
        match report.matches(EARLIER).count() {
            0 => {}
            1 => answer.push_str(" 1 figure could not be found anew and is marked as an earlier value."),
            kept => {
                let sentence =
                    format!(" {kept} figures could not be found anew and are marked as earlier values.");
                answer.push_str(&sentence);
            }
        }
        if !self.plan.is_by_rules {
            answer.push_str(" The words around the figures are those of the earlier run.");
        }
        answer
    }
}

/// How many figures are others than before, in a sentence.
fn changed((changed, all): (usize, usize)) -> String {
    match (changed, all) {
        (_, 0) => " No figure of the report stands in the earlier one.".into(),
        (0, _) => " No figure of the report changed.".into(),
        (_, 1) => " The one figure that stands in both reports changed.".into(),
        (changed, all) => format!(" {changed} of the {all} figures that stand in both reports changed."),
    }
}

/// What a step printed, where it did.
fn printed(outcome: &StepOutcome) -> Option<String> {
    let text = format!("{}\n{}", outcome.stdout.head, outcome.stdout.tail);
    let text = text.trim();
    (!text.is_empty()).then(|| text.chars().take(MOST_PRINTED).collect())
}

/// What went wrong, in its last line.
fn trouble(outcome: Option<&StepOutcome>) -> String {
    let Some(outcome) = outcome else { return "it could not be run".into() };
    match outcome.status {
        StepStatus::Timeout => "it took too long".into(),
        StepStatus::OutOfMemory => "the sandbox ran out of memory".into(),
        StepStatus::Interrupted => "it was stopped".into(),
        StepStatus::Exited | StepStatus::Crashed => "Python was lost".into(),
        StepStatus::Ok | StepStatus::Error => match (&outcome.error, outcome.exit_code) {
            (Some(error), _) => {
                let line = error.message.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                format!("{}: {}", error.kind, line.trim()).chars().take(MOST_OF_ERROR).collect()
            }
            (None, Some(code)) => format!("exit code {code}"),
            (None, None) => "it failed".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_read_from_the_answer() {
        let answer = format!("{BROKEN_OFF}a.csv: step 2, “x”, did not work there (KeyError: 'y'). Ask anew.");
        let gap = broken_off(&answer).map(|gap| gap.0);
        assert_eq!(gap.as_deref(), Some("step 2, “x”, did not work there (KeyError: 'y'). Ask anew"));
        assert_eq!(broken_off("The 2 steps were done again on a.csv."), None);
    }
}
