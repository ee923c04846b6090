//! Tables keep within the page.

use super::{can_open, made};

#[test]
fn nothing_of_a_wide_table_is_beyond_the_page() {
    if !can_open() {
        return;
    }
    let key = "x".repeat(150);
    for count in [3, 9, 16, 40, 90] {
        let line = |cell: &dyn Fn(usize) -> String| -> String {
            let cells: Vec<String> = (0..count).map(cell).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let row = |at: usize| if at == 1 { key.clone() } else { format!("value_{at}") };
        let markdown = format!(
            "# R\n\n{}{}{}",
            line(&|at| format!("Column_name_{at}")),
            line(&|_| "---".to_owned()),
            line(&row)
        );
        let opened = made(&markdown);
        let found = opened.letters();
        let boxes = opened.run("pdftotext", &["-bbox"], &["-"]);
        let edge = |line: &str, name: &str| -> f64 {
            line.split(name).nth(1).unwrap().split('"').nth(1).unwrap().parse().unwrap()
        };
        let mut width = 0.0;
        for line in boxes.lines() {
            if line.contains("<page ") {
                width = edge(line, "width=");
            } else if line.contains("<word ") {
                assert!(edge(line, "xMin=") > 60.0 && edge(line, "xMax=") < width - 60.0, "{count}: {line}");
            }
        }
        // The letters of a broken word stand below each other, among those of its row.
        assert_eq!(found.matches('x').count(), 150, "{found}");
    }
}

#[test]
fn the_head_of_a_table_is_on_each_page() {
    if !can_open() {
        return;
    }
    let rows: Vec<String> = (0..150).map(|at| format!("| row {at} | {at} |")).collect();
    let pages = made(&format!("| Month | Energy |\n|---|---:|\n{}\n", rows.join("\n"))).pages();
    assert!(pages.len() > 2);
    assert!(pages.iter().all(|page| page.contains("Month") && page.contains("Energy")), "{pages:?}");
}
