//! What a run may use.

use assay_model::Usage;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The limits of one run. Wall time is the sandbox policy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Answers of the model.
    pub turns: u32,
    /// Tool calls.
    pub steps: u32,
    /// Tokens read and written together, as far as the provider counts them.
    pub tokens: u64,
    /// Tokens of one answer.
    pub answer_tokens: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { turns: 40, steps: 80, tokens: 2_000_000, answer_tokens: 8192 }
    }
}

/// What a run has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Answers of the model.
    pub turns: u32,
    /// Tool calls.
    pub steps: u32,
    /// Tokens as counted by the provider.
    pub usage: Usage,
}

impl Spent {
    /// What was used after an earlier moment.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            turns: self.turns - before.turns,
            steps: self.steps - before.steps,
            usage: Usage {
                input_tokens: self.usage.input_tokens - before.usage.input_tokens,
                output_tokens: self.usage.output_tokens - before.usage.output_tokens,
                cost_microdollars: None,
            },
        }
    }

    /// Which limit is reached, in words that follow "The run reached its limit of".
    pub(crate) fn limit_reached(&self, budget: &Budget) -> Option<String> {
        if self.turns >= budget.turns {
            Some(format!("{} answers of the model", budget.turns))
        } else if self.steps >= budget.steps {
            Some(format!("{} steps", budget.steps))
        } else if self.usage.input_tokens + self.usage.output_tokens >= budget.tokens {
            Some(format!("{} tokens", budget.tokens))
        } else {
            None
        }
    }
}
