//! Tables whose columns have names of their own in every row: JSON and Parquet.

use crate::TableError;
use crate::column::Aim;
use crate::evidence;
use crate::header::Header;
use crate::json;
use crate::pandas::literal;
use crate::parquet_file;
use crate::plan::{Content as Planned, Plan};
use crate::preview::{Preview, Seen};
use crate::profile::{CommaHint, FIRST_ROWS, Profile, Profiled, Widths};
use crate::progress::Progress;
use crate::reading::Reading;
use crate::records::{CELLS, Record};
use crate::settings::Settings;
use crate::source::Source;
use crate::table::Table;
use std::io;
use std::ops::ControlFlow;

/// How such a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json(json::Layout),
    Parquet,
}

/// What is shown of such a file: each row, as long as there are names, until the answer is false.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&Record) -> io::Result<bool>;

impl Format {
    /// The usual ending of file names.
    fn name(self) -> &'static str {
        match self {
            Self::Json(json::Layout::Lines) => "jsonl",
            Self::Json(_) => "json",
            Self::Parquet => "parquet",
        }
    }

    /// The names of the columns, and what in the file is no row.
    fn names(self, source: &Source, progress: &mut Progress) -> Result<json::Names, TableError> {
        match self {
            Self::Json(layout) => json::names(source, layout, progress),
            Self::Parquet => Ok(json::Names { names: parquet_file::names(source)?, skipped: Vec::new() }),
        }
    }

    /// Shows every row.
    pub(crate) fn each_record(
        self,
        source: &Source,
        names: &[String],
        progress: &mut Progress,
        visit: Visit,
    ) -> Result<(), TableError> {
        match self {
            Self::Json(layout) => json::each_record(source, layout, names, progress, visit),
            Self::Parquet => parquet_file::each_record(source, names.len(), progress, visit),
        }
    }
}

pub(crate) fn read(
    source: &Source,
    format: Format,
    destination: &str,
    settings: &Settings,
    aim: Aim,
    progress: &mut Progress,
) -> Result<Reading, TableError> {
    let (names, profiled) = profile(source, format, FIRST_ROWS, settings, aim, progress)?;
    // What lies deeper inside, or has no names, or is broken, takes more than one expression.
    let is_simple = format != Format::Json(json::Layout::Inside)
        && names.first().is_some_and(|name| name != "column_1")
        && profiled.ledger.rows_skipped.is_empty();
    if aim == Aim::Original && !is_simple {
        let what = "code in a run cannot read such JSON; `assay convert` writes it as CSV";
        return Err(TableError::Unsupported { file: source.file_name(), what });
    }
    let read_with = read_with(format, destination);
    let decisions = evidence::values(&profiled, settings);
    let plan = Plan {
        path: source.path().to_owned(),
        content: Some(Planned::Named(format, names.clone())),
        member: source.member(),
        written: names,
        columns: Plan::columns(&profiled.columns, settings),
        is_plain: false,
        remarks: Vec::new(),
        rows: profiled.rows,
    };
    let (columns, shapes) =
        profiled.columns.into_iter().map(|described| (described.column, described.shape)).unzip();
    let table = Table {
        path: destination.to_owned(),
        prepared_from: None,
        format: format.name().to_owned(),
        sheet: None,
        rows: profiled.rows,
        repeated_rows: profiled.repeated_rows,
        encoding: None,
        delimiter: None,
        decimal: profiled.format.decimal.to_string(),
        thousands: profiled.format.thousands.map(String::from),
        header_row: 0,
        read_with,
        left_out: Vec::new(),
        columns,
        first_rows: profiled.first_rows,
        notes: profiled.notes,
    };
    Ok(Reading { table, shapes, decisions, ledger: profiled.ledger, settings: settings.clone(), plan })
}

/// The first `rows` rows; all of them are read, because the last may have a column of its own.
pub(crate) fn preview(
    source: &Source,
    format: Format,
    rows: usize,
    settings: &Settings,
) -> Result<Preview, TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    let (_, profiled) = profile(source, format, rows, settings, Aim::Prepared, &mut progress)?;
    if profiled.rows == 0 {
        return Err(TableError::NoRows { file: source.file_name() });
    }
    Ok(Preview::new(&profiled, Seen::Whole, settings))
}

/// Shows every name and every cell with its place in its row.
pub(crate) fn each_cell(
    source: &Source,
    format: Format,
    visit: &mut dyn FnMut(usize, &str),
) -> Result<(), TableError> {
    let report = &mut |_, _| ControlFlow::Continue(());
    let mut progress = Progress { total: source.length(), report };
    let names = format.names(source, &mut progress)?.names;
    names.iter().enumerate().for_each(|(place, name)| visit(place, name));
    format.each_record(source, &names, &mut progress, &mut |record| {
        record.texts().iter().enumerate().for_each(|(place, cell)| visit(place, cell));
        Ok(true)
    })
}

fn profile(
    source: &Source,
    format: Format,
    shown_rows: usize,
    settings: &Settings,
    aim: Aim,
    progress: &mut Progress,
) -> Result<(Vec<String>, Profiled), TableError> {
    let json::Names { names, skipped } = format.names(source, progress)?;
    if names.len() > CELLS {
        let what = "it has more than 16,384 columns";
        return Err(TableError::Unsupported { file: source.file_name(), what });
    }
    let mut header = Header::named(names.clone(), 0);
    (header.row, header.data_row, header.skipped) = (None, 0, skipped);
    let mut profile = Profile::new(header, Widths::Fixed, shown_rows, aim);
    format.each_record(source, &names, progress, &mut |record| {
        profile.add(record);
        Ok(true)
    })?;
    Ok((names, profile.finish(CommaHint::None, settings)))
}

/// How the file itself becomes a frame with the same columns.
fn read_with(format: Format, destination: &str) -> String {
    let destination = literal(destination);
    let json = "__import__('json')";
    match format {
        Format::Json(json::Layout::Lines) => format!(
            "pd.json_normalize([{json}.loads(line) for line in open({destination}, encoding='utf-8-sig') \
             if line.strip()])"
        ),
        Format::Json(_) => {
            format!("pd.json_normalize({json}.load(open({destination}, encoding='utf-8-sig')))")
        }
        Format::Parquet => format!("pd.read_parquet({destination})"),
    }
}
