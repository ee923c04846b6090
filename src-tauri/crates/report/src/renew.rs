//! New figures for a report that was written as a text.
//!
//! When the steps of a run are done again on another file, what the code computes into its report is new; what
//! the code holds as a text is not. Each such figure is looked up where the earlier run had it from: at the
//! same place of the new output, in the same row and column of the new table, among the facts of the new file.
//! What is not found there stays, and is marked as an earlier value.

mod lookup;
mod places;
mod style;

use std::ops::Range;

use crate::compare::{Change, compare};
use crate::document::Document;
use crate::evidence::{Sources, Verdict, holds_figures};
use crate::figures::{Figure, Kind};
use lookup::{Looked, Lookup};

/// What stands behind a figure that could not be found anew.
pub const EARLIER: &str = " (earlier value)";
/// How the remark begins that says whose words a report's are.
const REMARK: &str = "> The words of this report were written for ";

/// A report with what it was made from.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// Its Markdown.
    pub markdown: &'a str,
    /// The same as a document.
    pub document: &'a Document,
    /// What its figures can come from.
    pub sources: &'a Sources<'a>,
}

/// How an earlier run becomes a later one.
pub struct Moved<'a> {
    /// The later run's number of a step.
    pub step: &'a dyn Fn(u32) -> Option<u32>,
    /// The code that wrote the later report; `None` where it was written as a text.
    pub writer: Option<&'a str>,
    /// The names of the earlier and the new file.
    pub files: (&'a str, &'a str),
}

/// A report with its figures looked up anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewed {
    /// The report.
    pub markdown: String,
    /// Figures that were replaced by other ones.
    pub replaced: usize,
    /// Figures that could not be found and are the earlier ones.
    pub kept: usize,
}

/// Looks up the figures of a report that its code holds as a text. `verdicts` says where the earlier report's
/// figures came from. `None` where the report holds no such figure.
pub fn renew(before: Told<'_>, verdicts: &[Verdict], now: Told<'_>, moved: &Moved<'_>) -> Option<Renewed> {
    let (old, new) = (&before.document.figures, &now.document.figures);
    let held = match moved.writer {
        Some(code) => holds_figures(code, new),
        None => vec![true; new.len()],
    };
    let pairs = compare(before.document, now.document).pairs;
    // What the figures of the earlier report are now, as far as that is known.
    let mut values: Vec<Option<f64>> = vec![None; old.len()];
    let mut looked: Vec<(usize, usize, Looked)> = Vec::new();
    let lookup = Lookup::new(before.sources, now.sources, moved.step, style::group_mark(new));
    for pair in &pairs {
        let (one, two) = (pair.before_figure, pair.now_figure);
        if pair.change != Change::Same || !held[two] {
            values[one] = number(&new[two]);
            continue;
        }
        let found = lookup.figure(&old[one], &verdicts[one]);
        values[one] = match &found {
            Looked::Stays => number(&old[one]),
            Looked::New(_, value) => *value,
            Looked::Lost | Looked::Follows => None,
        };
        looked.push((one, two, found));
    }
    if looked.is_empty() {
        return None;
    }
    for (one, _, found) in &mut looked {
        if *found == Looked::Follows {
            *found = match &verdicts[*one] {
                Verdict::Derived { from, .. } => lookup.derived(old, *one, from, &values),
                _ => lookup.beside(old, *one, &values),
            };
        }
        if let Looked::New(_, value) = found {
            values[*one] = *value;
        }
    }
    let places = places::places(now.markdown, now.document);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let (mut replaced, mut kept) = (0, 0);
    for (one, two, found) in looked {
        let text = match found {
            Looked::New(text, _) if text != old[one].text => {
                replaced += 1;
                text
            }
            Looked::New(..) | Looked::Stays => continue,
            Looked::Lost | Looked::Follows => {
                kept += 1;
                format!("{}{EARLIER}", old[one].text)
            }
        };
        match &places[two] {
            Some(place) => edits.push((place.clone(), text)),
            // It is not in the text as it is read, so it cannot be touched there.
            None if text.ends_with(EARLIER) => {}
            None => (replaced, kept) = (replaced - 1, kept + 1),
        }
    }
    let is_text = moved.writer.is_none() || pairs.iter().all(|pair| pair.change == Change::Same);
    if edits.is_empty() && kept == 0 && !is_text {
        return None;
    }
    let markdown = remarked(&edited(now.markdown, edits), moved.files);
    Some(Renewed { markdown, replaced, kept })
}

fn number(figure: &Figure) -> Option<f64> {
    match &figure.reads {
        Kind::Number(written) => Some(written.readings[0].value),
        _ => None,
    }
}

fn edited(markdown: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = markdown.to_owned();
    for (place, new) in edits {
        // A mark of an earlier time is not put there twice, and goes where the value is new.
        let marked = text[place.end..].starts_with(EARLIER);
        let end = if marked { place.end + EARLIER.len() } else { place.end };
        text.replace_range(place.start..end, &new);
    }
    text
}

/// Says below the title whose words these are; once only.
fn remarked(markdown: &str, (before, now): (&str, &str)) -> String {
    if markdown.contains(REMARK) {
        return markdown.to_owned();
    }
    let remark = format!(
        "{REMARK}`{before}`. Its figures were looked up anew in what the same steps found in `{now}`; whether \
         what the sentences conclude still holds was not checked.\n"
    );
    let has_title = markdown.starts_with("# ");
    let title = if has_title { markdown.find('\n').map_or(markdown.len(), |end| end + 1) } else { 0 };
    let (head, rest) = markdown.split_at(title);
    let gap = if head.is_empty() { "" } else { "\n" };
    let rest = rest.trim_start_matches('\n');
    let line = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{line}{gap}{remark}\n{rest}")
}

#[cfg(test)]
mod tests;
