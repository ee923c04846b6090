//! How a file writes numbers and dates, by what its columns say.

use super::{CommaHint, Profile};
use crate::column::{NumberFormat, Tally, Vote};
use crate::date::DayOrder;
use crate::note;
use crate::timeline::OrderHint;

impl Profile {
    /// Most columns that tell decide how the file writes numbers.
    pub(super) fn number_format(&self, comma_hint: CommaHint, wish: Option<&str>) -> (NumberFormat, String) {
        let votes: Vec<Vote> = self.tallies.iter().map(Tally::vote).collect();
        let count = |wanted: Vote| votes.iter().filter(|vote| **vote == wanted).count();
        let (point, comma) = (count(Vote::Point), count(Vote::Comma));
        let open = count(Vote::EitherComma);
        let likely = comma_hint == CommaHint::Decimal && open > 0;
        let decimal = match wish {
            Some(wish) => {
                if wish == "," {
                    ','
                } else {
                    '.'
                }
            }
            None => {
                if comma > point || (comma == point && likely) {
                    ','
                } else {
                    '.'
                }
            }
        };
        let columns = |number: usize| note::count(number as u64, "column", "columns");
        let evidence = match (point, comma) {
            (0, 0) if likely => {
                "Semicolons stand between the cells, as where commas are decimal marks.".to_owned()
            }
            (0, 0) if open > 0 => format!("{} could be read either way.", columns(open)),
            (0, 0) => "No column tells.".to_owned(),
            (point, 0) => format!("{} can only be read with a decimal point.", columns(point)),
            (0, comma) => format!("{} can only be read with a decimal comma.", columns(comma)),
            (point, comma) => format!(
                "{} can only be read with a decimal point, {} only with a decimal comma.",
                columns(point),
                columns(comma)
            ),
        };
        let mut marks: Vec<(char, u64)> = Vec::new();
        for (mark, count) in self.tallies.iter().flat_map(|tally| tally.group_marks(decimal)) {
            match marks.iter_mut().find(|(known, _)| *known == mark) {
                Some((_, total)) => *total += count,
                None => marks.push((mark, count)),
            }
        }
        let thousands = marks.into_iter().max_by_key(|(_, count)| *count).map(|(mark, _)| mark);
        (NumberFormat { decimal, thousands }, evidence)
    }

    pub(super) fn order_hint(&self, format: NumberFormat) -> OrderHint {
        let mut orders = self.tallies.iter().filter_map(Tally::certain_order);
        match orders.next() {
            Some(order) if orders.all(|other| other == order) => OrderHint::Known(order),
            None if format.decimal == ',' => OrderHint::Known(DayOrder::DayFirst),
            _ => OrderHint::Unknown,
        }
    }
}
