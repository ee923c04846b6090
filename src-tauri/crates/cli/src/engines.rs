//! `assay engines`.

use assay_engine::{
    DockerSettings, Engine, EngineChoice, EngineSeen, EngineState, Engines, ListedEngine, ListedSeen, Problem,
};

use crate::arguments::{EnginesArguments, home};
use crate::exit::Exit;
use crate::run::show_problem;

pub(crate) async fn engines(arguments: EnginesArguments) -> anyhow::Result<Exit> {
    match work(&arguments).await {
        Ok(engines) if arguments.json => println!("{}", serde_json::to_string(&engines)?),
        Ok(engines) => {
            print_found(&engines.found);
            engines.listed.iter().for_each(|listed| println!("{}", listed_line(listed)));
        }
        Err(problem) => {
            show_problem(&problem);
            return Ok(Exit::from(&problem));
        }
    }
    Ok(Exit::Done)
}

async fn work(arguments: &EnginesArguments) -> Result<Engines, Problem> {
    let docker = DockerSettings { address: arguments.usual.clone(), ..DockerSettings::default() };
    let engine = Engine::new(home(), docker)?;
    if let Some(name) = arguments.remove.as_ref().or(arguments.add.as_ref()) {
        let mut list = engine.listed_engines()?;
        let place = list.iter().position(|one| one.is_called(name));
        if arguments.remove.is_some() && place.is_none() {
            // Says that there is none.
            engine.clone().on(&EngineChoice::Listed { name: name.clone() })?;
        }
        list.retain(|one| !one.is_called(name));
        if let (Some(name), Some(address)) = (&arguments.add, &arguments.address) {
            let added = ListedEngine {
                name: name.clone(),
                address: address.clone(),
                certificates: arguments.certificates.as_ref().map(|folder| folder.display().to_string()),
                runs_at_once: arguments.runs,
            };
            list.insert(place.unwrap_or(list.len()), added);
        }
        engine.list_engines(&list)?;
    }
    engine.engines().await
}

/// Each engine that was found, and in one line the places where nothing is.
pub(crate) fn print_found(found: &[EngineSeen]) {
    let (absent, there): (Vec<_>, Vec<_>) = found.iter().partition(|seen| seen.state == EngineState::Absent);
    for seen in there {
        println!("{}", line(seen));
    }
    let mut names: Vec<&str> = absent.into_iter().map(|seen| seen.origin.as_str()).collect();
    names.dedup();
    if !names.is_empty() {
        println!("{:<10} {}", "absent", names.join(", "));
    }
}

/// One engine in a line: its state, where it is, what it is, and why it is not in use.
fn line(seen: &EngineSeen) -> String {
    let state = match seen.state {
        EngineState::Chosen => "in use",
        EngineState::Answers => "answers",
        EngineState::Absent => "absent",
        EngineState::Stopped => "stopped",
        EngineState::Forbidden => "forbidden",
        EngineState::Unusable => "unusable",
    };
    format!("{state:<10} {}", about(&seen.origin, seen))
}

fn listed_line(listed: &ListedSeen) -> String {
    let ListedSeen { engine, seen, runs } = listed;
    let state = if seen.state == EngineState::Chosen { "listed" } else { "no answer" };
    format!("{state:<10} {}; {runs} of {} runs", about(&engine.name, seen), engine.runs_at_once)
}

fn about(name: &str, seen: &EngineSeen) -> String {
    let mut text = name.to_owned();
    if !seen.address.is_empty() {
        text = format!("{text}, {}", seen.address);
    }
    if let Some(facts) = &seen.facts {
        let memory = (facts.memory_mib + 512) / 1024;
        text = format!(
            "{text}: {} {} ({}), {} CPUs, {memory} GiB, {}",
            facts.product, facts.version, facts.system, facts.cpus, facts.architecture
        );
    }
    if !seen.reason.is_empty() {
        text = format!("{text}; {}", seen.reason);
    }
    text
}
