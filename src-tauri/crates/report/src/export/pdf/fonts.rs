//! The fonts that a report is set in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use typst::layout::{Frame, FrameItem};
use typst::text::{FontBook, is_default_ignorable};
use typst_kit::fonts::{self, FontStore};
use typst_layout::PagedDocument;
use unicode_script::{Script, UnicodeScript};

/// At most so many characters of a script are named.
const NAMED: usize = 8;

/// The fonts within the program.
pub(super) static EMBEDDED: LazyLock<FontStore> = LazyLock::new(|| {
    let mut store = FontStore::new();
    store.extend(fonts::embedded());
    store
});

/// Those, and after them the ones of this computer, found once and in an order that does not change.
static ALL: LazyLock<FontStore> = LazyLock::new(|| {
    let mut store = FontStore::new();
    store.extend(fonts::embedded());
    let mut found: Vec<_> = fonts::system().collect();
    found.sort_by(|(one, _), (other, _)| (&one.path, one.index).cmp(&(&other.path, other.index)));
    store.extend(found);
    store
});

/// Where fonts are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Within the program.
    Embedded,
    /// On this computer as well.
    Computer,
}

impl Reach {
    pub(super) fn store(self) -> &'static FontStore {
        match self {
            Self::Embedded => &EMBEDDED,
            Self::Computer => &ALL,
        }
    }

    /// How far to look for what is written: most reports need no font but the embedded ones, and finding the
    /// others takes a good part of a second.
    pub(super) fn for_text(text: &str) -> Self {
        let book = EMBEDDED.book();
        let unusual: BTreeSet<char> = text.chars().filter(|c| !c.is_ascii() && !needs_no_glyph(*c)).collect();
        if unusual.iter().all(|&c| covers(book, c)) { Self::Embedded } else { Self::Computer }
    }
}

fn covers(book: &FontBook, c: char) -> bool {
    (0..).map_while(|index| book.info(index)).any(|info| info.coverage.contains(u32::from(c)))
}

fn needs_no_glyph(c: char) -> bool {
    c.is_whitespace() || is_default_ignorable(c)
}

/// What stands on the pages as an empty box, said in one sentence.
pub(super) fn remark(document: &PagedDocument) -> Option<String> {
    let mut missing = BTreeSet::new();
    for page in document.pages() {
        collect_missing(&page.frame, &mut missing);
    }
    if missing.is_empty() {
        return None;
    }
    let mut scripts: BTreeMap<&str, Vec<char>> = BTreeMap::new();
    for c in missing {
        scripts.entry(script_name(c)).or_default().push(c);
    }
    let named: Vec<String> = scripts.iter().map(|(script, all)| named(script, all)).collect();
    let fonts: BTreeSet<String> =
        scripts.values().filter_map(|all| all.first()).map(|&c| font_for(c)).collect();
    let fonts: Vec<String> = fonts.into_iter().collect();
    Some(format!(
        "No font on this computer can draw {}. Install a font that has them, for example {}, and export again.",
        named.join(" and "),
        fonts.join(" and ")
    ))
}

fn collect_missing(frame: &Frame, into: &mut BTreeSet<char>) {
    for (_, item) in frame.items() {
        match item {
            FrameItem::Group(group) => collect_missing(&group.frame, into),
            FrameItem::Text(text) => {
                for glyph in text.glyphs.iter().filter(|glyph| glyph.id == 0) {
                    let range = usize::from(glyph.range.start)..usize::from(glyph.range.end);
                    let chars = text.text.get(range).unwrap_or_default().chars();
                    into.extend(chars.filter(|&c| !needs_no_glyph(c)));
                }
            }
            _ => {}
        }
    }
}

fn named(script: &str, all: &[char]) -> String {
    let some: Vec<String> = all.iter().take(NAMED).map(char::to_string).collect();
    let more = if all.len() > NAMED { " and others" } else { "" };
    format!("the {script} ({}{more})", some.join(" "))
}

fn script_name(c: char) -> &'static str {
    match c.script() {
        Script::Common | Script::Inherited | Script::Unknown => "signs",
        Script::Han | Script::Bopomofo => "Chinese characters",
        Script::Hiragana | Script::Katakana => "Japanese characters",
        Script::Hangul => "Korean characters",
        script => script.full_name(),
    }
}

fn font_for(c: char) -> String {
    match c.script() {
        Script::Han | Script::Bopomofo | Script::Hiragana | Script::Katakana | Script::Hangul => {
            "Noto Sans CJK".to_owned()
        }
        Script::Common | Script::Inherited | Script::Unknown if c >= '\u{1f000}' => "Noto Emoji".to_owned(),
        Script::Common | Script::Inherited | Script::Unknown => "Noto Sans Symbols 2".to_owned(),
        script => format!("Noto Sans {}", script.full_name().replace('_', " ")),
    }
}
