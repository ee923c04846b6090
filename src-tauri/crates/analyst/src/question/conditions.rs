//! Which rows: times, numbers within bounds, values, and what is filled.

use super::calendar::{Cycle, When, hour, latest};
use super::reading::{Mark, NEGATES, Reader};
use super::tokens::Token;
use super::{Bounds, Condition, Span};
use crate::opening::Column;
use crate::words::is_among;

/// What a comparing phrase makes of its number. Longer phrases come first.
type Bound = fn(f64) -> Bounds;
const COMPARISONS: [(&str, Bound); 24] = [
    ("greater than or equal to", Bounds::AtLeast),
    ("less than or equal to", Bounds::AtMost),
    ("greater than", Bounds::Over),
    ("more than", Bounds::Over),
    ("higher than", Bounds::Over),
    ("larger than", Bounds::Over),
    ("older than", Bounds::Over),
    ("less than", Bounds::Under),
    ("fewer than", Bounds::Under),
    ("lower than", Bounds::Under),
    ("smaller than", Bounds::Under),
    ("younger than", Bounds::Under),
    ("at least", Bounds::AtLeast),
    ("at most", Bounds::AtMost),
    ("> =", Bounds::AtLeast),
    ("< =", Bounds::AtMost),
    ("equal to", Bounds::Exactly),
    (">", Bounds::Over),
    ("<", Bounds::Under),
    ("over", Bounds::Over),
    ("above", Bounds::Over),
    ("under", Bounds::Under),
    ("below", Bounds::Under),
    ("=", Bounds::Exactly),
];

/// Words for people, and the values that files hold for them.
const ALIASES: [(&str, &str); 2] = [("men man males boys", "male"), ("women woman females girls", "female")];

/// The column of ages.
fn meant_age(table: &crate::opening::Table) -> Option<usize> {
    table.columns.iter().position(|column| {
        column.is_number() && super::columns::stems(&column.name).iter().any(|word| word == "age")
    })
}

impl Reader<'_> {
    /// Times, with what stands before them.
    pub(super) fn times(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            // `by weekday` divides.
            if at > 0 && is_among(self.text(at - 1), "by per each")
                || self.text(at) == "fall" && !(at > 0 && is_among(self.text(at - 1), "in during the of"))
            {
                at += 1;
                continue;
            }
            at = self
                .time_of_day(at)
                .or_else(|| self.before_and_after(at))
                .or_else(|| self.time(at))
                .unwrap_or(at + 1);
        }
        let closed = |condition: &Condition| match condition {
            Condition::During { span, .. } => span.from.is_some() && span.before.is_some(),
            _ => false,
        };
        if self.conditions.iter().filter(|(.., condition)| closed(condition)).count() > 1 && self.compares() {
            let (spans, others) =
                std::mem::take(&mut self.conditions).into_iter().partition(|(.., one)| closed(one));
            self.conditions = others;
            let spans: Vec<(usize, usize, Condition)> = spans;
            self.periods.extend(spans.into_iter().filter_map(|(.., one)| match one {
                Condition::During { span, .. } => Some(span),
                _ => None,
            }));
        }
    }

    /// `before and after March 2024`: two periods.
    fn before_and_after(&mut self, at: usize) -> Option<usize> {
        let joined = matches!(
            (self.text(at), self.text(at + 1), self.text(at + 2)),
            ("before", "and" | "vs" | "versus", "after")
        );
        let (start, end) = if joined { (at + 3, at + 3) } else { return None };
        let (when, taken) = self.moment(start)?;
        let span = self.span_of(when)?;
        self.periods.push(Span { from: None, before: span.from });
        self.periods.push(Span { from: span.from, before: None });
        self.take(at, end + taken);
        Some(end + taken)
    }

    /// A named time as a span; a month without a year is the latest one.
    fn span_of(&self, when: When) -> Option<Span> {
        match when {
            When::Span(span) => Some(span),
            When::Recurring(Cycle::Month, months) => match months[..] {
                [month] => latest(month, self.today()),
                _ => None,
            },
            When::Recurring(..) => None,
        }
    }

    /// A time at this word, and where it ends.
    fn time(&mut self, at: usize) -> Option<usize> {
        let (before, start) = match self.free(at) {
            word @ ("since" | "after" | "before" | "until" | "till" | "from" | "between" | "through") => {
                (word.to_owned(), at + 1)
            }
            "starting" => ("since".to_owned(), at + 2),
            "up" if self.text(at + 1) == "to" => ("until".to_owned(), at + 2),
            _ => (String::new(), at),
        };
        let (when, taken) = self.moment(start)?;
        let bare_number = start == at && self.tokens[start].number().is_some() && !self.stands_for_time(at);
        let end = start + taken;
        let link = match before.as_str() {
            "from" | "since" => is_among(self.text(end), "to until till through - and"),
            "between" => self.text(end) == "and",
            _ => is_among(self.text(end), "to until through") && start == at && !bare_number,
        };
        let second = link.then(|| self.moment(end + 1)).flatten();
        if bare_number && second.is_none() {
            return None;
        }
        let second = second.and_then(|(when, taken)| Some((self.span_of(when)?, end + 1 + taken)));
        let Some(time) = self.time_column() else {
            return self.year_of_a_column(at, start, end, &when, second);
        };
        let column = time.name.clone();
        let negated =
            at > 0 && is_among(self.text(at - 1), NEGATES) || at > 1 && is_among(self.text(at - 2), NEGATES);
        let explains = self.tokens.first().is_some_and(|token| token.text == "why");
        let (condition, end) = match (before.as_str(), when, second) {
            (_, first, Some((last, end))) => {
                let first = self.span_of(first)?;
                (Condition::During { column, span: Span { from: first.from, before: last.before } }, end)
            }
            ("", When::Recurring(cycle, values), _)
                if !(explains && cycle == Cycle::Month && values.len() == 1) =>
            {
                (Condition::Recurring { column, cycle, values, negated }, end)
            }
            (word, when, _) => {
                let span = self.span_of(when)?;
                let span = match word {
                    "since" | "from" => Span { from: span.from, before: None },
                    "after" => Span { from: span.before, before: None },
                    "before" => Span { from: None, before: span.from },
                    "until" | "till" | "through" => Span { from: None, before: span.before },
                    _ => span,
                };
                (Condition::During { column, span }, end)
            }
        };
        self.add(at, end, condition);
        Some(end)
    }

    /// Whether a bare number here may be a year: behind a word that times follow, or between years.
    fn stands_for_time(&self, at: usize) -> bool {
        let year = |day: &Option<String>| {
            day.as_deref().and_then(super::Day::from_iso).map(|day| f64::from(day.year))
        };
        let covered = self.time_column().and_then(|time| Some((year(&time.first)?, year(&time.last)?)));
        let here = self.tokens[at].number();
        if covered.zip(here).is_some_and(|((first, last), here)| (first..=last).contains(&here)) {
            return true;
        }
        let written_out = self.text(at).contains(['-', '/']);
        let near = |word: &str| {
            is_among(word, "in of for during on and vs versus with to compare than year years or , against")
        };
        written_out || at > 0 && near(self.text(at - 1)) || at == 0
    }

    /// In a table without times, a year is a number in a column called so.
    fn year_of_a_column(
        &mut self,
        at: usize,
        start: usize,
        end: usize,
        when: &When,
        second: Option<(Span, usize)>,
    ) -> Option<usize> {
        let is_year = |column: &&Column| {
            column.is_number() && super::columns::stems(&column.name).contains(&"year".to_owned())
        };
        let column = self.table.columns.iter().find(is_year)?.name.clone();
        let When::Span(span) = when else { return None };
        let year = f64::from(span.year()?);
        let bounds = match (self.text(at), second.and_then(|(last, _)| last.before)) {
            (_, Some(before)) => Bounds::Between(year, f64::from(before.year - 1)),
            ("since" | "from", _) => Bounds::AtLeast(year),
            ("after", _) => Bounds::Over(year),
            ("before", _) => Bounds::Under(year),
            ("until" | "till", _) => Bounds::AtMost(year),
            _ => Bounds::Exactly(year),
        };
        let end = second.map_or(end, |(_, end)| end);
        let _ = start;
        self.add(at, end, Condition::Within { column, bounds });
        Some(end)
    }

    /// `after 6 pm`, `between 8:00 and 18:00`.
    fn time_of_day(&mut self, at: usize) -> Option<usize> {
        let column = self.time_column()?.name.clone();
        let (first, taken) = hour(&self.tokens[(at + 1).min(self.tokens.len())..])?;
        let end = at + 1 + taken;
        let (values, end): (Vec<u32>, usize) = match self.free(at) {
            "after" | "since" | "from" if !is_among(self.text(end), "to until") => {
                ((first..24).collect(), end)
            }
            "before" | "until" => ((0..first).collect(), end),
            "at" => (vec![first], end),
            "between" | "from" => {
                let (last, taken) = hour(&self.tokens[(end + 1).min(self.tokens.len())..])?;
                let hours =
                    if first < last { (first..last).collect() } else { (first..24).chain(0..last).collect() };
                (hours, end + 1 + taken)
            }
            _ => return None,
        };
        self.add(at, end, Condition::Recurring { column, cycle: Cycle::Hour, values, negated: false });
        Some(end)
    }

    /// Keeps a condition and takes its words.
    fn add(&mut self, from: usize, to: usize, condition: Condition) {
        self.take(from, to);
        self.conditions.push((from, to, condition));
    }

    /// Values that the profile names: `female`, `credit card`.
    pub(super) fn known_values(&mut self) {
        for at in 0..self.tokens.len() {
            let longest = (at + 1..=self.tokens.len().min(at + 6)).rev();
            let spans = longest.filter(|end| (at..*end).all(|at| self.marks[at] == Mark::Free));
            let found = spans.into_iter().find_map(|end| {
                let words: Vec<String> =
                    self.tokens[at..end].iter().map(|token| token.text.to_lowercase()).collect();
                let words = words.join(" ");
                if at > 0 && self.text(at - 1) == "how" {
                    return None;
                }
                let fillers =
                    end == at + 1 && !self.tokens[at].quoted && is_among(&words, super::columns::FILLERS);
                let value = (!fillers).then(|| self.value(at, &words)).flatten();
                value.map(|(column, value)| (end, column, value))
            });
            let Some((end, column, value)) = found else { continue };
            let negated = (0..at).rev().map(|at| self.text(at)).take(3).any(|word| is_among(word, NEGATES));
            // Values of one column are alternatives.
            let same = self.conditions.iter_mut().find_map(|(_, last, condition)| match condition {
                Condition::Is { column: own, values, negated: same }
                    if *own == column && *same == negated =>
                {
                    Some((last, values))
                }
                _ => None,
            });
            match same {
                Some((last, values)) => {
                    values.push(value);
                    *last = end;
                }
                None => {
                    self.conditions.push((at, end, Condition::Is { column, values: vec![value], negated }));
                }
            }
            self.take(at, end);
        }
    }

    /// The column that has this value, and the value as it is written there. The column named nearest wins.
    fn value(&self, at: usize, words: &str) -> Option<(String, String)> {
        let singular = super::tokens::stem(words);
        let alias =
            ALIASES.iter().find(|(names, _)| is_among(words, names)).map_or(words, |(_, value)| *value);
        // `German cars`, `Japanese cars`.
        let of_a_country = |value: &str| {
            let (short, long) = if value.len() < words.len() { (value, words) } else { (words, value) };
            short.chars().count() >= 5
                && long.starts_with(short)
                && long.chars().count() <= short.chars().count() + 3
        };
        let has = |column: &Column| {
            let listed = column.top.iter().map(|(value, _)| value);
            let listed =
                listed.filter(|value| value.chars().any(char::is_alphabetic) && value.chars().count() > 1);
            let mut alike = listed.filter(|value| {
                let value = value.to_lowercase();
                value == words || value == singular || value == alias || of_a_country(&value)
            });
            alike.next().cloned()
        };
        let near = |column: &Column| {
            let named = (0..self.tokens.len())
                .filter(|place| self.column(*place).is_some_and(|own| own.name == column.name));
            named.map(|place| place.abs_diff(at)).min().unwrap_or(usize::MAX)
        };
        let having =
            self.table.columns.iter().filter_map(|column| Some((near(column), column, has(column)?)));
        // `yes` says nothing without its column.
        let found = having.min_by_key(|(near, ..)| *near)?;
        let bare = is_among(words, "yes no true false other none unknown") && found.0 == usize::MAX;
        (!bare).then(|| (found.1.name.clone(), found.2))
    }

    /// Numbers with a comparison next to a column: `tip over 3`, `more than 5 passengers`.
    pub(super) fn bounds(&mut self) {
        for at in 0..self.tokens.len() {
            let Some((bounds, end)) = self.comparison(at) else { continue };
            let numeric = |place: usize| self.column(place).filter(|column| column.is_number());
            let before = (0..at).rev().take(6).find_map(|place| Some((place, numeric(place)?)));
            let behind =
                (end..(end + 4).min(self.tokens.len())).find_map(|place| Some((place, numeric(place)?)));
            // The column before, where nothing but small words stands between; else the one behind; else any before.
            let said =
                |bounds: &str| is_among(self.text(at), bounds).then(|| meant_age(self.table)).flatten();
            if let Some(column) = said("older younger").or_else(|| self.of_unit(end)) {
                let column = self.table.columns[column].name.clone();
                if before.as_ref().is_none_or(|(place, _)| *place + 3 < at)
                    || is_among(self.text(at), "older younger")
                {
                    self.add(at, end, Condition::Within { column, bounds });
                    continue;
                }
            }
            let next_to = before.filter(|(place, _)| {
                (place + 1..at).all(|at| {
                    self.marks[at] == Mark::Taken
                        || is_among(self.text(at), "is are was were of a an the with has")
                })
            });
            let Some((place, column)) = next_to.or(behind).or(before) else { continue };
            let column = column.name.clone();
            self.take(place, place + 1);
            self.add(at, end, Condition::Within { column, bounds });
            let first = place.min(at);
            if let Some(last) = self.conditions.last_mut() {
                (last.0, last.1) = (first, end.max(place + 1));
            }
        }
    }

    /// The first column of the unit that is written with the number before this word, or is this word.
    fn of_unit(&self, end: usize) -> Option<usize> {
        let number = &self.tokens.get(end.checked_sub(1)?)?.text;
        let sign = ["$", "€", "£", "%"].into_iter().find(|sign| number.contains(sign));
        let word = self.text(end);
        self.table.columns.iter().position(|column| {
            let unit = column.unit.as_deref().map(str::to_lowercase);
            let is_written =
                unit.as_deref().is_some_and(|unit| Some(unit) == sign || word.len() > 1 && unit == word);
            column.is_number()
                && is_written
                && super::columns::stems(&column.name).iter().all(|word| word != "unit")
        })
    }

    /// The bounds that these words say, and where they end.
    fn comparison(&self, at: usize) -> Option<(Bounds, usize)> {
        if self.marks[at] != Mark::Free {
            return None;
        }
        let number =
            |at: usize| self.tokens.get(at).filter(|_| self.marks[at] == Mark::Free).and_then(Token::number);
        if self.text(at) == "between"
            && let (Some(low), "and", Some(high)) = (number(at + 1), self.text(at + 2), number(at + 3))
        {
            return Some((Bounds::Between(low.min(high), low.max(high)), at + 4));
        }
        let phrase = COMPARISONS.iter().find_map(|(phrase, bound)| {
            let words = phrase.split(' ');
            let length = words.clone().count();
            let said = words.enumerate().all(|(offset, word)| self.free(at + offset) == word);
            said.then_some((bound, length))
        });
        if let Some((bound, length)) = phrase {
            return Some((bound(number(at + length)?), at + length + 1));
        }
        let low = number(at)?;
        match (self.text(at + 1), self.text(at + 2)) {
            ("or", "more" | "older" | "above" | "higher") => Some((Bounds::AtLeast(low), at + 3)),
            ("or", "less" | "younger" | "below" | "fewer" | "lower") => Some((Bounds::AtMost(low), at + 3)),
            ("to", _) => number(at + 2).map(|high| (Bounds::Between(low.min(high), low.max(high)), at + 3)),
            // `with 8 cylinders`, `cylinders is 8`, `class 3`.
            _ if at > 0 => {
                let before = self.named_until(at).is_some_and(Column::is_number)
                    || is_among(self.text(at - 1), "is are was equals")
                        && self.column(at.saturating_sub(2)).is_some();
                let behind = is_among(self.text(at - 1), "with where having has of for and or")
                    && self.column(at + 1).is_some_and(Column::is_number);
                (before || behind).then_some((Bounds::Exactly(low), at + 1))
            }
            _ => None,
        }
    }

    /// The column whose name ends right before this word.
    fn named_until(&self, at: usize) -> Option<&Column> {
        let start = (0..at).rev().find(|place| self.marks[*place] != Mark::Taken)?;
        (at - start <= 6).then(|| self.column(start)).flatten()
    }

    /// The word behind the name that begins here.
    fn after_name(&self, at: usize) -> usize {
        (at + 1..self.tokens.len())
            .find(|place| self.marks[*place] != Mark::Taken)
            .unwrap_or(self.tokens.len())
    }

    /// `where age is missing`, `where age is known`.
    pub(super) fn fillings(&mut self) {
        for at in 1..self.tokens.len() {
            let filled = match self.free(at) {
                "known" | "filled" | "present" => true,
                "missing" | "empty" | "blank" => false,
                _ => continue,
            };
            let is = is_among(self.text(at - 1), "is are was were");
            if let Some(column) = at.checked_sub(2).filter(|_| is).and_then(|place| self.column(place)) {
                let column = column.name.clone();
                self.add(at - 2, at + 1, Condition::Filled { column, filled });
            }
        }
    }

    /// `sex is "Female"`, `country = France`: a column, a word that equates, and a value of any kind.
    pub(super) fn equalities(&mut self) {
        for at in 0..self.tokens.len() {
            let Some(column) = self.column(at).filter(|column| !column.is_number() && !column.is_time())
            else {
                continue;
            };
            let column = column.name.clone();
            let behind = self.after_name(at);
            let equates = is_among(self.text(behind), "is are = equals was");
            let quoted =
                self.tokens.get(behind).is_some_and(|token| token.quoted) && self.marks[behind] == Mark::Free;
            if !equates && !quoted {
                continue;
            }
            let negated = self.text(behind + 1) == "not" && equates;
            let start = behind + usize::from(equates) + usize::from(negated);
            // A value that the profile knows was taken before.
            let known = self.conditions.iter_mut().find(|(from, _, one)| {
                *from == start && matches!(one, Condition::Is { column: own, .. } if *own == column)
            });
            if let Some((from, ..)) = known {
                *from = at;
                self.take(at, start);
                continue;
            }
            let mut values = Vec::new();
            let mut end = start;
            while let Some(token) = self.tokens.get(end).filter(|_| self.marks[end] == Mark::Free) {
                let is_value = !is_among(&token.text, super::columns::FILLERS)
                    && !is_among(&token.text, "most least more less")
                    && !crate::intent::is_cue(&token.text);
                if !is_value && !token.quoted {
                    break;
                }
                values.push(token.raw.clone());
                end += 1;
                let next_is_value = self.tokens.get(end + 1).is_some_and(|token| token.quoted)
                    && self.marks[end + 1] == Mark::Free;
                if !(matches!(self.text(end), "or") && next_is_value) {
                    break;
                }
                end += 1;
            }
            if !values.is_empty() {
                self.add(at, end, Condition::Is { column, values, negated });
            }
        }
    }

    /// Conditions with nothing but `or` between them are alternatives; the same part of a cycle named twice is
    /// both; all others must hold together.
    pub(super) fn join_conditions(&mut self) {
        let mut all = std::mem::take(&mut self.conditions);
        all.sort_by_key(|(from, ..)| *from);
        for (from, to, condition) in all {
            let Some((_, last_to, last)) = self.conditions.last_mut() else {
                self.conditions.push((from, to, condition));
                continue;
            };
            let between = self.tokens.get(*last_to..from).unwrap_or_default();
            let says_or = between.iter().any(|token| token.text == "or") && between.len() <= 2;
            match (last, condition) {
                (
                    Condition::Recurring { column, cycle, values, negated },
                    Condition::Recurring {
                        column: same,
                        cycle: cycle_too,
                        values: more,
                        negated: negated_too,
                    },
                ) if *column == same && *cycle == cycle_too && *negated == negated_too => {
                    values.extend(more);
                    *last_to = to;
                }
                (Condition::AnyOf(any), condition) if says_or => {
                    any.push(condition);
                    *last_to = to;
                }
                (last, condition) if says_or => {
                    let first = std::mem::replace(last, Condition::WithoutEvents);
                    *last = Condition::AnyOf(vec![first, condition]);
                    *last_to = to;
                }
                (_, condition) => self.conditions.push((from, to, condition)),
            }
        }
    }
}
