//! What people reported about other programs that read tables; the number is that of the report.

use super::{column, encoded, names, notes, read, read_named};
use crate::Kind;

#[test]
fn field_001_utf16_with_mark() {
    let table = read(encoded("utf-16le", "a,b\n1,2\n"));
    assert_eq!(names(&table), ["a", "b"]);
    assert_eq!((table.rows, table.first_rows[0].clone()), (1, vec!["1".to_owned(), "2".to_owned()]));
    assert_eq!(table.encoding.as_deref(), Some("utf-16"));
    assert!(notes(&table, &["read as UTF-16"]));
}

#[test]
fn field_002_strict_utf8_before_chinese_legacy() {
    let text = "门店,金额\n北京,12\n";
    let utf8 = read(text);
    let legacy = read(encoded("gb18030", text));
    assert_eq!(names(&utf8), ["门店", "金额"]);
    assert_eq!(names(&legacy), names(&utf8));
    assert_eq!(legacy.first_rows, utf8.first_rows);
    assert_eq!(utf8.encoding.as_deref(), Some("utf-8"));
    assert_eq!(legacy.encoding.as_deref(), Some("gb18030"));
}

#[test]
fn field_003_chinese_excel_export() {
    let table = read(encoded("gbk", "姓名,部门\n王小明,财务部\n李华,市场部\n"));
    assert_eq!(names(&table), ["姓名", "部门"]);
}

#[test]
fn field_004_one_table_in_six_encodings() {
    for (label, text, codec) in [
        ("utf-8", "店名,売上\n東京,12\n大阪,34\n", "utf-8"),
        ("utf-8-sig", "店名,売上\n東京,12\n大阪,34\n", "utf-8-sig"),
        ("utf-16le", "店名,売上\n東京,12\n大阪,34\n", "utf-16"),
        ("shift_jis", "店名,売上\n東京のカフェ,12\n大阪のラーメン,34\n", "cp932"),
        ("gb18030", "门店,金额\n北京,12\n上海,34\n", "gb18030"),
        ("windows-1252", "Straße,Größe\nMünchen,12\nKöln,34\n", "cp1252"),
    ] {
        let bytes = match label {
            "utf-8-sig" => ["\u{FEFF}", text].concat().into_bytes(),
            label => encoded(label, text),
        };
        let table = read(&bytes);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(names(&table), lines[0], "{label}");
        assert_eq!(table.first_rows, lines[1..], "{label}");
        assert_eq!(table.encoding.as_deref(), Some(codec));
    }
}

#[test]
fn field_006_one_accented_letter() {
    let table = read(b"name,age\nZo\xEB,31\nAnn,28\n");
    assert_eq!(table.first_rows[0], ["Zoë", "31"]);
    assert!(notes(&table, &["Windows-1252"]));
}

#[test]
fn field_007_mark_is_no_part_of_the_first_name() {
    let table = read(b"\xEF\xBB\xBFName,Age\nAnn,31\n");
    assert_eq!(table.columns[0].name.as_bytes(), b"Name");
    let quoted = read(b"\xEF\xBB\xBF\"Name\",Age\nAnn,31\n");
    assert_eq!(quoted.columns[0].name.as_bytes(), b"Name");
}

#[test]
fn field_009_tab_with_decimal_comma() {
    let table = read("X\tY\tZ\n120,5\t50,3\t2,35\n");
    assert_eq!((table.delimiter.as_deref(), table.decimal.as_str()), (Some("\t"), ","));
    let values: Vec<_> = table.columns.iter().map(|column| (column.kind, column.min)).collect();
    assert_eq!(
        values,
        [(Kind::Decimal, Some(120.5)), (Kind::Decimal, Some(50.3)), (Kind::Decimal, Some(2.35))]
    );
}

#[test]
fn field_011_decimal_comma_makes_numbers() {
    for text in ["name;value\na;1,2\nb;10,5\nc;2,3\n", "value\n1,2\n10,5\n2,3\n"] {
        let table = read(text);
        let value = column(&table, "value");
        assert_eq!((value.kind, value.min, value.max), (Kind::Decimal, Some(1.2), Some(10.5)));
        assert!((value.mean.unwrap() * 3.0 - 14.0).abs() < 1e-6);
        assert!(table.read_with.contains("decimal=','"));
        assert!(notes(&table, &["comma", "decimal mark"]));
    }
}

#[test]
fn field_013_line_of_delimiters_is_no_data() {
    let table = read("name\n,,\nAlice\n");
    assert_eq!((names(&table), table.rows), (vec!["name"], 1));
    assert_eq!(table.first_rows, [["Alice"]]);
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv', skiprows=[1])");
}

#[test]
fn field_014_header_above_mixed_columns() {
    let table = read("col1,col2,col3\n1,2,3\na,b,c\nA,B,C\n22,22,12\n");
    assert_eq!((names(&table), table.rows, table.header_row), (vec!["col1", "col2", "col3"], 4, 1));
}

#[test]
fn field_015_leading_zeros_stay() {
    let table = read("Account,Cost,Amount\n0010,\"007\",125.50\n");
    assert_eq!(table.first_rows[0], ["0010", "007", "125.50"]);
    let kinds: Vec<Kind> = table.columns.iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [Kind::Identifier, Kind::Identifier, Kind::Decimal]);
    assert_eq!(column(&table, "Amount").min, Some(125.5));
    assert!(table.read_with.contains("dtype={'Account': str, 'Cost': str}"));
    assert!(notes(&table, &["`Account`", "leading zeros"]));
}

#[test]
fn field_017_day_first_dates() {
    let mut text = "date;load\n".to_owned();
    for day in 0..200 {
        text.extend([format!("{:02}.{:02}.2022;5\n", day % 28 + 1, day / 28 + 1)]);
    }
    let date = read(&text).columns.remove(0);
    assert_eq!((date.kind, date.date_format.as_deref()), (Kind::Date, Some("%d.%m.%Y")));
    assert_eq!((date.missing, date.day_order_assumed), (0, false));

    let table = read("date;load\n05.03.2022;5\n02.04.2022;6\n11.01.2022;7\n");
    let date = column(&table, "date");
    assert_eq!((date.date_format.as_deref(), date.day_order_assumed), (Some("%d.%m.%Y"), true));
    assert!(notes(&table, &["`date`", "day first is assumed"]));
}

#[test]
fn field_018_one_order_for_the_whole_column() {
    let date = read("date,x\n15/04/1991,1\n03/04/1991,2\n").columns.remove(0);
    assert_eq!((date.kind, date.missing), (Kind::Date, 0));
    assert_eq!((date.first.as_deref(), date.last.as_deref()), (Some("1991-04-03"), Some("1991-04-15")));

    let table = read("date,x\n15/04/1991,1\n04/15/1991,2\n");
    assert_eq!((table.columns[0].kind, table.rows), (Kind::Text, 2));
    assert!(notes(&table, &["`date`", "partly written day first"]));
}

#[test]
fn field_020_one_odd_value_far_down() {
    let mut text = "id,age\n".to_owned();
    for row in 1..=400 {
        let age = if row == 150 { "n/a".to_owned() } else { (20 + row % 50).to_string() };
        text.extend([format!("{row},{age}\n")]);
    }
    let table = read(&text);
    let age = column(&table, "age");
    assert_eq!((table.rows, age.kind, age.missing), (400, Kind::Integer, 1));
    assert!(notes(&table, &["1 value in `age` could not be read as a number (row 151)"]));
}

#[test]
fn field_021_uneven_rows_are_named() {
    let table = read("id,text\n,  \n1,ok,extra\n");
    assert_eq!((table.rows, names(&table)), (2, vec!["id", "text", "column_3"]));
    assert!(notes(&table, &["Row 3 has 3 cells", "the header has 2", "extra value \"extra\""]));
    let short = read("a,b,c\n1,2,3\n4,5\n6,7,8\n");
    assert!(notes(&short, &["Row 3 has 2 of 3 cells"]));
}

#[test]
fn field_022_duplicate_names() {
    let table = read("column_1,column_2,column_2,column_4\n1,2,3,4\n");
    assert_eq!(names(&table), ["column_1", "column_2", "column_2_2", "column_4"]);
    assert_eq!(column(&table, "column_4").min, Some(4.0));
    assert!(notes(&table, &["same name", "`column_2_2`"]));
}

#[test]
fn field_035_line_breaks_within_cells() {
    let table = read("id,note\n1,\"first\nsecond\"\n2,\"a\u{2028}b\"\n");
    assert_eq!(table.rows, 2);
    assert_eq!(table.first_rows, [["1", "first\nsecond"], ["2", "a\u{2028}b"]]);
}

#[test]
fn field_030_names_in_any_script() {
    let table = read_named("Отчёт за 2025.csv", "а,б\n1,2\n".as_bytes()).unwrap();
    assert_eq!(table.read_with, "pd.read_csv('input/Отчёт за 2025.csv')");
}

/// A wide file with long texts: every row is counted, the beginning is there at once, and whoever asks can stop it.
#[test]
fn field_031_032_a_large_file_is_streamed_and_can_be_stopped() {
    use std::ops::ControlFlow;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    let names: Vec<String> = (0..80).map(|column| format!("c{column}")).collect();
    let mut text = names.join(",") + "\n";
    let row = "1.5,".repeat(79) + &"long text ".repeat(120) + "\n";
    text.extend(std::iter::repeat_n(row.as_str(), 6000));
    std::fs::write(&path, &text).unwrap();
    let preview = crate::preview(&path, 200, &crate::Settings::default()).unwrap();
    assert_eq!((preview.rows.len(), preview.columns.len(), preview.total_rows), (200, 80, None));
    let mut reports = Vec::new();
    let told = &mut |read: u64, total: u64| {
        reports.push((read, total));
        ControlFlow::Continue(())
    };
    let (table, _) = crate::read_with_shapes(&path, "input/x.csv", told).unwrap();
    assert_eq!(table.rows, 6000);
    let size = text.len() as u64;
    assert!(reports.len() as u64 >= size / (1 << 20) && reports.last() == Some(&(size, size)));
    assert!(table.first_rows.iter().flatten().all(|cell| cell.chars().count() <= 80), "only a part is shown");
    let stop = &mut |read: u64, _: u64| {
        if read > 1 << 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = crate::read_with_shapes(&path, "input/x.csv", stop).unwrap_err();
    assert!(matches!(stopped, crate::TableError::Cancelled { .. }));
}
