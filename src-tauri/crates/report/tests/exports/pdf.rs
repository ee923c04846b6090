//! The PDF.

use std::path::PathBuf;
use std::process::Command;

use assay_report::{ExportError, pdf};

use super::fixture::{CHARTS, Fixture, bare, chart_of, has, is_drawing, without};

/// The report and its PDF, or nothing where there is nothing that opens one.
fn document() -> Option<(Fixture, PathBuf)> {
    if !["pdftotext", "pdfinfo", "pdfimages"].iter().all(|program| has(program, &["-v"])) {
        return None;
    }
    let fixture = Fixture::long();
    let file = fixture.file(pdf, "report.pdf");
    Some((fixture, file))
}

fn told(program: &str, file: &PathBuf, rest: &[&str]) -> String {
    let output = Command::new(program).arg(file).args(rest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn field_118_the_pdf_has_every_picture_in_order() {
    let Some((_, file)) = document() else { return };
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("picture");
    told("pdfimages", &file, &["-png", prefix.to_str().unwrap()]);
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    // What a picture lets through is a picture of its own, in grey.
    let pictures =
        names.iter().map(|name| image::open(name).unwrap()).filter(|picture| picture.color().has_color());
    let shown: Vec<usize> = pictures.map(|picture| chart_of(&picture)).collect();
    let expected: Vec<usize> = (0..CHARTS.len()).filter(|at| !is_drawing(CHARTS[*at].0)).collect();
    assert_eq!(shown, expected, "drawings stay drawings, all else is a picture");
}

#[test]
fn the_pdf_has_every_word_and_eight_pages() {
    let Some((fixture, file)) = document() else { return };
    let text = bare(&told("pdftotext", &file, &["-"]));
    // Letters and digits of words: the reader of the PDF puts lines of cells beside one another, pages end between
    // them, and marks of right-to-left lines, those of vowels too, come where they are seen.
    let is_letter = |c: &char| c.is_alphanumeric() && !('\u{64b}'..='\u{652}').contains(c);
    let letters = |text: &str| text.chars().filter(is_letter).collect::<String>();
    let all = letters(&text);
    let lost: Vec<String> = fixture
        .pieces()
        .iter()
        // The PDF says no path behind the words of a link.
        .filter(|piece| !piece.starts_with('('))
        .flat_map(|piece| piece.split_whitespace().map(letters).collect::<Vec<_>>())
        .filter(|word| !all.contains(word.as_str()))
        .collect();
    assert_eq!(lost, [""; 0]);
    assert!(text.contains(&bare("were not found in what was computed (3 of ")));
    let info = told("pdfinfo", &file, &[]);
    let pages: u32 =
        info.lines().find_map(|line| line.strip_prefix("Pages:")).unwrap().trim().parse().unwrap();
    assert!(pages >= 8, "{info}");
    assert!(info.contains("The shop's year"), "{info}");
}

#[test]
fn the_pdf_names_no_file_of_this_computer_and_nothing_remote_but_links() {
    let Some((_, file)) = document() else { return };
    let urls = told("pdfinfo", &file, &["-url"]);
    let targets: Vec<&str> = urls.lines().skip(1).filter_map(|line| line.split_whitespace().last()).collect();
    assert!(
        targets.iter().all(|target| ["https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))),
        "{urls}"
    );
    let bytes = std::fs::read(&file).unwrap();
    assert!(!bytes.windows(5).any(|part| part == b"file:"));
}

#[test]
fn the_pdf_is_not_made_without_a_picture_that_is_broken() {
    let folder = without("charts/04_tea.png");
    let missing = Fixture::at(folder.path());
    if !has("pdftotext", &["-v"]) {
        return;
    }
    let file = missing.file(pdf, "report-without.pdf");
    assert!(
        bare(&told("pdftotext", &file, &["-"]))
            .contains(&bare("charts/04_tea.png is not among the files of this run"))
    );
    std::fs::write(folder.path().join("charts/04_tea.png"), "no picture").unwrap();
    let broken = Fixture::at(folder.path());
    assert!(matches!(broken.export(pdf), Err(ExportError::Unreadable { .. })));
}
