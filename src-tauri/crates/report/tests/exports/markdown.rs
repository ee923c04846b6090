//! The report in Markdown with its folder.

use assay_report::markdown;
use serde_json::json;

use super::fixture::{CHARTS, Fixture, opened, without};

#[test]
fn field_115_118_the_archive_has_the_report_and_every_file_of_it() {
    let fixture = Fixture::long();
    let file = fixture.file(markdown, "report.zip");
    let Some(archive) = opened("open_zip.py", "zipfile", &file) else { return };
    let mut expected =
        vec!["report.md", "tables/weeks.csv", "tables/suppliers.csv", "tables/stock/shelves.csv"];
    expected.extend(CHARTS.map(|(path, _)| path));
    let entries: Vec<_> = expected
        .iter()
        .map(|path| json!([path, [1980, 1, 1, 0, 0, 0], fixture.files.join(path).metadata().unwrap().len()]))
        .collect();
    assert_eq!(archive["entries"], json!(entries));
    assert_eq!(archive["broken"], json!(null));
    assert_eq!(archive["report"], std::fs::read_to_string(fixture.files.join("report.md")).unwrap());
}

#[test]
fn field_118_a_file_that_is_gone_is_said() {
    let missing =
        |path: &str| format!("The report links to {path}, which is not among the files of this run.");
    let always = [missing("tables/grains.csv"), missing("javascript:alert(1)")];
    let export = Fixture::long().export(markdown).unwrap();
    assert_eq!(export.remarks, always);
    let folder = without("charts/07_spices.png");
    let export = Fixture::at(folder.path()).export(markdown).unwrap();
    assert_eq!(export.remarks, [&[missing("charts/07_spices.png")], &always[..]].concat());
}
