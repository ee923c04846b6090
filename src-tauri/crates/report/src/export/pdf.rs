//! A report as a PDF, set by Typst within the program.
//!
//! The typesetter sees one text that is made here, its own fonts and those of the computer, and the pictures of
//! the report; it can open no file and no connection. Of the report's words, none is ever read as markup: each
//! stands in that text as a quoted string.

mod address;
mod fonts;
mod formula;
mod pictures;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod world;

use typst::foundations::{Dict, IntoValue, Smart};
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use self::fonts::Reach;
use self::pictures::Picture;
use self::source::{Formulas, Source};
use self::world::Desk;
use super::{Export, ExportError, Parcel, Progress};

/// What there is to do beside reading each picture: setting the pages and writing the file.
const PHASES: usize = 2;
/// Enough for lists within lists and formulas within those, in a build that is not optimised as well.
const STACK_BYTES: usize = 64 << 20;

/// Makes a PDF of a report: pages of A4 with numbers, contents, bookmarks and footnotes, and text that can be
/// selected and read out. The same parcel gives the same bytes on the same computer.
pub fn pdf(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    write(parcel, progress, Reach::Computer)
}

/// The same, looking for fonts no farther than `farthest`.
fn write(parcel: &Parcel<'_>, progress: Progress<'_>, farthest: Reach) -> Result<Export, ExportError> {
    let source = Source::write(parcel, Formulas::Set);
    let parts = source.pictures.len() + PHASES;
    let mut reach = Reach::for_text(&source.text);
    let mut inputs = Dict::new();
    for (at, path) in source.pictures.iter().enumerate() {
        progress(at, parts)?;
        let picture = Picture::read(parcel, path)?;
        reach = reach.max(picture.reach);
        inputs.insert(at.to_string().into(), picture.into_input().into_value());
    }
    reach = reach.min(farthest);

    progress(parts - PHASES, parts)?;
    let document = match set(&source.text, inputs.clone(), reach) {
        // Should the typesetter not take a formula, the report is worth more than its looks.
        Err(ExportError::Unwritable(_)) => {
            set(&Source::write(parcel, Formulas::Letters).text, inputs, reach)?
        }
        set => set?,
    };
    progress(parts - 1, parts)?;
    let bytes = file(&document)?;
    // What was remembered for setting the same again would be held as long as the program runs.
    typst::comemo::evict(0);
    progress(parts, parts)?;
    Ok(Export { bytes, remarks: fonts::remark(&document).into_iter().collect() })
}

fn set(text: &str, pictures: Dict, reach: Reach) -> Result<PagedDocument, ExportError> {
    let desk = Desk::new(text, pictures, reach);
    apart(|| typst::compile::<PagedDocument>(&desk).output.map_err(|errors| reason(&errors)))
}

fn file(document: &PagedDocument) -> Result<Vec<u8>, ExportError> {
    // Neither a moment nor a place goes into the file, so that it depends on the parcel alone.
    let options = PdfOptions { creator: Smart::Custom(Some("Assay".to_owned())), ..PdfOptions::default() };
    apart(|| typst_pdf::pdf(document, &options).map_err(|errors| reason(&errors)))
}

fn reason(errors: &[typst::diag::SourceDiagnostic]) -> String {
    errors.first().map(|error| error.message.to_string()).unwrap_or_default()
}

/// Runs on a stack of its own, so that neither depth nor a fault of the typesetter ends the program.
fn apart<T: Send>(run: impl FnOnce() -> Result<T, String> + Send) -> Result<T, ExportError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("pdf".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, run)
            .map_err(|error| ExportError::Unwritable(error.to_string()))?;
        match thread.join() {
            Ok(result) => result.map_err(ExportError::Unwritable),
            Err(_) => Err(ExportError::Unwritable("the typesetter failed".to_owned())),
        }
    })
}
