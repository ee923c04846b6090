//! What left this computer in a run, word for word.

use std::collections::HashSet;

use assay_agent::{Event, Recipient, requests};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Desk;
use crate::input::read_at_once;
use crate::open_run::loop_events;
use crate::problem::{Code, Problem};
use crate::run::Rows;
use crate::staging::inputs_of;

/// The requests of a run in a few words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentSummary {
    /// How many requests left.
    pub requests: u32,
    /// Their size together, in bytes.
    pub bytes: u64,
    /// The hosts they went to, each once.
    pub hosts: Vec<String>,
    /// Whether all of these are programs on this computer.
    pub stays_here: bool,
    /// Whether rows of the files were among what was sent.
    pub rows: Rows,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentRequest {
    /// Number in the run, from 0; [`Desk::sent_text`] gives its text.
    pub number: usize,
    /// When it left, RFC 3339 in UTC.
    pub at: String,
    /// Where it went.
    pub host: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A part of a request's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SentPart {
    /// The part.
    pub text: String,
    /// Whether it is a word that stands in a cell of the files.
    pub from_files: bool,
}

impl SentSummary {
    pub(super) fn of(events: &[Event], rows: Rows) -> Self {
        let mut summary = Self { stays_here: true, rows, ..Self::default() };
        for event in events {
            if let Event::RequestSent { host, bytes, to, .. } = event {
                if *to == Recipient::Sandbox {
                    summary.rows = Rows::Shown; // the files themselves are
                }
                summary.requests += 1;
                summary.bytes += bytes;
                summary.stays_here &= assay_model::stays_here(host);
                if !summary.hosts.contains(host) {
                    summary.hosts.push(host.clone());
                }
            }
        }
        summary
    }
}

impl Desk {
    /// Every request of a run, in order.
    pub fn sent(&self, run: &str) -> Result<Vec<SentRequest>, Problem> {
        let rows = self.engine()?.open_store()?.events(run)?;
        let sent = rows.iter().filter_map(|row| match serde_json::from_str(&row.body).ok()? {
            Event::RequestSent { host, bytes, .. } => Some((row.at.clone(), host, bytes)),
            _ => None,
        });
        Ok(sent
            .enumerate()
            .map(|(number, (at, host, bytes))| SentRequest { number, at, host, bytes })
            .collect())
    }

    /// The whole text of one request, the words of the files' cells marked as far as the files are still
    /// there.
    pub fn sent_text(&self, run: &str, number: usize) -> Result<Vec<SentPart>, Problem> {
        let events = loop_events(&self.engine()?.open_store()?, run)?;
        let request = requests(&events).into_iter().nth(number).ok_or_else(|| {
            Problem::new(Code::Input, "This request is not in the run.", "Choose another one.")
        })?;
        let mut words = HashSet::new();
        for input in inputs_of(&self.record(run)?) {
            if let Ok(read) = read_at_once(&input)
                && let Ok(found) = read.reading.words()
            {
                words.extend(found);
            }
        }
        // What is written in every request is no news from the files, even where a cell has the same word.
        for event in &events {
            if let Event::Briefed { instructions, surroundings, .. } = event {
                let columns = surroundings.tables.iter().flat_map(|table| table.columns.iter());
                for text in columns.chain([instructions]) {
                    for (_, word) in crate::discreet::pieces(text) {
                        words.remove(word.to_lowercase().as_str());
                    }
                }
            }
        }
        Ok(marked(&request.body, &words))
    }
}

fn marked(text: &str, words: &HashSet<Box<str>>) -> Vec<SentPart> {
    let mut parts: Vec<SentPart> = Vec::new();
    for (is_word, piece) in crate::discreet::pieces(text) {
        let from_files = is_word && words.contains(piece.to_lowercase().as_str());
        match parts.last_mut().filter(|part| part.from_files == from_files) {
            Some(part) => part.text.push_str(piece),
            None => parts.push(SentPart { text: piece.to_owned(), from_files }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_cells_are_marked_and_nothing_is_lost() {
        let text = r#"{"content":"Anna\nMüller, 12"}"#;
        let parts = marked(text, &["anna", "müller"].map(Box::from).into());
        assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text);
        let from_files: Vec<&str> =
            parts.iter().filter(|part| part.from_files).map(|part| part.text.as_str()).collect();
        assert_eq!(from_files, ["Anna", "Müller"]);
    }
}
