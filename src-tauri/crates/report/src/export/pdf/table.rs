//! Tables: how small and how wide they are set so that nothing of them is lost beyond the page.

use std::fmt::Write;

use super::address::host;
use super::source::{Writer, align};
use super::text::{letters_em, width_em};
use crate::document::{Align, Inline, Target};

/// The sizes that are tried on a page, and then on one that is turned.
const SIZES_PT: [f64; 4] = [9.5, 9.0, 8.0, 7.2];
const TURNED_SIZES_PT: [f64; 5] = [9.0, 8.0, 7.2, 6.5, 6.0];
const TURNED_WIDTH_PT: f64 = 683.0;
/// The space on both sides of a cell's words.
const INSET_EM: f64 = 1.0;
/// Words of the head are set heavier.
const HEAVY: f64 = 1.1;
/// Longer words are broken: names of columns and files fit, keys and addresses without an end do not.
const LONGEST_WORD_EM: f64 = 18.0;
/// With more columns than this a page has no room for even a letter in each.
const MOST_COLUMNS: usize = 60;

pub(super) fn write(
    writer: &mut Writer<'_>,
    columns: &[Align],
    head: &[Vec<Inline>],
    rows: &[Vec<Vec<Inline>>],
) {
    let count = rows.iter().map(Vec::len).chain([columns.len(), head.len()]).max().unwrap_or_default();
    if count == 0 {
        return;
    }
    if count > MOST_COLUMNS {
        write_in_parts(writer, columns, head, rows, count);
        return;
    }
    let needs: Vec<Need> = (0..count).map(|column| Need::of(column, head, rows)).collect();
    let fit = Fit::of(&needs, writer.room_pt);
    if fit.page == Page::Turned {
        writer.call("landscape(", |writer| sheet(writer, &fit, columns, head, rows));
    } else {
        sheet(writer, &fit, columns, head, rows);
    }
}

/// Too many columns for one sheet stand below each other.
fn write_in_parts(
    writer: &mut Writer<'_>,
    columns: &[Align],
    head: &[Vec<Inline>],
    rows: &[Vec<Vec<Inline>>],
    count: usize,
) {
    for from in (0..count).step_by(MOST_COLUMNS / 2) {
        let to = (from + MOST_COLUMNS / 2).min(count);
        let part = |cells: &[Vec<Inline>]| -> Vec<Vec<Inline>> {
            (from..to).map(|at| cells.get(at).cloned().unwrap_or_default()).collect()
        };
        let aligned: Vec<Align> =
            (from..to).map(|at| columns.get(at).copied().unwrap_or(Align::Start)).collect();
        let rows: Vec<Vec<Vec<Inline>>> = rows.iter().map(|row| part(row)).collect();
        write(writer, &aligned, &part(head), &rows);
    }
}

fn sheet(
    writer: &mut Writer<'_>,
    fit: &Fit,
    columns: &[Align],
    head: &[Vec<Inline>],
    rows: &[Vec<Vec<Inline>>],
) {
    let widths: String = fit
        .columns_pt
        .iter()
        .map(|width| width.map_or_else(|| "auto,".to_owned(), |width| format!("{width:.1}pt,")))
        .collect();
    let aligned: Vec<&str> =
        (0..fit.columns_pt.len()).map(|at| align(columns.get(at).copied().unwrap_or(Align::Start))).collect();
    let _ = write!(writer.out, "sheet({}pt, ({widths}), ({},), ", fit.size_pt, aligned.join(","));
    let around = (writer.size_pt, writer.room_pt);
    writer.size_pt = fit.size_pt;
    if head.iter().any(|cell| !cell.is_empty()) {
        writer.out.push('(');
        row(writer, fit, head, HEAVY);
        writer.out.push_str("),");
    } else {
        writer.out.push_str("none,");
    }
    for cells in rows {
        writer.out.push('\n');
        row(writer, fit, cells, 1.0);
    }
    writer.out.push_str(");");
    (writer.size_pt, writer.room_pt) = around;
}

fn row(writer: &mut Writer<'_>, fit: &Fit, cells: &[Vec<Inline>], weight: f64) {
    for (at, width) in fit.columns_pt.iter().enumerate() {
        let width = width.unwrap_or(fit.room_pt / 2.0);
        writer.room_pt = (width - INSET_EM * fit.size_pt).max(1.0) / weight;
        writer.out.push('{');
        if let Some(cell) = cells.get(at) {
            writer.inlines(cell);
        }
        writer.out.push_str("},");
    }
}

/// How wide a column wants to be, in the size of its letters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Need {
    /// Its longest word.
    least_em: f64,
    /// Its longest line.
    most_em: f64,
}

impl Need {
    fn of(column: usize, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> Self {
        let mut need = Self::default();
        if let Some(cell) = head.get(column) {
            need.grow(cell, HEAVY);
        }
        for cell in rows.iter().filter_map(|row| row.get(column)) {
            need.grow(cell, 1.0);
        }
        let least_em = need.least_em.min(LONGEST_WORD_EM) + INSET_EM;
        Self { least_em, most_em: need.most_em + INSET_EM }
    }

    fn grow(&mut self, cell: &[Inline], weight: f64) {
        let mut line = Line::default();
        line.add(cell);
        self.least_em = self.least_em.max(line.longest.max(line.word) * weight);
        self.most_em = self.most_em.max(line.all * weight);
    }
}

/// The widths of a line, of the word it ends with and of its longest word, in the size of its letters.
#[derive(Default)]
struct Line {
    all: f64,
    word: f64,
    longest: f64,
}

impl Line {
    fn add(&mut self, content: &[Inline]) {
        for inline in content {
            match inline {
                Inline::Text { text } | Inline::Figure { text, .. } => self.add_words(text, width_em),
                Inline::Code { text } | Inline::Formula { tex: text } => {
                    self.add_words(text, |c| 0.87 * letters_em(c));
                }
                Inline::Emphasis { content } | Inline::Struck { content } | Inline::Strong { content } => {
                    self.add(content);
                }
                Inline::Link { to, content } => {
                    self.add(content);
                    if let Target::Web { address } = to {
                        self.add_words(&format!(" ({})", host(address).unwrap_or_default()), width_em);
                    }
                }
                Inline::Picture { alt, .. } => self.add_words(alt, width_em),
                Inline::Note { .. } => self.add_words("00", width_em),
                Inline::Break => self.add_words(" ", width_em),
            }
        }
    }

    fn add_words(&mut self, words: &str, width: fn(char) -> f64) {
        for c in words.chars() {
            let em = width(c);
            self.all += em;
            if c == ' ' || c >= '\u{2e80}' {
                self.longest = self.longest.max(self.word).max(em);
                self.word = 0.0;
            } else {
                self.word += em;
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Upright,
    Turned,
}

/// How a table is set.
#[derive(Debug, PartialEq)]
struct Fit {
    page: Page,
    size_pt: f64,
    room_pt: f64,
    /// `None` where the columns may be as wide as they are.
    columns_pt: Vec<Option<f64>>,
}

impl Fit {
    fn of(needs: &[Need], room_pt: f64) -> Self {
        let least: f64 = needs.iter().map(|need| need.least_em).sum();
        let upright = SIZES_PT.into_iter().map(|size| (Page::Upright, size, room_pt));
        let turned = TURNED_SIZES_PT.into_iter().map(|size| (Page::Turned, size, TURNED_WIDTH_PT));
        let last = (Page::Turned, TURNED_SIZES_PT[TURNED_SIZES_PT.len() - 1], TURNED_WIDTH_PT);
        let (page, size_pt, room_pt) =
            upright.chain(turned).find(|(_, size, room)| least * size <= *room).unwrap_or(last);
        let most: f64 = needs.iter().map(|need| need.most_em).sum();
        let columns_pt = if most * size_pt <= room_pt {
            vec![None; needs.len()]
        } else if least * size_pt <= room_pt {
            // What is left beside the longest words goes to the columns that have more to say.
            let left = room_pt - least * size_pt;
            let wish = most - least;
            let share = |need: &Need| need.least_em * size_pt + left * (need.most_em - need.least_em) / wish;
            needs.iter().map(|need| Some(share(need))).collect()
        } else {
            needs.iter().map(|need| Some(narrowed(need, needs, room_pt, size_pt))).collect()
        };
        Self { page, size_pt, room_pt, columns_pt }
    }
}

/// The width of a column whose longest word has to be broken: a few letters for each, the rest by need.
fn narrowed(need: &Need, needs: &[Need], room_pt: f64, size_pt: f64) -> f64 {
    let count = f64::from(u32::try_from(needs.len()).unwrap_or(u32::MAX));
    let floor = (room_pt / count).min(2.0 * size_pt);
    let above = |need: &Need| (need.least_em * size_pt - floor).max(0.0);
    let all: f64 = needs.iter().map(above).sum();
    floor + (room_pt - floor * count) * above(need) / all.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_never_need_more_than_there_is() {
        for count in [1_u32, 3, 8, 15, 30, 60] {
            for word in [1.0, 10.0, 200.0] {
                let needs: Vec<Need> = (0..count)
                    .map(|at| Need { least_em: 2.0 + word * f64::from(at % 3), most_em: 400.0 })
                    .collect();
                let fit = Fit::of(&needs, 438.0);
                let all: f64 = fit.columns_pt.iter().flatten().sum();
                assert!(all <= fit.room_pt + 0.1, "{count} columns of {word}: {all} of {}", fit.room_pt);
                assert!(fit.columns_pt.iter().flatten().all(|&width| width >= 6.0), "{fit:?}");
            }
        }
    }
}
