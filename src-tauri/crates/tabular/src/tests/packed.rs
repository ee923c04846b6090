//! JSON, Parquet and workbooks, and every format inside gzip, zstd and zip.

use super::reading::read_set;
use crate::{Kind, Reading, TableError};
use std::io::{Cursor, Write};
use std::sync::Arc;

const TEXT: &str = "day;amount\n31.12.2022;1,5\n01.01.2023;2,5\n";
const PREPARED: &str = "day,amount\n2022-12-31,1.5\n2023-01-01,2.5\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn read(name: &str, bytes: &[u8]) -> (Reading, String) {
    read_set(name, bytes, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn text_is_the_same_in_every_packing() {
    let zstd = zstd::stream::encode_all(TEXT.as_bytes(), 3).unwrap();
    for (name, bytes) in [
        ("a.csv.gz", gzip(TEXT.as_bytes())),
        ("a.csv.zst", zstd),
        ("a.zip", zip(&[("notes/readme.md", b"x"), ("a.csv", TEXT.as_bytes()), ("b.csv", b"a,b\n1,2\n")])),
    ] {
        let (reading, prepared) = read(name, &bytes);
        assert_eq!(prepared, PREPARED, "{name}");
        assert!(!reading.is_plain());
        let preview = super::preview_named(name, &bytes, 1);
        assert_eq!((preview.columns, preview.rows.len()), (vec!["day".to_owned(), "amount".to_owned()], 1));
    }
}

#[test]
fn another_file_of_an_archive_can_be_chosen() {
    let bytes = zip(&[("a.csv", TEXT.as_bytes()), ("b.csv", b"x,y\n1,2\n")]);
    let (reading, _) = read("a.zip", &bytes);
    assert_eq!(reading.decisions[0].alternatives[0].value, "b.csv");
    assert!(super::notes(&reading.table, &["Only `a.csv`", "`b.csv`"]));
    assert_eq!(read_set("a.zip", &bytes, &["member=b.csv"]).unwrap().1, "x,y\n1,2\n");
    let missing = read_set("a.zip", &bytes, &["member=c.csv"]).unwrap_err();
    assert_eq!(missing.to_string(), "a.zip cannot be read that way: it holds no file called `c.csv`.");
}

#[test]
fn what_cannot_be_unpacked_is_told_in_one_sentence() {
    let whole = gzip(TEXT.repeat(3000).as_bytes());
    for (name, bytes, sentence) in [
        (
            "a.gz",
            whole[..whole.len() / 2].to_vec(),
            "a.gz cannot be unpacked: the packed content is damaged or ends too early.",
        ),
        (
            "a.gz",
            gzip(&gzip(b"a,b\n1,2\n")),
            "a.gz is not a table: it looks like a compressed file inside another.",
        ),
        ("a.gz", gzip(b""), "a.gz is empty."),
        ("a.gz", gzip(b"%PDF-1.7"), "a.gz is not a table: it looks like a PDF document."),
        ("a.zip", zip(&[("a.png", b"x")]), "a.zip cannot be unpacked: no table file is in it."),
        ("a.zip", zip(&[]), "a.zip cannot be unpacked: no table file is in it."),
    ] {
        assert_eq!(read_set(name, &bytes, &[]).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn json_keeps_digits_and_opens_objects() {
    let text = r#"[{"id": "007", "x": 0.12345678901234567890, "at": {"city": "Bath", "tags": [1, 2]}},
        {"x": 1e3, "id": "008", "extra": true}, {"id": null}]"#;
    let (reading, prepared) = read("a.json", text.as_bytes());
    assert_eq!(
        prepared,
        "id,x,at.city,at.tags,extra\n007,0.12345678901234567890,Bath,\"[1, 2]\",\n008,1e3,,,true\n,,,,\n"
    );
    assert_eq!(reading.table.format, "json");
    assert_eq!(super::column(&reading.table, "id").kind, Kind::Identifier);
    for same in [
        "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n",
        "{\"meta\": 1, \"rows\": [{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"b\": \"y\"}]}",
        "{\"a\": [1, 2], \"b\": [\"x\", \"y\"]}",
        "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"b\": \"y\"}]",
    ] {
        assert_eq!(read("a.json", same.as_bytes()).1, "a,b\n1,x\n2,y\n", "{same}");
        assert_eq!(read("a.json.gz", &gzip(same.as_bytes())).1, "a,b\n1,x\n2,y\n", "{same}");
    }
    assert_eq!(read("a.json", b"[[1, \"x\"], [2, \"y\"]]").1, "column_1,column_2\n1,x\n2,y\n");
}

#[test]
fn broken_json_is_told_and_broken_lines_are_in_the_ledger() {
    let (reading, prepared) = read("a.jsonl", b"{\"a\": 1}\nnot json\n{\"a\": 2}\n");
    assert_eq!(prepared, "a\n1\n2\n");
    let skipped = &reading.ledger.rows_skipped[0];
    assert_eq!(
        (skipped.why.as_str(), skipped.count, skipped.first[0].row),
        ("a line that is not JSON", 1, 2)
    );
    let error = read_set("a.json", b"[{\"a\": 1},\n{\"a\": ", &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.json cannot be read: the JSON breaks off or is not well formed in line 2."
    );
    let nested = format!("[{{\"a\":{}1", "[".repeat(200_000));
    assert!(read_set("a.json", nested.as_bytes(), &[]).is_err());
    let deep = format!("{{\"a\":{}1{}}}\n", "{\"b\":".repeat(5000), "}".repeat(5000));
    let _ = read_set("a.jsonl", deep.repeat(2).as_bytes(), &[]);
}

fn parquet() -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    let schema = "message m {
        required binary name (UTF8); optional double amount; required int64 at (TIMESTAMP(MILLIS, true)); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let names = [ByteArray::from("Ann"), ByteArray::from("Bo, jr")];
    column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[1.5], Some(&[1, 0]), None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[0, 86_400_500], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn parquet_is_read_and_damage_is_told() {
    let bytes = parquet();
    let expected = "name,amount,at\nAnn,1.5,1970-01-01 00:00:00\n\"Bo, jr\",,1970-01-02 00:00:00.500\n";
    let (reading, prepared) = read("a.parquet", &bytes);
    assert_eq!(prepared, expected);
    assert_eq!((reading.table.format.as_str(), reading.ledger.rows_read), ("parquet", 2));
    assert_eq!(read("a.parquet.gz", &gzip(&bytes)).1, expected);
    for end in [4, 10, bytes.len() / 2, bytes.len() - 1] {
        let error = read_set("a.parquet", &bytes[..end], &[]).unwrap_err();
        assert_eq!(error.to_string(), "a.parquet cannot be read: the Parquet file is damaged.");
    }
    // Whatever byte is changed, there is a table or a sentence.
    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 0x55;
        let _ = read_set("a.parquet", &other, &[]);
    }
}

fn workbook() -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let format = rust_xlsxwriter::Format::new();
    let sheet = book.add_worksheet().set_name("Quarters").unwrap();
    sheet.merge_range(0, 0, 0, 1, "2023", &format).unwrap();
    sheet.merge_range(0, 2, 0, 3, "2024", &format).unwrap();
    for column in 0..4_u16 {
        sheet.write(1, column, if column % 2 == 0 { "Q1" } else { "Q2" }).unwrap();
        for row in 2..5 {
            sheet.write(row, column, row * 10 + u32::from(column)).unwrap();
        }
    }
    let feb = book.add_worksheet().set_name("Feb").unwrap();
    feb.write(0, 0, "a").unwrap().write(0, 1, "b").unwrap();
    feb.write(1, 0, 1).unwrap().write(1, 1, 2).unwrap();
    let notes = book.add_worksheet().set_name("Notes").unwrap();
    notes.write(0, 0, "Made by hand").unwrap();
    notes.set_hidden(true);
    book.save_to_buffer().unwrap()
}

#[test]
fn field_024_025_merged_headers_and_every_sheet_is_named() {
    let bytes = workbook();
    let (reading, prepared) = read("a.xlsx", &bytes);
    assert!(prepared.starts_with("2023 Q1,2023 Q2,2024 Q1,2024 Q2\n20,21,22,23\n"), "{prepared}");
    assert!(reading.table.columns.iter().all(|column| column.kind == Kind::Integer));
    let sheet = &reading.decisions[0];
    assert_eq!((sheet.id.as_str(), sheet.value.as_str()), ("sheet", "Quarters"));
    let others: Vec<&str> = sheet.alternatives.iter().map(|other| other.label.as_str()).collect();
    assert_eq!(others, ["`Feb` (2 rows)", "`Notes` (hidden, 1 row)"]);
    assert_eq!(read_set("a.xlsx", &bytes, &["sheet=Feb"]).unwrap().1, "a,b\n1,2\n");
    assert!(matches!(read_set("a.xlsx", &bytes, &["sheet=May"]), Err(TableError::Setting { .. })));
    assert_eq!(read("a.xlsx.gz", &gzip(&bytes)).1, prepared);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xlsx");
    std::fs::write(&path, &bytes).unwrap();
    let sheets = crate::sheets(&path, 1).unwrap();
    let seen: Vec<(&str, bool, u64)> =
        sheets.iter().map(|sheet| (sheet.name.as_str(), sheet.hidden, sheet.filled_rows)).collect();
    assert_eq!(seen, [("Quarters", false, 5), ("Feb", false, 2), ("Notes", true, 1)]);
}

#[test]
fn pandas_is_told_how_a_file_is_packed() {
    let read_with = |name: &str, bytes: &[u8]| super::read_named(name, bytes).unwrap().read_with;
    let text = b"a,b\n1,2\n3,4\n";
    assert_eq!(read_with("a.csv.gz", &gzip(text)), "pd.read_csv('input/a.csv.gz', compression='gzip')");
    assert_eq!(
        read_with("a.zip", &zip(&[("in/a.csv", text), ("b.txt", b"x")])),
        "pd.read_csv(__import__('zipfile').ZipFile('input/a.zip').open('in/a.csv'))"
    );
    assert_eq!(
        read_with("a.json", b"[{\"a\": 1}, {\"a\": 2}]"),
        "pd.json_normalize(__import__('json').load(open('input/a.json', encoding='utf-8-sig')))"
    );
    assert_eq!(read_with("a.parquet", &parquet()), "pd.read_parquet('input/a.parquet')");
    for (name, bytes) in [
        ("a.csv.zst", zstd::stream::encode_all(&text[..], 3).unwrap()),
        ("a.parquet.gz", gzip(&parquet())),
        ("a.xlsx.gz", gzip(&workbook())),
        ("a.json", b"{\"rows\": [{\"a\": 1}]}".to_vec()),
    ] {
        let error = super::read_named(name, &bytes).unwrap_err();
        assert!(error.to_string().contains("`assay convert` writes it as CSV"), "{error}");
    }
}

#[test]
fn a_sheet_whose_last_cell_is_far_away_takes_no_memory() {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "a").unwrap().write(1_048_575, 16_383, 1).unwrap();
    let bytes = book.save_to_buffer().unwrap();
    let error = read_set("a.xlsx", &bytes, &[]).unwrap_err();
    assert_eq!(error.to_string(), "a.xlsx cannot be read: a sheet of it spans more than 40 million cells.");
}
