//! `assay inspect` and `assay convert`.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::ops::ControlFlow;

use assay_engine::{Column, Problem, Reading, convert_file, inspect_file, reading_settings};

use crate::arguments::{ConvertArguments, InspectArguments};
use crate::exit::Exit;
use crate::run::show_problem;

/// Characters of a cell that are shown.
const CELL_LENGTH: usize = 24;
/// Columns of the rows that are shown.
const SHOWN_COLUMNS: usize = 8;
/// Entries of the ledger whose places are shown.
const PLACES: usize = 3;

pub(crate) fn inspect(arguments: &InspectArguments) -> anyhow::Result<Exit> {
    let settings = match reading_settings(&arguments.set) {
        Ok(settings) => settings,
        Err(problem) => return Ok(refuse(&problem)),
    };
    let reading = match inspect_file(&arguments.file, &settings, &mut progress("Reading")) {
        Ok(reading) => reading,
        Err(problem) => return Ok(refuse(&problem)),
    };
    clear();
    if arguments.json {
        println!("{}", serde_json::to_string(&reading)?);
    } else {
        print!("{}", told(&reading));
    }
    Ok(Exit::Done)
}

pub(crate) fn convert(arguments: &ConvertArguments) -> Exit {
    if arguments.out.exists() && !arguments.replace {
        return refuse(&Problem::exists(&arguments.out));
    }
    let converted = reading_settings(&arguments.set).and_then(|settings| {
        convert_file(&arguments.file, &arguments.out, &settings, &mut progress("Converting"))
    });
    clear();
    match converted {
        Ok((reading, beside)) => {
            for note in &reading.table.notes {
                eprintln!("{note}");
            }
            eprintln!("What was decided: {}", beside.display());
            println!("{}", arguments.out.display());
            Exit::Done
        }
        Err(problem) => refuse(&problem),
    }
}

fn refuse(problem: &Problem) -> Exit {
    show_problem(problem);
    Exit::from(problem)
}

/// How the file was read, for a person.
fn told(reading: &Reading) -> String {
    let mut text = String::new();
    let table = &reading.table;
    let _ = writeln!(text, "{} rows, {} columns", table.rows, table.columns.len());
    let _ = writeln!(text, "\nRead this way (flip with --set NAME=VALUE):");
    for decision in &reading.decisions {
        let chosen = if decision.chosen { " (your choice)" } else { "" };
        let _ = writeln!(text, "  {}: {}{chosen}", decision.about, decision.label);
        let _ = writeln!(text, "    {}={}   {}", decision.id, decision.value, decision.evidence);
        let others: Vec<&str> = decision.alternatives.iter().map(|other| other.value.as_str()).collect();
        if !others.is_empty() {
            let _ = writeln!(text, "    or: {}", others.join(", "));
        }
    }
    let _ = writeln!(text, "\nColumns:");
    for column in &table.columns {
        let _ = writeln!(text, "  {}", about(column));
    }
    if !table.first_rows.is_empty() {
        let _ = writeln!(text, "\nFirst rows:");
    }
    for row in &table.first_rows {
        let cells: Vec<String> = row.iter().take(SHOWN_COLUMNS).map(|cell| short(cell)).collect();
        let more = if row.len() > SHOWN_COLUMNS { " | ..." } else { "" };
        let _ = writeln!(text, "  {}{more}", cells.join(" | "));
    }
    let ledger = &reading.ledger;
    let _ = writeln!(
        text,
        "\nLedger: {} rows read, {} not part of the table, {} cells do not fit their column",
        ledger.rows_read,
        ledger.skipped(),
        ledger.flagged()
    );
    for entry in ledger.rows_skipped.iter().chain(&ledger.rows_marked).chain(&ledger.cells_flagged) {
        let places: Vec<String> =
            entry.first.iter().take(PLACES).map(|place| place.row.to_string()).collect();
        let _ = writeln!(text, "  {} x {} (row {})", entry.count, entry.why, places.join(", "));
    }
    for note in &table.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    text
}

/// One column in a line.
fn about(column: &Column) -> String {
    let kind = serde_json::to_value(column.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
    let mut text = format!("{:<28} {kind:<10}", short(&column.name));
    if let Some(unit) = &column.unit {
        let _ = write!(text, " in {unit}");
    }
    if column.missing > 0 {
        let _ = write!(text, ", {} missing", column.missing);
    }
    if let Some(distinct) = column.distinct {
        let _ = write!(text, ", {distinct} different");
    }
    match (column.min, column.max, &column.first, &column.last) {
        (Some(min), Some(max), ..) => {
            let _ = write!(text, ", {min} to {max}");
        }
        (_, _, Some(first), Some(last)) => {
            let _ = write!(text, ", {first} to {last}");
        }
        _ => {}
    }
    text
}

fn short(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(CELL_LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Says how far it has come, on one line that is written over, where a person looks on.
fn progress(doing: &'static str) -> impl FnMut(u64, u64) -> ControlFlow<()> {
    let mut shown = None;
    move |read, total| {
        let percent = (read * 100).checked_div(total).unwrap_or(100);
        if std::io::stderr().is_terminal() && shown != Some(percent) {
            shown = Some(percent);
            eprint!("\r{doing}: {percent} %");
            let _ = std::io::stderr().flush();
        }
        ControlFlow::Continue(())
    }
}

/// Removes the line that says how far it has come.
fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
