//! `assay doctor`.

use assay_engine::{Check, Diagnosis, Engine};

use crate::arguments::{DoctorArguments, home};
use crate::engines::print_found;
use crate::exit::Exit;
use crate::run::show_problem;

pub(crate) async fn doctor(arguments: DoctorArguments) -> anyhow::Result<Exit> {
    let choice = arguments.sandbox.choice();
    let engine = match Engine::new(home(), arguments.sandbox.docker()).and_then(|engine| engine.on(&choice)) {
        Ok(engine) => engine,
        Err(problem) => {
            show_problem(&problem);
            return Ok(Exit::from(&problem));
        }
    };
    let diagnosis = engine.doctor(&arguments.model.choice()).await;
    if arguments.json {
        println!("{}", serde_json::to_string(&diagnosis)?);
    } else {
        print(&diagnosis);
        // Why none of the others is used matters where the one that was meant is not ready.
        let is_engine = |check: &Check| check.name == "Engine" && check.problem.is_some();
        if diagnosis.checks.iter().any(is_engine) {
            print_found(&engine.engines().await.map(|engines| engines.found).unwrap_or_default());
        }
    }
    Ok(if diagnosis.is_ready() { Exit::Done } else { Exit::NotReady })
}

fn print(diagnosis: &Diagnosis) {
    for Check { name, ready, problem } in &diagnosis.checks {
        if let Some(text) = ready {
            println!("ready      {name}: {text}");
        }
        if let Some(problem) = problem {
            println!("not ready  {name}: {}", problem.message);
            println!("           {}", problem.hint);
            if !problem.detail.is_empty() {
                println!("           ({})", problem.detail);
            }
        }
    }
    if diagnosis.is_ready() {
        println!("Everything is ready.");
    }
}
