//! `assay doctor`.

use assay_engine::{Check, Diagnosis, Engine, Problem, StopToken};

use crate::arguments::{DoctorArguments, home};
use crate::exit::Exit;
use crate::run::{show_problem, stop_on_signals};

pub(crate) async fn doctor(arguments: DoctorArguments) -> anyhow::Result<Exit> {
    let engine = match Engine::new(home(), arguments.sandbox.settings()) {
        Ok(engine) => engine,
        Err(problem) => {
            show_problem(&problem);
            return Ok(Exit::from(&problem));
        }
    };
    if arguments.make
        && let Err(problem) = make(&engine).await
    {
        show_problem(&problem);
        return Ok(Exit::from(&problem));
    }
    let diagnosis = engine.doctor(&arguments.model.choice()).await;
    if arguments.json {
        println!("{}", serde_json::to_string(&diagnosis)?);
    } else {
        print(&diagnosis);
    }
    Ok(if diagnosis.is_ready() { Exit::Done } else { Exit::NotReady })
}

/// Makes the sandbox where it is not made yet, and says what goes on.
async fn make(engine: &Engine) -> Result<(), Problem> {
    if !engine.lacks_sandbox().await {
        return Ok(());
    }
    let stop = StopToken::new();
    stop_on_signals(stop.clone());
    engine.make_sandbox(&mut |progress| eprintln!("{}", progress.line), &stop).await
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
