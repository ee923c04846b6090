//! The report that every export is made from, and the programs that open them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use assay_report::{Block, Document, Export, ExportError, Inline, Parcel, Progress, Target, Verdict, words};
use serde_json::Value;

/// An exporter.
pub(crate) type Exporter = fn(&Parcel<'_>, Progress<'_>) -> Result<Export, ExportError>;

/// The charts in the order of the report, with the colour of the band by which each is told from the others.
pub(crate) const CHARTS: [(&str, [u8; 3]); 12] = [
    ("charts/01_turnover.png", [164, 85, 43]),
    ("charts/02 über die Woche.png", [47, 107, 79]),
    ("charts/03_shelves.svg", [62, 92, 138]),
    ("charts/04_tea.png", [240, 200, 40]),
    ("charts/05_茶.png", [120, 30, 120]),
    ("charts/06_oil_tall.png", [20, 160, 170]),
    ("charts/07_spices.png", [220, 40, 60]),
    ("charts/08_grain_wide.png", [110, 110, 110]),
    ("charts/09_customers.svg", [250, 140, 200]),
    ("charts/10_hours_small.png", [30, 30, 30]),
    ("charts/11_waste_clear.png", [150, 210, 80]),
    ("charts/12_plan.png", [0, 70, 220]),
];

/// The figures that count as not found.
const UNFOUND: [&str; 3] = ["1,240", "61", "70 %"];

/// A report with its files.
pub(crate) struct Fixture {
    pub(crate) document: Document,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) files: PathBuf,
}

impl Fixture {
    /// The long report.
    pub(crate) fn long() -> Self {
        Self::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports"))
    }

    /// The report in some folder.
    pub(crate) fn at(folder: &Path) -> Self {
        let markdown = std::fs::read_to_string(folder.join("report.md")).unwrap();
        let document = Document::read(&markdown, &|path| folder.join(path).is_file());
        let verdict = |text: &str| if UNFOUND.contains(&text) { Verdict::NotFound } else { Verdict::Asked };
        let verdicts = document.figures.iter().map(|figure| verdict(&figure.text)).collect();
        Self { document, verdicts, files: folder.to_owned() }
    }

    /// The report exported.
    pub(crate) fn export(&self, exporter: Exporter) -> Result<Export, ExportError> {
        let parcel = Parcel {
            document: &self.document,
            verdicts: &self.verdicts,
            title: "The shop's year",
            files: &self.files,
            cells: &[],
        };
        exporter(&parcel, &|_, _| Ok(()))
    }

    /// The report exported and put into a file; the same twice. Tests of one program make it once.
    pub(crate) fn file(&self, exporter: Exporter, name: &str) -> PathBuf {
        static MADE: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap();
        made.entry(name.to_owned()).or_insert_with(|| self.made(exporter, name)).clone()
    }

    fn made(&self, exporter: Exporter, name: &str) -> PathBuf {
        let export = self.export(exporter).unwrap();
        assert!(self.export(exporter).unwrap() == export, "{name} is not the same each time");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports");
        std::fs::create_dir_all(&folder).unwrap();
        // Programs of tests may run side by side and make the same file: it is there as a whole or not at all.
        let written = tempfile::NamedTempFile::new_in(&folder).unwrap();
        std::fs::write(written.path(), export.bytes).unwrap();
        let file = folder.join(name);
        written.persist(&file).unwrap();
        file
    }

    /// Every piece of text of the report, in the order of reading, and of the notes.
    pub(crate) fn pieces(&self) -> Vec<String> {
        let mut pieces = Vec::new();
        push_blocks(&self.document.blocks, &mut pieces);
        pieces
    }
}

/// The long report in a folder of its own, without one of its files.
pub(crate) fn without(path: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports");
    for below in ["charts", "tables", "tables/stock", ""] {
        std::fs::create_dir_all(folder.path().join(below)).unwrap();
        for entry in std::fs::read_dir(from.join(below)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), folder.path().join(below).join(entry.file_name())).unwrap();
            }
        }
    }
    std::fs::remove_file(folder.path().join(path)).unwrap();
    folder
}

fn push_blocks(blocks: &[Block], into: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => push_inlines(content, into),
            Block::Quote { blocks } => push_blocks(blocks, into),
            Block::List { items, .. } => items.iter().for_each(|item| push_blocks(&item.blocks, into)),
            Block::Code { text, .. } => into.push(text.clone()),
            Block::Table { head, rows, .. } => {
                head.iter().chain(rows.iter().flatten()).for_each(|cell| push_inlines(cell, into));
            }
            Block::Formula { .. } | Block::Rule => {}
        }
    }
}

fn push_inlines(content: &[Inline], into: &mut Vec<String>) {
    for inline in content {
        match inline {
            Inline::Text { text } | Inline::Figure { text, .. } | Inline::Code { text } => {
                into.push(text.clone());
            }
            Inline::Emphasis { content } | Inline::Strong { content } | Inline::Struck { content } => {
                push_inlines(content, into);
            }
            Inline::Link { to, content } => {
                into.push(words(content));
                match to {
                    Target::File { path } => into.push(format!("({path})")),
                    Target::Missing { path } => {
                        into.push(format!("({path} is not among the files of this run)"));
                    }
                    Target::Place { .. } | Target::Web { .. } => {}
                }
            }
            Inline::Picture { alt, .. } => into.push(alt.clone()),
            Inline::Formula { .. } | Inline::Note { .. } | Inline::Break => {}
        }
    }
}

/// Whether a chart is an SVG.
pub(crate) fn is_drawing(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "svg")
}

/// Text without white space, which programs set as they like.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Fails unless a text holds all pieces, one behind the other.
pub(crate) fn assert_holds(text: &str, pieces: &[String]) {
    let text = bare(text);
    let mut from = 0;
    for piece in pieces {
        let piece = bare(piece);
        let Some(at) = text[from..].find(&piece) else {
            let shown: String = text[from..].chars().take(200).collect();
            panic!("{piece:?} is not in what follows: {shown}");
        };
        from += at + piece.len();
    }
}

/// Which chart a picture shows, by its band.
pub(crate) fn chart_of(picture: &image::DynamicImage) -> usize {
    let picture = picture.to_rgb8();
    let shown = picture.get_pixel(picture.width() / 2, picture.height() / 40).0;
    let away = |colour: [u8; 3]| -> i32 {
        colour.iter().zip(shown).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum()
    };
    (0..CHARTS.len()).min_by_key(|chart| away(CHARTS[*chart].1)).unwrap()
}

/// Whether a test that lacks `what` may skip. Says so loudly, or fails where skips are forbidden.
fn skip(what: &str) {
    assert!(std::env::var_os("ASSAY_REQUIRE_ALL").is_none(), "ASSAY_REQUIRE_ALL is set, but {what}");
    eprintln!("SKIPPED: {what}");
}

/// Whether a program is here; `false` after a loud skip.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    let here = Command::new(program).args(arguments).output().is_ok();
    if !here {
        skip(&format!("{program} is not here"));
    }
    here
}

/// What a script beside this file says of an export; `None` after a loud skip.
pub(crate) fn opened(script: &str, module: &str, file: &Path) -> Option<Value> {
    // The one of the system has the modules of the system, whatever else is installed before it.
    let has_module = |python: &&str| {
        let output = Command::new(python).args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let Some(python) = ["python3", "/usr/bin/python3"].into_iter().find(has_module) else {
        skip(&format!("python3 with {module} is not here"));
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports").join(script);
    let output = Command::new(python).arg(script).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
