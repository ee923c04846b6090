//! Decisions on whole files, and the expression that carries them.

use super::{column, encoded, names, notes, read, read_named};
use crate::{Column, Kind, Table};

#[test]
fn the_whole_description_of_a_plain_table() {
    let table = read(
        "timestamp,energy_kwh,region\n\
         2025-01-01 00:00:00,12.5,North\n\
         2025-01-01 01:00:00,,South\n\
         2025-01-01 02:00:00,10,North\n\
         2025-01-01 03:00:00,20.0,North\n",
    );
    let blank = Column {
        name: String::new(),
        kind: Kind::Empty,
        missing: 0,
        distinct: Some(0),
        min: None,
        max: None,
        mean: None,
        first: None,
        last: None,
        step_s: None,
        date_format: None,
        day_order_assumed: false,
        top: Vec::new(),
        unit: None,
    };
    let expected = Table {
        path: "input/x.csv".to_owned(),
        prepared_from: None,
        format: "csv".to_owned(),
        sheet: None,
        rows: 4,
        repeated_rows: None,
        encoding: Some("utf-8".to_owned()),
        delimiter: Some(",".to_owned()),
        decimal: ".".to_owned(),
        thousands: None,
        header_row: 1,
        read_with: "pd.read_csv('input/x.csv')".to_owned(),
        left_out: Vec::new(),
        columns: vec![
            Column {
                name: "timestamp".to_owned(),
                kind: Kind::Timestamp,
                distinct: Some(4),
                first: Some("2025-01-01 00:00:00".to_owned()),
                last: Some("2025-01-01 03:00:00".to_owned()),
                step_s: Some(3600),
                date_format: Some("%Y-%m-%d %H:%M:%S".to_owned()),
                ..blank.clone()
            },
            Column {
                name: "energy_kwh".to_owned(),
                kind: Kind::Decimal,
                missing: 1,
                distinct: Some(3),
                min: Some(10.0),
                max: Some(20.0),
                mean: Some(14.166_666_7),
                unit: Some("kWh".to_owned()),
                ..blank.clone()
            },
            Column {
                name: "region".to_owned(),
                kind: Kind::Category,
                distinct: Some(2),
                top: vec![("North".to_owned(), 3), ("South".to_owned(), 1)],
                ..blank
            },
        ],
        first_rows: vec![
            vec!["2025-01-01 00:00:00".to_owned(), "12.5".to_owned(), "North".to_owned()],
            vec!["2025-01-01 01:00:00".to_owned(), String::new(), "South".to_owned()],
            vec!["2025-01-01 02:00:00".to_owned(), "10".to_owned(), "North".to_owned()],
            vec!["2025-01-01 03:00:00".to_owned(), "20.0".to_owned(), "North".to_owned()],
        ],
        notes: Vec::new(),
    };
    assert_eq!(table, expected);
    let json = serde_json::to_string(&table).unwrap();
    assert_eq!(serde_json::from_str::<Table>(&json).unwrap(), table);
    assert!(!json.contains("null"), "{json}");
}

#[test]
fn utf8_that_breaks_after_the_head() {
    let mut legacy = "name,x\n".as_bytes().to_vec();
    (0..40_000).for_each(|row| legacy.extend(format!("plain,{row}\n").bytes()));
    legacy.extend(encoded("windows-1252", "Müller,1\nJosé,2\n"));
    let table = read(&legacy);
    assert_eq!((table.encoding.as_deref(), table.rows), (Some("cp1252"), 40_002));

    let mut damaged = "name,x\n".as_bytes().to_vec();
    (0..40_000).for_each(|row| damaged.extend(format!("Müller,{row}\n").bytes()));
    damaged.extend(b"Jos\xE9,2\n");
    let table = read(&damaged);
    assert_eq!((table.encoding.as_deref(), table.rows), (Some("utf-8"), 40_001));
    assert!(table.read_with.contains("encoding_errors='replace'"));
    assert!(notes(&table, &["damaged"]));
}

#[test]
fn utf16_without_a_mark() {
    let bytes: Vec<u8> = "a,b\n1,x\n2,y\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(read(&bytes).encoding.as_deref(), Some("utf-16-be"));
}

#[test]
fn titles_remarks_and_footnotes_are_no_rows() {
    let table = read("Report of the plant,,\n,,\na,b,c\n1,2,3\n4,5,6\n\nSource: the plant\n");
    assert_eq!((names(&table), table.rows, table.header_row), (vec!["a", "b", "c"], 2, 3));
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv', skiprows=2, nrows=2)");
    assert!(notes(&table, &["above the table", "Report of the plant"]));
    assert!(notes(&table, &["below the table", "Source: the plant"]));
}

#[test]
fn two_rows_of_names() {
    let table = read("2023,,2024,\nQ1,Q2,Q1,Q2\n1,2,3,4\n5,6,7,8\n");
    assert_eq!(names(&table), ["2023 Q1", "2023 Q2", "2024 Q1", "2024 Q2"]);
    assert_eq!((table.rows, table.header_row), (2, 2));
}

#[test]
fn a_table_without_a_header() {
    let table = read("2025-01-01,5\n2025-01-02,6\n2025-01-03,7\n");
    assert_eq!((names(&table), table.rows, table.header_row), (vec!["column_1", "column_2"], 3, 0));
    assert!(table.read_with.contains("header=None, names=['column_1', 'column_2']"));
}

#[test]
fn years_name_columns() {
    let table = read("region,2019,2020\nNorth,5,6\nSouth,7,8\n");
    assert_eq!(names(&table), ["region", "2019", "2020"]);
}

#[test]
fn row_names_of_r() {
    let table = read("\"x\" \"y\"\n\"1\" 5 7.5\n\"2\" 6 8.5\n");
    assert_eq!(names(&table), ["row", "x", "y"]);
}

#[test]
fn thousands_and_decimals() {
    let table = read("a;b\n1.234,5;1.000\n99,0;200\n2.000,25;300\n");
    assert_eq!((table.decimal.as_str(), table.thousands.as_deref()), (",", Some(".")));
    assert_eq!((column(&table, "a").max, column(&table, "b").max), (Some(2000.25), Some(1000.0)));

    let table = read("date;load\n01.02.2024;1.234,5\n17.02.2024;2.345,5\n");
    assert!(table.read_with.contains("dtype={'date': str}") || !table.read_with.contains("thousands"));
}

#[test]
fn numbers_written_in_two_ways_stay_text() {
    let table = read("id,amount\n1,\"1,250.00\"\n2,\"1.250,00\"\n");
    assert_eq!(column(&table, "amount").kind, Kind::Text);
    assert!(notes(&table, &["`amount`", "more than one way"]));
}

#[test]
fn null_words_do_not_hide_numbers() {
    let table = read("x,y\n1,-\n2,5\n3,?\n4,NA\n");
    let y = column(&table, "y");
    assert_eq!((y.kind, y.missing), (Kind::Integer, 3));
    assert!(table.read_with.contains("na_values={'y': ['-', '?']}"), "{}", table.read_with);
}

#[test]
fn kinds_that_are_words() {
    let table = read("ok,when,hotel_id,empty\nyes,07:30,17,\nno,08:15,4,\nyes,09:00,23,\n");
    let kinds: Vec<Kind> = table.columns.iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [Kind::Boolean, Kind::Time, Kind::Identifier, Kind::Empty]);
}

#[test]
fn long_cells_are_cut_between_characters() {
    let table = read(format!("a,b\n{},1\n", "ü".repeat(200)));
    assert_eq!(table.first_rows[0][0], format!("{}…", "ü".repeat(79)));
}

#[test]
fn many_values_are_not_counted_to_the_end() {
    let mut text = "x,y\n".to_owned();
    (0..10_001).for_each(|row| text.extend([format!("{row},{}\n", row % 10_000)]));
    let table = read(&text);
    assert_eq!((table.columns[0].distinct, table.columns[1].distinct), (None, Some(10_000)));
}

#[test]
fn a_quote_that_never_closes() {
    let mut text = "size,part\n".to_owned();
    (0..2000).for_each(|row| text.extend([format!("{row},pipe\n")]));
    text += "5,\"screw\n";
    (0..2000).for_each(|row| text.extend([format!("{row},pipe\n")]));
    let table = read(&text);
    assert_eq!(table.rows, 4001);
    assert!(table.read_with.contains("quoting=3"));
    assert!(notes(&table, &["row 2002 never closes"]));

    let cut = read("a,b\n1,\"x\"\n2,\"y\"\n3,\"z and");
    assert_eq!(cut.rows, 2);
    assert!(cut.read_with.contains("nrows=2"));
    assert!(notes(&cut, &["ends in the middle of a row"]));
}

#[test]
fn a_declared_delimiter() {
    let table = read_named("x.csv", b"sep=;\na;b\n1;2\n").unwrap();
    assert_eq!((names(&table), table.header_row), (vec!["a", "b"], 2));
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv', sep=';', skiprows=1)");
}

#[test]
fn old_mac_line_ends() {
    let table = read("a,b\r1,\"x\ny\"\r,z\r");
    assert_eq!((table.rows, table.columns[0].missing), (2, 1));
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv', lineterminator='\\r')");
}
