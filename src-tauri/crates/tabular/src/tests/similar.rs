//! Files like those of the public collections, made here from a fixed seed: what the reader decides is
//! compared with what was written, cell for cell. No rule of the reader was made with these at hand.

use crate::{Settings, Writing, read_as};
use std::ops::ControlFlow;

/// Files that are made.
const FILES: u64 = 400;

/// Of a hundred files at least so many have to come back exactly.
const WANTED_PERCENT: u64 = 95;

/// A small generator of numbers that only depend on the seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[usize::try_from(self.roll(choices.len() as u64)).unwrap()]
    }
}

const WORDS: [&str; 24] = [
    "north",
    "Müller",
    "bread",
    "rouge",
    "plant",
    "site",
    "Åse",
    "total cost",
    "west",
    "apple",
    "steel",
    "Río",
    "winter",
    "garden",
    "Zoë",
    "paper",
    "blue",
    "station",
    "level",
    "café",
    "engine",
    "hotel",
    "mixed",
    "order",
];

struct Made {
    bytes: Vec<u8>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    what: String,
}

/// One cell of a column of the sort.
fn cell(dice: &mut Dice, sort: u64, delimiter: char) -> String {
    if dice.roll(25) == 0 {
        return String::new();
    }
    let decimal = if delimiter == ';' { ',' } else { '.' };
    match sort {
        0 => dice.roll(10_000).to_string(),
        1 => format!("{}{decimal}{:02}", dice.roll(5000), dice.roll(100)),
        2 => format!("20{:02}-{:02}-{:02}", dice.roll(25), dice.roll(12) + 1, dice.roll(28) + 1),
        3 => format!("{:02}/{:02}/20{:02}", dice.roll(28) + 1, dice.roll(12) + 1, dice.roll(25)),
        4 => format!("{} {}", dice.pick(&WORDS), dice.pick(&WORDS)),
        5 => dice.pick(&WORDS).to_owned(),
        6 => format!("{:02}:{:02}", dice.roll(24), dice.roll(60)),
        _ => match dice.roll(6) {
            0 => format!("{}{delimiter} {}", dice.pick(&WORDS), dice.pick(&WORDS)),
            1 => format!("the \"{}\" one", dice.pick(&WORDS)),
            2 => format!("{}\nand {}", dice.pick(&WORDS), dice.pick(&WORDS)),
            _ => format!("{}, {} and {}", dice.pick(&WORDS), dice.pick(&WORDS), dice.pick(&WORDS)),
        },
    }
}

fn make(seed: u64) -> Made {
    let mut dice = Dice(seed);
    let delimiter = [',', ';', '\t', '|'][usize::try_from(dice.roll(4)).unwrap()];
    let width = 2 + dice.roll(8);
    let sorts: Vec<u64> = (0..width).map(|_| dice.roll(8)).collect();
    let header: Vec<String> =
        (0..width).map(|column| format!("{} {}", dice.pick(&WORDS), column + 1)).collect();
    let height = 6 + dice.roll(60);
    let mut rows: Vec<Vec<String>> = (0..height)
        .map(|_| sorts.iter().map(|sort| cell(&mut dice, *sort, delimiter)).collect::<Vec<_>>())
        .collect();
    // A row without any value is a blank line to people.
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    let always_quoted = dice.roll(4) == 0;
    let line_end = ["\n", "\r\n", "\r"][usize::try_from(dice.roll(5).min(2)).unwrap()];
    let quoted = |cell: &str| {
        let needed = cell.contains([delimiter, '"', '\n', '\r']);
        if needed || always_quoted { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
    };
    let line = |cells: &[String]| {
        cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(&delimiter.to_string()) + line_end
    };
    let mut text = String::new();
    let titles = dice.roll(8).saturating_sub(4);
    for _ in 0..titles {
        text.extend([format!(
            "{} of the {} of {}{line_end}",
            dice.pick(&WORDS),
            dice.pick(&WORDS),
            dice.pick(&WORDS)
        )]);
    }
    if titles > 0 && dice.roll(2) == 0 {
        text += line_end;
    }
    text += &line(&header);
    text.extend(rows.iter().map(|row| line(row)));
    let footer = dice.roll(6) == 0;
    if footer {
        text.extend([format!(
            "{line_end}Source: the {} of {}{line_end}",
            dice.pick(&WORDS),
            dice.pick(&WORDS)
        )]);
    }
    let encoding =
        ["utf-8", "utf-8", "mark", "utf-16le", "windows-1252"][usize::try_from(dice.roll(5)).unwrap()];
    let bytes = match encoding {
        "mark" => ["\u{FEFF}", &text].concat().into_bytes(),
        "utf-8" => text.clone().into_bytes(),
        label => super::encoded(label, &text),
    };
    let what = format!(
        "seed {seed}: {delimiter:?}, {width} columns, {encoding}, line end {line_end:?}, {titles} titles, footer {footer}"
    );
    Made { bytes, header, rows, what }
}

/// The table as it was read, or why not.
fn read_back(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let reading = read_as(file.path(), "input/x.csv", &Settings::default(), go_on)
        .map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    reading.write(Writing::AsRead, &mut out, go_on).map_err(|error| error.to_string())?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(out.as_slice());
    Ok(reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

#[test]
fn similar_files_are_read_exactly() {
    let mut wrong = Vec::new();
    for seed in 0..FILES {
        let made = make(seed);
        let line_end = |cell: &String| cell.replace("\r\n", "\n").replace('\r', "\n");
        let expected: Vec<Vec<String>> = std::iter::once(&made.header)
            .chain(&made.rows)
            .map(|row| row.iter().map(line_end).collect())
            .collect();
        match read_back(&made.bytes) {
            Ok(rows)
                if rows
                    .iter()
                    .map(|row| row.iter().map(line_end).collect::<Vec<_>>())
                    .eq(expected.clone()) => {}
            Ok(rows) => {
                let row = rows.iter().zip(&expected).position(|(ours, theirs)| ours != theirs);
                let row = row.unwrap_or(rows.len().min(expected.len()));
                wrong.push(format!(
                    "{}: {} rows for {}; first at {row}: {:?} for {:?}",
                    made.what,
                    rows.len(),
                    expected.len(),
                    rows.get(row),
                    expected.get(row)
                ));
            }
            Err(error) => wrong.push(format!("{}: {error}", made.what)),
        }
    }
    let exact = FILES - wrong.len() as u64;
    eprintln!("{exact} of {FILES} similar files are read exactly");
    assert!(exact * 100 >= FILES * WANTED_PERCENT, "{exact} of {FILES}:\n{}", wrong.join("\n"));
}
