//! What holds for any file.

use super::{names, read_named};
use crate::records::{Record, Records};
use crate::{Kind, dialect};
use proptest::prelude::*;

/// Text that delimiters, quotes and line breaks may be in.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zäß東 ]{1,12}",
        "[a-z]{1,4}[,;|\t\"'\n][ a-z]{1,6}",
        (-10_000i32..10_000).prop_map(|number| number.to_string()),
        (0u32..100_000).prop_map(|number| format!("{}.{}", number / 10, number % 10)),
    ]
}

fn written(rows: &[Vec<String>], delimiter: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_a_sentence(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_named("x.csv", &bytes);
    }

    #[test]
    fn any_text_is_a_table_or_a_sentence(text in "[a-c0-9,;\t|\"'\\\\\r\n .:/#=-]{0,300}") {
        if let Ok(table) = read_named("x.csv", text.as_bytes()) {
            prop_assert!(table.rows > 0);
            let unique: std::collections::HashSet<_> = names(&table).into_iter().collect();
            prop_assert_eq!(unique.len(), table.columns.len());
            for row in &table.first_rows {
                prop_assert_eq!(row.len(), table.columns.len());
            }
        }
    }

    /// The same cells as the `csv` crate's, for every text in its dialect.
    #[test]
    fn records_are_those_of_the_csv_crate(text in "[a-c,\"\r\n ]{0,80}") {
        let mut records = Records::new(text.as_bytes(), dialect::Dialect::default());
        let mut record = Record::default();
        let mut ours = Vec::new();
        let closes = loop {
            match records.read(&mut record) {
                Ok(true) if record.len() > 0 => ours.push(record.texts()),
                Ok(true) => {}
                Ok(false) => break true,
                Err(_) => break false,
            }
        };
        let blank = |row: &Vec<String>| matches!(row.as_slice(), [cell] if cell.trim().is_empty());
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut theirs: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        if !closes {
            theirs.pop();
        }
        theirs.retain(|row| !blank(row));
        ours.retain(|row| !blank(row));
        prop_assert_eq!(ours, theirs);
    }

    /// Whatever the delimiter, the cells come back as they were written.
    #[test]
    fn cells_come_back(
        rows in (3usize..6).prop_flat_map(|width| {
            proptest::collection::vec(
                (0u32..100_000, proptest::collection::vec(cell(), width)), 8..30)
        }),
        delimiter in proptest::sample::select(vec![b',', b';', b'\t', b'|']),
    ) {
        let width = rows[0].1.len();
        let header: Vec<String> = (0..=width).map(|column| format!("name {column}")).collect();
        let body: Vec<Vec<String>> = rows
            .into_iter()
            .map(|(number, cells)| std::iter::once(number.to_string()).chain(cells).collect())
            .collect();
        let all: Vec<Vec<String>> = std::iter::once(header.clone()).chain(body.clone()).collect();
        let table = read_named("x.csv", &written(&all, delimiter)).unwrap();
        prop_assert_eq!(names(&table), header);
        prop_assert_eq!(table.rows, body.len() as u64);
        prop_assert_eq!(&table.first_rows[..], &body[..5]);
        prop_assert!(matches!(table.columns[0].kind, Kind::Integer));
    }
}
