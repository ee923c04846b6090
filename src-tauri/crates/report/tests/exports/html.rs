//! The single page.

use assay_report::{ExportError, html};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::fixture::{CHARTS, Fixture, assert_holds, bare, is_drawing, opened, without};

fn page() -> Option<(Fixture, Value)> {
    let fixture = Fixture::long();
    let file = fixture.file(html, "report.html");
    let page = opened("open_html.py", "html5lib", &file)?;
    Some((fixture, page))
}

#[test]
fn field_118_the_page_has_every_picture_in_order() {
    let Some((fixture, page)) = page() else { return };
    let shown = page["images"].as_array().unwrap();
    assert_eq!(shown.len(), CHARTS.len());
    for (image, (path, _)) in shown.iter().zip(CHARTS) {
        let (kind, data) = image["src"].as_str().unwrap().split_once(";base64,").unwrap();
        assert_eq!(kind, if is_drawing(path) { "data:image/svg+xml" } else { "data:image/png" });
        assert!(STANDARD.decode(data).unwrap() == std::fs::read(fixture.files.join(path)).unwrap(), "{path}");
        assert!(!image["alt"].as_str().unwrap().is_empty());
    }
    let sizes =
        [0, 7, 9].map(|at| (shown[at]["width"].as_str().unwrap(), shown[at]["height"].as_str().unwrap()));
    assert_eq!(sizes, [("960", "540"), ("1600", "400"), ("240", "160")]);
}

#[test]
fn the_page_has_every_word() {
    let Some((fixture, page)) = page() else { return };
    let text = page["text"].as_str().unwrap();
    assert_holds(text, &fixture.pieces());
    let end = "Receipts below $1 were left out: 214 of them, mostly bags. See tills_2025.csv.↩ ↩ It stood on \
               shelf B. The shelf has an edge now: in wood, 2 cm high.↩ Figures with a dotted line under them \
               were not found in what was computed. That is 3 of";
    assert!(bare(text).contains(&bare(end)), "{text}");
    assert_eq!(page["title"], "The shop's year");
    assert_eq!(page["errors"], Value::Array(Vec::new()));
}

#[test]
fn field_112_114_the_page_asks_for_nothing() {
    let Some((_, page)) = page() else { return };
    let attributes: Vec<[&str; 3]> = page["attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|triple| [0, 1, 2].map(|at| triple[at].as_str().unwrap()))
        .collect();
    let leads_out: Vec<&[&str; 3]> = attributes
        .iter()
        .filter(|[_, _, value]| {
            let value = value.to_lowercase();
            ["http:", "https:", "mailto:", "file:", "javascript:", "//"]
                .iter()
                .any(|scheme| value.starts_with(scheme))
        })
        .collect();
    assert_eq!(
        leads_out,
        [
            &["a", "href", "https://example.com/logo.png?shop=harbour"],
            &["a", "href", "https://example.org/handbook/chapter-3?lang=en&print=1"],
            &["a", "href", "mailto:owner@example.org"],
        ]
    );
    for [element, name, value] in &attributes {
        assert!(!name.starts_with("on") && !value.contains("file:"), "{element} {name} {value}");
        if *name == "src" {
            assert!(value.starts_with("data:image/"), "{value}");
        }
    }
    let style = page["style"].as_str().unwrap();
    assert!(!style.contains("url(") && !style.contains("@import"));
    let elements: Vec<&str> =
        page["elements"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for element in ["script", "iframe", "object", "embed", "form", "link", "base", "svg"] {
        assert!(!elements.contains(&element), "{element}");
    }
    let policy =
        attributes.iter().find(|[element, name, _]| *element == "meta" && *name == "content").unwrap();
    assert!(policy[2].starts_with("default-src 'none'; style-src 'unsafe-inline'; img-src data:;"));
    let ids: Vec<&str> =
        attributes.iter().filter(|[_, name, _]| *name == "id").map(|[_, _, id]| *id).collect();
    for [_, _, link] in attributes.iter().filter(|[_, name, value]| *name == "href" && value.starts_with('#'))
    {
        assert_eq!(ids.iter().filter(|id| **id == &link[1..]).count(), 1, "{link}");
    }
}

#[test]
fn field_118_a_picture_that_is_gone_is_said_and_a_broken_one_is_an_error() {
    let folder = without("charts/07_spices.png");
    let export = Fixture::at(folder.path()).export(html).unwrap();
    let page = String::from_utf8(export.bytes).unwrap();
    assert!(page.contains("Spices by turnover: charts/07_spices.png is not among the files of this run."));
    assert_eq!(page.matches("<img ").count(), 11);

    // It was there when the report was read, and is not any more.
    let mut fixture = Fixture::long();
    fixture.files = folder.path().to_owned();
    let error = fixture.export(html).unwrap_err();
    assert!(
        matches!(&error, ExportError::Unreadable { path, .. } if path == "charts/07_spices.png"),
        "{error}"
    );

    std::fs::write(folder.path().join("charts/07_spices.png"), b"\x89PNG\r\n\x1a\n cut").unwrap();
    let error = fixture.export(html).unwrap_err();
    assert!(
        matches!(&error, ExportError::Unreadable { path, .. } if path == "charts/07_spices.png"),
        "{error}"
    );
}
