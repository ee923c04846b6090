//! `assay export`.

use std::path::PathBuf;

use assay_engine::{DockerSettings, Engine, Problem, StopToken};

use crate::arguments::{ExportArguments, home};
use crate::exit::Exit;
use crate::run::show_problem;

pub(crate) fn export(arguments: &ExportArguments) -> Exit {
    match write(arguments) {
        Ok((place, remarks)) => {
            for remark in remarks {
                eprintln!("{remark}");
            }
            println!("{}", place.display());
            Exit::Done
        }
        Err(problem) => {
            show_problem(&problem);
            Exit::from(&problem)
        }
    }
}

fn write(arguments: &ExportArguments) -> Result<(PathBuf, Vec<String>), Problem> {
    let engine = Engine::new(home(), DockerSettings::default())?;
    let run = engine.find_run(&arguments.run)?;
    let place = match &arguments.out {
        Some(place) => place.clone(),
        None => PathBuf::from(engine.export_name(&run, &arguments.to)?),
    };
    if place.is_file() && !arguments.replace {
        return Err(Problem::exists(&place));
    }
    let remarks = engine.export(&run, &arguments.to, &place, &|_, _| {}, &StopToken::new())?;
    Ok((place, remarks))
}
