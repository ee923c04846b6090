//! Opens workbooks and takes out the cells of a sheet, within limits.

use crate::TableError;
use crate::guard::guarded;
use crate::packing::{self, PackingTrouble};
use crate::source::{Source, WorkbookFormat};
use calamine::{Cell, Data, DataRef, Range, Reader, Sheets, open_workbook_from_rs};
use std::fs::File;
use std::io::BufReader;

/// Largest workbook that is read; its sheets are held in memory.
pub(super) const LARGEST_BYTES: u64 = 256 * 1024 * 1024;

/// Cells of the rectangle that a sheet spans.
const LARGEST_SHEET: u64 = 40_000_000;

/// What is said of a workbook that its format's reader cannot go on with.
const DAMAGED: &str = "the workbook is damaged";

/// What the parts of a workbook may unpack to.
const LARGEST_UNPACKED: u64 = 2 << 30;

/// The cells of one sheet.
pub(super) fn range(
    source: &Source,
    workbook: &mut Sheets<BufReader<File>>,
    name: &str,
) -> Result<Range<Data>, TableError> {
    let damaged = |error| TableError::DamagedWorkbook { file: source.file_name(), source: error };
    let mut cells = Cells::default();
    guarded(source, DAMAGED, || {
        let is_room = match workbook {
            Sheets::Xlsx(workbook) => {
                let mut reader =
                    workbook.worksheet_cells_reader(name).map_err(|error| damaged(error.into()))?;
                loop {
                    match reader.next_cell().map_err(|error| damaged(error.into()))? {
                        None => break true,
                        Some(cell) if !cells.add(&cell) => break false,
                        Some(_) => {}
                    }
                }
            }
            Sheets::Xlsb(workbook) => {
                let mut reader =
                    workbook.worksheet_cells_reader(name).map_err(|error| damaged(error.into()))?;
                loop {
                    match reader.next_cell().map_err(|error| damaged(error.into()))? {
                        None => break true,
                        Some(cell) if !cells.add(&cell) => break false,
                        Some(_) => {}
                    }
                }
            }
            // The older format has no room for more, and the reader of the other has a limit of its own.
            workbook => return workbook.worksheet_range(name).map_err(damaged),
        };
        if !is_room {
            let what = "a sheet of it spans more than 40 million cells";
            return Err(TableError::Unsupported { file: source.file_name(), what });
        }
        Ok(Range::from_sparse(cells.filled))
    })
}

/// The cells with a value, and the rectangle that they span.
#[derive(Default)]
struct Cells {
    filled: Vec<Cell<Data>>,
    first: Option<(u32, u32)>,
    last: (u32, u32),
}

impl Cells {
    /// Takes in a cell; false when the rectangle, which is held in memory, becomes too large.
    fn add(&mut self, cell: &Cell<DataRef>) -> bool {
        if matches!(cell.get_value(), DataRef::Empty) {
            return true;
        }
        let (row, column) = cell.get_position();
        let first = self.first.map_or((row, column), |(top, left)| (top.min(row), left.min(column)));
        self.first = Some(first);
        self.last = (self.last.0.max(row), self.last.1.max(column));
        let side = |first: u32, last: u32| u64::from(last - first) + 1;
        self.filled.push(Cell::new((row, column), cell.get_value().clone().into()));
        side(first.0, self.last.0) * side(first.1, self.last.1) <= LARGEST_SHEET
    }
}

pub(super) fn open(
    source: &Source,
    format: WorkbookFormat,
    damaged: impl Fn(calamine::Error) -> TableError,
) -> Result<Sheets<BufReader<File>>, TableError> {
    let file = source.seekable(LARGEST_BYTES)?;
    if format != WorkbookFormat::Xls {
        // What is damaged, the reader of the format tells better.
        match packing::check_zip(&file, LARGEST_UNPACKED) {
            Err(error) if PackingTrouble::inside(&error) != Some(PackingTrouble::Damaged) => {
                return Err(source.trouble(error));
            }
            _ => {}
        }
    }
    let file = BufReader::new(file);
    guarded(source, DAMAGED, || match format {
        WorkbookFormat::Xlsx => open_workbook_from_rs(file).map(Sheets::Xlsx).map_err(|e| damaged(e.into())),
        WorkbookFormat::Xlsb => open_workbook_from_rs(file).map(Sheets::Xlsb).map_err(|e| damaged(e.into())),
        WorkbookFormat::Xls => open_workbook_from_rs(file).map(Sheets::Xls).map_err(|e| damaged(e.into())),
        WorkbookFormat::Ods => open_workbook_from_rs(file).map(Sheets::Ods).map_err(|e| damaged(e.into())),
    })
}
