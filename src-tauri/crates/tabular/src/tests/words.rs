//! What is said about tables of a few shapes, and what may be asked about them.

use super::read;
use crate::Table;
use jiff::ToSpan;
use jiff::civil::date;
use std::fmt::Write as _;

fn said(table: &Table) -> (Vec<String>, Vec<String>) {
    (crate::findings(table), crate::suggestions(table))
}

#[test]
fn readings_of_a_year() {
    let mut text = "timestamp,energy_kwh,outdoor_temp_c\n".to_owned();
    let start = date(2025, 1, 1).at(0, 0, 0, 0);
    for hour in 0..8760_i64 {
        let moment = start.checked_add(hour.hours()).unwrap().strftime("%Y-%m-%d %H:%M:%S");
        let energy = if hour % 730 == 0 { String::new() } else { format!("{}.5", hour % 24 + 10) };
        writeln!(text, "{moment},{energy},{}", hour % 30 - 5).unwrap();
    }
    let (findings, questions) = said(&read(text));
    assert_eq!(
        findings,
        [
            "One row an hour from 1 Jan to 31 Dec 2025",
            "8,760 rows and 3 columns",
            "12 values of `energy_kwh` are missing (0.1 %)",
            "`energy_kwh` goes from 10.5 to 33.5 kWh, 22 on average",
        ]
    );
    assert_eq!(
        questions,
        [
            "Find unusual energy_kwh and explain it",
            "How did energy_kwh change over time?",
            "At which hours is energy_kwh highest?",
            "How does energy_kwh depend on outdoor_temp_c?",
        ]
    );
}

#[test]
fn a_series_with_gaps() {
    let mut text = "day,visits\n".to_owned();
    for day in (1..=28).filter(|day| day % 9 != 0) {
        writeln!(text, "2025-02-{day:02},{}", day * day).unwrap();
    }
    let findings = crate::findings(&read(text));
    assert_eq!(findings[0], "One row a day from 1 Feb to 28 Feb 2025; about 3 of 28 days have no row");
}

#[test]
fn deliveries() {
    let mut text = "order_id,ordered,region,express,delivery_days\n".to_owned();
    for row in 0..120 {
        let region = ["North", "South", "East"][usize::from(row % 5 != 0) + usize::from(row % 7 == 0)];
        let express = if row % 4 == 0 { "yes" } else { "no" };
        let ordered = date(2024, 11, 1).checked_add((row * row % 90).days()).unwrap();
        writeln!(text, "A{row:04},{ordered},{region},{express},{}", row % 11).unwrap();
    }
    let (findings, questions) = said(&read(text));
    assert_eq!(
        findings,
        [
            "`ordered` goes from 1 Nov 2024 to 25 Jan 2025",
            "120 rows and 5 columns; nothing is missing",
            "`order_id` is different in each row",
            "`delivery_days` goes from 0 to 10, 4.96 on average",
            "`region` has 3 different values, most often \"South\" (72 %)",
        ]
    );
    assert_eq!(
        questions,
        [
            "How did delivery days change over time?",
            "Which regions differ most in delivery days?",
            "Find unusual delivery days and explain it",
            "How does delivery days differ by express?",
            "Which regions come up most often?",
        ]
    );
}

#[test]
fn answers_without_numbers() {
    let mut text = "team,city,remark,source,unused\n".to_owned();
    for row in 0..40 {
        let (team, city) = (["Red", "Blue"][row % 2], ["Ulm", "Bonn", "Kiel"][row % 3]);
        let remark = if row % 10 == 0 { String::new() } else { format!("remark number {row}") };
        writeln!(text, "{team},{city},{remark},export,").unwrap();
    }
    let (findings, questions) = said(&read(text));
    assert_eq!(
        findings,
        [
            "40 rows and 5 columns",
            "4 values of `remark` are missing (10 %)",
            "`unused` is empty",
            "`source` is the same in each row",
            "`team` has 2 different values, most often \"Blue\" (50 %)",
        ]
    );
    assert_eq!(
        questions,
        [
            "Which teams come up most often?",
            "How are team and city related?",
            "Which words come up most often in remark?",
        ]
    );
}

#[test]
fn a_single_column() {
    let (findings, questions) = said(&read("word\nalpha\nbeta\n"));
    assert_eq!(findings, ["2 rows and 1 column; nothing is missing", "`word` is different in each row"]);
    assert_eq!(
        questions,
        [
            "Which words come up most often in word?",
            "What stands out in word?",
            "Which values of word come up more than once?",
        ]
    );
}

#[test]
fn long_names_are_shortened() {
    let table = read(
        "What did you pay for your last dinner in total?,Who of your family came along with you?\n\
         12.5,Ann\n13.5,Ann\n15.5,Bob\n19.5,Bob\n",
    );
    assert_eq!(crate::suggestions(&table)[0], "Which values of Who of… differ most in What did…?");
}
