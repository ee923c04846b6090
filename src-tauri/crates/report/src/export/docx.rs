//! A report as a document of a word processor (Office Open XML, ECMA-376), with real headings, lists, tables,
//! notes and pictures.

mod blocks;
mod paragraph;
mod parts;
mod pictures;
mod runs;
mod story;
mod table;

use super::archive::Archive;
use super::text::{Direction, closing_line};
use super::{Export, ExportError, Parcel, Progress};
use crate::document::Inline;
use blocks::Frame;
use story::{Place, Writer};

/// Writes a report as a Word document.
pub fn docx(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    let total = parcel.document.blocks.len() + 1;
    let mut writer = Writer::new(parcel);
    let page = Frame::page();
    if parcel.document.title().is_none() {
        let title = [Inline::Text { text: parcel.title.to_owned() }];
        writer.paragraph(&page.styled("Heading1"), &title)?;
    }
    for (done, block) in parcel.document.blocks.iter().enumerate() {
        progress(done, total)?;
        writer.block(block, &page)?;
    }
    let body = writer.begin(Place::Notes);
    let first_uses = writer.used_notes.clone();
    for (note, blocks) in parcel.document.notes.iter().enumerate() {
        writer.note(note + 1, blocks)?;
    }
    let notes = writer.begin(Place::Body);
    writer.story = body;
    // A note that only other notes refer to has no place in the text, and stands at its end.
    for note in (0..parcel.document.notes.len()).filter(|note| !first_uses[*note]) {
        writer.text(&page, &format!("{}.", note + 1));
        parcel.document.notes[note].iter().try_for_each(|block| writer.block(block, &page))?;
    }
    if let Some(line) = closing_line(parcel) {
        writer.text(&page.styled("Closing"), &line);
    }
    progress(total, total)?;
    let direction = Direction::of_most(&parcel.document.blocks);
    let mut archive = Archive::new();
    for (path, text) in parts::parts(parcel.title, direction, &writer, &notes) {
        archive.add(&path, text.as_bytes())?;
    }
    for medium in &writer.media {
        archive.add(&format!("word/{}", medium.name), &medium.bytes)?;
    }
    Ok(Export { bytes: archive.finish()?, remarks: Vec::new() })
}
