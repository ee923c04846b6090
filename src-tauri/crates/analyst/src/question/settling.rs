//! What follows from the parts of a question together.

use super::reading::QUESTIONS;
use super::tokens::Token;
use super::{Aggregate, Condition, Group, Order, Question, Top};
use crate::intent;
use crate::opening::{Kind, Table};
use crate::words::{Quantity, adds_up, is_among, quantity, words};

impl Question {
    /// What follows from the parts together: `which state has the highest rate` is a ranking of one.
    pub(super) fn settle(&mut self, table: &Table, tokens: &[Token], divides: bool) {
        let asks_which = tokens.iter().any(|token| is_among(&token.text, QUESTIONS));
        let extreme = |one: &Aggregate| matches!(one, Aggregate::Highest | Aggregate::Lowest);
        let has = |question: &Self, one| question.aggregates.contains(&one);
        if has(self, Aggregate::Distinct) || has(self, Aggregate::Missing) {
            self.aggregates.retain(|one| *one != Aggregate::Count);
        }
        if self.intent.word == "ranking" && self.top.is_none() {
            let order = if has(self, Aggregate::Lowest) { Order::Least } else { Order::Most };
            let one =
                asks_which && !has(self, Aggregate::Share) && tokens.iter().all(|token| token.text != "are");
            self.top = Some(Top { count: if one { 1 } else { 10 }, order });
        }
        let names = |question: &Self, list: &str| {
            question.measures.iter().any(|name| words(name).iter().any(|word| is_among(word, list)))
        };
        if let Some(top) = self.top.as_mut().filter(|_| tokens.iter().any(|token| token.text == "worst")) {
            // The worst delay is the longest one.
            let bad = self.measures.iter().any(|name| words(name).iter().any(|word| is_among(word, BAD)));
            top.order = if bad { Order::Most } else { Order::Least };
        } else if names(self, BAD) && tokens.iter().any(|token| token.text == "worst") {
            self.aggregates
                .iter_mut()
                .filter(|one| **one == Aggregate::Lowest)
                .for_each(|one| *one = Aggregate::Highest);
        }
        if self.top.is_some() && self.intent.word != "forecast" {
            self.aggregates.retain(|one| !extreme(one));
        }
        let needs_one = is_among(self.intent.word, "ranking compare distribution forecast why")
            || self.intent.word == "change" && self.groups.is_empty();
        if needs_one
            && self.measures.is_empty()
            && !has(self, Aggregate::Count)
            && !has(self, Aggregate::Share)
        {
            self.measures.extend(telling_measure(table));
        }
        // Two values of one column that are set against each other divide the rows.
        if self.intent.word == "compare" && self.groups.is_empty() && self.periods.is_empty() {
            self.groups = self.conditions.iter().find_map(divider).into_iter().collect();
        }
        let is_number =
            |name: &String| table.columns.iter().any(|column| column.name == *name && column.is_number());
        if self.aggregates == [Aggregate::Count] && !divides && self.top.is_none() {
            // `how many passengers` adds up a column of that name; `how many counties` counts different ones.
            if let ([Group::Column(name)], [], true) =
                (&self.groups[..], &self.measures[..], self.conditions.is_empty())
            {
                (self.aggregates, self.measures) = (vec![Aggregate::Distinct], vec![name.clone()]);
                self.groups.clear();
            } else if !self.measures.is_empty()
                && self.groups.is_empty()
                && self.measures.iter().all(is_number)
            {
                self.aggregates = vec![Aggregate::Sum];
            }
            self.intent = if self.measures.is_empty() {
                self.intent
            } else {
                intent::of_word("figure").unwrap_or(self.intent)
            };
        }
    }
}

/// Words of measures of which more is worse.
const BAD: &str = "delay delays late cost costs loss losses error errors complaints missing downtime wait";

/// The column that is asked about where none is named: the first that adds up, else the first that measures.
fn telling_measure(table: &Table) -> Option<String> {
    let measured = || {
        let number =
            table.columns.iter().filter(|column| column.is_number() && column.kind != Kind::Identifier);
        number.map(|column| &column.name).filter(|name| quantity(name) != Quantity::Place)
    };
    // A price of one piece says less than what was paid in all.
    let money = measured()
        .find(|name| words(name).iter().any(|word| is_among(word, "revenue sales total turnover amount")));
    money.or_else(|| measured().find(|name| adds_up(name))).or_else(|| measured().next()).cloned()
}

impl Condition {
    /// The column that it is about.
    pub(super) fn column(&self) -> Option<&str> {
        match self {
            Self::Is { column, .. }
            | Self::Within { column, .. }
            | Self::During { column, .. }
            | Self::Recurring { column, .. }
            | Self::Filled { column, .. } => Some(column),
            Self::Says { .. } | Self::AnyOf(_) | Self::WithoutEvents => None,
        }
    }
}

/// What a condition with several values divides the rows by.
pub(super) fn divider(condition: &Condition) -> Option<Group> {
    match condition {
        Condition::Is { column, values, negated: false } if values.len() > 1 => {
            Some(Group::Column(column.clone()))
        }
        Condition::Recurring { column, cycle, values, negated: false } if values.len() > 1 => {
            Some(Group::Cycle(column.clone(), *cycle))
        }
        _ => None,
    }
}
