//! An attempt, and how it must end.

use assay_sandbox::{Limit, StepOutcome, StepStatus};

/// One attempt of code to do harm.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Python, run after `prelude.py`.
    pub(crate) code: &'static str,
    pub(crate) end: End,
    /// Wall limit of the step in seconds.
    pub(crate) limit_s: f64,
    /// The limits without which it cannot be withstood; a runtime that enforces one of them not is not attacked.
    pub(crate) against: &'static [Limit],
}

/// How an attempt must end, as the person reads it.
pub(crate) enum End {
    /// The code runs on, and every single try was refused at once.
    Refused,
    /// The code runs on and has printed exactly this.
    Prints(&'static str),
    /// The step ends in one of these ways.
    Ends(&'static [StepStatus]),
    /// The step ends as crashed, and this is said of it.
    Crashes(&'static str),
    /// The step ends with an exception of this class.
    Raises(&'static str),
    /// The step ends well and leaves these files, and these entries are refused: path and reason.
    Leaves(&'static [&'static str], &'static [(&'static str, &'static str)]),
}

impl Attack {
    pub(crate) const fn new(name: &'static str, code: &'static str, end: End) -> Self {
        Self { name, code, end, limit_s: 20.0, against: &[] }
    }

    pub(crate) const fn within(self, limit_s: f64) -> Self {
        Self { limit_s, ..self }
    }

    pub(crate) const fn against(self, against: &'static [Limit]) -> Self {
        Self { against, ..self }
    }
}

impl End {
    /// Whether it came like that.
    pub(crate) fn is(&self, outcome: &StepOutcome) -> bool {
        let printed = outcome.stdout.head.as_str();
        let ok = outcome.status == StepStatus::Ok;
        match self {
            Self::Refused => ok && !printed.is_empty() && printed.lines().all(|line| line == "refused"),
            Self::Prints(expected) => ok && printed == *expected,
            Self::Ends(statuses) => statuses.contains(&outcome.status),
            Self::Crashes(said) => {
                outcome.status == StepStatus::Crashed && outcome.message.as_deref() == Some(*said)
            }
            Self::Raises(kind) => {
                outcome.status == StepStatus::Error
                    && outcome.error.as_ref().is_some_and(|error| error.kind == *kind)
            }
            Self::Leaves(files, refused) => {
                let changed: Vec<&str> = outcome.changed.iter().map(|file| file.path.as_str()).collect();
                let kept: Vec<(&str, &str)> =
                    outcome.refused.iter().map(|file| (file.path.as_str(), file.reason.as_str())).collect();
                ok && changed == *files && kept == *refused
            }
        }
    }
}
