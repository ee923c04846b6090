//! Tables that are shown page by page.

use super::encoded;
use crate::{Direction, Grid, TableError};
use std::fmt::Write as _;

/// The bytes as an opened table, in a folder that lives as long.
fn grid(bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, Grid) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, bytes).unwrap();
    let grid = Grid::open(&path).unwrap();
    (folder, grid)
}

/// The first cells of the rows.
fn firsts(grid: &mut Grid, sort: Option<(usize, Direction)>, filter: &str) -> Vec<String> {
    let page = grid.page(0, 100, sort, filter).unwrap();
    assert_eq!(page.rows.len() as u64, page.matching_rows);
    page.rows.into_iter().map(|row| row[0].clone()).collect()
}

#[test]
fn two_hundred_thousand_rows_are_paged_sorted_and_filtered() {
    let mut text = "id,amount,name\n".to_owned();
    for row in 0..200_000_u32 {
        // A number without a common factor with that of the rows: each amount is there once.
        writeln!(text, "{row},{},\"name, {}\"", row * 7919 % 200_000, row % 1000).unwrap();
    }
    let (_folder, mut grid) = grid(text);
    let page = grid.page(199_990, 100, None, "").unwrap();
    assert_eq!((page.rows.len(), page.total_rows, page.matching_rows), (10, 200_000, 200_000));
    assert_eq!(page.rows[9][0], "199999");
    assert_eq!(page.rows[9][2], "name, 999");

    for (direction, first) in [(Direction::Ascending, 150_000_u32), (Direction::Descending, 49_999)] {
        let page = grid.page(150_000, 3, Some((1, direction)), "").unwrap();
        let amounts: Vec<u32> = page.rows.iter().map(|row| row[1].parse().unwrap()).collect();
        let second = if direction == Direction::Ascending { first + 1 } else { first - 1 };
        assert_eq!(amounts[..2], [first, second]);
    }

    let page = grid.page(2, 2, Some((0, Direction::Descending)), "NAME, 777").unwrap();
    assert_eq!((page.total_rows, page.matching_rows), (200_000, 200));
    assert_eq!([&page.rows[0][0], &page.rows[1][0]], ["197777", "196777"]);
}

#[test]
fn every_page_is_what_the_csv_crate_reads() {
    let mut text = "a,b\r\n".to_owned();
    for row in 0..500 {
        write!(text, "\"line\n{row}\",\"say \"\"hi\"\" {row}\"\r\n").unwrap();
    }
    let expected: Vec<Vec<String>> = csv::Reader::from_reader(text.as_bytes())
        .records()
        .map(|record| record.unwrap().iter().map(str::to_owned).collect())
        .collect();
    let (_folder, mut grid) = grid(&text);
    for start in [0, 1, 63, 64, 65, 130, 499, 500, 900] {
        let page = grid.page(start as u64, 70, None, "").unwrap();
        let rows: Vec<_> = expected.iter().skip(start).take(70).cloned().collect();
        assert_eq!(page.rows, rows, "from {start}");
    }
}

#[test]
fn numbers_are_ordered_by_size_and_empty_cells_come_last() {
    let (_folder, mut grid) = grid("x,n\n10,a\n,b\n9,c\n-1.5,d\napple,e\nBerry,f\n1e3,g\nNaN,h\n");
    let up = ["-1.5", "9", "10", "1e3", "apple", "Berry", "", "NaN"];
    assert_eq!(firsts(&mut grid, Some((0, Direction::Ascending)), ""), up);
    let down = ["Berry", "apple", "1e3", "10", "9", "-1.5", "", "NaN"];
    assert_eq!(firsts(&mut grid, Some((0, Direction::Descending)), ""), down);
}

#[test]
fn rows_that_are_alike_keep_their_order_and_odd_columns_change_nothing() {
    let (_folder, mut grid) = grid("x,k\n3,b\n1,a\n2,B\n4,a\n");
    assert_eq!(firsts(&mut grid, Some((1, Direction::Ascending)), ""), ["1", "4", "3", "2"]);
    assert_eq!(firsts(&mut grid, Some((1, Direction::Descending)), ""), ["3", "2", "1", "4"]);
    assert_eq!(firsts(&mut grid, Some((9, Direction::Descending)), ""), ["3", "1", "2", "4"]);
}

#[test]
fn filters_look_into_all_cells_whatever_the_case() {
    let (_folder, mut grid) = grid("x,y\nMÜNCHEN,1\nBonn,münchen\nKöln,3\n");
    assert_eq!(firsts(&mut grid, None, "münchen"), ["MÜNCHEN", "Bonn"]);
    assert_eq!(firsts(&mut grid, None, "ÖL"), ["Köln"]);
    assert!(firsts(&mut grid, None, "x,y").is_empty());
}

#[test]
fn long_cells_are_cut() {
    let (_folder, mut grid) = grid(format!("x\n{}\n{}\n", "ü".repeat(2_000), "ü".repeat(2_001)));
    let page = grid.page(0, 10, None, "").unwrap();
    let lengths: Vec<usize> = page.rows.iter().map(|row| row[0].chars().count()).collect();
    assert_eq!(lengths, [2_000, 2_001]);
    assert!(page.rows[1][0].ends_with('…'));
}

#[test]
fn the_first_line_is_the_header_even_of_text() {
    let (_folder, mut grid) = grid("\u{FEFF},city\n0,Bonn\n1,Ulm\n");
    assert_eq!(grid.columns(), ["", "city"]);
    assert_eq!(grid.page(1, 1, None, "").unwrap().rows, [["1", "Ulm"]]);
    let (_folder, mut grid) = self::grid("word\n\"\"\nb; c\n");
    assert_eq!(grid.columns(), ["word"]);
    assert_eq!(firsts(&mut grid, None, ""), ["", "b; c"]);
    let (_folder, grid) = self::grid("a,b\n");
    assert_eq!((grid.columns().len(), grid.total_rows()), (2, 0));
}

#[test]
fn any_text_is_shown() {
    for (bytes, row) in [
        (b"a,b\n1\n2,3,4\n".to_vec(), vec!["1", "", ""]),
        (b"a;b\n1;2\n3;4\n".to_vec(), vec!["1", "2"]),
        (encoded("windows-1252", "a,b\nGr\u{f6}\u{df}e,2\n"), vec!["Größe", "2"]),
        (encoded("utf-16le", "a,b\n日本,2\n"), vec!["日本", "2"]),
        (b"a,b\n1,\"x\ny\nz\nu\nv\n".to_vec(), vec!["1", "\"x"]),
        (b"a,b\n1,2\n3,\"cut of".to_vec(), vec!["1", "2"]),
        (b"\n\r\n a,b\r\r1,2\r".to_vec(), vec!["1", "2"]),
        (b"a,b\n\x01,\xE9t\xE9\n".to_vec(), vec!["\u{1}", "été"]),
    ] {
        let (_folder, mut grid) = grid(&bytes);
        let page = grid.page(0, 1, None, "").unwrap();
        assert_eq!(page.rows, [row], "{}", String::from_utf8_lossy(&bytes));
    }
    let (_folder, mut blank) = grid("\n \n");
    assert!(blank.page(0, 5, Some((0, Direction::Ascending)), "").unwrap().rows.is_empty());
}

#[test]
fn input_tables_begin_where_reading_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, encoded("windows-1252", "Umsätze\n\nOrt;Betrag\nKöln;1,5\nUlm;20,5\n")).unwrap();
    let mut grid = Grid::open_input(&path).unwrap();
    let page = grid.page(0, 10, Some((1, Direction::Descending)), "").unwrap();
    assert_eq!(
        (page.columns, page.rows),
        (
            vec!["Ort".into(), "Betrag".into()],
            vec![vec!["Ulm".to_owned(), "20,5".to_owned()], vec!["Köln".to_owned(), "1,5".to_owned()],]
        )
    );
}

#[test]
fn troubles_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    assert!(matches!(Grid::open(&path), Err(TableError::Missing { .. })));
    std::fs::write(&path, b"").unwrap();
    assert!(matches!(Grid::open(&path), Err(TableError::Empty { .. })));
    std::fs::write(&path, b"%PDF-1.7").unwrap();
    assert!(matches!(Grid::open_input(&path), Err(TableError::NotATable { .. })));
}
