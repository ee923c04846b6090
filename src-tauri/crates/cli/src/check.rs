//! `assay check`.

use assay_engine::{DockerSettings, Engine, ReportCheck, Verdict};

use crate::arguments::{CheckArguments, home};
use crate::exit::Exit;
use crate::run::show_problem;

pub(crate) fn check(arguments: &CheckArguments) -> anyhow::Result<Exit> {
    let checked = Engine::new(home(), DockerSettings::default())
        .and_then(|engine| engine.check_report(&engine.find_run(&arguments.run)?));
    let report = match checked {
        Ok(report) => report,
        Err(problem) => {
            show_problem(&problem);
            return Ok(Exit::from(&problem));
        }
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report, arguments.all);
    }
    Ok(if report.summary.not_found == 0 { Exit::Done } else { Exit::Incomplete })
}

fn print(report: &ReportCheck, all: bool) {
    for figure in report.figures.iter().filter(|figure| all || figure.verdict == Verdict::NotFound) {
        println!("{:<24}{}\n    in “{}”", figure.text, figure.verdict.sentence(), figure.place);
    }
    println!("{}", report.summary.sentence());
}
