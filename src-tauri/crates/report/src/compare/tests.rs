use super::*;

fn difference(before: &str, now: &str) -> Difference {
    let read = |text: &str| Document::read(text, &|_| true);
    compare(&read(before), &read(now))
}

fn pairs(difference: &Difference) -> Vec<(&str, &str)> {
    difference.pairs.iter().map(|pair| (pair.before.as_str(), pair.now.as_str())).collect()
}

#[test]
fn figures_of_the_same_sentence_are_pairs() {
    let found = difference(
        "# Sales\n\nNorth sold 40 of 60. Nothing was sold on 3 days. Old only: 7 stores closed.",
        "# Sales\n\nA new remark about 5 lorries.\n\nNorth sold 20 of 60. Nothing was sold on 4 days.",
    );
    assert_eq!(pairs(&found), [("40", "20"), ("60", "60"), ("3", "4")]);
    assert_eq!(found.pairs[0].change, Change::Changed { relative: Some(-0.5) });
    assert_eq!(found.pairs[1].change, Change::Same);
    assert_eq!(found.only_before, ["Old only: 7 stores closed."]);
    assert_eq!(found.only_now, ["A new remark about 5 lorries."]);
}

#[test]
fn rows_are_found_by_their_first_cell() {
    let table = |rows: &str| format!("| Region | Sold | Share |\n|---|---:|---:|\n{rows}");
    let found = difference(
        &table("| North | 10 | 25% |\n| South | 30 | 75% |\n"),
        &table("| East | 5 | 10% |\n| South | 15 | 30% |\n| North | 30 | 60% |\n"),
    );
    assert_eq!(pairs(&found), [("30", "15"), ("75%", "30%"), ("10", "30"), ("25%", "60%")]);
    assert_eq!(found.only_now, ["East | 5 | 10%"]);
    let months = difference(&table("| 2024-01 | 1 | 2% |\n"), &table("| 2025-01 | 3 | 4% |\n"));
    assert_eq!(pairs(&months), [("2024-01", "2025-01"), ("1", "3"), ("2%", "4%")]);
}

#[test]
fn a_sentence_that_changed_a_little_is_the_same_one() {
    let found = difference(
        "The mean use was 12.5 kWh and the highest 80 kWh.",
        "The mean use was 13.5 kWh, the highest 81 kWh, in 2025.",
    );
    assert_eq!(pairs(&found), [("12.5", "13.5"), ("80", "81")]);
    assert_eq!(difference("", ""), Difference::default());
}
