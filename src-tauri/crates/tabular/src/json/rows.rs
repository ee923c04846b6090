//! Takes JSON apart row by row, in memory bounded by one row.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read};

/// Longest row.
const ROW_BYTES: usize = 16 * 1024 * 1024;

/// Objects within objects that give columns of their own.
const DEPTH: usize = 8;

/// What stands where a row may.
pub(super) enum Item {
    /// Names and texts.
    Row(Vec<(String, String)>),
    /// No JSON.
    Broken(String),
}

/// Why the rows cannot be read.
#[derive(Debug)]
pub(super) enum Trouble {
    Io(io::Error),
    Broken { line: usize },
    TooLong,
}

/// Shows rows to somebody, with their numbers.
pub(super) struct Rows<'a> {
    row: u64,
    visit: &'a mut dyn FnMut(u64, Item) -> io::Result<bool>,
    /// Whoever is shown the rows has had enough, or failed.
    ended: Option<io::Result<()>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(visit: &'a mut dyn FnMut(u64, Item) -> io::Result<bool>) -> Self {
        Self { row: 0, visit, ended: None }
    }

    /// One array of rows.
    pub(super) fn array(mut self, reader: impl Read) -> Result<(), Trouble> {
        let spent = Cell::new(0);
        let reader = Budget { reader: io::BufReader::new(reader), spent: &spent };
        let mut deserializer = serde_json::Deserializer::from_reader(reader);
        let read = Elements { rows: &mut self, spent: &spent }.deserialize(&mut deserializer);
        let trouble = |error: serde_json::Error| match error.io_error_kind() {
            _ if spent.get() > ROW_BYTES => Trouble::TooLong,
            Some(_) => Trouble::Io(error.into()),
            None => Trouble::Broken { line: error.line() },
        };
        match (self.ended.take(), read) {
            (Some(ended), _) => ended.map_err(Trouble::Io),
            (None, Ok(())) => deserializer.end().map_err(trouble),
            (None, Err(error)) => Err(trouble(error)),
        }
    }

    /// A row on each line.
    pub(super) fn lines(mut self, mut reader: impl BufRead) -> Result<(), Trouble> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let most = ROW_BYTES as u64 + 1;
            let length = reader.by_ref().take(most).read_until(b'\n', &mut line).map_err(Trouble::Io)?;
            if length == 0 {
                return Ok(());
            }
            if length > ROW_BYTES {
                return Err(Trouble::TooLong);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim().trim_start_matches('\u{FEFF}');
            let item = match serde_json::from_str::<&RawValue>(text) {
                _ if text.is_empty() => None,
                Ok(raw) => Some(item(raw)),
                Err(_) => Some(Item::Broken(text.to_owned())),
            };
            if let Some(item) = item
                && !(self.visit)(self.row, item).map_err(Trouble::Io)?
            {
                return Ok(());
            }
            self.row += 1;
        }
    }

    /// An array of rows within an object, the first one that holds an object; or the object itself, whose
    /// members are columns where all of them are arrays.
    pub(super) fn inside(mut self, text: &str) -> Result<(), Trouble> {
        let broken = |error: serde_json::Error| Trouble::Broken { line: error.line() };
        let Pairs(members) = serde_json::from_str(text).map_err(broken)?;
        let found = members.iter().find(|(_, raw)| {
            let mut signs = raw.get().chars().filter(|sign| !sign.is_whitespace());
            signs.next() == Some('[') && signs.next() == Some('{')
        });
        if let Some((_, raw)) = found {
            return self.array(raw.get().as_bytes());
        }
        let columns: Option<Vec<(String, Vec<&RawValue>)>> = members
            .iter()
            .map(|(name, raw)| Some((name.clone(), serde_json::from_str(raw.get()).ok()?)))
            .collect();
        let Some(columns) = columns.filter(|columns| !columns.is_empty()) else {
            let cells = members.into_iter().flat_map(|(name, raw)| cells(&name, raw)).collect();
            return (self.visit)(0, Item::Row(cells)).map(drop).map_err(Trouble::Io);
        };
        let height = columns.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
        for number in 0..height {
            let cell = |(name, values): &(String, Vec<&RawValue>)| {
                (name.clone(), values.get(number).map_or_else(String::new, |raw| plain(raw.get())))
            };
            self.row = number as u64;
            if !(self.visit)(self.row, Item::Row(columns.iter().map(cell).collect())).map_err(Trouble::Io)? {
                break;
            }
        }
        Ok(())
    }
}

/// What one element of an array, or one line, is as a row.
fn item(raw: &RawValue) -> Item {
    let text = raw.get();
    if text.starts_with('{') {
        return match serde_json::from_str::<Pairs>(text) {
            Ok(Pairs(members)) => {
                Item::Row(members.into_iter().flat_map(|(name, raw)| cells(&name, raw)).collect())
            }
            Err(_) => Item::Broken(text.to_owned()),
        };
    }
    let values: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_else(|_| vec![raw]);
    let cells = values.iter().enumerate();
    Item::Row(cells.map(|(place, raw)| (format!("column_{}", place + 1), plain(raw.get()))).collect())
}

/// The cells of a member; an object gives one for each of its own.
fn cells(name: &str, raw: &RawValue) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    let mut open = vec![(name.to_owned(), raw, 0)];
    while let Some((name, raw, depth)) = open.pop() {
        match serde_json::from_str::<Pairs>(raw.get()) {
            Ok(Pairs(members)) if depth < DEPTH && !members.is_empty() => {
                let inner = members.into_iter().rev();
                open.extend(inner.map(|(inner, raw)| (format!("{name}.{inner}"), raw, depth + 1)));
            }
            _ => cells.push((name, plain(raw.get()))),
        }
    }
    cells
}

/// A value as it would be written in a text file.
fn plain(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'n') => String::new(),
        Some(b'"') => serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned()),
        _ => raw.to_owned(),
    }
}

/// The members of an object, in their order.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Pairs(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Shows the elements of an array while they are read.
struct Elements<'r, 'a> {
    rows: &'r mut Rows<'a>,
    spent: &'r Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Elements<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(raw) = elements.next_element::<Box<RawValue>>()? {
            self.spent.set(0);
            let shown = (self.rows.visit)(self.rows.row, item(&raw));
            self.rows.row += 1;
            if !matches!(shown, Ok(true)) {
                self.rows.ended = Some(shown.map(drop));
                return Err(serde::de::Error::custom("no more is wanted"));
            }
        }
        Ok(())
    }
}

/// A reader that gives up where one row is too long.
struct Budget<'a, R> {
    reader: R,
    spent: &'a Cell<usize>,
}

impl<R: Read> Read for Budget<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.spent.set(self.spent.get() + length);
        if self.spent.get() > ROW_BYTES {
            return Err(io::Error::other("a row is too long"));
        }
        Ok(length)
    }
}
