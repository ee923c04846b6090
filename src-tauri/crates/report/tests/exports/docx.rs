//! The document of a word processor.

use std::path::{Path, PathBuf};
use std::process::Command;

use assay_report::{ExportError, docx};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::fixture::{CHARTS, Fixture, assert_holds, bare, chart_of, has, is_drawing, opened, without};

fn document() -> Option<(Fixture, Value)> {
    let fixture = Fixture::long();
    let file = fixture.file(docx, "report.docx");
    let document = opened("open_docx.py", "zipfile", &file)?;
    Some((fixture, document))
}

/// The document as LibreOffice lays it out.
fn laid_out() -> Option<(Fixture, PathBuf)> {
    if !has("soffice", &["--version"]) || !has("pdftotext", &["-v"]) || !has("pdfimages", &["-v"]) {
        return None;
    }
    let fixture = Fixture::long();
    let file = fixture.file(docx, "report.docx");
    let folder = tempfile::tempdir().unwrap().keep();
    let output = Command::new("soffice")
        // A profile of its own: two at once do not share one.
        .arg(format!("-env:UserInstallation=file://{}", folder.join("profile").display()))
        .args(["--headless", "--convert-to", "pdf", "--outdir"])
        .arg(&folder)
        .arg(&file)
        .output()
        .unwrap();
    let pdf = folder.join("report.pdf");
    assert!(pdf.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    let kept = file.with_file_name("report-docx.pdf");
    std::fs::copy(&pdf, &kept).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    Some((fixture, kept))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn field_118_the_document_has_every_picture_in_order() {
    let Some((fixture, document)) = document() else { return };
    let images = document["images"].as_array().unwrap();
    assert_eq!(images.len(), CHARTS.len());
    for (at, (image, (path, _))) in images.iter().zip(CHARTS).enumerate() {
        let bytes = STANDARD.decode(image["bytes"].as_str().unwrap()).unwrap();
        assert_eq!(chart_of(&image::load_from_memory(&bytes).unwrap()), at, "{path}");
        assert_eq!(bytes == std::fs::read(fixture.files.join(path)).unwrap(), !is_drawing(path), "{path}");
        let [wide, high] = [0, 1].map(|side| image["size"][side].as_u64().unwrap());
        assert!(wide <= 9412 * 635 && high <= 15 * 360_000, "{path} is {wide} by {high}");
    }
    let alts: Vec<&str> = images.iter().map(|image| image["alt"].as_str().unwrap()).collect();
    assert_eq!(alts, strings(&document["captions"]));
    assert_eq!(alts[4], "Chinese teas by month");
    assert_eq!(images[9]["size"], json!([240 * 9525, 160 * 9525]));
}

#[test]
fn the_document_has_every_word_in_its_place() {
    let Some((fixture, document)) = document() else { return };
    assert_holds(document["text"].as_str().unwrap(), &fixture.pieces());
    assert!(
        document["text"].as_str().unwrap().contains("were not found in what was computed. That is 3 of ")
    );
    assert_eq!(document["unfound"], json!(["1,240", "61", "70 %"]));
    assert_eq!(
        document["notes"],
        json!([
            ["-1", ""],
            ["0", ""],
            ["1", " Receipts below $1 were left out: 214 of them, mostly bags. See tills_2025.csv."],
            ["2", " It stood on shelf B. The shelf has an edge now:in wood,2 cm high."],
        ])
    );
    assert_eq!(document["references"], json!(["1", "2"]));
    assert_eq!(document["fields"], json!(["NOTEREF _note1 \\f \\h", "PAGE"]));
    let headings = document["headings"].as_array().unwrap();
    assert_eq!(
        headings[..2],
        [json!(["Heading1", "A year at the Harbour Street Grocery"]), json!(["Heading2", "In short"])]
    );
    assert_eq!(headings.len(), 13);
    let right_to_left = strings(&document["right_to_left"]);
    assert!(right_to_left.iter().any(|text| text.starts_with("زيت الزيتون")));
    assert!(right_to_left.iter().any(|text| text.starts_with("טחינה מהר ברכה נמכרה")));
    assert_eq!(document["styles"], json!([]), "styles that are used and not there");
}

#[test]
fn lists_and_tables_are_real() {
    let Some((_, document)) = document() else { return };
    let lists = document["lists"].as_array().unwrap();
    let expected = [
        json!([1, 0, "Three suppliers should be asked for better terms:"]),
        json!([4, 1, "武夷山茶厂 for its rock tea,"]),
        json!([1, 2, "above all for the large tins,"]),
        json!([1, 2, "and only then for the small ones;"]),
        json!([4, 1, "Ελιές Καλαμών for the olives;"]),
        json!([4, 1, "Гречка Алтая for the buckwheat."]),
        json!([3, 0, "Ask card holders about opening hours"]),
        json!([3, 0, "Count visits by hour"]),
        json!([2, 0, "Ask the others"]),
        json!([2, 1, "at the till"]),
        json!([2, 1, "at the door"]),
        json!([5, 0, "Give two metres of shelf D to tea."]),
    ];
    assert_eq!(lists[3..15], expected);
    let tables: Vec<[u64; 3]> = document["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| ["heads", "rows", "columns"].map(|name| table[name].as_u64().unwrap()))
        .collect();
    assert_eq!(tables, [[1, 7, 12], [1, 7, 3], [1, 53, 5]]);
    for table in document["tables"].as_array().unwrap() {
        assert!(table["width"].as_u64().unwrap() <= 9412, "{table}");
    }
    assert_eq!(document["tables"][2]["align"], json!(["right", null, "right", "right", "right"]));
    assert_eq!(document["tables"][0]["align"][11], "center");
}

#[test]
fn field_112_114_the_document_asks_for_nothing() {
    let Some((_, document)) = document() else { return };
    assert_eq!(
        document["links"],
        json!([
            ["the last section", "#_heading12"],
            ["Logo of the spice house", "https://example.com/logo.png?shop=harbour"],
            ["the handbook of small shops", "https://example.org/handbook/chapter-3?lang=en&print=1"],
            ["the owner", "mailto:owner@example.org"],
        ])
    );
    let outside = strings(&document["outside"]);
    assert_eq!(outside.len(), 3, "{outside:?}");
    assert!(strings(&document["bookmarks"]).contains(&"_heading12"));
    // Names of schemas look like addresses and are none.
    let known = [
        "http://example.com",
        "http://purl.org",
        "http://schemas.microsoft.com",
        "http://schemas.openxmlformats.org",
        "https://example.com",
        "https://example.org",
    ];
    assert_eq!(strings(&document["addresses"]), known);
    assert_eq!(document["times"], json!([[1980, 1, 1, 0, 0, 0]]));
    assert_eq!(document["broken"], json!(null));
}

#[test]
fn field_118_a_word_processor_shows_all_of_it() {
    let Some((fixture, pdf)) = laid_out() else { return };
    let text = |mode: &str| {
        let output = Command::new("pdftotext").arg(mode).arg(&pdf).arg("-").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    // Each page ends with its number.
    let pages: Vec<String> = text("-raw")
        .split_terminator('\u{c}')
        .map(|page| page.trim_end().rsplit_once('\n').map_or_else(String::new, |(page, _)| page.to_owned()))
        .collect();
    assert!(pages.len() >= 8, "{} pages", pages.len());
    assert!(pages.iter().all(|page| !page.trim().is_empty()), "a page is blank");
    // Notes stand at the foot of a page, and letters from right to left are set in another order: each piece
    // of the rest is somewhere in the text.
    let all = bare(&pages.concat());
    for piece in
        fixture.pieces().iter().filter(|piece| piece.chars().all(|c| !('\u{590}'..'\u{900}').contains(&c)))
    {
        for word in piece.split_whitespace() {
            assert!(all.contains(word), "{word:?} of {piece:?} is not there");
        }
    }
    for sentence in ["Receiptsbelow$1wereleftout", "Theshelfhasanedgenow:", "☐", "☑", "•"] {
        assert!(all.contains(sentence), "{sentence}");
    }
    assert!(all.contains(&"زعتر".chars().rev().collect::<String>()) || all.contains("زعتر"));

    let images = pictures_of(&pdf);
    let order: Vec<usize> = images.iter().map(chart_of).collect();
    assert_eq!(order, (0..CHARTS.len()).collect::<Vec<_>>());
}

/// The pictures of a PDF in order; not the masks of those that let the ground through.
fn pictures_of(pdf: &Path) -> Vec<image::DynamicImage> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("p");
    assert!(Command::new("pdfimages").arg("-png").arg(pdf).arg(&root).status().unwrap().success());
    let list = Command::new("pdfimages").arg("-list").arg(pdf).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    list.lines()
        .skip(2)
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|columns| columns[2] == "image")
        .map(|columns| {
            let number: usize = columns[1].parse().unwrap();
            image::open(folder.path().join(format!("p-{number:03}.png"))).unwrap()
        })
        .collect()
}

#[test]
fn field_118_a_picture_that_is_gone_is_said_and_a_broken_one_is_an_error() {
    let folder = without("charts/09_customers.svg");
    let gone = Fixture::at(folder.path());
    let file = gone.file(docx, "report-without.docx");
    if let Some(document) = opened("open_docx.py", "zipfile", &file) {
        let sentence =
            "Visits with and without a card: charts/09_customers.svg is not among the files of this run.";
        assert!(document["text"].as_str().unwrap().contains(sentence));
        assert_eq!(document["images"].as_array().unwrap().len(), 11);
    }
    let mut fixture = Fixture::long();
    fixture.files = folder.path().to_owned();
    let error = fixture.export(docx).unwrap_err();
    assert!(
        matches!(&error, ExportError::Unreadable { path, .. } if path == "charts/09_customers.svg"),
        "{error}"
    );
}
