//! What is gathered about one column while its cells pass by, and what is made of it at the end.

mod dressed;
mod numbers;
mod strays;
mod unread;

pub(crate) use numbers::{NumberFormat, Vote};
pub(crate) use unread::notes;

use crate::cell::{is_blank, is_pandas_null, shown};
use crate::date::{self, DayOrder};
use crate::distinct::Distinct;
use crate::histogram::BARS;
use crate::ledger::Entry;
use crate::table::{Column, Kind};
use crate::timeline::{DateReading, Dates, OrderHint};
use crate::{note, number, unit};
use dressed::{Amounts, Spans};
use numbers::Numbers;
use strays::Strays;
use unread::Unread;

/// Values that are named with their frequency.
const SHOWN_FREQUENCIES: usize = 5;

/// Words that are a yes and a no.
const OPPOSITES: [(&str, &str); 7] =
    [("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"), ("ja", "nein"), ("oui", "non")];

/// Last words of the names of columns that name things.
const IDENTIFIER_WORDS: [&str; 14] = [
    "id", "ids", "userid", "uuid", "guid", "code", "zip", "zipcode", "postcode", "fips", "isbn", "ean",
    "sku", "phone",
];

/// Words in the names of columns whose eight digits are dates.
const DATE_WORDS: [&str; 6] = ["date", "day", "datetime", "timestamp", "time", "dt"];

/// Who reads the cells after this crate has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// pandas, from the file itself: a type is only claimed where pandas can be told to read it.
    Original,
    /// Anybody, from the prepared table, where amounts and spans of time are plain numbers.
    Prepared,
}

/// Everything gathered about one column, in bounded memory.
pub(crate) struct Tally {
    empty: u64,
    /// Words that pandas reads as missing.
    nulls: Strays,
    /// Cells of nothing but blanks.
    blanks: Strays,
    values: u64,
    numbers: Numbers,
    not_numbers: Strays,
    dates: Dates,
    not_dates: Strays,
    /// For each pair of opposites, how many cells are one and the other.
    opposites: [(u64, u64); OPPOSITES.len()],
    distinct: Distinct,
    with_blanks: u64,
    long: u64,
    amounts: Option<Box<Amounts>>,
    spans: Option<Box<Spans>>,
    aim: Aim,
}

/// A column with what reading it takes.
pub(crate) struct Described {
    pub(crate) column: Column,
    /// Cells, apart from pandas' own null words, that stand for a missing value.
    pub(crate) null_words: Vec<String>,
    /// Whether pandas would take the values for numbers although they are none.
    pub(crate) keep_text: bool,
    /// Whether some values of a column of text look like numbers.
    pub(crate) some_look_like_numbers: bool,
    /// The heights of the bars of a histogram, where one makes sense.
    pub(crate) shape: Option<Vec<u32>>,
    /// How the cells become those of the prepared table.
    pub(crate) form: Form,
    /// Whether the prepared table has the cells as they are.
    pub(crate) plain: bool,
    /// The decision about the dates.
    pub(crate) dates: Option<DateReading>,
    /// Numbers that a point and a comma make different ones of, of so many.
    pub(crate) open_numbers: (u64, u64),
    /// The unit that stands at the numbers themselves.
    pub(crate) mark: Option<&'static str>,
    /// Cells that do not fit the type, and cells that stand for no value.
    pub(crate) flagged: Entry,
    pub(crate) nulls: Entry,
    notes: Vec<String>,
    unread: Option<Unread>,
}

/// What the cells of a column are made into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// What they are.
    Text,
    /// Digits with a decimal point.
    Number(NumberFormat),
    /// ISO 8601.
    Dates(DayOrder, Kind),
    /// Seconds.
    Span,
}

/// What a person said about a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) kind: Option<Kind>,
}

impl Tally {
    /// A column whose first `missing` rows have no cell.
    pub(crate) fn new(missing: u64, distinct_limit: usize, aim: Aim) -> Self {
        Self {
            empty: missing,
            nulls: Strays::default(),
            blanks: Strays::default(),
            values: 0,
            numbers: Numbers::default(),
            not_numbers: Strays::default(),
            dates: Dates::default(),
            not_dates: Strays::default(),
            opposites: [(0, 0); OPPOSITES.len()],
            distinct: Distinct::new(distinct_limit),
            with_blanks: 0,
            long: 0,
            amounts: None,
            spans: None,
            aim,
        }
    }

    /// Counts a row that has no cell for the column.
    pub(crate) fn add_missing(&mut self) {
        self.empty += 1;
    }

    /// Takes in the cell in `row` of the file, from 0.
    pub(crate) fn add(&mut self, cell: &[u8], row: u64) {
        if cell.is_empty() {
            self.empty += 1;
            return;
        }
        if is_pandas_null(cell) {
            self.nulls.add(cell, row);
            return;
        }
        if is_blank(cell) {
            self.blanks.add(cell, row);
            return;
        }
        self.values += 1;
        let number = number::scan(cell);
        if let Some(number) = &number {
            self.numbers.add(number);
        } else {
            self.numbers.add_other(cell);
            if self.aim == Aim::Prepared {
                self.add_amount(cell, row);
            }
            self.not_numbers.add(cell, row);
            self.add_word(cell);
        }
        // The only numbers that are dates as well are runs of eight digits.
        let may_be_date = number.is_none() || cell.len() == 8;
        match Some(cell).filter(|_| may_be_date).and_then(date::scan) {
            Some(stamp) => self.dates.add(stamp),
            None => self.not_dates.add(cell, row),
        }
        self.distinct.add(cell);
    }

    fn add_word(&mut self, cell: &[u8]) {
        let word = cell.trim_ascii();
        self.with_blanks += u64::from(word.contains(&b' '));
        self.long += u64::from(word.len() > 80);
        if word.len() <= 5 {
            for ((yes, no), (yes_count, no_count)) in OPPOSITES.iter().zip(&mut self.opposites) {
                *yes_count += u64::from(word.eq_ignore_ascii_case(yes.as_bytes()));
                *no_count += u64::from(word.eq_ignore_ascii_case(no.as_bytes()));
            }
        }
    }

    /// Whether any row has a value.
    pub(crate) fn has_values(&self) -> bool {
        self.values > 0
    }

    /// What the column says about the way that the file writes numbers.
    pub(crate) fn vote(&self) -> Vote {
        if let Some((numbers, ..)) = self.with_amounts() {
            return numbers.vote();
        }
        if self.mostly_numbers() { self.numbers.vote() } else { Vote::None }
    }

    /// The order of day and month that the column leaves no doubt about.
    pub(crate) fn certain_order(&self) -> Option<DayOrder> {
        if self.mostly_dates() { self.dates.certain_order() } else { None }
    }

    fn mostly_numbers(&self) -> bool {
        self.numbers.count() > 0 && self.not_numbers.tolerable(self.numbers.count())
    }

    fn mostly_dates(&self) -> bool {
        self.dates.count() > 0 && !self.dates.contradict() && self.not_dates.tolerable(self.dates.count())
    }

    /// Decides what the column is.
    pub(crate) fn describe(
        &self,
        name: &str,
        format: NumberFormat,
        hint: OrderHint,
        wish: Wish,
    ) -> Described {
        let mut described = Described {
            column: Column {
                name: name.to_owned(),
                kind: Kind::Empty,
                missing: self.empty + self.nulls.total() + self.blanks.total(),
                distinct: self.distinct.count(),
                min: None,
                max: None,
                mean: None,
                first: None,
                last: None,
                step_s: None,
                date_format: None,
                day_order_assumed: false,
                top: Vec::new(),
                unit: None,
            },
            null_words: self.blanks.words(),
            keep_text: false,
            some_look_like_numbers: false,
            shape: None,
            form: Form::Text,
            plain: true,
            dates: None,
            open_numbers: (0, 0),
            mark: None,
            flagged: Entry::new(name),
            nulls: self.nulls.entry(name),
            notes: Vec::new(),
            unread: None,
        };
        if self.values == 0 {
            return described;
        }
        if self.not_numbers.total() == self.values && self.not_numbers.are_null_marks() {
            described.column.missing += self.values;
            described.column.distinct = Some(0);
            described.null_words.extend(self.not_numbers.words());
            described.notes.push(format!("`{name}` has no values, only marks that stand for none."));
            return described;
        }
        let words = name_words(name);
        let named_date = words.iter().any(|word| DATE_WORDS.contains(&word.as_str()));
        let usual_dates = !self.dates.compact() || named_date;
        let date = self.dates.decide(hint).filter(|_| match wish.kind {
            None => self.mostly_dates() && usual_dates && !self.dates.fiscal(),
            Some(kind) => matches!(kind, Kind::Date | Kind::Time | Kind::Timestamp),
        });
        let is_number = match wish.kind {
            None => self.mostly_numbers() && self.numbers.zero_padded() == 0 && self.numbers.fits(format),
            Some(kind) => matches!(kind, Kind::Integer | Kind::Decimal),
        };
        let amounts = self.with_amounts().filter(|(amounts, ..)| match wish.kind {
            None => amounts.fits(format),
            Some(_) => is_number,
        });
        let spans = self.mostly_spans().filter(|_| wish.kind.is_none_or(|kind| kind == Kind::Duration));
        if let Some(reading) = date {
            self.describe_dates(&mut described, reading);
        } else if wish.kind.map_or_else(|| self.is_boolean(), |kind| kind == Kind::Boolean) {
            described.column.kind = Kind::Boolean;
            self.set_frequencies(&mut described);
        } else if let Some(spans) = spans {
            self.describe_spans(&mut described, spans);
        } else if let Some((numbers, others, mark)) = &amounts {
            described.mark = *mark;
            described.plain = false;
            self.describe_numbers(&mut described, numbers, others, format, &words);
        } else if is_number {
            self.describe_numbers(&mut described, &self.numbers, &self.not_numbers, format, &words);
        } else {
            self.describe_text(&mut described, &words);
        }
        if let Some(kind @ (Kind::Text | Kind::Category | Kind::Identifier)) = wish.kind {
            described.column.kind = kind;
        }
        let number = matches!(described.column.kind, Kind::Integer | Kind::Decimal | Kind::Boolean);
        let identifier = described.column.kind == Kind::Identifier && self.numbers.zero_padded() == 0;
        described.keep_text = !number && !identifier && self.numbers.look_alike() == self.values;
        described.some_look_like_numbers = !number && self.numbers.look_alike() > 0;
        described
    }

    fn describe_numbers(
        &self,
        described: &mut Described,
        numbers: &Numbers,
        others: &Strays,
        format: NumberFormat,
        words: &[String],
    ) {
        let reading = numbers.reading(format);
        described.form = Form::Number(format);
        described.plain &= format.decimal == '.' && !reading.has_marks();
        described.open_numbers = (numbers.open(), numbers.count());
        let column = &mut described.column;
        column.kind = if reading.all_whole() { Kind::Integer } else { Kind::Decimal };
        if column.kind == Kind::Integer && names_things(words) {
            column.kind = Kind::Identifier;
        } else {
            (column.min, column.max, column.mean) = reading.summary();
            described.shape = reading.shape();
            column.unit = described.mark.map(str::to_owned).or_else(|| unit::of(&column.name));
        }
        self.set_strays(described, others, "a number", "numbers");
    }

    fn describe_dates(&self, described: &mut Described, reading: DateReading) {
        let column = &mut described.column;
        column.kind = reading.kind;
        column.first = Some(reading.first.clone());
        column.last = Some(reading.last.clone());
        column.step_s = reading.step_s;
        column.day_order_assumed = reading.assumed;
        described.form = Form::Dates(reading.order.unwrap_or(DayOrder::DayFirst), reading.kind);
        described.plain = reading.plain;
        let column = &mut described.column;
        let name = &column.name;
        if reading.assumed {
            let order = match reading.order {
                Some(DayOrder::MonthFirst) => "month first",
                _ => "day first",
            };
            described.notes.push(format!(
                "The dates in `{name}` can be read day first or month first; {order} is assumed."
            ));
        }
        if reading.format.is_none() {
            described.notes.push(format!("The dates in `{name}` are written in more than one way."));
        }
        if reading.several_zones {
            described.notes.push(format!("The times in `{name}` are given in more than one time zone."));
        }
        column.date_format.clone_from(&reading.format);
        described.shape.clone_from(&reading.shape);
        let (one, many) = if reading.kind == Kind::Time { ("a time", "times") } else { ("a date", "dates") };
        self.set_strays(described, &self.not_dates, one, many);
        described.dates = Some(reading);
    }

    #[allow(clippy::cast_precision_loss, reason = "the extremes are shown, not computed with")]
    fn describe_spans(&self, described: &mut Described, spans: &Spans) {
        let column = &mut described.column;
        column.kind = Kind::Duration;
        column.unit = Some("s".to_owned());
        column.min = Some(spans.least as f64 / 1000.0);
        column.max = Some(spans.most as f64 / 1000.0);
        column.mean = format!("{:.8e}", spans.sum / spans.count as f64).parse().ok();
        described.form = Form::Span;
        described.plain = false;
        self.set_strays(described, &spans.others, "a span of time", "spans of time");
    }

    /// Counts the cells that do not fit the type as missing, and says so.
    fn set_strays(&self, described: &mut Described, strays: &Strays, one: &'static str, many: &'static str) {
        let column = &mut described.column;
        column.missing += strays.total();
        column.distinct = column.distinct.map(|count| count - (strays.distinct() as u64).min(count));
        (described.flagged, described.nulls) = strays.merged(&self.nulls).accounts(&column.name, many);
        let unread = strays.merged(&self.nulls);
        described.null_words.extend(strays.words());
        described.unread = unread.first().map(|(word, row)| Unread {
            number: unread.total(),
            wanted: if unread.total() == 1 { one } else { many },
            first_word: shown(word.trim()),
            first_row: row + 1,
        });
    }

    fn describe_text(&self, described: &mut Described, words: &[String]) {
        let column = &mut described.column;
        let few = self.distinct.is_few()
            && self.long == 0
            && self.distinct.count().is_some_and(|count| count * 2 <= self.values);
        column.kind = if self.numbers.zero_padded() > 0 && self.numbers.digits() == self.values {
            Kind::Identifier
        } else if few {
            Kind::Category
        } else if names_things(words) && self.with_blanks == 0 {
            Kind::Identifier
        } else {
            Kind::Text
        };
        if column.kind == Kind::Category {
            self.set_frequencies(described);
        }
        let name = &described.column.name;
        if self.dates.contradict() && self.not_dates.tolerable(self.dates.count()) {
            described.notes.push(format!(
                "The dates in `{name}` are partly written day first and partly month first; they are kept as text."
            ));
        } else if self.numbers.zero_padded() > 0 && described.column.kind == Kind::Identifier {
            described.notes.push(format!("`{name}` has numbers with leading zeros; they are kept as text."));
        } else if let Some(marks) = self.amounts.as_ref().map(|amounts| amounts.marks())
            && marks.len() > 1
        {
            described.notes.push(format!(
                "The amounts in `{name}` are in {}; they are kept as text.",
                note::listed(&marks, 5)
            ));
        } else if (self.mostly_numbers() || self.with_amounts().is_some()) && self.numbers.zero_padded() == 0
        {
            described.notes.push(format!(
                "The numbers in `{name}` are written in more than one way; they are kept as text."
            ));
        } else if self.numbers.count() * 2 > self.values
            && self.numbers.zero_padded() == 0
            && let Some((word, row)) = self.not_numbers.first()
        {
            described.notes.push(format!(
                "`{name}` is kept as text: {} could not be read as numbers (first in row {}: \"{}\").",
                note::count(self.not_numbers.total(), "value", "values"),
                row + 1,
                shown(word.trim())
            ));
        }
    }

    fn set_frequencies(&self, described: &mut Described) {
        let mut frequencies = self.distinct.most_frequent(BARS);
        let heights = frequencies.iter().map(|(_, count)| u32::try_from(*count).unwrap_or(u32::MAX));
        described.shape = Some(heights.collect());
        frequencies.truncate(SHOWN_FREQUENCIES);
        described.column.top = frequencies;
    }

    fn is_boolean(&self) -> bool {
        let whole = |(yes, no): &(u64, u64)| yes + no == self.values && *yes > 0 && *no > 0;
        self.opposites.iter().any(whole) || self.opposites[0].0 + self.opposites[0].1 == self.values
    }
}

fn names_things(words: &[String]) -> bool {
    words.last().is_some_and(|word| IDENTIFIER_WORDS.contains(&word.as_str()))
}

/// The words of a column's name in small letters: `RespondentID` is `respondent`, `id`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for character in name.chars() {
        let border = !character.is_alphanumeric() || (character.is_uppercase() && previous.is_lowercase());
        if border && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        previous = character;
    }
    words.retain(|word| !word.is_empty());
    words
}
