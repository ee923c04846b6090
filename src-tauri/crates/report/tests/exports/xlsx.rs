//! The workbook.

use assay_report::xlsx;
use serde_json::{Value, json};

use super::fixture::{Fixture, opened};

fn sheets() -> Option<(Value, Vec<Value>)> {
    let file = Fixture::long().file(xlsx, "tables.xlsx");
    let book = opened("open_xlsx.py", "openpyxl", &file)?;
    let sheets = book["sheets"].as_array().unwrap().clone();
    Some((book, sheets))
}

/// The type and the value of each cell of a row.
fn row(sheet: &Value, row: usize) -> Vec<(&str, &Value)> {
    sheet["rows"][row].as_array().unwrap().iter().map(|cell| (cell[0].as_str().unwrap(), &cell[1])).collect()
}

#[test]
fn every_table_of_the_run_is_a_sheet() {
    let Some((book, sheets)) = sheets() else { return };
    let found: Vec<(&str, usize, &Value, &Value)> = sheets
        .iter()
        .map(|sheet| {
            let rows = sheet["rows"].as_array().unwrap().len();
            (sheet["name"].as_str().unwrap(), rows, &sheet["frozen"], &sheet["filter"])
        })
        .collect();
    assert_eq!(
        found,
        [
            ("shelves", 9, &json!("A2"), &json!("A1:D9")),
            ("suppliers", 8, &json!("A2"), &json!("A1:G8")),
            ("weeks", 53, &json!("A2"), &json!("A1:E53")),
            ("Shelves (2)", 7, &json!("A2"), &json!("A1:L7")),
            ("Spices", 7, &json!("A2"), &json!("A1:C7")),
            ("All weeks", 53, &json!("A2"), &json!("A1:E53")),
        ]
    );
    for sheet in &sheets {
        assert_eq!(sheet["bold"], true, "{sheet}");
        for width in sheet["widths"].as_array().unwrap() {
            assert!((8.0..=61.0).contains(&width.as_f64().unwrap()), "{sheet}");
        }
    }
    assert_eq!(book["outside"], json!([]));
    assert_eq!(book["times"], json!([[1980, 1, 1, 0, 0, 0]]));
}

#[test]
fn field_036_cells_that_look_like_formulas_are_words() {
    let Some((book, sheets)) = sheets() else { return };
    assert_eq!(book["formulas"], json!([]));
    let remarks: Vec<Value> =
        ["=HYPERLINK(\"http://example.com\",\"click\")", "+1", "@x", "-2+3"].map(Value::from).to_vec();
    for (sheet, column) in [(&sheets[1], 5), (&sheets[4], 2)] {
        for (at, remark) in remarks.iter().enumerate() {
            let cell = &sheet["rows"][at + 1][column];
            assert_eq!(*cell, json!(["s", remark, "General", true]));
        }
        assert_eq!(sheet["rows"][5][column], json!(["n", -5, "General", false]), "a true number");
    }
    assert_eq!(sheets[1]["rows"][0][6], json!(["s", "=1+1", "General", true]), "a header");
    assert_eq!(sheets[1]["rows"][7][5], json!(["s", "\t=2", "General", true]));
}

#[test]
fn cells_have_types_and_lose_nothing() {
    let Some((_, sheets)) = sheets() else { return };
    let words = |words: &str| ("s", json!(words));
    let expected = [
        words("0017"),
        words("武夷山茶厂"),
        words("6901234567892345"),
        ("d", json!("2019-03-01T00:00:00")),
        ("n", json!(18240.5)),
    ];
    assert_eq!(row(&sheets[1], 1)[..5], expected.each_ref().map(|(kind, value)| (*kind, value)));
    assert_eq!(sheets[1]["rows"][1][3][2], "yyyy-mm-dd");
    assert_eq!(sheets[1]["rows"][1][4][2], "0.00");
    assert_eq!(row(&sheets[1], 2)[2], ("n", &json!(4_901_234_567_894_i64)));
    assert_eq!(row(&sheets[1], 7)[1], ("s", &json!("Line one\nline two")));
    assert_eq!(row(&sheets[1], 7)[4], ("n", &json!(-125.1)));
    assert_eq!(row(&sheets[2], 1)[4], ("b", &json!(true)));
    assert_eq!(row(&sheets[2], 2)[4], ("b", &json!(false)));
    assert_eq!(row(&sheets[0], 1)[3], ("d", &json!("2025-12-31T10:30:00")));
    // 9,120 stands beside 118,560.00, so its comma is one between thousands.
    assert_eq!(sheets[3]["rows"][1][4], json!(["n", 9120, "#,##0", false]));
    assert_eq!(sheets[3]["rows"][1][5], json!(["n", 118_560, "#,##0.00", false]));
    assert_eq!(sheets[3]["rows"][1][9], json!(["n", 0.13, "0%", false]));
}
