//! `assay doctor`.

use assay_engine::{
    Check, Diagnosis, Engine, Finding, LimitVerdict, Policy, Problem, SandboxProof, StopToken,
};

use crate::arguments::DoctorArguments;
use crate::engines::print_found;
use crate::exit::Exit;
use crate::run::{show_problem, stop_on_signals};

pub(crate) async fn doctor(arguments: DoctorArguments) -> anyhow::Result<Exit> {
    let engine = match arguments.sandbox.engine(&arguments.model) {
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
    if arguments.look_inside {
        return look_inside(&engine, &diagnosis, arguments.json).await;
    }
    if arguments.json {
        println!("{}", serde_json::to_string(&diagnosis)?);
    } else {
        print(&diagnosis);
        // Why none of the others is used matters where the one that was meant is not ready.
        let is_engine = |check: &Check| check.name == "Engine" && check.problem.is_some();
        if diagnosis.checks.iter().any(is_engine) && !arguments.sandbox.is_hosted() {
            print_found(&engine.engines().await.map(|engines| engines.found).unwrap_or_default());
        }
    }
    Ok(if diagnosis.is_ready() { Exit::Done } else { Exit::NotReady })
}

/// Says what is ready, and what a sandbox is like from inside.
async fn look_inside(engine: &Engine, diagnosis: &Diagnosis, json: bool) -> anyhow::Result<Exit> {
    let proof = engine.prove_sandbox(&Policy::default(), &StopToken::new()).await;
    if json {
        let (proof, problem) = (proof.as_ref().ok(), proof.as_ref().err());
        let all = serde_json::json!({ "checks": diagnosis.checks, "sandbox": proof, "problem": problem });
        println!("{all}");
    } else {
        print(diagnosis);
        match &proof {
            Ok(proof) => print_proof(proof),
            Err(problem) => show_problem(problem),
        }
    }
    Ok(match proof {
        Ok(proof) if proof.holds() && diagnosis.is_ready() => Exit::Done,
        Ok(_) => Exit::NotReady,
        Err(problem) => Exit::from(&problem),
    })
}

fn print_proof(proof: &SandboxProof) {
    println!("\nA sandbox of the runtime {}, looked at from inside:", proof.runtime);
    for Finding { limit, asked, found, verdict } in &proof.findings {
        let word = match verdict {
            LimitVerdict::Holds => "ok",
            LimitVerdict::NotEnforced => "not here",
            LimitVerdict::Broken => "NOT OK",
        };
        println!("{word:<10} {}: asked {asked}; found {found}", limit.name());
    }
    if !proof.engine_runtimes.is_empty() {
        println!(
            "The engine's runtimes: {} (--engine-runtime chooses one).",
            proof.engine_runtimes.join(", ")
        );
    }
    if !proof.holds() {
        println!("Do not use this sandbox for data that matters: update the engine, or choose another one.");
    }
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
            for hint in [problem.hint.as_str(), problem.at_a_prompt].iter().filter(|hint| !hint.is_empty()) {
                println!("           {hint}");
            }
            if !problem.detail.is_empty() {
                println!("           ({})", problem.detail);
            }
        }
    }
    if diagnosis.is_ready() {
        println!("Everything is ready.");
    }
}
