//! The parts of the package beside pictures.

use super::super::text::{Direction, escaped};
use super::paragraph::{HANGING, Mark};
use super::story::{Story, Writer};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// What each text of the document declares.
const NAMES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
                     xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
                     xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
                     xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
                     xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"";

/// The kinds of lists have numbers of their own: dots, numbers, and the two boxes of tasks.
const BULLETS: [&str; 9] = ["•", "–", "•", "–", "•", "–", "•", "–", "•"];

/// All parts but pictures, by their paths.
pub(super) fn parts(
    title: &str,
    direction: Direction,
    writer: &Writer<'_>,
    notes: &Story,
) -> Vec<(String, String)> {
    let part = |path: &str, xml: String| (path.to_owned(), HEAD.to_owned() + &xml);
    let fixed = |path: &str, xml: &str| (path.to_owned(), HEAD.to_owned() + xml);
    vec![
        fixed("[Content_Types].xml", include_str!("content_types.xml")),
        part("_rels/.rels", package_relations()),
        part("docProps/core.xml", properties(title)),
        part("word/document.xml", document(&writer.story, direction)),
        part("word/_rels/document.xml.rels", writer.story.relations(&document_relations())),
        fixed("word/styles.xml", include_str!("styles.xml")),
        fixed("word/settings.xml", include_str!("settings.xml")),
        fixed("word/footer.xml", include_str!("footer.xml")),
        part("word/numbering.xml", numbering(writer)),
        part("word/footnotes.xml", footnotes(notes)),
        part("word/_rels/footnotes.xml.rels", notes.relations("")),
    ]
}

fn package_relations() -> String {
    const PROPERTIES: &str =
        "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
    format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{TYPES}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="{PROPERTIES}" Target="docProps/core.xml"/></Relationships>"#
    )
}

/// What the document itself needs, under names that its pictures and links do not take.
fn document_relations() -> String {
    ["styles", "settings", "footer", "numbering", "footnotes"]
        .map(|part| format!(r#"<Relationship Id="{part}" Type="{TYPES}/{part}" Target="{part}.xml"/>"#))
        .concat()
}

fn properties(title: &str) -> String {
    format!(
        r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title></cp:coreProperties>"#,
        escaped(title)
    )
}

fn document(body: &Story, direction: Direction) -> String {
    let bidi = if direction == Direction::Rtl { "<w:bidi/>" } else { "" };
    format!(
        r#"<w:document {NAMES}><w:body>{}<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1247" w:right="1247" w:bottom="1361" w:left="1247" w:header="680" w:footer="680" w:gutter="0"/>{bidi}</w:sectPr></w:body></w:document>"#,
        body.xml
    )
}

/// The notes, after the two lines that part them from the text.
fn footnotes(notes: &Story) -> String {
    const LINES: &str = r#"<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>"#;
    format!("<w:footnotes {NAMES}>{LINES}{}</w:footnotes>", notes.xml)
}

fn numbering(writer: &Writer<'_>) -> String {
    let bullet = |text: &'static str| move |_: usize| ("bullet", text.to_owned());
    let kinds = [
        levels(0, |level| ("bullet", BULLETS[level].to_owned())),
        levels(1, bullet("☐")),
        levels(2, bullet("☑")),
        levels(3, |level| ("decimal", format!("%{}.", level + 1))),
    ];
    let mut lists: Vec<String> = (0..3)
        .map(|kind| format!(r#"<w:num w:numId="{}"><w:abstractNumId w:val="{kind}"/></w:num>"#, kind + 1))
        .collect();
    lists.extend((Mark::FIRST_NUMBERED..).zip(&writer.numbered).map(|(number, list)| {
        let (level, start) = (list.level, list.start);
        format!(
            r#"<w:num w:numId="{number}"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride></w:num>"#
        )
    }));
    format!(r#"<w:numbering xmlns:w="{MAIN}">{}{}</w:numbering>"#, kinds.concat(), lists.concat())
}

/// A kind of list, with the mark of each of its levels.
fn levels(kind: usize, mark: impl Fn(usize) -> (&'static str, String)) -> String {
    let levels: Vec<String> = (0..9)
        .map(|level| {
            let (format, text) = mark(level);
            let left = HANGING * (u32::try_from(level).unwrap_or(0) + 1);
            format!(
                r#"<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{format}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{left}" w:hanging="{HANGING}"/></w:pPr><w:rPr><w:color w:val="565C64"/></w:rPr></w:lvl>"#
            )
        })
        .collect();
    format!(
        r#"<w:abstractNum w:abstractNumId="{kind}"><w:multiLevelType w:val="hybridMultilevel"/>{}</w:abstractNum>"#,
        levels.concat()
    )
}
