//! What a person may leave out of a table. Nothing is ever left out unasked.

use crate::note::{count, grouped};
use crate::pandas::literal;
use crate::table::{Column, Kind, Table};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Columns whose gaps are asked about.
const COLUMNS: usize = 3;
/// The name of the choice about repeated rows.
const REPEATS: &str = "repeats";
/// What stands before a column's name in the choice about its gaps.
const GAPS: &str = "gaps:";

/// One thing that can be kept or left out. Kept is what happens unasked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Choice {
    /// Names the choice within its table.
    pub id: String,
    /// What there is, in a plain sentence.
    pub question: String,
    /// What keeping it means.
    pub keep: String,
    /// What leaving it out means.
    pub leave_out: String,
}

/// What could be left out of the table, with the effect of each choice.
pub fn choices(table: &Table) -> Vec<Choice> {
    let keep = format!("Keep all {}", count(table.rows, "row", "rows"));
    let remain = |without: u64| format!("{} remain", grouped(table.rows.saturating_sub(without)));
    let repeats = table.repeated_rows.map(|repeats| Choice {
        id: REPEATS.to_owned(),
        question: match repeats {
            1 => "1 row stands in the table twice, cell for cell.".to_owned(),
            many => format!("{} rows repeat an earlier one, cell for cell.", grouped(many)),
        },
        keep: keep.clone(),
        leave_out: format!(
            "Leave the {} out: {}",
            if repeats == 1 { "repeat".to_owned() } else { format!("{} repeats", grouped(repeats)) },
            remain(repeats)
        ),
    });
    let gaps = with_gaps(table).into_iter().map(|column| {
        let rows = count(column.missing, "row", "rows");
        let has = if column.missing == 1 { "has" } else { "have" };
        Choice {
            id: format!("{GAPS}{}", column.name),
            question: format!("{rows} {has} no `{}`.", column.name),
            keep: keep.clone(),
            leave_out: format!("Leave {rows} out: {}", remain(column.missing)),
        }
    });
    repeats.into_iter().chain(gaps).collect()
}

/// Carries the named choices out: [`Table::read_with`] leaves those rows out, and [`Table::left_out`] says so.
/// Names that are none of the table's choices change nothing.
pub fn leave_out(table: &mut Table, ids: &[String]) {
    let chosen: Vec<Choice> = choices(table).into_iter().filter(|choice| ids.contains(&choice.id)).collect();
    for choice in chosen {
        let (call, sentence) = if let Some(column) = choice.id.strip_prefix(GAPS) {
            (
                format!(".dropna(subset=[{}])", literal(column)),
                format!("Rows without `{column}` are left out, as was chosen."),
            )
        } else {
            (
                ".drop_duplicates()".to_owned(),
                "Rows that repeat an earlier one are left out, as was chosen.".to_owned(),
            )
        };
        table.read_with.push_str(&call);
        table.left_out.push(sentence);
    }
}

/// The columns of numbers and times that lack at most half of their values, those with most gaps first.
fn with_gaps(table: &Table) -> Vec<&Column> {
    let counts = |column: &&Column| {
        matches!(column.kind, Kind::Integer | Kind::Decimal | Kind::Date | Kind::Timestamp)
            && column.missing > 0
            && column.missing <= table.rows / 2
    };
    let mut columns: Vec<&Column> = table.columns.iter().filter(counts).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.missing));
    columns.truncate(COLUMNS);
    columns
}
