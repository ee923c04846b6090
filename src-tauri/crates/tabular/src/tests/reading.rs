//! Decisions that are shown and flipped, the ledger, and the prepared table.

use crate::{Kind, Reading, Settings, TableError, Writing, read_as};
use std::ops::ControlFlow;

pub(super) fn read_set(name: &str, bytes: &[u8], settings: &[&str]) -> Result<(Reading, String), TableError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut known = Settings::default();
    for setting in settings {
        known.set(setting).unwrap();
    }
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let reading = read_as(&path, &format!("input/{name}"), &known, go_on)?;
    let again = read_as(&path, &format!("input/{name}"), &known, go_on)?;
    assert_eq!(serde_json::to_value(&reading).unwrap(), serde_json::to_value(&again).unwrap());
    let mut out = Vec::new();
    reading.write(Writing::Prepared, &mut out, go_on)?;
    Ok((reading, String::from_utf8(out).unwrap()))
}

fn read(text: &str, settings: &[&str]) -> (Reading, String) {
    read_set("x.csv", text.as_bytes(), settings).unwrap()
}

fn decision<'a>(reading: &'a Reading, id: &str) -> &'a crate::Decision {
    reading.decisions.iter().find(|decision| decision.id == id).unwrap_or_else(|| panic!("no decision {id}"))
}

fn kind(reading: &Reading, name: &str) -> Kind {
    super::column(&reading.table, name).kind
}

#[test]
fn field_009_011_decimal_commas_become_points_and_can_be_flipped() {
    let (reading, prepared) = read("X\tY\tZ\n120,5\t50,3\t2,35\n1,5\t2,5\t3,5\n", &[]);
    assert_eq!(prepared, "X,Y,Z\n120.5,50.3,2.35\n1.5,2.5,3.5\n");
    assert_eq!(decision(&reading, "decimal").label, "1.234,5 is a number");
    let text = "a;b\n1,234;x\n5,678;y\n";
    assert_eq!(read(text, &["decimal=,"]).1, "a,b\n1.234,x\n5.678,y\n");
    let (reading, prepared) = read(text, &["decimal=."]);
    assert_eq!(prepared, "a,b\n1234,x\n5678,y\n");
    assert!(decision(&reading, "decimal").chosen);
}

#[test]
fn field_015_zeros_stay_in_the_prepared_table() {
    let (reading, prepared) = read("Account,Cost,Amount\n0010,\"007\",125.50\n0020,\"008\",1.50\n", &[]);
    assert_eq!(prepared, "Account,Cost,Amount\n0010,007,125.50\n0020,008,1.50\n");
    assert_eq!((kind(&reading, "Account"), kind(&reading, "Amount")), (Kind::Identifier, Kind::Decimal));
}

#[test]
fn field_017_018_dates_are_decided_by_column_with_counts() {
    let (reading, prepared) = read("day,n\n15/04/1991,1\n03/04/1991,2\n", &[]);
    assert_eq!(prepared, "day,n\n1991-04-15,1\n1991-04-03,2\n");
    let order = decision(&reading, "dates:day");
    assert_eq!(order.value, "day-first");
    assert_eq!(
        order.evidence,
        "1 of 2 dates could be either; they are read day first because the other 1 can only be read day first."
    );
    let text = "day,n\n05.03.2022,1\n01.12.2022,2\n07.02.2022,1\n";
    let (reading, prepared) = read(text, &[]);
    assert!(prepared.contains("2022-03-05"));
    assert!(decision(&reading, "dates:day").evidence.starts_with("3 of 3 dates could be either"));
    assert!(read(text, &["dates:day=month-first"]).1.contains("2022-05-03"));
    assert!(read(text, &["dates=month-first"]).1.contains("2022-05-03"));
}

#[test]
fn field_020_a_value_that_does_not_fit_is_kept_and_counted() {
    let mut text = "age,x\n".to_owned();
    text.extend((1..=400).map(|row| if row == 150 { "n/a,a\n" } else { "31,a\n" }));
    let (reading, prepared) = read(&text, &[]);
    assert_eq!((reading.ledger.rows_read, kind(&reading, "age")), (400, Kind::Integer));
    assert_eq!(reading.ledger.null_words[0].first[0].row, 151);
    assert_eq!(prepared.lines().nth(150), Some(",a"));
    let (reading, prepared) = read(&text.replace("n/a", "about 30"), &[]);
    assert_eq!((reading.ledger.flagged(), kind(&reading, "age")), (1, Kind::Integer));
    assert_eq!(reading.ledger.cells_flagged[0].first[0].text, "about 30");
    assert_eq!(prepared.lines().nth(150), Some("about 30,a"), "it is kept");
    assert_eq!(decision(&reading, "type:age").value, "integer");
}

#[test]
fn field_021_uneven_and_broken_rows_are_kept_and_marked() {
    let (reading, prepared) = read("id,text\n,\n1,ok,extra\n2\n3,c\n", &[]);
    let marked = |reading: &Reading| -> Vec<(u64, u64)> {
        reading.ledger.rows_marked.iter().map(|entry| (entry.count, entry.first[0].row)).collect()
    };
    assert_eq!((reading.ledger.rows_read, marked(&reading)), (4, vec![(1, 4), (1, 3)]));
    assert_eq!(prepared, "id,text,column_3\n,,\n1,ok,extra\n2,,\n3,c,\n");
    let (reading, prepared) = read("a,b\n1,\"x\"\n2,\"y\"\n3,\"z and", &[]);
    assert_eq!((reading.ledger.rows_read, marked(&reading)), (3, vec![(1, 4)]));
    assert_eq!(prepared, "a,b\n1,x\n2,y\n3,z and\n");
}

#[test]
fn every_row_is_in_the_ledger() {
    let text = "Report of May\n\nname,n\nAnn,1\n\nname,n\nBob,2\nCem,3\nDan,4\n\nTotal of all\n";
    let (reading, prepared) = read(text, &[]);
    assert_eq!(prepared, "name,n\nAnn,1\nBob,2\nCem,3\nDan,4\n");
    let skipped: Vec<(&str, u64)> =
        reading.ledger.rows_skipped.iter().map(|entry| (entry.why.as_str(), entry.count)).collect();
    assert_eq!(
        skipped,
        [("above the table", 1), ("a blank line", 3), ("the header once more", 1), ("below the table", 1)]
    );
    let header = 1;
    assert_eq!(reading.ledger.rows_read + reading.ledger.skipped() + header, text.lines().count() as u64);
}

#[test]
fn field_022_a_second_column_of_a_name_is_renamed() {
    let (reading, prepared) = read("column_1,column_2,column_2,column_4\n1,2,3,4\n", &[]);
    assert_eq!(prepared, "column_1,column_2,column_2_2,column_4\n1,2,3,4\n");
    assert!(super::notes(&reading.table, &["`column_2_2`"]));
}

#[test]
fn field_027_amounts_of_one_currency_are_numbers_and_conflicts_are_not_guessed() {
    let (reading, prepared) = read("item,amount\na,\"(1,250.00)\"\nb,\"$3,000\"\nc,$5.50\n", &[]);
    assert_eq!(prepared, "item,amount\na,-1250.00\nb,3000\nc,5.50\n");
    let column = super::column(&reading.table, "amount");
    assert_eq!((column.kind, column.unit.as_deref(), column.min), (Kind::Decimal, Some("$"), Some(-1250.0)));
    let (reading, prepared) = read("item,amount\na,\"(1,250.00)\"\nb,\"$3,000\"\nc,\"1.250,00 €\"\n", &[]);
    assert!(prepared.ends_with("c,\"1.250,00 €\"\n"), "{prepared}");
    assert_eq!(kind(&reading, "amount"), Kind::Text);
    assert!(super::notes(&reading.table, &["`$`", "`€`", "kept as text"]));
}

#[test]
fn field_028_percent_comes_from_the_values_and_never_from_a_part_of_the_name() {
    let (reading, prepared) = read("Corporate Revenue,share\n1250000,12 %\n1300000,7.5 %\n", &[]);
    assert_eq!(prepared, "Corporate Revenue,share\n1250000,12\n1300000,7.5\n");
    assert_eq!(super::column(&reading.table, "Corporate Revenue").unit, None);
    assert_eq!(super::column(&reading.table, "share").unit.as_deref(), Some("%"));
}

#[test]
fn field_035_line_breaks_within_cells_survive() {
    let (reading, prepared) = read("id,note\n1,\"first\nsecond\"\n2,\"a\u{2028}b\"\n", &[]);
    assert_eq!(reading.ledger.rows_read, 2);
    assert_eq!(prepared, "id,note\n1,\"first\nsecond\"\n2,a\u{2028}b\n");
}

#[test]
fn times_zones_and_spans_become_iso_and_seconds() {
    let text = "at,took\n2025-01-31T23:00:00.125+03:00,26:10:00\n2025-02-01T00:00:00Z,00:00:30\n";
    let (reading, prepared) = read(text, &[]);
    assert_eq!(prepared, "at,took\n2025-01-31 23:00:00.125+03:00,94200\n2025-02-01 00:00:00+00:00,30\n");
    assert_eq!((kind(&reading, "at"), kind(&reading, "took")), (Kind::Timestamp, Kind::Duration));
}

#[test]
fn every_decision_can_be_flipped() {
    let text = "x;y\n1;a,b\n2;c,d\n3;e,f\n";
    let (reading, _) = read(text, &[]);
    assert_eq!(decision(&reading, "delimiter").label, "Semicolon");
    assert_eq!(decision(&reading, "delimiter").evidence, "4 of the first 4 rows have 2 cells.");
    assert!(decision(&reading, "delimiter").alternatives.iter().any(|other| other.value == "comma"));
    let (reading, prepared) = read(text, &["delimiter=comma", "header=0"]);
    assert!(decision(&reading, "delimiter").chosen && decision(&reading, "header").chosen);
    assert!(prepared.ends_with("3;e,f\n"), "{prepared}");
    let (_, prepared) = read("a,b\n1,2\n3,4\n", &["header=2", "omit:2=yes", "name:1=first"]);
    assert_eq!(prepared, "first\n3\n");
    let (reading, _) = read("zip,n\n12345,1\n23456,2\n", &["type:zip=text"]);
    assert_eq!(kind(&reading, "zip"), Kind::Text);
    let latin = read_set("x.csv", b"a,b\nZo\xEB,1\n", &["encoding=windows-1251"]).unwrap();
    assert!(latin.1.contains("Zoл"), "{}", latin.1);
    let refused = read_set("x.csv", b"a,b\n1,2\n", &["header=9"]).unwrap_err();
    assert!(matches!(refused, TableError::Setting { .. }));
}

#[test]
fn a_clean_file_needs_no_prepared_table() {
    assert!(read("a,b\n1,2020-01-31\n2,2020-02-01\n", &[]).0.is_plain());
    for other in [
        "a;b\n1;2\n",
        "\u{FEFF}a,b\n1,2\n",
        "a,b\n1,31.01.2020\n",
        "title\na,b\n1,2\n3,4\n",
        "a,b\n1\n2,3\n",
        "a,a\n1,2\n",
        "a,b\n$1,2\n$2,3\n",
        "a,b\r1,2\r",
    ] {
        assert!(!read(other, &[]).0.is_plain(), "{other}");
    }
}

#[test]
fn a_header_alone_and_the_record_beside() {
    let (reading, prepared) = read("a,b\n", &[]);
    assert_eq!((reading.table.rows, prepared.as_str()), (0, "a,b\n"));
    let (reading, _) = read("price,b\n$1,2\n$3,4\n", &["name:b=count"]);
    let record = reading.record("input/prepared/x.csv");
    assert_eq!((record.rows, record.columns[0].unit.as_deref()), (2, Some("$")));
    assert_eq!(record.columns[1].original_name.as_deref(), Some("b"));
    assert_eq!(record.columns[1].name, "count");
    assert_eq!(record.settings.listed(), ["name:b=count"]);
}

#[test]
fn a_place_that_takes_no_more_is_told_as_such() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    std::fs::write(&path, "a,b\n1,2\n".repeat(100_000)).unwrap();
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let reading = read_as(&path, "input/x.csv", &Settings::default(), go_on).unwrap();
    let error = reading.write(Writing::Prepared, Full, go_on).unwrap_err();
    assert_eq!(error.to_string(), "x.csv could not be written: there is no room left.");
    let stopped = reading.write(Writing::Prepared, Vec::new(), &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(TableError::Cancelled { .. })));
}

#[test]
fn characters_that_became_control_characters_are_what_they_were() {
    let text = "d\u{92}or,n\nHR \u{96} pay,1\nZo\u{EB} \u{81},2\n";
    let (reading, prepared) = read(text, &[]);
    assert_eq!(prepared, "d’or,n\nHR – pay,1\nZoë \u{81},2\n");
    assert!(super::notes(&reading.table, &["2 characters of Windows-1252"]));
    assert!(!reading.is_plain());
}

#[test]
fn nothing_is_told_of_a_column_that_is_left_out() {
    let text = "day,secret\n01/02/2024,12\n03/04/2024,15\n05/06/2024,16\n07/08/2024,18\n09/10/2024,19\n\
                11/12/2024,20\n02/03/2024,21\n04/05/2024,22\n06/07/2024,hidden\n08/09/2024,24,hidden too\n";
    let told = |settings: &[&str]| {
        let (reading, _) = read(text, settings);
        let table = serde_json::to_string(&reading.prepared_table("input/prepared/x.csv")).unwrap();
        table + &serde_json::to_string(&reading.record("input/prepared/x.csv")).unwrap()
    };
    assert!(told(&[]).contains("hidden"));
    let without = told(&["omit:secret=yes", "omit:column_3=yes"]);
    assert!(!without.contains("hidden"), "{without}");
}
