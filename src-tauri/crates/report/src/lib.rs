//! What a report says, and what of it was computed.
//!
//! This crate reads the Markdown of a report into one [`Document`], from which the app's view and the exports
//! are made, and matches each figure in it with what the steps computed ([`check`]). It knows nothing of
//! models or sandboxes, and reads no file that it is not handed.

mod compare;
mod document;
mod evidence;
mod export;
mod figures;
mod links;
mod renew;

pub use compare::{Change, Difference, FigurePair, compare};
pub use document::{Align, Block, Document, Inline, Item, Target, words};
pub use evidence::{
    ColumnFacts, Evidence, InputFacts, Sources, StepSource, Summary, TableSource, Verdict, check,
};
pub use export::{Cell, Export, ExportError, Parcel, Progress, docx, html, markdown, notebook, pdf, xlsx};
pub use figures::{Figure, FigureKind};
pub use links::{Link, LinkKind, Links, links};
pub use renew::{EARLIER, Moved, Renewed, Told, renew};
