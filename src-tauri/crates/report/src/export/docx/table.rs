//! Tables.

use super::super::ExportError;
use super::super::text::{Direction, width};
use super::blocks::Frame;
use super::runs::Look;
use super::story::Writer;
use crate::document::{Align, Inline, words};

/// A table with more columns is set in small letters.
const MOST_COLUMNS: usize = 7;
/// Word opens no table with more.
const MOST_IN_ONE: usize = 63;
/// A column asks for no more letters than this, and breaks its lines.
const MOST_LETTERS: usize = 44;

/// The letters of a table. Widths are in twentieths of a point.
#[derive(Debug, Clone, Copy)]
struct Letters {
    cell: &'static str,
    head: &'static str,
    /// A letter, on average.
    width: u32,
    /// What is left free at each side of a cell.
    margin: u32,
}

const PLAIN: Letters = Letters { cell: "TableText", head: "TableHead", width: 108, margin: 85 };
const SMALL: Letters = Letters { cell: "TableTextSmall", head: "TableHeadSmall", width: 84, margin: 50 };

impl Writer<'_> {
    pub(super) fn table(
        &mut self,
        columns: &[Align],
        head: &[Vec<Inline>],
        rows: &[Vec<Vec<Inline>>],
        frame: &Frame,
    ) -> Result<(), ExportError> {
        for first in (0..head.len()).step_by(MOST_IN_ONE) {
            let part = |row: &'_ [Vec<Inline>]| first.min(row.len())..(first + MOST_IN_ONE).min(row.len());
            let rows: Vec<&[Vec<Inline>]> = rows.iter().map(|row| &row[part(row)]).collect();
            self.columns(columns.get(first..).unwrap_or_default(), &head[part(head)], &rows, frame)?;
        }
        Ok(())
    }

    /// As many columns as one table can have.
    fn columns(
        &mut self,
        columns: &[Align],
        head: &[Vec<Inline>],
        rows: &[&[Vec<Inline>]],
        frame: &Frame,
    ) -> Result<(), ExportError> {
        let letters = if head.len() > MOST_COLUMNS { SMALL } else { PLAIN };
        let widths = widths(head, rows, letters, frame.room());
        let direction = Direction::of(&head.iter().map(|cell| words(cell)).collect::<String>());
        let mirrored = if direction == Direction::Rtl { "<w:bidiVisual/>" } else { "" };
        let (whole, margin, left) = (widths.iter().sum::<u32>(), letters.margin, frame.left);
        self.push(&format!(
            r#"<w:tbl><w:tblPr><w:tblStyle w:val="ReportTable"/>{mirrored}<w:tblW w:w="{whole}" w:type="dxa"/><w:tblInd w:w="{left}" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="{margin}" w:type="dxa"/><w:right w:w="{margin}" w:type="dxa"/></w:tblCellMar><w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>"#
        ));
        for width in &widths {
            self.push(&format!(r#"<w:gridCol w:w="{width}"/>"#));
        }
        self.push("</w:tblGrid><w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>");
        let grid = Grid { columns, widths: &widths, direction };
        self.cells(head, &grid, letters.head)?;
        self.push("</w:tr>");
        for row in rows {
            self.push("<w:tr><w:trPr><w:cantSplit/></w:trPr>");
            self.cells(row, &grid, letters.cell)?;
            self.push("</w:tr>");
        }
        self.push("</w:tbl>");
        // Tables without a paragraph between them would become one.
        self.text(&Frame::page().styled("AfterTable"), "");
        Ok(())
    }

    fn cells(
        &mut self,
        row: &[Vec<Inline>],
        grid: &Grid<'_>,
        style: &'static str,
    ) -> Result<(), ExportError> {
        for (column, width) in grid.widths.iter().enumerate() {
            let content = row.get(column).map_or(&[][..], Vec::as_slice);
            let direction = Direction::of(&words(content));
            let align =
                align(grid.columns.get(column).copied().unwrap_or(Align::Start), grid.direction, direction);
            self.push(&format!(r#"<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>"#));
            self.open(&Frame::cell(style, align), direction);
            self.inlines(content, direction, &Look::default())?;
            self.close();
            self.push("</w:tc>");
        }
        Ok(())
    }
}

/// What the rows of a table have in common.
struct Grid<'a> {
    columns: &'a [Align],
    widths: &'a [u32],
    direction: Direction,
}

/// How a paragraph in a cell is aligned, so that all of a column stand at the same edge. In a paragraph from
/// right to left, `left` is where it begins: the right.
fn align(align: Align, table: Direction, paragraph: Direction) -> Option<&'static str> {
    match (align, table == paragraph) {
        (Align::Center, _) => Some("center"),
        (Align::Start, true) => None,
        (Align::End, false) => Some("left"),
        (Align::Start, false) | (Align::End, true) => Some("right"),
    }
}

/// The widths of columns: as wide as what stands in them, where there is room for that; else each has room for
/// its longest word first, and the rest is shared out as it is wanted.
fn widths(head: &[Vec<Inline>], rows: &[&[Vec<Inline>]], letters: Letters, room: u32) -> Vec<u32> {
    let breadth =
        |count: usize| u32::try_from(count).unwrap_or(u32::MAX / 1000) * letters.width + 2 * letters.margin;
    let column = |at: usize| {
        let (mut wanted, mut needed) = (3, 3);
        let mut see = |cell: &[Inline], more: usize| {
            let text = words(cell);
            let longest = text.split_whitespace().map(width).max().unwrap_or(0);
            needed = needed.max(longest.min(MOST_LETTERS / 2) + more);
            wanted = wanted.max(width(&text).min(MOST_LETTERS) + more);
        };
        for cell in rows.iter().filter_map(|row| row.get(at)) {
            see(cell, 0);
        }
        // The letters of the head are bold.
        head.get(at).into_iter().for_each(|cell| see(cell, 1));
        (breadth(wanted), breadth(needed))
    };
    let columns: Vec<(u32, u32)> = (0..head.len()).map(column).collect();
    let (wanted, needed) = columns.iter().fold((0, 0), |sums, column| (sums.0 + column.0, sums.1 + column.1));
    let share = |part: u32, whole: u32, of: u32| {
        u32::try_from(u64::from(part) * u64::from(of) / u64::from(whole.max(1))).unwrap_or(part)
    };
    columns
        .iter()
        .map(|(wants, needs)| match () {
            () if wanted <= room => *wants,
            () if needed <= room => needs + share(wants - needs, wanted - needed, room - needed),
            () => share(*needs, needed, room),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_there_is_room() {
        let cells = |texts: &[&str]| {
            texts.iter().map(|text| vec![Inline::Text { text: (*text).to_owned() }]).collect::<Vec<_>>()
        };
        let (head, row) = (cells(&["abcd", "a b c d e f g h"]), cells(&["x", "龍井"]));
        let of = |room: u32| widths(&head, &[&row], PLAIN, room);
        assert_eq!(of(9000), [710, 1898]);
        assert_eq!(of(1500), [710, 790]);
        assert_eq!(of(500), [270, 229]);
    }

    #[test]
    fn a_table_of_too_many_columns_is_written_in_parts() {
        let cells = |mark: &str| format!("{}|\n", format!("|{mark}").repeat(100));
        let markdown = cells("a") + &cells("---") + &cells("b") + "|c|\n";
        let document = crate::Document::read(&markdown, &|_| false);
        let parcel =
            crate::Parcel { document: &document, verdicts: &[], title: "", files: "".as_ref(), cells: &[] };
        let mut writer = Writer::new(&parcel);
        writer.block(&document.blocks[0], &Frame::page()).unwrap();
        assert_eq!(writer.story.xml.matches("<w:tbl>").count(), 2);
        assert_eq!(writer.story.xml.matches(">b<").count(), 100);
        assert_eq!(writer.story.xml.matches("<w:gridCol").count(), 100);
    }

    #[test]
    fn a_column_has_one_edge() {
        use Direction::{Ltr, Rtl};
        assert_eq!(align(Align::Start, Ltr, Ltr), None);
        assert_eq!(align(Align::Start, Ltr, Rtl), Some("right"));
        assert_eq!(align(Align::End, Ltr, Ltr), Some("right"));
        assert_eq!(align(Align::End, Ltr, Rtl), Some("left"));
        assert_eq!(align(Align::Center, Rtl, Ltr), Some("center"));
    }
}
