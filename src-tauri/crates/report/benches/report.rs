//! How long it takes to check and to export a long report, as ratios to what cannot be avoided, within one run.
//! `cargo bench -p assay-report`.

#![allow(clippy::unwrap_used, reason = "a bench ends where its own set-up fails")]
#![allow(clippy::cast_precision_loss, reason = "the numbers are small")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use assay_report::{Document, Parcel, Sources, StepSource, TableSource, check, docx, html, pdf};
use image::{ImageFormat, Rgb, RgbImage};

const ROUNDS: usize = 5;
const STEPS: u32 = 50;
const TABLES: u64 = 4;
const TABLE_BYTES: usize = 25 << 20;
const SECTIONS: u64 = 20;

fn main() {
    let markdown = report();
    let document = Document::read(&markdown, &|_| true);
    evidence(&document);
    exports(&document);
}

/// A number that looks as if it meant something.
fn number(seed: u64) -> u64 {
    seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 40
}

/// Twenty sections of a page each, with a chart, a table and some figures.
fn report() -> String {
    let mut text = String::from("# A long report\n\n");
    for section in 0..SECTIONS {
        let _ = write!(text, "## Part {section}\n\n");
        for sentence in 0..12 {
            let value = number(section * 100 + sentence);
            let _ = write!(
                text,
                "Region {sentence} used {}.{} kWh on {} days, which is {} % of all. ",
                value % 9000,
                value % 10,
                value % 365,
                value % 100
            );
        }
        let _ = write!(
            text,
            "\n\n![Use of part {section}](charts/{section}.png)\n\n| Region | kWh |\n|---|--:|\n"
        );
        for row in 0..8 {
            let _ = writeln!(text, "| {row} | {}.5 |", number(section + row) % 10_000);
        }
        text.push('\n');
    }
    text
}

fn table(seed: u64) -> Vec<u8> {
    let mut text = String::from("time,region,kwh,cost,days\n");
    let mut row = seed;
    while text.len() < TABLE_BYTES {
        row += 1;
        let value = number(row);
        let _ = writeln!(
            text,
            "2025-{:02}-{:02} {:02}:00,Region {},{}.{},{:.4},{}",
            row / 28 % 12 + 1,
            row % 28 + 1,
            row % 24,
            value % 40,
            value % 9000,
            value % 100,
            1.0 / (1 + value % 977) as f64,
            value % 365
        );
    }
    text.into_bytes()
}

fn evidence(document: &Document) {
    let tables: Vec<Vec<u8>> = (0..TABLES).map(|seed| table(seed * 1_000_000)).collect();
    let outputs: Vec<String> = (0..STEPS)
        .map(|step| {
            (0..40).fold(String::new(), |mut text, line| {
                let _ =
                    writeln!(text, "region {line}: {}.25 kWh", number(u64::from(step * 40 + line)) % 9000);
                text
            })
        })
        .collect();
    let paths: Vec<String> = (0..TABLES).map(|table| format!("part {table}.csv")).collect();
    let sources = Sources {
        request: "Which region uses most?",
        inputs: Vec::new(),
        steps: (1..)
            .zip(&outputs)
            .map(|(number, output)| StepSource { number, output, code: "", wrote_report: false })
            .collect(),
        tables: paths
            .iter()
            .zip(&tables)
            .map(|(path, content)| TableSource { path, step: STEPS, content })
            .collect(),
    };
    let (mut checked, mut read) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let found = check(document, &sources);
        checked.push(begun.elapsed());
        assert!(found.summary.figures > 700, "{:?}", found.summary);
        let begun = Instant::now();
        let mut cells = 0;
        for content in &tables {
            let mut reader = csv::Reader::from_reader(content.as_slice());
            let mut record = csv::ByteRecord::new();
            while reader.read_byte_record(&mut record).unwrap() {
                cells += record.len();
            }
        }
        read.push(begun.elapsed());
        assert!(cells > 1_000_000);
    }
    told(
        "evidence: 20 pages, 50 steps, 100 MB of tables",
        &checked,
        "only reading the cells, one by one",
        &read,
    );
}

fn exports(document: &Document) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("charts")).unwrap();
    for section in 0..SECTIONS {
        let picture = RgbImage::from_fn(1600, 900, |x, y| {
            let is_line = (f64::from(x) / 80.0 + section as f64).sin() * 300.0 + 450.0 - f64::from(y);
            if is_line.abs() < 3.0 { Rgb([0, 114, 178]) } else { Rgb([255, 255, 255]) }
        });
        let place = folder.path().join(format!("charts/{section}.png"));
        picture.save_with_format(place, ImageFormat::Png).unwrap();
    }
    let parcel = Parcel { document, verdicts: &[], title: "A long report", files: folder.path(), cells: &[] };
    for (name, exporter) in [("PDF", pdf as fn(&Parcel<'_>, _) -> _), ("web page", html), ("Word", docx)] {
        let (mut made, mut decoded) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let export = exporter(&parcel, &|_, _| Ok(())).unwrap();
            made.push(begun.elapsed());
            assert!(export.bytes.len() > 10_000);
            let begun = Instant::now();
            for section in 0..SECTIONS {
                image::open(folder.path().join(format!("charts/{section}.png"))).unwrap();
            }
            decoded.push(begun.elapsed());
        }
        told(&format!("{name} of 20 charts"), &made, "decoding its pictures", &decoded);
    }
}

fn told(name: &str, taken: &[Duration], floor_name: &str, floor: &[Duration]) {
    let median = |times: &[Duration]| {
        let mut times = times.to_vec();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1000.0
    };
    let (taken, first, floor) = (median(taken), taken[0].as_secs_f64() * 1000.0, median(floor));
    println!(
        "{name}: {taken:.0} ms (the first {first:.0} ms), {:.1} of {floor_name} ({floor:.0} ms)",
        taken / floor
    );
}
