//! Files are opened by programs that have nothing to do with the ones that made them: poppler's.

mod pictures;
mod tables;
mod words;

use std::cell::Cell;
use std::path::Path;
use std::process::Command;

use super::pdf;
use crate::{Document, Export, ExportError, Parcel, Verdict};

const PROGRAMS: [&str; 4] = ["pdftotext", "pdfinfo", "pdfimages", "pdftohtml"];
const SVG: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><path d="M0 0L60 30"/></svg>"#;

/// Says loudly that a test was not made, or fails where skips are forbidden.
fn skip(what: &str) {
    assert!(std::env::var_os("ASSAY_REQUIRE_ALL").is_none(), "ASSAY_REQUIRE_ALL is set, but {what}");
    eprintln!("SKIPPED: {what}");
}

fn can_open() -> bool {
    let missing: Vec<&str> =
        PROGRAMS.into_iter().filter(|program| Command::new(program).arg("-v").output().is_err()).collect();
    if !missing.is_empty() {
        skip(&format!("these programs are missing: {} (package poppler-utils)", missing.join(", ")));
    }
    missing.is_empty()
}

/// A folder with pictures of every kind, each of its own size.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put("a.png", &png(40, 20));
    put("b.png", &png(50, 30));
    put("c.jpg", include_bytes!("tests/small.jpg"));
    put("d.gif", include_bytes!("tests/small.gif"));
    put("e.webp", include_bytes!("tests/small.webp"));
    put("f.svg", SVG.as_bytes());
    folder
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..width * height).map(|at| (at % 251) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

fn read(markdown: &str, files: &Path) -> Document {
    Document::read(markdown, &|path| files.join(path).exists())
}

fn exported(document: &Document, verdicts: &[Verdict], files: &Path) -> Export {
    let parcel = Parcel { document, verdicts, title: "Rents \"2025\" \\ Zürich", files, cells: &[] };
    pdf(&parcel, &|_, _| Ok(())).unwrap()
}

fn made(markdown: &str) -> Opened {
    let folder = folder();
    Opened::new(&exported(&read(markdown, folder.path()), &[], folder.path()))
}

/// A file as other programs read it.
struct Opened {
    folder: tempfile::TempDir,
}

impl Opened {
    fn new(export: &Export) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("report.pdf"), &export.bytes).unwrap();
        Self { folder }
    }

    fn run(&self, program: &str, before: &[&str], after: &[&str]) -> String {
        let file = self.folder.path().join("report.pdf");
        let output = Command::new(program).args(before).arg(file).args(after).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn text(&self) -> String {
        self.run("pdftotext", &["-layout"], &["-"])
    }

    /// The text in the order of its making, without white space.
    fn letters(&self) -> String {
        letters(&self.run("pdftotext", &["-raw"], &["-"]))
    }

    fn pages(&self) -> Vec<String> {
        let text = self.text();
        text.trim_end_matches('\u{c}').split('\u{c}').map(str::to_owned).collect()
    }

    fn info(&self, name: &str) -> String {
        let info = self.run("pdfinfo", &[], &[]);
        let line = info.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim_start_matches(':').trim().to_owned()
    }

    /// Width and height of each picture that is not drawn with lines.
    fn pictures(&self) -> Vec<(u32, u32)> {
        let list = self.run("pdfimages", &["-list"], &[]);
        let number = |word: Option<&&str>| word.unwrap().parse().unwrap();
        let rows = list.lines().skip(2).map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.filter(|row| row[2] == "image").map(|row| (number(row.get(3)), number(row.get(4)))).collect()
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn a_report_has_its_title_its_numbers_and_its_words() {
    if !can_open() {
        return;
    }
    let long = "A sentence that is repeated.\n\n".repeat(120);
    let opened = made(&format!("# Rents\n\n*Some* **words** ~~gone~~ `code`.\n\n1. one\n2. two\n\n{long}"));
    assert_eq!(opened.info("Title"), "Rents \"2025\" \\ Zürich");
    assert_eq!(opened.info("Page size"), "595.276 x 841.89 pts (A4)");
    assert_eq!(opened.info("Tagged"), "yes");
    assert_eq!(opened.info("CreationDate"), "");
    let pages = opened.pages();
    assert!(pages.len() > 2);
    for (at, page) in pages.iter().enumerate() {
        let foot = letters(page.trim_end().lines().last().unwrap());
        assert_eq!(foot, format!("Rents\"2025\"\\Zürich{}/{}", at + 1, pages.len()));
    }
    assert!(
        opened.letters().starts_with("RentsSomewordsgonecode.1.one2.twoAsentence"),
        "{}",
        opened.letters()
    );
}

#[test]
fn a_report_without_a_title_of_its_own_has_that_of_the_run() {
    if can_open() {
        assert_eq!(made("").letters(), "Rents\"2025\"\\ZürichRents\"2025\"\\Zürich1/1");
    }
}

#[test]
fn contents_stand_where_there_is_something_to_find() {
    if !can_open() {
        return;
    }
    let long = "A sentence that is repeated.\n\n".repeat(40);
    let chapters = |count: usize| -> String {
        let chapter = |at: usize| format!("## Chapter {at}\n\n{long}");
        (1..=count).map(chapter).collect()
    };
    let opened = made(&format!("# R\n\n{}", chapters(4)));
    let pages = opened.pages();
    let first = &pages[0];
    assert!(first.contains("Contents"), "{first}");
    for at in 1..=4 {
        let name = format!("Chapter {at}");
        let line = first.lines().find(|line| line.contains(&name)).unwrap();
        let number: usize = line.split_whitespace().last().unwrap().parse().unwrap();
        let stands_there = pages[number - 1].lines().any(|line| line.trim() == name);
        assert!(stands_there, "{name} is not on page {number}");
    }
    let outline = opened.run("pdftohtml", &["-xml", "-i", "-stdout"], &[]);
    let items = outline.split("<item ").skip(1);
    let bookmarks: Vec<&str> = items.map(|item| item.split(['>', '<']).nth(1).unwrap()).collect();
    assert_eq!(bookmarks, ["R", "Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]);
    assert!(!made(&format!("# R\n\n{}", chapters(3))).text().contains("Contents"));
}

#[test]
fn only_addresses_of_the_web_and_of_mail_are_links() {
    if !can_open() {
        return;
    }
    let opened = made(
        "# R\n\n[One](https://example.org/a?b=1) [Two](HTTP://Example.com) [Three](mailto:a@b.example) \
         [Four](javascript:alert(1)) [Five](a.png) [Six](no.csv) [Seven](#r) <https://plain.example>\n",
    );
    let urls = opened.run("pdfinfo", &["-url"], &[]);
    let mut urls: Vec<&str> =
        urls.lines().skip(1).filter_map(|line| line.split_whitespace().last()).collect();
    // One over two lines is two places to click on.
    urls.dedup();
    assert_eq!(
        urls,
        ["https://example.org/a?b=1", "HTTP://Example.com", "mailto:a@b.example", "https://plain.example"]
    );
    let expected = "ROne(example.org)Two(Example.com)Three(a@b.example)FourFiveSixSevenhttps://plain.example";
    assert!(opened.letters().starts_with(expected), "{}", opened.letters());
}

#[test]
fn footnotes_stand_once_and_are_referred_to_again() {
    if !can_open() {
        return;
    }
    let opened = made(
        "# R\n\nA[^1] b[^2] c[^1].\n\n| h[^3] |\n|---|\n| x |\n\n[^1]: One[^1] itself.\n[^2]: Two.\n[^3]: Three.\n",
    );
    let found = opened.letters();
    assert!(
        found.contains("A1b2c1.") && found.contains("1One1itself.") && found.contains("2Two."),
        "{found}"
    );
    assert_eq!(found.matches("Three.").count(), 1, "{found}");
}

#[test]
fn figures_that_were_not_found_are_said() {
    if !can_open() {
        return;
    }
    let folder = folder();
    let document = read("# R\n\nIt was 12.5 and 13.5 and 14.5.", folder.path());
    let found = Verdict::Printed { step: 1, line: 1, words: "12.5".into() };
    let verdicts = [found.clone(), Verdict::NotFound, found.clone()];
    let opened = Opened::new(&exported(&document, &verdicts, folder.path()));
    let expected = "Figureswithadottedlineunderthemwerenotfoundinwhatwascomputed(1of3).";
    assert!(opened.letters().contains(expected), "{}", opened.letters());
    let opened = Opened::new(&exported(&document, &[found.clone(), found.clone(), found], folder.path()));
    assert!(!opened.letters().contains("dotted"));
}

#[test]
fn the_same_report_is_the_same_file() {
    let folder = folder();
    let document = read("# R\n\n![First](b.png)\n\n![Drawn](f.svg)\n\nA[^1].\n\n[^1]: One.", folder.path());
    let first = exported(&document, &[], folder.path());
    assert!(first == exported(&document, &[], folder.path()));
    assert!(first.bytes.starts_with(b"%PDF-1."));
}

#[test]
fn an_export_is_stopped_wherever_it_is() {
    let folder = folder();
    let document = read("# R\n\n![First](b.png)\n\n![Second](a.png)", folder.path());
    let parcel = Parcel { document: &document, verdicts: &[], title: "A", files: folder.path(), cells: &[] };
    for end in 0..=4 {
        let calls = Cell::new(0);
        let result = pdf(&parcel, &|done, all| {
            calls.set(calls.get() + 1);
            assert_eq!(all, 4);
            if done == end { Err(ExportError::Stopped) } else { Ok(()) }
        });
        assert!(matches!(result, Err(ExportError::Stopped)), "{end}");
        assert_eq!(calls.get(), end + 1);
    }
}

#[test]
fn what_lies_deep_is_set() {
    if !can_open() {
        return;
    }
    let quotes = format!("{}deepquote", "> ".repeat(60));
    let lists: Vec<String> = (0..60).map(|depth| format!("{}- item{depth}", "  ".repeat(depth))).collect();
    let lists = lists.join("\n");
    let strong = format!("{}middle{}", "*a **b ".repeat(28), "** x*".repeat(28));
    let found = made(&format!("# R\n\n{quotes}\n\n{lists}\n\n{strong}")).letters();
    assert!(found.contains("deepquote") && found.contains("item59") && found.contains("middle"), "{found}");
}
