//! Pages through a text table of any size, in any order.
//!
//! What is kept of the file is where every [`EVERY`]th row begins and, for an order or a filter, the
//! numbers of the rows in that order; the rows themselves are read when they are shown.

mod order;

use crate::TableError;
use crate::decode::{Controls, Decoded};
use crate::delimited::{Decisions, decide, decide_plainly, explain, settle};
use crate::dialect::Dialect;
use crate::encoding::{Broken, TextEncoding};
use crate::packing::Packing;
use crate::plan::{Content as Planned, PlannedColumn};
use crate::prepare::prepared_cells;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::records::{CUT_OFF_LINES, Record, Records, Trouble};
use crate::source::{Content, Source};
use order::{Needle, Ranking};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Rows from one remembered place to the next.
const EVERY: u32 = 64;

/// Rows of one page.
const LARGEST_PAGE: usize = 10_000;

/// Longest cell that is shown whole, in characters.
const SHOWN_CHARACTERS: usize = 2_000;

/// Why other files have no grid.
const ONLY_TEXT: &str = "only text has pages";

/// The mark that UTF-8 files may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A text table that is read page by page.
#[derive(Debug)]
pub struct Grid {
    path: PathBuf,
    text: Text,
    columns: Vec<String>,
    total_rows: u32,
    /// Where every [`EVERY`]th row begins.
    places: Vec<u64>,
    arranged: Option<Arranged>,
    /// What the cells are made into; nothing where they are shown as they are.
    prepared: Option<Vec<PlannedColumn>>,
}

/// Some rows of a [`Grid`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridPage {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as wide as the columns; cells beyond 2,000 characters are cut.
    pub rows: Vec<Vec<String>>,
    /// Number of matching rows before these.
    pub offset: u64,
    /// Number of rows of the table.
    pub total_rows: u64,
    /// Number of rows that the filter lets through.
    pub matching_rows: u64,
}

/// Which end of an order comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

/// The rows as they were asked for last.
#[derive(Debug)]
struct Arranged {
    sort: Option<(usize, Direction)>,
    filter: String,
    rows: Vec<u32>,
}

/// The file as UTF-8, which a copy without a name holds when it is written in another encoding.
#[derive(Debug)]
struct Text {
    file: File,
    /// Where the rows begin.
    start: u64,
    dialect: Dialect,
}

impl Grid {
    /// Opens a table that a program wrote: the first line names the columns, commas stand between the
    /// cells unless that line has none.
    ///
    /// # Errors
    /// A [`TableError`] when the file is missing, empty or no text.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        Self::open_with(&Source::open_text(path)?, decide_plainly)
    }

    /// Opens a table that a person brought, under the decisions of [`read`](crate::read) about its
    /// encoding, its dialect and where it begins. Lines below the table count as rows.
    ///
    /// # Errors
    /// A [`TableError`] when the file is missing, empty, a workbook or no table.
    pub fn open_input(path: &Path) -> Result<Self, TableError> {
        let source = Source::open(path)?;
        if source.content() != Content::Text {
            return Err(TableError::Unsupported { file: source.file_name(), what: ONLY_TEXT });
        }
        Self::open_with(&source, decide)
    }

    /// Opens the table of a reading, to show it as its prepared table has it. Lines below the table count as rows.
    ///
    /// # Errors
    /// As [`Grid::open_input`].
    pub fn open_reading(reading: &Reading) -> Result<Self, TableError> {
        let plan = &reading.plan;
        let source = Source::open_member(&plan.path, plan.member.as_deref())?;
        let Some(Planned::Text(decisions)) = &plan.content else {
            return Err(TableError::Unsupported { file: source.file_name(), what: ONLY_TEXT });
        };
        let mut grid = Self::index(&source, decisions).map_err(|trouble| explain(&plan.path, trouble))?;
        let kept = plan.columns.iter().filter(|column| !column.omit);
        grid.columns = kept.map(|column| column.name.clone()).collect();
        grid.prepared = Some(plan.columns.clone());
        Ok(grid)
    }

    fn open_with(
        source: &Source,
        decide: impl Fn(&Source, TextEncoding, Option<u64>) -> Result<Decisions, TableError>,
    ) -> Result<Self, TableError> {
        let report = &mut |_, _| ControlFlow::Continue(());
        let mut progress = Progress { total: source.length(), report };
        let (_, grid) = settle(source, source.length(), None, &mut progress, decide, |decisions, _| {
            Self::index(source, decisions)
        })?;
        Ok(grid)
    }

    /// Reads all rows once for where they begin.
    fn index(source: &Source, decisions: &Decisions) -> Result<Self, Trouble> {
        let mut text = Text::open(source, decisions)?;
        let strict = decisions.encoding.broken == Broken::Refuse;
        let mut records = text.records_from(text.start)?;
        let mut record = Record::default();
        let (mut total_rows, mut places, mut width) = (0_u32, Vec::new(), 0);
        let mut data_start = text.start;
        loop {
            let place = text.start + records.position();
            match records.read(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                // The last row of a file that was cut off.
                Err(Trouble::QuoteNeverCloses { .. })
                    if record.line_breaks() <= CUT_OFF_LINES && total_rows > 0 =>
                {
                    break;
                }
                Err(trouble) => return Err(trouble),
            }
            if strict && record.cells().any(|cell| std::str::from_utf8(cell).is_err()) {
                return Err(Trouble::NotInEncoding);
            }
            if record.row() < decisions.header.data_row {
                data_start = text.start + records.position();
            } else if record.len() > 0 {
                if total_rows.is_multiple_of(EVERY) {
                    places.push(place);
                }
                width = width.max(record.len());
                total_rows = total_rows.checked_add(1).ok_or(Trouble::TooManyRows)?;
            }
        }
        text.start = data_start;
        let mut header = decisions.header.clone();
        while header.names.len() < width {
            header.add_name();
        }
        let path = source.path().to_owned();
        Ok(Self { path, text, columns: header.names, total_rows, places, arranged: None, prepared: None })
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Number of rows.
    pub fn total_rows(&self) -> u64 {
        u64::from(self.total_rows)
    }

    /// Rows from `offset` on, at most `limit` of them, ordered by a column and filtered.
    ///
    /// Numbers come before text and are ordered by size; empty cells come last in both directions; rows
    /// that are alike keep the order of the file. The filter lets rows through in which a cell contains
    /// it, whatever the case of the letters. The order is kept for the next page.
    ///
    /// # Errors
    /// A [`TableError`] when the file can no longer be read, or has too many rows for an order.
    pub fn page(
        &mut self,
        offset: u64,
        limit: usize,
        sort: Option<(usize, Direction)>,
        filter: &str,
    ) -> Result<GridPage, TableError> {
        let limit = limit.min(LARGEST_PAGE);
        let total_rows = self.total_rows();
        let begin = usize::try_from(offset).unwrap_or(usize::MAX);
        let (numbers, matching_rows): (Vec<u32>, u64) = if sort.is_none() && filter.is_empty() {
            ((0..self.total_rows).skip(begin).take(limit).collect(), total_rows)
        } else {
            let rows = self.arranged(sort, filter)?;
            (rows.iter().copied().skip(begin).take(limit).collect(), rows.len() as u64)
        };
        let rows = self.rows(&numbers).map_err(|trouble| explain(&self.path, trouble))?;
        Ok(GridPage { columns: self.columns.clone(), rows, offset, total_rows, matching_rows })
    }

    /// The numbers of the rows that the filter lets through, in the order that is asked for.
    fn arranged(&mut self, sort: Option<(usize, Direction)>, filter: &str) -> Result<&[u32], TableError> {
        let known = self.arranged.take().filter(|known| known.sort == sort && known.filter == filter);
        let arranged = if let Some(known) = known {
            known
        } else {
            let rows = self.arrange(sort, filter).map_err(|trouble| explain(&self.path, trouble))?;
            Arranged { sort, filter: filter.to_owned(), rows }
        };
        Ok(&self.arranged.insert(arranged).rows)
    }

    fn arrange(&self, sort: Option<(usize, Direction)>, filter: &str) -> Result<Vec<u32>, Trouble> {
        let mut needle = Needle::new(filter);
        let mut ranking = sort.map(|(column, direction)| (column, Ranking::new(direction)));
        let mut rows = Vec::new();
        let mut records = self.text.records_from(self.text.start)?;
        let mut record = Record::default();
        let mut number = 0;
        while number < self.total_rows && records.read(&mut record)? {
            if record.len() == 0 {
                continue;
            }
            if needle.is_in(&record) {
                match &mut ranking {
                    Some((column, ranking)) => {
                        ranking.add(record.cells().nth(*column).unwrap_or_default(), number)?;
                    }
                    None => rows.push(number),
                }
            }
            number += 1;
        }
        Ok(ranking.map_or(rows, |(_, ranking)| ranking.finish()))
    }

    /// The rows with these numbers. Rows that follow each other are read without going back.
    fn rows(&self, numbers: &[u32]) -> Result<Vec<Vec<String>>, Trouble> {
        let mut rows = Vec::with_capacity(numbers.len());
        let mut record = Record::default();
        let mut place: Option<(u32, Records<_>)> = None;
        for number in numbers {
            let near = place.take().filter(|(next, _)| (*next..=next.saturating_add(EVERY)).contains(number));
            let (mut next, mut records) = if let Some(near) = near {
                near
            } else {
                let before = number / EVERY;
                (before * EVERY, self.text.records_from(self.places[before as usize])?)
            };
            while next <= *number && records.read(&mut record)? {
                next += u32::from(record.len() > 0);
            }
            let cells = record.cells().map(|cell| cut(&String::from_utf8_lossy(cell)));
            let mut row: Vec<String> = cells.collect();
            match &self.prepared {
                Some(planned) => row = prepared_cells(&row, planned),
                None => row.resize(self.columns.len(), String::new()),
            }
            rows.push(row);
            place = Some((next, records));
        }
        Ok(rows)
    }
}

impl Text {
    fn open(source: &Source, decisions: &Decisions) -> Result<Self, Trouble> {
        let mut file = File::open(source.path()).map_err(Trouble::Io)?;
        let dialect = decisions.dialect;
        let is_packed = *source.packing() != Packing::None;
        if decisions.encoding.encoding != encoding_rs::UTF_8 || is_packed {
            let mut copy = tempfile::tempfile().map_err(Trouble::Io)?;
            let content = source.packing().open(file, source.length(), |file| file).map_err(Trouble::Io)?;
            io::copy(&mut Decoded::new(content, decisions.encoding, Controls::Kept), &mut copy)?;
            return Ok(Self { file: copy, start: 0, dialect });
        }
        let mut beginning = Vec::new();
        file.by_ref().take(BYTE_ORDER_MARK.len() as u64).read_to_end(&mut beginning).map_err(Trouble::Io)?;
        let start = if beginning == BYTE_ORDER_MARK { beginning.len() as u64 } else { 0 };
        Ok(Self { file, start, dialect })
    }

    fn records_from(&self, place: u64) -> Result<Records<BufReader<&File>>, Trouble> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(place)).map_err(Trouble::Io)?;
        Ok(Records::new(BufReader::with_capacity(32 * 1024, file), self.dialect))
    }
}

/// The cell, cut with an ellipsis when it is long.
fn cut(cell: &str) -> String {
    match cell.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}
