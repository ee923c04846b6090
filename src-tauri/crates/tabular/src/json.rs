//! Reads JSON: an array of objects or of arrays, one object on each line, or an object that holds such an
//! array. Numbers keep the digits that they are written with; objects inside objects give columns such as
//! `address.city`, arrays stay text.

mod rows;

use crate::TableError;
use crate::decode::{Controls, Decoded};
use crate::encoding;
use crate::ledger::Entry;
use crate::named::Visit;
use crate::progress::Progress;
use crate::records::{CELLS, Record};
use crate::source::Source;
use rows::{Item, Rows};
use std::collections::{HashMap, HashSet};
use std::io::Read;

/// Largest document that is held in memory because its rows lie deeper inside.
const LARGEST_BYTES: u64 = 64 * 1024 * 1024;

/// How the rows lie in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In one array.
    Array,
    /// One on each line.
    Lines,
    /// In an array within an object.
    Inside,
}

/// The columns of a file.
pub(crate) struct Names {
    pub(crate) names: Vec<String>,
    /// What in the file is no row.
    pub(crate) skipped: Vec<Entry>,
}

/// How the rows lie, as far as the beginning tells.
pub(crate) fn layout(source: &Source) -> Layout {
    let encoding = encoding::decide(source.head(), source.head_is_all());
    let (text, ..) = encoding.encoding.decode(source.head());
    let text = text.trim_start();
    if text.starts_with('[') {
        return Layout::Array;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let is_whole = serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok();
    // One object that is all there is may hold the rows.
    if is_whole && lines.next().is_some() { Layout::Lines } else { Layout::Inside }
}

/// The names of all columns, in the order in which they come first.
pub(crate) fn names(source: &Source, layout: Layout, progress: &mut Progress) -> Result<Names, TableError> {
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    let mut broken = Entry::new("a line that is not JSON");
    each_item(source, layout, progress, &mut |row, item| {
        let Item::Row(cells) = item else {
            if let Item::Broken(text) = item {
                broken.add(row, || text);
            }
            return Ok(true);
        };
        for (name, _) in cells {
            if names.len() <= CELLS && known.insert(name.clone()) {
                names.push(name);
            }
        }
        Ok(true)
    })?;
    if names.is_empty() {
        let looks_like = "JSON without rows in it";
        return Err(TableError::NotATable { file: source.file_name(), looks_like });
    }
    Ok(Names { names, skipped: vec![broken] })
}

/// Shows every row with a cell for each of the names.
pub(crate) fn each_record(
    source: &Source,
    layout: Layout,
    names: &[String],
    progress: &mut Progress,
    visit: Visit,
) -> Result<(), TableError> {
    let places: HashMap<&str, usize> =
        names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let mut cells = vec![String::new(); names.len()];
    each_item(source, layout, progress, &mut |row, item| {
        let Item::Row(found) = item else { return Ok(true) };
        cells.iter_mut().for_each(String::clear);
        for (name, text) in found {
            if let Some(place) = places.get(name.as_str()) {
                cells[*place] = text;
            }
        }
        visit(&Record::from_texts(row, cells.iter().map(String::as_str)))
    })
}

fn each_item(
    source: &Source,
    layout: Layout,
    progress: &mut Progress,
    visit: &mut dyn FnMut(u64, Item) -> std::io::Result<bool>,
) -> Result<(), TableError> {
    let encoding = encoding::decide(source.head(), source.head_is_all());
    let encoding = encoding::TextEncoding { broken: encoding::Broken::Replace, ..encoding };
    let reader = source.watched(progress).map_err(|error| source.trouble(error))?;
    let reader = Decoded::new(reader, encoding, Controls::Kept);
    let done = match layout {
        Layout::Array => Rows::new(visit).array(reader),
        Layout::Lines => Rows::new(visit).lines(reader),
        Layout::Inside => {
            let mut text = String::new();
            reader
                .take(LARGEST_BYTES + 1)
                .read_to_string(&mut text)
                .map_err(|error| source.trouble(error))?;
            if text.len() as u64 > LARGEST_BYTES {
                let what = "it is one JSON object of more than 64 MB, not a list of rows";
                return Err(TableError::Unsupported { file: source.file_name(), what });
            }
            Rows::new(visit).inside(&text)
        }
    };
    done.map_err(|trouble| match trouble {
        rows::Trouble::Io(error) => source.trouble(error),
        rows::Trouble::Broken { line } => TableError::Broken {
            file: source.file_name(),
            what: format!("the JSON breaks off or is not well formed in line {line}"),
        },
        rows::Trouble::TooLong => {
            let what = "one of its rows is longer than 16 MB";
            TableError::Unsupported { file: source.file_name(), what }
        }
    })
}
