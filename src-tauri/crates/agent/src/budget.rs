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
    /// Money, in millionths of a US dollar, as far as what an answer costs is known.
    pub cost_microdollars: Option<u64>,
    /// What the person says that tokens cost; the provider's own word on an answer goes before it.
    pub prices: Option<Prices>,
}

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Prices {
    /// A million tokens read.
    pub input_microdollars: u64,
    /// A million tokens written.
    pub output_microdollars: u64,
}

impl Prices {
    /// What so many tokens cost, in millionths of a US dollar, rounded up.
    pub(crate) fn cost(self, usage: Usage) -> u64 {
        let input = usage.input_tokens.saturating_mul(self.input_microdollars);
        let output = usage.output_tokens.saturating_mul(self.output_microdollars);
        input.saturating_add(output).div_ceil(1_000_000)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            turns: 40,
            steps: 80,
            tokens: 2_000_000,
            answer_tokens: 8192,
            cost_microdollars: None,
            prices: None,
        }
    }
}

/// What a run has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Answers of the model.
    pub turns: u32,
    /// Tool calls.
    pub steps: u32,
    /// Tokens, and what they cost as far as it is known.
    pub usage: Usage,
    /// Whether a part of the tokens is an estimate, for want of the provider's count.
    #[serde(default)]
    pub estimated: bool,
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
                cost_microdollars: self
                    .usage
                    .cost_microdollars
                    .map(|cost| cost - before.usage.cost_microdollars.unwrap_or_default()),
            },
            estimated: self.estimated,
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
        } else if budget.cost_microdollars.is_some_and(|most| self.usage.cost_microdollars >= Some(most)) {
            let cents = budget.cost_microdollars.unwrap_or_default() / 10_000;
            Some(format!("${}.{:02}", cents / 100, cents % 100))
        } else {
            None
        }
    }

    /// Adds what one answer has used.
    pub(crate) fn add(&mut self, usage: Usage, estimated: bool) {
        self.usage.input_tokens += usage.input_tokens;
        self.usage.output_tokens += usage.output_tokens;
        if let Some(cost) = usage.cost_microdollars {
            *self.usage.cost_microdollars.get_or_insert_default() += cost;
        }
        self.estimated |= estimated;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_counted_by_the_person_s_prices_and_ends_a_run() {
        let prices = Prices { input_microdollars: 3_000_000, output_microdollars: 15_000_000 };
        let usage = Usage { input_tokens: 10_000, output_tokens: 1_000, cost_microdollars: None };
        let cost = prices.cost(usage);
        assert_eq!(cost, 45_000, "three and one and a half cents");
        let mut spent = Spent::default();
        let budget = Budget { cost_microdollars: Some(90_000), ..Budget::default() };
        spent.add(usage, true);
        assert_eq!(spent.limit_reached(&budget), None, "an unknown cost reaches no limit");
        for _ in 0..2 {
            spent.add(Usage { cost_microdollars: Some(cost), ..usage }, false);
        }
        assert_eq!(spent.limit_reached(&budget).as_deref(), Some("$0.09"));
        assert!(spent.estimated);
    }
}
