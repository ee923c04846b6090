//! From words to a question: each recogniser takes the words it knows, and what is left over is said.

use super::calendar::{Cycle, Day, Grain, When};
use super::columns::{FILLERS, meant, spelled};
use super::settling::divider;
use super::tokens::{Token, spell_out, stem, tokens};
use super::{Aggregate, Condition, Form, Group, Order, Question, Span, Top, follow_up};
use crate::intent::{self, Clues};
use crate::opening::{Column, Kind, Table};
use crate::words::is_among;

/// What a word was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Free,
    Taken,
    Column(usize),
}

/// A question while it is read.
pub(super) struct Reader<'a> {
    pub(super) table: &'a Table,
    pub(super) tokens: Vec<Token>,
    pub(super) marks: Vec<Mark>,
    /// Conditions with the places of their first and last word.
    pub(super) conditions: Vec<(usize, usize, Condition)>,
    pub(super) periods: Vec<Span>,
    pub(super) aggregates: Vec<Aggregate>,
    pub(super) measures: Vec<usize>,
    pub(super) groups: Vec<Group>,
    pub(super) top: Option<Top>,
    pub(super) not_understood: Vec<String>,
    /// Whether a word such as `by` divides the rows.
    divides: bool,
}

/// Words that grammar needs, and that a column may still be called.
const GRAMMAR: &str = "total count number day time date month year hour week quarter average mean median max min share \
    size rank top percent sum change value rate";
pub(super) const QUESTIONS: &str = "which who what when where";
/// Words after which a group stands.
const BY: &str = "by per each across every";
const MOST: &str = "top best most highest largest biggest greatest maximum strongest longest heaviest";
const LEAST: &str = "bottom worst least lowest smallest fewest minimum weakest shortest lightest";

/// Reads a question about a table. A further question may lean on the one before.
pub(crate) fn read(request: &str, table: &Table, before: Option<&Question>) -> Question {
    let mut reader = Reader::new(request, table);
    let form = reader.form();
    if let Some(changed) = before.and_then(|before| follow_up::changed(&mut reader, before, form)) {
        return changed;
    }
    reader.run();
    let question = reader.finish(form);
    match before {
        Some(before) => follow_up::leaning(question, before),
        None => question,
    }
}

impl<'a> Reader<'a> {
    fn new(request: &str, table: &'a Table) -> Self {
        let tokens = spell_out(tokens(request));
        let mut marks = vec![Mark::Free; tokens.len()];
        if labelled(&tokens).is_some() {
            marks[..2].fill(Mark::Taken);
        }
        Self {
            table,
            marks,
            tokens,
            conditions: Vec::new(),
            periods: Vec::new(),
            aggregates: Vec::new(),
            measures: Vec::new(),
            groups: Vec::new(),
            top: None,
            not_understood: Vec::new(),
            divides: false,
        }
    }

    /// Every recogniser, those that know their words best first.
    pub(super) fn run(&mut self) {
        self.whole_names();
        self.horizon();
        self.times();
        self.tops();
        self.known_values();
        self.parts_of_names();
        self.bounds();
        self.fillings();
        self.equalities();
        self.computations();
        self.divisions();
        self.other_columns();
        self.left_over();
        self.join_conditions();
    }

    /// The text of a word that nothing has taken, or nothing.
    pub(super) fn free(&self, at: usize) -> &str {
        match self.marks.get(at) {
            Some(Mark::Free) if !self.tokens[at].quoted => &self.tokens[at].text,
            _ => "",
        }
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    pub(super) fn take(&mut self, from: usize, to: usize) {
        for mark in &mut self.marks[from..to] {
            *mark = Mark::Taken;
        }
    }

    pub(super) fn column(&self, at: usize) -> Option<&'a Column> {
        match self.marks.get(at) {
            Some(Mark::Column(column)) => self.table.columns.get(*column),
            _ => None,
        }
    }

    /// The column of times that is meant: the one that is named, else the first.
    pub(super) fn time_column(&self) -> Option<&'a Column> {
        let named = (0..self.tokens.len()).filter_map(|at| self.column(at)).find(|column| column.is_time());
        named.or_else(|| self.table.columns.iter().find(|column| column.is_time()))
    }

    /// The last day of the data.
    pub(super) fn today(&self) -> Option<Day> {
        self.time_column().and_then(|column| Day::from_iso(column.last.as_deref()?))
    }

    fn form(&mut self) -> Form {
        for at in 0..self.tokens.len() {
            let asks = is_among(self.text(at), "as in into") && matches!(self.text(at + 1), "table" | "a");
            let end = at + 2 + usize::from(self.text(at + 1) == "a");
            if asks && self.text(end - 1) == "table" {
                self.take(at, end.min(self.tokens.len()));
                return Form::Table;
            }
        }
        Form::Chart
    }

    fn whole_names(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let found = spelled(self.table, &self.tokens[at..]).filter(|_| self.marks[at] == Mark::Free);
            match found {
                Some((column, taken)) if taken > 1 || self.is_a_name(at, column) => {
                    self.take(at, at + taken);
                    self.marks[at] = Mark::Column(column);
                    at += taken;
                }
                _ => at += 1,
            }
        }
    }

    /// Whether one word is a column's name here, and not grammar or filling.
    fn is_a_name(&self, at: usize, column: usize) -> bool {
        let word = self.text(at);
        if self.tokens[at].quoted
            || self.tokens[at].raw == self.table.columns[column].name && word.contains(['_', ' '])
        {
            return true;
        }
        let next = (at + 1..self.tokens.len()).find(|at| !is_among(self.text(*at), "of the"));
        let names_next = next.is_some_and(|next| {
            spelled(self.table, &self.tokens[next..]).is_some()
                || meant(self.table, &[&self.tokens[next]], "").is_some_and(|(_, fit, _)| fit >= 60)
        });
        let is_grammar = is_among(word, GRAMMAR) || intent::is_cue(word);
        if is_among(word, "over") && is_grammar || at > 0 && self.text(at - 1) == "over" && word == "time" {
            return false;
        }
        !(is_among(word, FILLERS) || is_grammar && names_next)
    }

    /// How far a forecast looks: `the next 6 months`.
    fn horizon(&mut self) {
        let Some(time) = self.time_column().map(|column| column.name.clone()) else { return };
        for at in 0..self.tokens.len() {
            let count = self.tokens.get(at + 1).and_then(Token::whole);
            let end = at + 1 + usize::from(count.is_some());
            if self.text(at) != "next" {
                continue;
            }
            if let Some(grain) = Grain::of(self.text(end)) {
                self.groups = vec![Group::Every(time, grain)];
                self.top = Some(Top { count: count.unwrap_or(1).clamp(1, 1000), order: Order::Most });
                self.take(at, end + 1);
                return;
            }
        }
    }

    fn tops(&mut self) {
        for at in 0..self.tokens.len() {
            let order = |word: &str| match word {
                "" => None,
                word if is_among(word, MOST) => Some(Order::Most),
                word if is_among(word, LEAST) => Some(Order::Least),
                _ => None,
            };
            let whole = |reader: &Self, at: usize| {
                reader.tokens.get(at).filter(|_| reader.marks[at] == Mark::Free).and_then(Token::whole)
            };
            if at > 0 && self.text(at - 1) == "at" {
                continue;
            }
            let found = match (order(self.free(at)), whole(self, at + 1), whole(self, at)) {
                (Some(order), Some(count), _) => Some((order, count, 2)),
                (Some(order), None, _) if is_among(self.text(at), "top bottom") => Some((order, 10, 1)),
                (None, _, Some(count)) => order(self.free(at + 1)).map(|order| (order, count, 2)),
                _ => None,
            };
            if let Some((order, count, taken)) = found.filter(|(_, count, _)| (1..=1000).contains(count)) {
                self.top = Some(Top { count, order });
                self.take(at, at + taken);
            }
        }
    }

    /// Words that are a part of a column's name, or mean the same.
    fn parts_of_names(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let end = (at..self.tokens.len()).find(|at| !self.may_name(*at)).unwrap_or(self.tokens.len());
            if end == at {
                at += 1;
                continue;
            }
            let (start, end) = (at, end.min(at + 6));
            at = end;
            let run: Vec<&Token> = self.tokens[start..end].iter().collect();
            let Some((column, _, matched)) = meant(self.table, &run, self.text(0)) else { continue };
            // The words that the best column does not have may name another one: `price region`.
            for (offset, hit) in matched.iter().enumerate() {
                if *hit {
                    self.marks[start + offset] = Mark::Taken;
                }
            }
            let first = start + matched.iter().position(|hit| *hit).unwrap_or(0);
            self.marks[first] = Mark::Column(column);
            if matched.iter().any(|hit| !hit) {
                at = start;
            }
        }
    }

    /// Whether the word is free and may be (a part of) a column's name.
    fn may_name(&self, at: usize) -> bool {
        let word = self.free(at);
        let is_letters = word.chars().any(char::is_alphabetic);
        let after_by = at > 0 && is_among(self.text(at - 1), BY);
        let is_computed = Aggregate::ALL.iter().any(|(.., words)| is_among(word, words));
        // `max temperature` is a column where one has both words.
        let joins = is_computed
            && at + 1 < self.tokens.len()
            && meant(self.table, &[&self.tokens[at], &self.tokens[at + 1]], "")
                .is_some_and(|(_, _, hit)| hit == [true, true]);
        is_letters
            && !is_among(word, FILLERS)
            && (!is_computed || joins)
            && !(at > 0
                && self.tokens[at - 1].number().is_some()
                && is_among(word, "second seconds minute minutes hour hours day days"))
            && !is_among(
                word,
                "and or not no without except than versus vs time times number many most least same",
            )
            && !(Grain::of(word).is_some() && (after_by || word.ends_with("ly")))
            && (!intent::is_cue(word) || after_by)
    }

    fn computations(&mut self) {
        for at in 0..self.tokens.len() {
            let word = self.free(at).to_owned();
            let next = self.text(at + 1).to_owned();
            let found = match (word.as_str(), next.as_str()) {
                ("how", "many" | "often") | ("number", "of") => Some((Aggregate::Count, 2)),
                ("most" | "least", "common" | "frequent" | "popular" | "often") => {
                    let order = if word == "most" { Order::Most } else { Order::Least };
                    self.top = self.top.or(Some(Top { count: 1, order }));
                    Some((Aggregate::Count, 2))
                }
                ("busiest" | "commonest", _) => {
                    self.top = self.top.or(Some(Top { count: 1, order: Order::Most }));
                    Some((Aggregate::Count, 1))
                }
                ("in", "all") => Some((Aggregate::Sum, 2)),
                ("standard", "deviation") => Some((Aggregate::Spread, 2)),
                ("distinct", "values") => Some((Aggregate::Distinct, 2)),
                ("most", _) => Some((Aggregate::Highest, 1)),
                _ => {
                    let known =
                        Aggregate::ALL.iter().find(|(.., words)| is_among(&word, words) && !word.is_empty());
                    known.map(|(aggregate, ..)| (*aggregate, 1))
                }
            };
            if let Some((aggregate, taken)) = found {
                self.take(at, (at + taken).min(self.tokens.len()));
                if !self.aggregates.contains(&aggregate) {
                    self.aggregates.push(aggregate);
                }
                // What is counted is a word for the rows, unless it is a column.
                let noun = at + taken;
                if taken == 2
                    && aggregate == Aggregate::Count
                    && !is_among(self.free(noun), FILLERS)
                    && !self.free(noun).is_empty()
                {
                    let is_computed =
                        Aggregate::ALL.iter().any(|(.., words)| is_among(self.free(noun), words));
                    if !is_computed && !intent::is_cue(self.free(noun)) {
                        self.take(noun, noun + 1);
                    }
                }
            }
        }
    }

    /// What stands behind `by`, `per` and the like: columns and stretches of time.
    fn divisions(&mut self) {
        let mut dividing = false;
        for at in 0..self.tokens.len() {
            let word = self.free(at).to_owned();
            if is_among(&word, BY) && !word.is_empty()
                || word == "over" && Grain::of(self.free(at + 2)).is_some()
            {
                dividing = true;
                self.divides = true;
                self.take(at, at + 1);
            } else if let Some((group, taken)) = self.stretch(at, dividing) {
                self.take(at, at + taken);
                self.add_group(group);
            } else if let Some(column) = self.column(at).filter(|_| dividing) {
                // `top 10 customers by revenue` ranks by the number.
                let ranks =
                    self.top.is_some() && column.is_number() && column.distinct.is_none_or(|many| many > 20);
                if ranks {
                    self.add_measure(at);
                } else {
                    self.add_group(Group::Column(column.name.clone()));
                }
                self.take(at, at + 1);
                dividing &= !ranks;
            } else if !(is_among(&word, "and the of , in & each instead") || self.marks[at] == Mark::Taken) {
                dividing = false;
            }
        }
    }

    /// A stretch of time at this word: `month`, `monthly`, `day of the week`, `hour of the day`.
    fn stretch(&self, at: usize, dividing: bool) -> Option<(Group, usize)> {
        let word = self.free(at);
        let grain =
            Grain::of(word).or_else(|| (word == "weekday" || word == "weekdays").then_some(Grain::Day))?;
        if !dividing && !word.ends_with("ly") {
            return None;
        }
        let time = self.time_column()?.name.clone();
        let of = |skip: usize| match (self.text(at + 1), self.text(at + 2)) {
            ("of", "the" | "each") => self.text(at + 3 + skip),
            ("of", other) if skip == 0 => other,
            _ => "",
        };
        let taken = match (self.text(at + 1), self.text(at + 2)) {
            _ if word.starts_with("weekday") => 1,
            ("of", "the" | "each") => 4,
            ("of", _) => 3,
            _ => 1,
        };
        let cycle = match (word, grain, of(0)) {
            ("weekday" | "weekdays", ..) | (_, Grain::Day, "week") => Some(Cycle::Weekday),
            (_, Grain::Hour, "day") => Some(Cycle::Hour),
            (_, Grain::Month, "year") => Some(Cycle::Month),
            _ => None,
        };
        // `month of “date”`, `month of the year of “date”`.
        let of_time = |taken: usize| {
            let named =
                self.text(at + taken) == "of" && self.column(at + taken + 1).is_some_and(Column::is_time);
            taken + if named { 2 } else { 0 }
        };
        Some(match cycle {
            Some(cycle) => (Group::Cycle(time, cycle), of_time(taken)),
            None => (Group::Every(time, grain), of_time(1)),
        })
    }

    fn add_group(&mut self, group: Group) {
        if !self.groups.contains(&group) {
            self.groups.push(group);
        }
    }

    fn add_measure(&mut self, at: usize) {
        if let Mark::Column(column) = self.marks[at]
            && !self.measures.contains(&column)
        {
            self.measures.push(column);
        }
    }

    /// Columns that were named and have no part yet: numbers are measured, others divide.
    fn other_columns(&mut self) {
        for at in 0..self.tokens.len() {
            let Some(column) = self.column(at) else { continue };
            let first_of_which = at > 0 && matches!(self.text(at - 1), "which" | "what");
            let counted =
                self.aggregates.iter().any(|one| matches!(one, Aggregate::Distinct | Aggregate::Missing));
            if self.names_a_value(at) {
                // `the North region`: the value says it already.
            } else if let Some(value) = said_of(column).filter(|_| !first_of_which && !self.asks_of(at)) {
                let column = column.name.clone();
                let negated = (0..at).rev().take(2).any(|at| is_among(self.text(at), NEGATES));
                self.conditions.push((at, at + 1, Condition::Is { column, values: vec![value], negated }));
            } else if column.is_time() && !counted {
                if first_of_which {
                    self.add_group(Group::Column(column.name.clone()));
                }
            } else if column.is_number() && column.kind != Kind::Identifier && !first_of_which || counted {
                self.add_measure(at);
            } else {
                self.add_group(Group::Column(column.name.clone()));
            }
        }
    }

    /// Whether a condition on this column stands right before it or behind it.
    fn names_a_value(&self, at: usize) -> bool {
        let Some(name) = self.column(at).map(|column| column.name.as_str()) else { return false };
        let next_to = |from: usize, to: usize| {
            let between = self.tokens.get(at + 1..from).unwrap_or_default();
            to == at
                || from > at
                    && between.len() <= 3
                    && between.iter().enumerate().all(|(offset, token)| {
                        is_among(&token.text, "in is are on not during")
                            || self.marks[at + 1 + offset] == Mark::Taken
                    })
        };
        self.conditions
            .iter()
            .any(|(from, to, condition)| condition.column() == Some(name) && next_to(*from, *to))
    }

    /// Whether the column itself is asked for: `how many cancelled and not`, `by cancelled`.
    fn asks_of(&self, at: usize) -> bool {
        at > 0 && is_among(self.text(at - 1), "by per each distribution and")
    }

    /// Telling words that nothing took: values to look for where the sentence says so, else not understood.
    fn left_over(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let is_left = |reader: &Self, at: usize| {
                let token = &reader.tokens[at];
                let letters = token.text.chars().any(char::is_alphabetic);
                reader.marks[at] == Mark::Free
                    && (token.quoted
                        || (letters || token.number().is_some())
                            && !is_among(&token.text, FILLERS)
                            && !intent::is_cue(&token.text))
                    && !is_among(&token.text, LINKS)
                    && !reader.names_the_table(&token.text)
            };
            if !is_left(self, at) {
                at += 1;
                continue;
            }
            let end = (at..self.tokens.len())
                .find(|end| !is_left(self, *end) || self.tokens[*end].quoted && *end > at)
                .unwrap_or(self.tokens.len());
            let words: Vec<&str> = self.tokens[at..end].iter().map(|token| token.raw.as_str()).collect();
            let words = words.join(" ");
            let before = (0..at).rev().map(|at| self.text(at)).find(|word| !is_among(word, "the a an"));
            let named =
                self.tokens[at].quoted || at > 0 && self.tokens[at].raw.starts_with(char::is_uppercase);
            let is_number = self.tokens[at].number().is_some();
            if !is_number && (named || before.is_some_and(|word| is_among(word, VALUE_FOLLOWS))) {
                let negated = before.is_some_and(|word| is_among(word, NEGATES));
                self.conditions.push((at, end, Condition::Says { words, negated }));
            } else {
                self.not_understood.push(words);
            }
            self.take(at, end);
            at = end;
        }
    }

    /// Whether the word is in the name of the file: a word for its rows.
    fn names_the_table(&self, word: &str) -> bool {
        let file = self.table.path.rsplit('/').next().unwrap_or_default();
        let file = file.split('.').next().unwrap_or_default();
        crate::words::words(file).iter().any(|own| stem(own) == stem(word))
    }

    /// The clues by which an intent is chosen.
    fn clues(&self) -> Clues<'_> {
        let words = self.tokens.iter().enumerate().map(|(at, token)| {
            if token.quoted || matches!(self.marks[at], Mark::Column(_)) {
                "\u{0}"
            } else {
                token.text.as_str()
            }
        });
        let timed = |group: &Group| matches!(group, Group::Every(..));
        Clues {
            words: words.collect(),
            aggregates: &self.aggregates,
            measures: self.measures.len(),
            groups: self.groups.len(),
            over_time: self.groups.iter().any(timed),
            periods: self.periods.len(),
            has_top: self.top.is_some(),
            has_time: self.time_column().is_some(),
            has_conditions: !self.conditions.is_empty(),
            alternatives: self.conditions.iter().any(|(.., one)| divider(one).is_some()),
            begins_unknown: self.begins_unknown(),
        }
    }

    /// Whether the question begins with a word that means nothing here and computes nothing: `translate the names`.
    fn begins_unknown(&self) -> bool {
        let first = self.tokens.first().map_or("", |token| token.raw.as_str());
        let lost = self.not_understood.first().is_some_and(|words| words.split(' ').next() == Some(first));
        lost && self.measures.is_empty() && self.aggregates.is_empty() && !self.divides
    }

    pub(super) fn finish(mut self, form: Form) -> Question {
        let names =
            |columns: &[usize]| columns.iter().map(|at| self.table.columns[*at].name.clone()).collect();
        let labelled = labelled(&self.tokens);
        let intent = labelled.unwrap_or_else(|| intent::best(&self.clues()));
        let mut question = Question {
            intent,
            aggregates: std::mem::take(&mut self.aggregates),
            measures: names(&self.measures),
            groups: std::mem::take(&mut self.groups),
            conditions: self.conditions.drain(..).map(|(.., condition)| condition).collect(),
            periods: std::mem::take(&mut self.periods),
            top: self.top,
            form,
            not_understood: std::mem::take(&mut self.not_understood),
        };
        if labelled.is_some() {
            question.not_understood.clear();
        } else {
            question.settle(self.table, &self.tokens, self.divides);
        }
        question
    }

    /// Spans of time become periods where they are set against each other, and conditions elsewhere.
    pub(super) fn compares(&self) -> bool {
        self.tokens.iter().any(|token| {
            is_among(
                &token.text,
                "compare comparing compared comparison vs versus against than difference differ changed",
            )
        })
    }

    pub(super) fn moment(&self, at: usize) -> Option<(When, usize)> {
        let is_free = self.marks.get(at) == Some(&Mark::Free);
        is_free.then(|| super::calendar::when(&self.tokens[at..], self.today())).flatten()
    }
}

/// Words between which conditions stand.
const LINKS: &str = "and or not no without except excluding only but including vs versus against with instead also then than more less years year times most least";
/// Words that a value follows.
pub(super) const VALUE_FOLLOWS: &str = "for in of from with where only at to among is are was were and or vs versus without except excluding not within on about";
pub(super) const NEGATES: &str = "without except excluding not no besides";

/// The intent that the question begins with: `Ranking:`, as the line of what was understood does.
fn labelled(tokens: &[Token]) -> Option<&'static intent::Intent> {
    let [label, sign, ..] = tokens else { return None };
    (sign.text == ".").then(|| intent::of_word(&label.text)).flatten()
}

/// What a boolean column says of a row when its name is said alone: `cancelled` is yes.
fn said_of(column: &Column) -> Option<String> {
    let yes = |value: &&(String, u64)| is_among(&value.0.to_lowercase(), "yes y true t 1");
    (column.kind == Kind::Boolean)
        .then(|| column.top.iter().find(yes))
        .flatten()
        .map(|(value, _)| value.clone())
}
