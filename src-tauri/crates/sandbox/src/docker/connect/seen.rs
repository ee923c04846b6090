//! What was seen of the engines: which one is chosen, and why not the others.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::candidates::Candidate;
use super::{Product, transport};
use crate::error::SandboxError;

/// An engine that answers tells of itself within this time.
const FACTS_LIMIT: Duration = Duration::from_secs(5);

/// An address where an engine may be, and what came of asking there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EngineSeen {
    /// The address, such as `unix:///var/run/docker.sock`; empty where a name leads to none.
    pub address: String,
    /// Who says that there is an engine, such as `the setting`, `DOCKER_HOST`, `the context box`, `Podman`.
    pub origin: String,
    /// What came of asking.
    pub state: EngineState,
    /// Why it is not the one in use, in plain words; empty for the one that is.
    pub reason: String,
    /// What it says of itself, when it answers.
    pub facts: Option<EngineFacts>,
}

/// What came of asking at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EngineState {
    /// It answers and is the one in use.
    Chosen,
    /// It answers, and another one is in use.
    Answers,
    /// There is nothing.
    Absent,
    /// Something is there, but nobody answers.
    Stopped,
    /// It answers others, not this user.
    Forbidden,
    /// Something else is in the way.
    Unusable,
}

/// What an engine says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EngineFacts {
    /// `Docker` or `Podman`.
    pub product: String,
    /// Its version.
    pub version: String,
    /// The system it runs on, such as `Docker Desktop` or `Debian GNU/Linux 12 (bookworm)`.
    pub system: String,
    /// The name of the computer.
    pub host: String,
    /// The architecture of its processors, such as `x86_64`.
    pub architecture: String,
    /// Its processors.
    pub cpus: u32,
    /// Its memory, in MiB.
    pub memory_mib: u64,
}

/// Asks a candidate for what the person wants to know of it.
pub(super) async fn look(candidate: &Candidate) -> Result<EngineFacts, SandboxError> {
    let engine = transport::connect(candidate).await?;
    let stopped = || SandboxError::EngineStopped { address: candidate.address.clone() };
    let told = tokio::time::timeout(FACTS_LIMIT, engine.docker.info());
    let info = told.await.map_err(|_| stopped())??;
    if info.memory_limit == Some(false) {
        return Err(engine.without_limits());
    }
    let architecture = info.architecture.unwrap_or_default();
    Ok(EngineFacts {
        product: engine.product.name().into(),
        version: engine.version,
        system: info.operating_system.unwrap_or_default(),
        host: info.name.unwrap_or_default(),
        architecture: match (engine.product, architecture.as_str()) {
            // Podman names it in Go's way.
            (Product::Podman, "amd64") => "x86_64".into(),
            (Product::Podman, "arm64") => "aarch64".into(),
            _ => architecture,
        },
        cpus: info.ncpu.and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
        memory_mib: info.mem_total.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default() >> 20,
    })
}

/// The first that answers is chosen, unless the person has named another one.
pub(super) fn choose(
    candidates: &[Candidate],
    looks: Vec<Result<EngineFacts, SandboxError>>,
) -> Vec<EngineSeen> {
    let named = candidates.first().map(|first| &first.origin).filter(|origin| origin.is_named());
    let mut chosen: Option<String> = None;
    let of = |(candidate, look): (&Candidate, Result<EngineFacts, SandboxError>)| {
        let origin = candidate.origin.to_string();
        let (state, reason) = match (&look, &chosen, named) {
            (Ok(_), None, None) => (EngineState::Chosen, String::new()),
            (Ok(_), None, Some(named)) if candidate.origin == *named => (EngineState::Chosen, String::new()),
            (Ok(_), _, Some(named)) => (EngineState::Answers, format!("{named} names another one")),
            (Ok(_), Some(first), _) => (EngineState::Answers, format!("{first} comes first")),
            (Err(error), ..) => refused(error),
        };
        if state == EngineState::Chosen {
            chosen = Some(origin.clone());
        }
        EngineSeen { address: candidate.address.clone(), origin, state, reason, facts: look.ok() }
    };
    candidates.iter().zip(looks).map(of).collect()
}

fn refused(error: &SandboxError) -> (EngineState, String) {
    match error {
        SandboxError::EngineMissing => (EngineState::Absent, "nothing is there".into()),
        SandboxError::EngineStopped { .. } => (EngineState::Stopped, "it does not answer".into()),
        SandboxError::EngineForbidden { .. } => (EngineState::Forbidden, "this user may not use it".into()),
        SandboxError::EngineUnusable { reason, .. } => (EngineState::Unusable, reason.clone()),
        other => (EngineState::Unusable, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docker::connect::candidates::Origin;

    fn candidate(origin: Origin, address: &str) -> Candidate {
        Candidate { address: address.into(), origin, certificates: None, obstacle: None }
    }

    fn facts() -> EngineFacts {
        EngineFacts {
            product: "Docker".into(),
            version: "28".into(),
            system: "Debian".into(),
            host: "box".into(),
            architecture: "x86_64".into(),
            cpus: 8,
            memory_mib: 16384,
        }
    }

    fn told(seen: Vec<EngineSeen>) -> Vec<(EngineState, String)> {
        seen.into_iter().map(|one| (one.state, one.reason)).collect()
    }

    #[test]
    fn the_first_that_answers_is_chosen_and_each_other_says_why_not() {
        let candidates = [
            candidate(Origin::Context("old".into()), "unix:///gone"),
            candidate(Origin::Usual("Docker"), "unix:///a"),
            candidate(Origin::Usual("Podman"), "unix:///b"),
            candidate(Origin::Usual("Colima"), "unix:///c"),
        ];
        let forbidden = SandboxError::EngineForbidden { address: "unix:///c".into() };
        let stopped = SandboxError::EngineStopped { address: "unix:///gone".into() };
        let seen = choose(&candidates, vec![Err(stopped), Ok(facts()), Ok(facts()), Err(forbidden)]);
        assert_eq!(
            told(seen),
            [
                (EngineState::Stopped, "it does not answer".into()),
                (EngineState::Chosen, String::new()),
                (EngineState::Answers, "Docker comes first".into()),
                (EngineState::Forbidden, "this user may not use it".into()),
            ]
        );
    }

    #[test]
    fn no_other_engine_takes_the_place_of_one_that_is_named() {
        let candidates =
            [candidate(Origin::Setting, "tcp://box:1"), candidate(Origin::Usual("Docker"), "unix:///a")];
        let stopped = SandboxError::EngineStopped { address: "tcp://box:1".into() };
        assert_eq!(
            told(choose(&candidates, vec![Err(stopped), Ok(facts())])),
            [
                (EngineState::Stopped, "it does not answer".into()),
                (EngineState::Answers, "the setting names another one".into()),
            ]
        );
    }
}
