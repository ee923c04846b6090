//! What is said about a table.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a table file says, with the decisions under which it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Table {
    /// The name of the file where the code runs, such as `input/x.csv`.
    pub path: String,
    /// The file that the table was prepared from, where it is not that file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared_from: Option<String>,
    /// `csv` for any delimited text, else `xlsx`, `xlsb`, `xls`, `ods`, `json`, `jsonl` or `parquet`.
    pub format: String,
    /// The sheet that was read, for workbooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Number of data rows.
    pub rows: u64,
    /// The Python codec that reads the text; absent for workbooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What stands between two cells, `\s+` for runs of blanks; absent for workbooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// Rows that are like an earlier one in every cell; absent when there are none, or too many rows to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_rows: Option<u64>,
    /// The decimal mark, `.` or `,`.
    pub decimal: String,
    /// The mark between groups of three digits, where one is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thousands: Option<String>,
    /// The row of the file that holds the (last line of the) header, from 1; 0 when there is none.
    pub header_row: u64,
    /// A Python expression that reads the table rightly with pandas; dates stay text.
    pub read_with: String,
    /// What the person chose to leave out, a plain sentence each; [`Table::read_with`] leaves it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The columns, in the order of the file.
    pub columns: Vec<Column>,
    /// The first rows, as written in the file; long cells are cut.
    pub first_rows: Vec<Vec<String>>,
    /// What a person should know about the way the file was read.
    pub notes: Vec<String>,
}

/// The heights of at most 24 bars that show how the values of a column lie: a histogram of numbers, dates
/// and times from the smallest to the largest, the frequencies of the most frequent values of categories
/// and booleans. None where such a picture makes no sense.
pub type Shape = Option<Vec<u32>>;

/// What is said about one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Column {
    /// The name that [`Table::read_with`] gives to the column; unique in the table.
    pub name: String,
    /// What the values are.
    pub kind: Kind,
    /// Rows without a value.
    pub missing: u64,
    /// Number of different values; none beyond the counting limit of 10,000.
    pub distinct: Option<u64>,
    /// Smallest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Mean, to nine significant digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Earliest date or time, as `2025-01-31`, `2025-01-31 23:00:00` or `23:00:00`; in UTC (`+00:00`)
    /// when the values carry an offset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Latest date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The median step between neighbouring rows in seconds, when most steps are near it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_s: Option<u64>,
    /// How the dates are written, as a `strptime` format; absent when they are written in several ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// The order of day and month could not be told from the values; `date_format` holds the assumption.
    #[serde(default, skip_serializing_if = "is_false")]
    pub day_order_assumed: bool,
    /// Up to five most frequent values with their counts, of categories and booleans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<(String, u64)>,
    /// The unit, when the name says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_false(value: &bool) -> bool {
    !value
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "ColumnKind")]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers with a decimal part.
    Decimal,
    /// Two opposite words, such as yes and no.
    Boolean,
    /// Calendar days.
    Date,
    /// Days with a time of day.
    Timestamp,
    /// Times of day.
    Time,
    /// Spans of time.
    Duration,
    /// Text with few different values.
    Category,
    /// Any other text.
    Text,
    /// Names of things, which no sum or mean makes sense of; zero-padded numbers first of all.
    Identifier,
    /// No value at all.
    Empty,
}

impl Kind {
    /// How the prepared table writes dates and times of the kind, as a `strptime` format.
    pub(crate) fn plain_format(self) -> &'static str {
        match self {
            Self::Date => "%Y-%m-%d",
            Self::Time => "%H:%M:%S",
            _ => "%Y-%m-%d %H:%M:%S",
        }
    }

    /// The name of the kind, as it is serialised.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Category => "category",
            Self::Text => "text",
            Self::Identifier => "identifier",
            Self::Empty => "empty",
        }
    }

    /// The kind with that name, as it is serialised.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "integer" => Self::Integer,
            "decimal" => Self::Decimal,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            "timestamp" => Self::Timestamp,
            "time" => Self::Time,
            "duration" => Self::Duration,
            "category" => Self::Category,
            "text" => Self::Text,
            "identifier" => Self::Identifier,
            _ => return None,
        })
    }
}
