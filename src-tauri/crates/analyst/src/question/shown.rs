//! A question as the line that the person is shown, which reads back as the same question.

use std::fmt::{Display, Formatter, Result};

use super::calendar::{MONTHS, WEEKDAYS};
use super::{Bounds, Condition, Cycle, Form, Group, Order, Question};

/// Names with `and` between.
fn list<T: Display>(items: impl IntoIterator<Item = T>, link: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(link)
}

fn quoted(text: &String) -> String {
    format!("“{text}”")
}

impl Display for Question {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut label = self.intent.word.chars();
        let first = label.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        write!(f, "{first}{}:", label.as_str())?;
        let computed = list(self.aggregates.iter().map(|one| one.word()), " and ");
        let measured = list(self.measures.iter().map(quoted), " and ");
        match (computed.is_empty(), measured.is_empty()) {
            (true, true) => write!(f, " all rows")?,
            (true, false) => write!(f, " {measured}")?,
            (false, true) => write!(f, " {computed} of rows")?,
            (false, false) => write!(f, " {computed} of {measured}")?,
        }
        if !self.groups.is_empty() {
            write!(f, " for each {}", list(&self.groups, " and "))?;
        }
        if let Some(top) = self.top {
            write!(f, ", {} {}", if top.order == Order::Most { "top" } else { "bottom" }, top.count)?;
        }
        match self.periods[..] {
            [] => {}
            [first, second]
                if first.from.is_none() && second.before.is_none() && first.before == second.from =>
            {
                write!(f, ", {first} and after")?;
            }
            _ => write!(f, ", comparing {}", list(&self.periods, " with "))?,
        }
        if !self.conditions.is_empty() {
            write!(f, ", where {}", list(&self.conditions, ", and "))?;
        }
        if self.form == Form::Table {
            write!(f, ", as a table")?;
        }
        Ok(())
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Column(name) => write!(f, "“{name}”"),
            Self::Every(name, grain) => write!(f, "{} of “{name}”", grain.word()),
            Self::Cycle(name, cycle) => write!(f, "{} of “{name}”", cycle.words()),
        }
    }
}

impl Display for Bounds {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Over(number) => write!(f, "over {number}"),
            Self::AtLeast(number) => write!(f, "at least {number}"),
            Self::Under(number) => write!(f, "under {number}"),
            Self::AtMost(number) => write!(f, "at most {number}"),
            Self::Exactly(number) => write!(f, "= {number}"),
            Self::Between(low, high) => write!(f, "between {low} and {high}"),
        }
    }
}

/// The values of a cycle by their names.
fn recurring(cycle: Cycle, values: &[u32]) -> String {
    let name = |value: &u32| {
        let names: &[&str] = match cycle {
            Cycle::Month => &MONTHS,
            Cycle::Weekday => &WEEKDAYS,
            Cycle::Hour => return format!("{value}:00"),
        };
        let name = names.get(*value as usize - 1).copied().unwrap_or_default();
        format!("{}{}", name[..1].to_uppercase(), &name[1..])
    };
    list(values.iter().map(name), ", ")
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let not = |negated: &bool| if *negated { "not " } else { "" };
        match self {
            Self::Is { column, values, negated } => {
                write!(f, "“{column}” is {}{}", not(negated), list(values.iter().map(quoted), " or "))
            }
            Self::Within { column, bounds } => write!(f, "“{column}” {bounds}"),
            Self::During { column, span } => write!(f, "“{column}” {span}"),
            Self::Recurring { column, cycle, values, negated } => {
                write!(f, "“{column}” {}in {}", not(negated), recurring(*cycle, values))
            }
            Self::Filled { column, filled } => {
                write!(f, "“{column}” is {}", if *filled { "known" } else { "missing" })
            }
            Self::Says { words, negated } => {
                write!(f, "{} “{words}”", if *negated { "without" } else { "with" })
            }
            Self::AnyOf(any) => write!(f, "{}", list(any, " or ")),
            Self::WithoutEvents => write!(f, "without the unusual readings found before"),
        }
    }
}
