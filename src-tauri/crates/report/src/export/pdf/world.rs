//! All that the typesetter can see: one text, the fonts, and the pictures that it was handed. No folder, no
//! network, no package and no clock.

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Dict, Duration};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_kit::fonts::FontStore;

use super::fonts::Reach;

pub(super) struct Desk {
    library: LazyHash<Library>,
    fonts: &'static FontStore,
    text: Source,
}

impl Desk {
    /// `pictures` are found by the text as `sys.inputs`.
    pub(super) fn new(text: &str, pictures: Dict, reach: Reach) -> Self {
        let library = Library::builder().with_inputs(pictures).build();
        Self { library: LazyHash::new(library), fonts: reach.store(), text: Source::detached(text) }
    }
}

impl World for Desk {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.text.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.text.id() { Ok(self.text.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, _id: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.font(index)
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
