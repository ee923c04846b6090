//! `assay rerun`.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use assay_engine::{
    AgainRequest, Change, Code, Comparison, FigurePair, MovedColumn, NewFileCheck, Problem, Rows, RunEvent,
    RunResult,
};
use tokio_util::sync::CancellationToken;

use crate::arguments::RerunArguments;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run::{print_line, show, show_problem, stop_on_signals};

pub(crate) async fn rerun(arguments: RerunArguments) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let json = arguments.json;
    let ended = work(arguments, begun).await;
    match ended {
        Ok(result) => Ok(result.problem.as_ref().map_or_else(|| Exit::from(result.status), Exit::from)),
        Err(problem) => {
            if json {
                print_line(begun, &serde_json::json!({"event": "problem", "problem": problem}));
            } else {
                show_problem(&problem);
            }
            Ok(Exit::from(&problem))
        }
    }
}

async fn work(arguments: RerunArguments, begun: Instant) -> Result<RunResult, Problem> {
    let engine = arguments.sandbox.engine(&arguments.model)?;
    let run = engine.find_run(&arguments.run)?;
    let check = engine.check_new_file(&run, &arguments.file, arguments.instead_of.as_deref())?;
    let columns = columns(&arguments, &check)?;
    let json = arguments.json;
    let request = AgainRequest {
        run,
        file: arguments.file,
        instead_of: arguments.instead_of,
        columns,
        out: arguments.out,
        model: arguments.model.choice(),
        policy: arguments.limits.policy(),
        budget: arguments.limits.budget(),
        rows: if arguments.keep_rows { Rows::KeptHere } else { Rows::Shown },
    };
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone());
    if !json {
        check.remarks.iter().for_each(|remark| eprintln!("Note: {remark}"));
    }
    let progress = (!json).then(|| Progress::start(begun, std::io::stderr().is_terminal()));
    let watch = |event: &RunEvent| match &progress {
        Some(progress) => progress.show(event),
        None => print_line(begun, event),
    };
    let result = engine.run_again(&request, watch, &stop).await?;
    drop(progress);
    let compared = engine.compare(&result.id).ok();
    if json {
        print_line(begun, &serde_json::json!({"event": "result", "result": result}));
        print_line(begun, &serde_json::json!({"event": "compared", "compared": compared}));
    } else {
        show(&result, begun);
        compared.iter().for_each(show_changes);
    }
    Ok(result)
}

/// Changed figures that are shown.
const MOST_SHOWN: usize = 20;

/// What is otherwise than before, a line each.
fn show_changes(compared: &Comparison) {
    let is_changed = |pair: &&FigurePair| pair.change != Change::Same;
    let changed: Vec<&FigurePair> = compared.figures.pairs.iter().filter(is_changed).collect();
    if !changed.is_empty() {
        println!("\nWhat changed, from {} to {}:", compared.file_before, compared.file_now);
    }
    for pair in changed.iter().take(MOST_SHOWN) {
        let by = match pair.change {
            Change::Changed { relative: Some(by) } => format!("{:+.1} %", by * 100.0),
            _ => String::new(),
        };
        println!("  {:>16}  {:>16}  {by:>10}  {}", pair.before, pair.now, cut(&pair.place));
    }
    if changed.len() > MOST_SHOWN {
        println!("  and {} more", changed.len() - MOST_SHOWN);
    }
    for table in &compared.tables {
        let rows = |rows: Option<u64>| rows.map_or_else(|| "not there".into(), |rows| rows.to_string());
        if table.rows_before != table.rows_now {
            let (before, now) = (rows(table.rows_before), rows(table.rows_now));
            println!("  {before:>16}  {now:>16}  {:>10}  rows of {}", "", table.path);
        }
        for (word, names) in [("lost", &table.columns_gone), ("got", &table.columns_new)] {
            if !names.is_empty() {
                println!("  {} {word} the columns {}", table.path, names.join(", "));
            }
        }
    }
}

fn cut(place: &str) -> String {
    if place.chars().count() > 60 {
        place.chars().take(59).chain(['…']).collect()
    } else {
        place.to_owned()
    }
}

/// What was said of moved columns, and what the person says to proposals that leave hardly a doubt.
fn columns(arguments: &RerunArguments, check: &NewFileCheck) -> Result<Vec<MovedColumn>, Problem> {
    let mut columns =
        arguments.columns.iter().map(|said| moved(said, check)).collect::<Result<Vec<_>, _>>()?;
    let missing: Vec<_> = check
        .missing
        .iter()
        .filter(|missing| !columns.iter().any(|moved| moved.before == missing.name))
        .collect();
    if missing.is_empty() {
        return Ok(columns);
    }
    let proposed: Option<Vec<MovedColumn>> = missing
        .iter()
        .map(|missing| match missing.proposals.as_slice() {
            [only] => Some(MovedColumn { before: missing.name.clone(), now: only.clone() }),
            _ => None,
        })
        .collect();
    if let Some(proposed) = proposed.filter(|_| !arguments.json && is_attended()) {
        for moved in proposed {
            if !agrees(&moved, check) {
                return Err(lacking(arguments, check, &columns));
            }
            columns.push(moved);
        }
        return Ok(columns);
    }
    Err(lacking(arguments, check, &columns))
}

/// `OLD=NEW`. A name may hold such a mark itself: the earlier file's names tell.
fn moved(said: &str, check: &NewFileCheck) -> Result<MovedColumn, Problem> {
    let ways: Vec<MovedColumn> = said
        .match_indices('=')
        .map(|(at, _)| MovedColumn { before: said[..at].trim().into(), now: said[at + 1..].trim().into() })
        .collect();
    let known = ways.iter().find(|moved| check.needed.contains(&moved.before));
    known.or(ways.first()).cloned().ok_or_else(|| {
        Problem::new(
            Code::Input,
            format!("`{said}` does not say which column stands for which."),
            "Write it as --column OLD=NEW.",
        )
    })
}

/// What is missing, and the command to type.
fn lacking(arguments: &RerunArguments, check: &NewFileCheck, said: &[MovedColumn]) -> Problem {
    let missing: Vec<_> = check
        .missing
        .iter()
        .filter(|missing| !said.iter().any(|moved| moved.before == missing.name))
        .collect();
    let names: Vec<String> = missing.iter().map(|missing| format!("`{}`", missing.name)).collect();
    let mut command = format!("assay rerun {} {}", arguments.run, quoted(&arguments.file.to_string_lossy()));
    let proposed = missing.iter().map(|missing| {
        let now = missing.proposals.first().map_or("NEW NAME", String::as_str);
        (missing.name.as_str(), now)
    });
    let said = said.iter().map(|moved| (moved.before.as_str(), moved.now.as_str()));
    for (before, now) in said.chain(proposed) {
        command.push_str(" --column ");
        command.push_str(&quoted(&format!("{before}={now}")));
    }
    Problem::new(
        Code::Input,
        format!("{} lacks what the steps use: {}.", check.file, names.join(", ")),
        format!("If another column takes its place, say which:\n  {command}"),
    )
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/=:,".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

fn agrees(moved: &MovedColumn, check: &NewFileCheck) -> bool {
    eprint!("{} has no `{}`. Is it `{}` there? [Y/n] ", check.file, moved.before, moved.now);
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok_and(|length| length > 0) && !answer.trim().to_lowercase().starts_with('n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_read_by_the_names_that_there_are() {
        let check = NewFileCheck {
            run: "r".into(),
            file: "f.csv".into(),
            instead_of: "e.csv".into(),
            steps: 1,
            needed: vec!["a=b".into()],
            missing: Vec::new(),
            remarks: Vec::new(),
        };
        let pair = |said: &str| moved(said, &check).map(|moved| (moved.before, moved.now)).ok();
        assert_eq!(pair("a=b=c d"), Some(("a=b".into(), "c d".into())));
        assert_eq!(pair("x = y=z"), Some(("x".into(), "y=z".into())));
        assert_eq!(pair("x"), None);
        assert_eq!((quoted("a=b.csv"), quoted("it's a")), ("a=b.csv".into(), "'it'\\''s a'".into()));
    }
}
