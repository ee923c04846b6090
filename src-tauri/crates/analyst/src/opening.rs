//! The message that opens a run: which tables are there, and what is asked.

use serde::Deserialize;

/// What the opening message says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Opening {
    /// The staged tables, in the order of the message.
    pub(crate) tables: Vec<Table>,
    /// The person's request.
    pub(crate) request: String,
}

/// One table as the host profiled it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct Table {
    /// Path in the workspace, such as `input/energy.csv`.
    pub(crate) path: String,
    /// Number of rows below the header.
    #[serde(default)]
    pub(crate) rows: u64,
    /// A Python expression, made by the host, that reads the table with pandas.
    pub(crate) read_with: String,
    /// What the person chose to leave out, a plain sentence each; `read_with` leaves it out.
    #[serde(default)]
    pub(crate) left_out: Vec<String>,
    /// The columns, in the order of the file.
    #[serde(default)]
    pub(crate) columns: Vec<Column>,
}

/// One column of a table.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct Column {
    /// The name exactly as in the file.
    pub(crate) name: String,
    /// What the values are.
    #[serde(default)]
    pub(crate) kind: Kind,
    /// Number of different values; `None` where there are too many to count.
    #[serde(default)]
    pub(crate) distinct: Option<u64>,
    /// Number of cells without a value.
    #[serde(default)]
    pub(crate) missing: u64,
    /// How times are written, for `strptime`; only for times.
    #[serde(default)]
    pub(crate) date_format: Option<String>,
    /// The earliest time.
    #[serde(default)]
    pub(crate) first: Option<String>,
    /// The latest time.
    #[serde(default)]
    pub(crate) last: Option<String>,
    /// The step between neighbouring rows in seconds, where most are alike; only for times.
    #[serde(default)]
    pub(crate) step_s: Option<u64>,
    /// The most frequent values with their counts; a few, and none where rows are not shown.
    #[serde(default)]
    pub(crate) top: Vec<(String, u64)>,
    /// The unit that the name says.
    #[serde(default)]
    pub(crate) unit: Option<String>,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Integer,
    Decimal,
    Boolean,
    Date,
    Timestamp,
    Time,
    Category,
    Identifier,
    Empty,
    /// Free text, and any kind that this crate does not know.
    #[default]
    #[serde(other)]
    Text,
}

/// Why the opening message cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpeningError {
    /// A part of the message is not there.
    #[error("the opening message has no <{0}> part")]
    Absent(&'static str),
    /// The list of tables is not the JSON it should be.
    #[error("the list of tables cannot be read: {0}")]
    Tables(String),
    /// No table was staged.
    #[error("no table was given")]
    NoTable,
}

impl Column {
    /// Whether its values are numbers.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Decimal)
    }

    /// Whether its values are days or moments.
    pub(crate) fn is_time(&self) -> bool {
        matches!(self.kind, Kind::Date | Kind::Timestamp)
    }
}

impl Opening {
    /// The CSV files that the request asks for by name.
    pub(crate) fn tables_asked_for(&self) -> Vec<&str> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let words = self.request.split(|c: char| !is_part(c)).map(|word| word.trim_matches('.'));
        words
            .filter(|word| word.to_lowercase().strip_suffix(".csv").is_some_and(|stem| !stem.is_empty()))
            .filter(|word| !self.tables.iter().any(|table| table.path.ends_with(word)))
            .collect()
    }

    /// Reads the opening message.
    pub(crate) fn parse(text: &str) -> Result<Self, OpeningError> {
        // The JSON holds no `<`, so the first end of the block is its end. A request may speak of tags.
        let (tables, rest) = after(text, "<tables>")
            .and_then(|inside| inside.split_once("</tables>"))
            .ok_or(OpeningError::Absent("tables"))?;
        let request = Self::parse_request(rest).ok_or(OpeningError::Absent("request"))?;
        let tables: Vec<Table> =
            serde_json::from_str(tables).map_err(|error| OpeningError::Tables(error.to_string()))?;
        if tables.is_empty() {
            return Err(OpeningError::NoTable);
        }
        // One expression is one line; anything else did not come from the host's profile.
        if tables.iter().any(|table| table.read_with.lines().count() != 1) {
            return Err(OpeningError::Tables("a table does not say how it is read".into()));
        }
        Ok(Self { tables, request })
    }
}

impl Opening {
    /// The request in a message that asks something.
    pub(crate) fn parse_request(text: &str) -> Option<String> {
        let (request, _) = after(text, "<request>")?.rsplit_once("</request>")?;
        Some(request.trim().to_owned())
    }
}

/// What follows the first occurrence of the mark.
fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tables_and_request() {
        let text = r#"<tables>
[{"path":"input/a.csv","format":"csv","rows":3,"read_with":"pd.read_csv('input/a.csv')","columns":[{"name":"a\u003cb","kind":"decimal","missing":1,"distinct":null,"mean":2.5},{"name":"when","kind":"timestamp","missing":0,"distinct":3,"date_format":"%Y"},{"name":"odd","kind":"something new"}],"notes":["x"]}]
</tables>
<request>
Find <b>odd</b> things in </request> and </tables> tags
</request>"#;
        let column = |name: &str, kind| Column { name: name.into(), kind, ..Column::default() };
        assert_eq!(
            Opening::parse(text),
            Ok(Opening {
                tables: vec![Table {
                    path: "input/a.csv".into(),
                    rows: 3,
                    read_with: "pd.read_csv('input/a.csv')".into(),
                    columns: vec![
                        Column { missing: 1, ..column("a<b", Kind::Decimal) },
                        Column {
                            distinct: Some(3),
                            date_format: Some("%Y".into()),
                            ..column("when", Kind::Timestamp)
                        },
                        column("odd", Kind::Text),
                    ],
                    ..Table::default()
                }],
                request: "Find <b>odd</b> things in </request> and </tables> tags".into(),
            })
        );
    }

    #[test]
    fn finds_the_tables_asked_for() {
        let asked = |request: &str| {
            let tables = vec![Table { path: "input/energy.csv".into(), ..Table::default() }];
            let opening = Opening { tables, request: request.into() };
            opening.tables_asked_for().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(asked("Spikes in energy.csv, into spikes.CSV, please."), ["spikes.CSV"]);
        assert_eq!(asked("write ../../etc/x.csv and .csv"), ["x.csv"]);
        assert_eq!(asked("a csv"), Vec::<String>::new());
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(Opening::parse("hello"), Err(OpeningError::Absent("tables")));
        assert_eq!(Opening::parse("<tables>[]</tables>"), Err(OpeningError::Absent("request")));
        assert_eq!(Opening::parse("<tables>[]</tables><request>a</request>"), Err(OpeningError::NoTable));
        let two_lines = r#"<tables>[{"path":"a","read_with":"a\nb"}]</tables><request>a</request>"#;
        assert!(matches!(Opening::parse(two_lines), Err(OpeningError::Tables(_))));
        assert!(matches!(
            Opening::parse("<tables>[{]</tables><request>a</request>"),
            Err(OpeningError::Tables(_))
        ));
    }
}
