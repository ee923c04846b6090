//! Looks for the new value of a figure where the earlier one came from.

use super::style;
use crate::evidence::{Sources, TableSource, Verdict, facts_of_table};
use crate::figures::{Figure, Kind, Moment, Span, Token, Unit, scan, unit_in_words};

/// Stands for a number or a date in a line.
const VALUE: char = '\u{1}';

/// What came of looking.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Looked {
    /// The figure is none of the file's: it was asked for, or chosen.
    Stays,
    /// What is to be written, and its value where it is a number.
    New(String, Option<f64>),
    /// It follows from other figures.
    Follows,
    /// It was not found.
    Lost,
}

/// Both runs' results.
pub(super) struct Lookup<'a> {
    before: &'a Sources<'a>,
    now: &'a Sources<'a>,
    step: &'a dyn Fn(u32) -> Option<u32>,
    mark: Option<char>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(
        before: &'a Sources<'a>,
        now: &'a Sources<'a>,
        step: &'a dyn Fn(u32) -> Option<u32>,
        mark: Option<char>,
    ) -> Self {
        Self { before, now, step, mark }
    }

    pub(super) fn figure(&self, figure: &Figure, verdict: &Verdict) -> Looked {
        let found = match verdict {
            Verdict::Asked | Verdict::Chosen { .. } => return Looked::Stays,
            Verdict::Derived { .. } => return Looked::Follows,
            Verdict::Written { .. } | Verdict::NotFound => None,
            Verdict::Printed { step, line, .. } => self.printed(figure, *step, *line),
            Verdict::Tabled { path, row: Some(row), column, .. } => self.cell(figure, path, *row, column),
            Verdict::Tabled { path, row: None, column, .. } => self.fact_of_table(figure, path, column),
            // A share that equals a fact in kilowatts does so by chance.
            Verdict::Input { fact } if is_share(figure) && unit_in_words(fact) != Unit::Percent => {
                return Looked::Follows;
            }
            Verdict::Input { fact } => self.fact_of_input(figure, fact),
        };
        found.unwrap_or(Looked::Lost)
    }

    fn printed(&self, figure: &Figure, step: u32, line: u32) -> Option<Looked> {
        let output = |sources: &Sources<'a>, number: u32| {
            sources.steps.iter().find(|step| step.number == number).map(|step| step.output)
        };
        let old = output(self.before, step)?;
        let new = output(self.now, (self.step)(step)?)?;
        let at = (line as usize).checked_sub(1)?;
        let old_line = old.lines().nth(at)?;
        self.in_line(figure, old_line, same_place(old, at, new, figure)?)
    }

    fn cell(&self, figure: &Figure, path: &str, row: u64, column: &str) -> Option<Looked> {
        let (old, new) = (table(self.before, path)?, table(self.now, path)?);
        let (old, new) = (Cells::read(old)?, Cells::read(new)?);
        let at = usize::try_from(row).ok()?.checked_sub(1)?;
        let (from, to) = (old.column(column)?, new.column(column)?);
        let key = old.rows.get(at)?.first()?;
        let same = |cells: &Cells| cells.rows.iter().filter(|row| row.first() == Some(key)).count() == 1;
        let is_key = from == 0;
        let now = if !is_key && same(&old) && same(&new) {
            new.rows.iter().find(|row| row.first() == Some(key))?
        } else {
            new.rows.get(at)?
        };
        self.in_line(figure, old.rows[at].get(from)?, now.get(to)?)
    }

    fn fact_of_table(&self, figure: &Figure, path: &str, words: &str) -> Option<Looked> {
        let value = |sources: &Sources<'a>| {
            let facts = facts_of_table(table(sources, path)?);
            facts.into_iter().find(|(own, _)| own == words).map(|(_, value)| value)
        };
        self.as_number(figure, value(self.before)?, value(self.now)?)
    }

    fn fact_of_input(&self, figure: &Figure, fact: &str) -> Option<Looked> {
        self.before.inputs.iter().zip(&self.now.inputs).find_map(|(before, now)| {
            let said = before.said();
            let (words, value) =
                said.iter().find(|(words, value)| format!("{}: {words}: {value}", before.name) == fact)?;
            let is_same = |(own, _): &&(String, String)| own == words;
            let new: Vec<(String, String)> = now.said();
            let new: Vec<&(String, String)> = new.iter().filter(is_same).collect();
            if new.iter().any(|(_, now)| now == value) {
                return Some(Looked::Stays);
            }
            match (said.iter().filter(is_same).count(), new.as_slice()) {
                (1, [(_, now)]) => self.in_line(figure, value, now),
                _ => None,
            }
        })
    }

    /// What a figure is that follows from two others of its sentence or row, where all ways that there are
    /// come to the same.
    pub(super) fn beside(&self, figures: &[Figure], at: usize, values: &[Option<f64>]) -> Looked {
        let group = figures[at].context.group;
        let near: Vec<usize> = (0..figures.len())
            .filter(|other| {
                *other != at && figures[*other].context.group == group && !is_share(&figures[*other])
            })
            .collect();
        let mut found = Vec::new();
        for one in &near {
            for two in near.iter().filter(|two| *two != one) {
                found.push(self.derived(figures, at, &[*one, *two], values));
            }
        }
        found.retain(|looked| *looked != Looked::Lost);
        let text = |looked: &Looked| match looked {
            Looked::New(text, _) => text.clone(),
            _ => String::new(),
        };
        match found.first() {
            Some(first) if found.iter().all(|other| text(other) == text(first)) => first.clone(),
            _ => Looked::Lost,
        }
    }

    /// What a figure is that follows from others, by the arithmetic that gave the earlier one.
    pub(super) fn derived(
        &self,
        figures: &[Figure],
        at: usize,
        from: &[usize],
        values: &[Option<f64>],
    ) -> Looked {
        let figure = &figures[at];
        let Kind::Number(written) = &figure.reads else { return Looked::Lost };
        let before: Option<Vec<f64>> = from.iter().map(|part| super::number(&figures[*part])).collect();
        let now: Option<Vec<f64>> = from.iter().map(|part| values[*part]).collect();
        let (Some(before), Some(now)) = (before, now) else { return Looked::Lost };
        let reading = written.readings[0];
        let span = Span::around(reading.value.abs(), reading.place);
        for way in ways(written.percent, before.len()) {
            let (then, result) = (way(&before), way(&now));
            // Words such as "more" and "fell" hold for one direction only.
            if !then.is_finite() || !span.holds(then.abs()) || then * result < 0.0 {
                continue;
            }
            let result = if written.signed { result.abs() * reading.value.signum() } else { result.abs() };
            if let Some(text) = style::value(figure, result, self.mark) {
                return Looked::New(text, Some(result));
            }
        }
        Looked::Lost
    }

    /// The value in a line at the place where the earlier line has the figure's.
    fn in_line(&self, figure: &Figure, old: &str, new: &str) -> Option<Looked> {
        if let Kind::Words(words) = &figure.reads {
            let holds = |line: &str| line.to_lowercase().contains(&words.to_lowercase());
            if holds(new) {
                return Some(Looked::Stays);
            }
            // A cell that is these words becomes other words.
            let is_all = old.trim().eq_ignore_ascii_case(words) && !new.trim().is_empty();
            return is_all.then(|| Looked::New(figure.text.replace(words.as_str(), new.trim()), None));
        }
        let (old, new) = (values(old), values(new));
        old.iter().zip(&new).find_map(|(before, now)| match (&figure.reads, &before.kind, &now.kind) {
            (Kind::Number(written), Kind::Number(before), Kind::Number(now)) => {
                let (before, now) = (before.readings[0].value, now.readings[0].value);
                let is_it = written.spans().iter().any(|(span, _)| span.holds(before) || span.holds(-before));
                is_it.then(|| self.as_number(figure, before, now)).flatten()
            }
            (Kind::Date(written), Kind::Date(before), Kind::Date(now)) => {
                let own: &Moment = written.iter().find(|own| before.iter().any(|one| own.is_within(one)))?;
                Some(Looked::New(style::date(&figure.text, *own, *now.first()?)?, None))
            }
            _ => None,
        })
    }

    fn as_number(&self, figure: &Figure, before: f64, now: f64) -> Option<Looked> {
        let (text, value) = style::number(figure, before, now, self.mark)?;
        Some(Looked::New(text, Some(value)))
    }
}

fn is_share(figure: &Figure) -> bool {
    matches!(&figure.reads, Kind::Number(written) if written.percent)
}

type Way = fn(&[f64]) -> f64;

/// The arithmetic that a reader does in the head, of so many figures.
fn ways(percent: bool, figures: usize) -> Vec<Way> {
    match (percent, figures) {
        (true, 1) => vec![|of| 100.0 - of[0]],
        (true, 2) => {
            vec![|of| of[0] / of[1] * 100.0, |of| (of[1] - of[0]) / of[0] * 100.0, |of| of[1] - of[0], |of| {
                of[0] + of[1]
            }]
        }
        (false, 2) => vec![|of| of[0] - of[1], |of| of[0] + of[1], |of| of[0] / of[1]],
        (true, 3..) => vec![
            |of| of[0] / of.iter().sum::<f64>() * 100.0,
            |of| of[0] / of[1..].iter().sum::<f64>() * 100.0,
            |of| of.iter().sum(),
        ],
        (false, 3..) => vec![|of| of.iter().sum()],
        _ => Vec::new(),
    }
}

/// The numbers and dates of a line.
fn values(line: &str) -> Vec<Token> {
    scan(line).into_iter().filter(|token| !matches!(token.kind, Kind::Words(_))).collect()
}

/// A line without its values, and without how wide its gaps are.
fn mask(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut at = 0;
    for token in values(line) {
        masked.push_str(&line[at..token.start]);
        masked.push(' ');
        masked.push(VALUE);
        masked.push(' ');
        at = token.end;
    }
    masked.push_str(&line[at..]);
    masked.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The line of the new output that says what a line of the old one says.
fn same_place<'o>(old: &str, at: usize, new: &'o str, figure: &Figure) -> Option<&'o str> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&'o str> = new.lines().collect();
    let own = mask(old.get(at)?);
    let alike =
        |lines: &[&str]| -> Vec<usize> { (0..lines.len()).filter(|at| mask(lines[*at]) == own).collect() };
    let (before, now) = (alike(&old), alike(&new));
    if let ([_], [only]) = (before.as_slice(), now.as_slice()) {
        return Some(new[*only]);
    }
    // Rows that are told apart by their first value only.
    let first = |line: &str| values(line).first().map(|token| line[token.start..token.end].to_owned());
    let key = first(old[at]).filter(|key| *key != figure.text && values(old[at]).len() > 1);
    if let Some(key) = key {
        let mut named = now.iter().filter(|at| first(new[**at]).as_ref() == Some(&key));
        if let (Some(one), None) = (named.next(), named.next()) {
            return Some(new[*one]);
        }
    }
    if before.len() == now.len() {
        let place = before.iter().position(|one| *one == at)?;
        return now.get(place).map(|at| new[*at]);
    }
    new.get(at).copied().filter(|line| mask(line) == own)
}

fn table<'s>(sources: &Sources<'s>, path: &str) -> Option<TableSource<'s>> {
    sources.tables.iter().find(|table| table.path == path).copied()
}

/// A table as text.
struct Cells {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Cells {
    fn read(table: TableSource<'_>) -> Option<Self> {
        let content = table.content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(table.content);
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(content);
        let texts = |record: &csv::ByteRecord| {
            record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect::<Vec<_>>()
        };
        let head = texts(reader.byte_headers().ok()?);
        let rows = reader.byte_records().map(|record| record.ok().map(|record| texts(&record)));
        Some(Self { head, rows: rows.collect::<Option<_>>()? })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.head.iter().position(|own| own == name)
    }
}
