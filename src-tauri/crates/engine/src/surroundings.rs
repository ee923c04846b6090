//! How the tables are called in a run, and how they are told to a model.

use assay_agent::{Guidance, Surroundings, TableNames};
use assay_sandbox::SessionFacts;
use assay_tabular::Table;
use serde_json::{Value, json};

use crate::run::Rows;

/// The largest opening message; a table with thousands of columns is described by its first ones.
const MAX_COLUMNS_TOLD: usize = 300;
/// The rows that a model is shown which is told as little as possible.
const FEW_ROWS: usize = 3;
/// Files that are larger than this together are not loaded beforehand: there may not be memory for all.
const LOADED_BYTES: u64 = 100 << 20;

/// The names of what there is. Small models find their tables loaded, into `frames` where those are named.
pub(crate) fn surroundings(
    tables: &[Table],
    bytes: u64,
    facts: &SessionFacts,
    guidance: Guidance,
    frames: &[String],
) -> Surroundings {
    let packages = facts.inventory.packages.keys().cloned().collect::<Vec<_>>();
    let is_loaded =
        guidance == Guidance::Short && bytes <= LOADED_BYTES && packages.iter().any(|name| name == "pandas");
    let frames =
        is_loaded.then(|| if frames.len() == tables.len() { frames.to_vec() } else { frame_names(tables) });
    let prelude = frames.as_ref().map(|frames| {
        let loads =
            tables.iter().zip(frames).map(|(table, frame)| format!("{frame} = {}\n", table.read_with));
        // What libraries say of their future leads small models astray.
        let imports = "import warnings\nimport pandas as pd\nimport numpy as np\n\
                       warnings.simplefilter('ignore', FutureWarning)\n";
        format!("{imports}{}", loads.collect::<String>())
    });
    let tables = tables.iter().enumerate().map(|(number, table)| TableNames {
        path: table.path.clone(),
        frame: frames.as_ref().map(|frames| frames[number].clone()),
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
    });
    Surroundings { tables: tables.collect(), packages, prelude }
}

/// `df` for one table; for several the names of their files, as variables.
fn frame_names(tables: &[Table]) -> Vec<String> {
    if let [_] = tables {
        return vec!["df".into()];
    }
    let mut names: Vec<String> = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let file = table.path.rsplit('/').next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name: String = stem
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        let name = format!("df_{}", name.trim_matches('_'));
        names.push(if names.contains(&name) || name == "df_" {
            format!("{name}_{}", number + 1)
        } else {
            name
        });
    }
    names
}

/// What a model is told of the tables.
pub(crate) fn told(tables: &[Table], around: &Surroundings, guidance: Guidance, rows: Rows) -> Vec<Value> {
    let without_rows: Vec<Table>;
    let tables = match rows {
        Rows::Shown => tables,
        Rows::KeptHere => {
            without_rows = tables.iter().map(without_values).collect();
            &without_rows
        }
    };
    let frames = around.tables.iter().map(|names| names.frame.as_deref());
    tables
        .iter()
        .zip(frames)
        .map(|(table, frame)| match guidance {
            Guidance::Full => in_full(table),
            Guidance::Short => in_short(table, frame),
        })
        .collect()
}

/// The table without a word of its cells. Notes may quote cells, and so may the sentences on what is left out.
fn without_values(table: &Table) -> Table {
    let mut table = table.clone();
    table.first_rows.clear();
    table.notes.clear();
    table.left_out.clear();
    table.columns.iter_mut().for_each(|column| column.top.clear());
    table
}

fn in_full(table: &Table) -> Value {
    let mut table = table.clone();
    let columns = table.columns.len();
    if columns > MAX_COLUMNS_TOLD {
        table.columns.truncate(MAX_COLUMNS_TOLD);
        for row in &mut table.first_rows {
            row.truncate(MAX_COLUMNS_TOLD);
        }
        table.notes.push(format!(
            "The table has {columns} columns; the first {MAX_COLUMNS_TOLD} are described here."
        ));
    }
    serde_json::to_value(table).unwrap_or_default()
}

/// The names, kinds and a few values: what code about the table cannot do without.
fn in_short(table: &Table, frame: Option<&str>) -> Value {
    let columns = table.columns.iter().take(MAX_COLUMNS_TOLD).map(|column| {
        let mut told = json!({"name": column.name, "kind": column.kind});
        if column.missing > 0 {
            told["missing"] = json!(column.missing);
        }
        if let (Some(min), Some(max)) = (column.min, column.max) {
            told["range"] = json!([min, max]);
        }
        if let (Some(first), Some(last)) = (&column.first, &column.last) {
            told["range"] = json!([first, last]);
        }
        if !column.top.is_empty() {
            told["values"] = column.top.iter().map(|(value, _)| value.as_str()).collect();
        }
        told
    });
    let columns: Vec<Value> = columns.collect();
    let mut told = json!({"path": table.path, "rows": table.rows, "columns": columns});
    if let Some(original) = &table.prepared_from {
        told["prepared_from"] = json!(original);
    }
    match frame {
        Some(frame) => told["frame"] = json!(frame),
        None => told["read_with"] = json!(table.read_with),
    }
    if !table.first_rows.is_empty() {
        told["first_rows"] = table.first_rows.iter().take(FEW_ROWS).cloned().collect();
    }
    told
}
