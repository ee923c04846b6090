//! The texts of a document: its body and its notes, each with what it refers to.

use std::collections::HashMap;

use super::super::Parcel;
use super::super::text::escaped;
use crate::document::Block;

/// Which text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The document itself.
    Body,
    /// The footnotes.
    Notes,
}

/// A text.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) place: Place,
    pub(super) xml: String,
    /// What it refers to; the first is `rId1`.
    pub(super) relations: Vec<Relation>,
}

/// What a text refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Relation {
    /// A picture, by its name within the document.
    Picture(String),
    /// An address on the web.
    Web(String),
}

/// A picture within the document.
#[derive(Debug)]
pub(super) struct Medium {
    /// The path in the run.
    pub(super) path: String,
    /// The path in the document, below `word/`.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A numbered list: each has a number of its own, so that it begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbered {
    pub(super) level: usize,
    pub(super) start: u32,
}

/// A document as far as it is written.
pub(super) struct Writer<'a> {
    pub(super) parcel: &'a Parcel<'a>,
    pub(super) story: Story,
    pub(super) media: Vec<Medium>,
    pub(super) numbered: Vec<Numbered>,
    /// Which notes were referred to from the body.
    pub(super) used_notes: Vec<bool>,
    /// How many pictures are shown.
    pub(super) shown: usize,
    /// The places that links within the report lead to, by the ids of headings.
    places: HashMap<&'a str, usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(parcel: &'a Parcel<'a>) -> Self {
        let mut places = HashMap::new();
        find_places(&parcel.document.blocks, &mut places);
        Self {
            parcel,
            story: Story::new(Place::Body),
            media: Vec::new(),
            numbered: Vec::new(),
            used_notes: vec![false; parcel.document.notes.len()],
            shown: 0,
            places,
        }
    }

    pub(super) fn push(&mut self, xml: &str) {
        self.story.xml.push_str(xml);
    }

    /// Begins another text, and gives back the one so far.
    pub(super) fn begin(&mut self, place: Place) -> Story {
        std::mem::replace(&mut self.story, Story::new(place))
    }

    /// The number and the name of the bookmark at a heading.
    pub(super) fn bookmark(&self, id: &str) -> Option<(usize, String)> {
        self.places.get(id).map(|place| (*place, format!("_heading{place}")))
    }

    /// The id of what the text refers to.
    pub(super) fn relate(&mut self, relation: Relation) -> String {
        let relations = &mut self.story.relations;
        let at = relations.iter().position(|known| *known == relation).unwrap_or_else(|| {
            relations.push(relation);
            relations.len() - 1
        });
        format!("rId{}", at + 1)
    }
}

fn find_places<'a>(blocks: &'a [Block], into: &mut HashMap<&'a str, usize>) {
    for block in blocks {
        match block {
            Block::Heading { id, .. } => {
                let place = into.len();
                into.entry(id).or_insert(place);
            }
            Block::Quote { blocks } => find_places(blocks, into),
            Block::List { items, .. } => items.iter().for_each(|item| find_places(&item.blocks, into)),
            _ => {}
        }
    }
}

impl Story {
    fn new(place: Place) -> Self {
        Self { place, xml: String::new(), relations: Vec::new() }
    }

    /// The part of the package that says what the text refers to, after relations of its own.
    pub(super) fn relations(&self, others: &str) -> String {
        const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let relation = |(id, relation): (usize, &Relation)| match relation {
            Relation::Picture(name) => {
                format!(r#"<Relationship Id="rId{id}" Type="{TYPES}/image" Target="{name}"/>"#)
            }
            Relation::Web(address) => format!(
                r#"<Relationship Id="rId{id}" Type="{TYPES}/hyperlink" Target="{}" TargetMode="External"/>"#,
                escaped(address)
            ),
        };
        let own = (1..).zip(&self.relations).map(relation).collect::<Vec<_>>().concat();
        format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{others}{own}</Relationships>"#
        )
    }
}
