//! What may be left out, and what leaving it out does.

use super::read;
use crate::{Choice, choices, leave_out};

const TABLE: &str = "day,kwh,note\n2025-01-01,1.5,a\n2025-01-02,,b\n2025-01-01,1.5,a\n2025-01-03,2.5,a\n\
                     2025-01-01,1.5,a\n2025-01-04,3.5,\n";

fn choice(id: &str, question: &str, leave_out: &str) -> Choice {
    Choice {
        id: id.into(),
        question: question.into(),
        keep: "Keep all 6 rows".into(),
        leave_out: leave_out.into(),
    }
}

#[test]
fn repeats_and_gaps_are_offered_with_their_effect_and_kept_unasked() {
    let table = read(TABLE);
    assert_eq!(
        choices(&table),
        [
            choice(
                "repeats",
                "2 rows repeat an earlier one, cell for cell.",
                "Leave the 2 repeats out: 4 remain"
            ),
            choice("gaps:kwh", "1 row has no `kwh`.", "Leave 1 row out: 5 remain"),
        ]
    );
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv')");
    assert_eq!(table.rows, 6);
    assert_eq!(choices(&read("a,b\n1,2\n2,2\n")), []);
}

#[test]
fn what_is_left_out_is_in_the_reading_and_is_said() {
    let mut table = read(TABLE);
    let before = table.clone();
    leave_out(&mut table, &["gaps:note".into(), "anything".into()]);
    assert_eq!(table, before);
    leave_out(&mut table, &["gaps:kwh".into(), "repeats".into()]);
    assert_eq!(
        table.left_out,
        [
            "Rows that repeat an earlier one are left out, as was chosen.",
            "Rows without `kwh` are left out, as was chosen."
        ]
    );
    assert_eq!(table.read_with, "pd.read_csv('input/x.csv').drop_duplicates().dropna(subset=['kwh'])");
}

#[test]
fn cells_that_only_run_together_are_no_repeats() {
    assert_eq!(read("a,b\nx,yz\nxy,z\n").repeated_rows, None);
    assert_eq!(read("a,b\nx,y\nx,y\n").repeated_rows, Some(1));
}
