//! What is put on the clipboard: a report, a table, a few lines for an e-mail.

use std::fmt::Write;

use assay_report::{Block, Document, ExportError, Parcel, html, words};
use assay_tabular::Grid;
use serde::Serialize;
use ts_rs::TS;

use super::Desk;
use crate::contract::REPORT;
use crate::evidence::read_document;
use crate::problem::{Code, Problem};

/// Rows of a table that are copied at most.
const MAX_ROWS: u64 = 10_000;
/// Rows that are read at a time.
const PAGE: usize = 1000;
/// A summary for an e-mail has no more characters than this, but for the last sentence.
const SUMMARY: usize = 600;

/// Something for the clipboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ForClipboard {
    /// As rich text, where it has such a form.
    pub html: Option<String>,
    /// As plain text.
    pub text: String,
    /// What is left out, a plain sentence.
    pub remark: Option<String>,
}

impl Desk {
    /// A run's report as rich text with its pictures, and as it was written.
    pub fn copy_report(&self, run: &str) -> Result<ForClipboard, Problem> {
        let (text, document) = self.report(run)?;
        let parcel = Parcel {
            document: &document,
            verdicts: &[],
            title: &self.run_summary(run)?.title,
            files: &self.output(run)?,
            cells: &[],
        };
        let page = html(&parcel, &|_, _| Ok(())).map_err(|error| not_copied(&error))?;
        let html = String::from_utf8(page.bytes).map_err(|error| Problem::internal(&error))?;
        Ok(ForClipboard { html: Some(html), text, remark: None })
    }

    /// A few lines on a run's report: what it is called, what it says first, how much of it was checked.
    pub fn copy_summary(&self, run: &str) -> Result<ForClipboard, Problem> {
        let (_, document) = self.report(run)?;
        let title = document.title().map_or_else(|| Ok(self.run_summary(run)?.title), Ok::<_, Problem>)?;
        let mut text = format!("{title}\n");
        for paragraph in document.blocks.iter().filter_map(paragraph) {
            if text.chars().count() + paragraph.chars().count() > SUMMARY && text.lines().count() > 1 {
                break;
            }
            let _ = write!(text, "\n{paragraph}\n");
        }
        let figures = self.check_report(run)?.summary;
        if figures.figures > 0 {
            let _ = write!(text, "\n{}\n", figures.sentence());
        }
        Ok(ForClipboard { html: None, text, remark: None })
    }

    /// A result table as spreadsheets take it: tabs between cells. A cell that a spreadsheet would compute stays
    /// text.
    pub fn copy_table(&self, run: &str, path: &str) -> Result<ForClipboard, Problem> {
        let file = self.artifact(run, path, None)?;
        let mut grid = Grid::open(&file.path)?;
        let (mut text, mut offset) = (String::new(), 0);
        let all = loop {
            let page = grid.page(offset, PAGE, None, "")?;
            if offset == 0 {
                push_row(&mut text, &page.columns);
            }
            page.rows.iter().for_each(|row| push_row(&mut text, row));
            offset += page.rows.len() as u64;
            if page.rows.is_empty() || offset >= page.total_rows.min(MAX_ROWS) {
                break page.total_rows;
            }
        };
        let remark = (all > offset).then(|| {
            format!("The first {offset} of {all} rows were copied. Save the file to have them all.")
        });
        Ok(ForClipboard { html: None, text, remark })
    }

    fn report(&self, run: &str) -> Result<(String, Document), Problem> {
        let output = self.output(run)?;
        let text = std::fs::read_to_string(output.join(REPORT)).map_err(|_| {
            Problem::new(Code::Input, "This run has left no report.", "Choose another run, or ask again.")
        })?;
        let document = read_document(&text, &output);
        Ok((text, document))
    }
}

/// The words of a paragraph that holds more than a picture.
fn paragraph(block: &Block) -> Option<String> {
    let Block::Paragraph { content } = block else { return None };
    let is_text = |inline: &assay_report::Inline| !matches!(inline, assay_report::Inline::Picture { .. });
    content.iter().all(is_text).then(|| words(content))
}

fn push_row(text: &mut String, cells: &[String]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push('\t');
        }
        let is_formula =
            cell.starts_with(['=', '+', '-', '@']) && cell.replace(',', ".").parse::<f64>().is_err();
        if is_formula {
            text.push('\'');
        }
        text.extend(cell.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
    }
    text.push('\n');
}

fn not_copied(error: &ExportError) -> Problem {
    Problem {
        detail: error.to_string(),
        ..Problem::new(
            Code::Output,
            "The report could not be copied: a part of it cannot be read.",
            "Export the files as they are instead.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_036_cells_that_look_like_formulas_stay_text() {
        let mut text = String::new();
        push_row(&mut text, &["=1+1", "-3.5", "+1,5", "@x", "-2+3", "a\tb\nc"].map(str::to_owned));
        assert_eq!(text, "'=1+1\t-3.5\t+1,5\t'@x\t'-2+3\ta b c\n");
    }
}
