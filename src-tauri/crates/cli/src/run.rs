//! `assay run`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_engine::{
    Code, Give, Guidance, Problem, ReadingSettings, Rows, RunEvent, RunRequest, RunResult, RunStatus,
    reading_settings,
};
use tokio_util::sync::CancellationToken;

use crate::arguments::{GuidanceName, RunArguments};
use crate::asking::AtTheTerminal;
use crate::exit::Exit;
use crate::progress::Progress;

/// How the only file is to be read.
fn settings_of(files: &[PathBuf], set: &[String]) -> Result<Vec<(PathBuf, ReadingSettings)>, Problem> {
    match files {
        _ if set.is_empty() => Ok(Vec::new()),
        [file] => Ok(vec![(file.clone(), reading_settings(set)?)]),
        _ => Err(Problem::new(
            Code::Input,
            "With several files it is not clear which one --set is about.",
            "Write each as it is to be read with `assay convert` first, or run on one file.",
        )),
    }
}

pub(crate) async fn run(arguments: RunArguments) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone());
    let json = arguments.json;
    let engine = arguments.sandbox.engine(&arguments.model);
    let settings = settings_of(&arguments.files, &arguments.set);
    let (engine, settings) = match (engine, settings) {
        (engine, Ok(settings)) => (engine, settings),
        (engine, Err(problem)) => (engine.and(Err(problem)), Vec::new()),
    };
    let request = RunRequest {
        files: arguments.files,
        ask: arguments.ask,
        out: arguments.out,
        model: arguments.model.choice(),
        policy: arguments.limits.policy(),
        budget: arguments.limits.budget(),
        give: if arguments.answer_only { Give::ANSWER } else { Give::default() },
        settings,
        rows: if arguments.keep_rows { Rows::KeptHere } else { Rows::Shown },
        guidance: arguments.guidance.map(|guidance| match guidance {
            GuidanceName::Full => Guidance::Full,
            GuidanceName::Short => Guidance::Short,
        }),
        ..RunRequest::default()
    };
    let progress = (!json).then(|| Progress::start(begun, std::io::stderr().is_terminal()));
    let ended = match engine {
        Ok(engine) => {
            let watch = |event: &RunEvent| match &progress {
                Some(progress) => progress.show(event),
                None => print_line(begun, event),
            };
            engine.run_with(&request, watch, &AtTheTerminal, &stop).await
        }
        Err(problem) => Err(problem),
    };
    drop(progress);
    match ended {
        Ok(result) => {
            if json {
                print_line(begun, &serde_json::json!({"event": "result", "result": result}));
            } else {
                show(&result, begun);
            }
            Ok(result.problem.as_ref().map_or_else(|| Exit::from(result.status), Exit::from))
        }
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

/// Cancels the token on Ctrl-C or a request to terminate; a second one ends the program at once, and the
/// sandbox with it.
pub(crate) fn stop_on_signals(stop: CancellationToken) {
    tokio::spawn(async move {
        wait_for_signal().await;
        stop.cancel();
        wait_for_signal().await;
        std::process::exit(Exit::Stopped as i32);
    });
}

#[cfg(unix)]
async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() {
    let _ = tokio::signal::ctrl_c().await;
}

/// One JSON line with the seconds since the start.
pub(crate) fn print_line(begun: Instant, event: &impl serde::Serialize) {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(event) else { return };
    let mut line = serde_json::Map::new();
    line.insert("at_s".into(), ((begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0).into());
    line.extend(fields);
    // A reader that has gone away is no reason to lose the run.
    let _ = writeln!(std::io::stdout(), "{}", serde_json::Value::Object(line));
}

/// The sentence, the next thing to do, and the technical reason on a line of its own.
pub(crate) fn show_problem(problem: &Problem) {
    eprintln!("{}", problem.message);
    for hint in [problem.hint.as_str(), problem.at_a_prompt].iter().filter(|hint| !hint.is_empty()) {
        eprintln!("{hint}");
    }
    if !problem.detail.is_empty() {
        eprintln!("(Details: {})", problem.detail);
    }
}

pub(crate) fn show(result: &RunResult, begun: Instant) {
    let seconds = begun.elapsed().as_secs();
    let sentence = match result.status {
        RunStatus::Done => "Done",
        RunStatus::Incomplete => "Ended, but not complete",
        RunStatus::Stopped => "Stopped; what was finished is kept",
        RunStatus::Paused => "Paused; what was finished is kept",
        RunStatus::OutOfBudget => "Ended at a limit; what was finished is kept",
        RunStatus::Stuck => "Ended: the model went round in circles; what was finished is kept",
        RunStatus::Failed => "Failed; what was finished is kept",
    };
    eprintln!("{sentence} ({}:{:02}).", seconds / 60, seconds % 60);
    if let Some(problem) = &result.problem {
        show_problem(problem);
    }
    for remark in &result.remarks {
        eprintln!(
            "  {}",
            if result.status == RunStatus::Incomplete {
                format!("Missing: {remark}")
            } else {
                remark.clone()
            }
        );
    }
    if !result.answer.trim().is_empty() {
        println!("\n{}\n", result.answer.trim());
    }
    if let Some(figures) = &result.figures {
        println!("{}", figures.sentence());
        if figures.not_found > 0 {
            println!("Which, says:  assay check {}", result.id);
        }
    }
    let line = |name: &str, path: &Path| println!("{name:<8}{}", path.display());
    result.report.iter().for_each(|path| line("Report", path));
    result.charts.iter().for_each(|path| line("Chart", path));
    result.tables.iter().for_each(|path| line("File", path));
}
