//! Engines by name, such as a bigger computer, and the choice among them for one run.

use std::path::PathBuf;

use assay_sandbox::EngineSeen;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::engine::Engine;
use crate::event::{EngineEvent, RunEvent};
use crate::place::Place;
use crate::problem::{Code, Problem};
use crate::runtime_choice::ChosenRuntime;

/// Under this name the list is kept.
const KEPT: &str = "engines";
/// The longest name.
const MAX_NAME: usize = 40;

/// An engine that the person has given a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListedEngine {
    /// Its name: letters, digits, spaces, `-`, `_` and `.`.
    pub name: String,
    /// Its address: `unix://…`, `npipe://…`, `tcp://…` or `ssh://…`.
    pub address: String,
    /// A folder with `ca.pem`, `cert.pem` and `key.pem`, for a secure connection to a `tcp://` address.
    #[serde(default)]
    pub certificates: Option<String>,
    /// How many runs of this computer it takes at a time.
    pub runs_at_once: u32,
}

/// Where one run goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EngineChoice {
    /// To the engine of the settings, or the first that answers; it takes any number of runs.
    #[default]
    Usual,
    /// To this one of the list.
    Listed {
        /// Its name.
        name: String,
    },
    /// To the first of the list that answers and has a free place.
    FirstFree,
}

/// Every engine that this computer may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Engines {
    /// Those that were found, best first: which one is in use, and why not the others.
    pub found: Vec<EngineSeen>,
    /// Those of the list.
    pub listed: Vec<ListedSeen>,
}

/// An engine of the list as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListedSeen {
    /// What the person has said of it.
    pub engine: ListedEngine,
    /// What came of asking it, with its capacity; its state is `chosen` when it answers.
    pub seen: EngineSeen,
    /// Runs of this computer that are on it now.
    pub runs: u32,
}

impl ListedEngine {
    /// The runtime on this engine, with the image and the rest of the usual one.
    pub(crate) fn runtime(&self, usual: &ChosenRuntime) -> ChosenRuntime {
        usual.on(usual.docker().at(&self.address, self.certificates.as_deref().map(PathBuf::from)))
    }

    /// Whether that is its name, in whatever letters.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.trim().to_lowercase()
    }

    fn check(&self) -> Result<(), Problem> {
        let is_fine = |c: char| c.is_alphanumeric() || " -_.".contains(c);
        let name = self.name.trim();
        if name.is_empty()
            || name != self.name
            || name.starts_with(['.', '-'])
            || name.chars().count() > MAX_NAME
            || !name.chars().all(is_fine)
        {
            return Err(Problem::new(
                Code::Input,
                format!("`{}` cannot be the name of an engine.", self.name.escape_debug()),
                "Use letters, digits, spaces, and the signs - _ . within the name.",
            ));
        }
        if ["unix://", "npipe://", "tcp://", "ssh://"].iter().all(|kind| !self.address.starts_with(kind)) {
            return Err(Problem::new(
                Code::Input,
                format!("The address of {name} is not one of an engine."),
                "It begins with unix://, npipe://, tcp:// or ssh://, such as ssh://ann@box.",
            ));
        }
        if self.runs_at_once == 0 {
            return Err(Problem::new(
                Code::Input,
                format!("{name} would take no run at all."),
                "Let it take at least one run at a time.",
            ));
        }
        Ok(())
    }
}

impl Engine {
    /// The engines of the list, in the order in which they are tried.
    pub fn listed_engines(&self) -> Result<Vec<ListedEngine>, Problem> {
        let kept = self.open_store()?.setting(KEPT)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Keeps the list.
    ///
    /// # Errors
    /// When a name stands twice, or a name, an address or a limit cannot be used.
    pub fn list_engines(&self, list: &[ListedEngine]) -> Result<(), Problem> {
        for (at, engine) in list.iter().enumerate() {
            engine.check()?;
            if list[..at].iter().any(|other| other.is_called(&engine.name)) {
                return Err(Problem::new(
                    Code::Input,
                    format!("Two engines have the name {}.", engine.name),
                    "Give one of them another name.",
                ));
            }
        }
        let text = serde_json::to_string(list).map_err(|error| Problem::storage(&error))?;
        Ok(self.open_store()?.set_setting(KEPT, &text)?)
    }

    /// The same app, whose runs go where the choice says.
    pub fn on(mut self, choice: &EngineChoice) -> Result<Self, Problem> {
        self.among = match choice {
            EngineChoice::Usual => Vec::new(),
            EngineChoice::Listed { .. } | EngineChoice::FirstFree => self.listed_engines()?,
        };
        if let EngineChoice::Listed { name } = choice {
            self.among.retain(|one| one.is_called(name));
        }
        match choice {
            EngineChoice::Listed { name } if self.among.is_empty() => Err(Problem::new(
                Code::Input,
                format!("No engine with the name {name} is in the list."),
                "Choose one of the list, or add it in the settings.",
            )
            .at_a_prompt(
                "`assay engines` shows the list; an address such as ssh://ann@box can be given as well.",
            )),
            EngineChoice::FirstFree if self.among.is_empty() => {
                Err(Problem::new(Code::Input, "The list of engines is empty.", "Add one in the settings.")
                    .at_a_prompt("Such as with `assay engines --add box --address ssh://ann@box`."))
            }
            _ => Ok(self),
        }
    }

    /// The same app, whose runs go to the engine of the list that this one was on last, if it is still listed.
    pub(crate) fn on_engine_of(self, run: &str) -> Result<Self, Problem> {
        let events = self.open_store()?.events(run)?;
        let last = events.iter().rev().find_map(|row| match serde_json::from_str(&row.body) {
            Ok(RunEvent::Engine(EngineEvent::OpeningSandbox { engine, .. })) => Some(engine),
            _ => None,
        });
        match last.flatten() {
            Some(name) if self.listed_engines()?.iter().any(|one| one.is_called(&name)) => {
                self.on(&EngineChoice::Listed { name })
            }
            _ => Ok(self),
        }
    }

    /// Every engine that this computer may use, as it is now.
    pub async fn engines(&self) -> Result<Engines, Problem> {
        let mut listed = Vec::new();
        for engine in self.listed_engines()? {
            let runtime = engine.runtime(self.runtime());
            let runs = Place::taken(self.home(), &engine).map_err(|error| Problem::storage(&error))?;
            listed.push(tokio::spawn(async move {
                runtime.docker().named_engine().await.map(|seen| ListedSeen { engine, seen, runs })
            }));
        }
        let found = self.runtime().docker().engines().await;
        let mut seen = Vec::new();
        for one in listed {
            seen.extend(one.await.map_err(|error| Problem::internal(&error))?);
        }
        Ok(Engines { found, listed: seen })
    }
}

#[cfg(test)]
mod tests {
    use assay_sandbox::DockerSettings;

    use super::*;

    fn listed(name: &str) -> ListedEngine {
        ListedEngine { name: name.into(), address: "ssh://box".into(), certificates: None, runs_at_once: 1 }
    }

    #[test]
    fn the_list_is_kept_and_chosen_from_by_name() {
        let home = tempfile::tempdir().unwrap();
        let engine = || Engine::new(Some(home.path().into()), DockerSettings::default()).unwrap();
        assert_eq!(engine().listed_engines().unwrap(), []);
        assert_eq!(engine().on(&EngineChoice::FirstFree).unwrap_err().code, Code::Input);
        engine().list_engines(&[listed("Big box"), listed("other")]).unwrap();
        let among = |choice: &EngineChoice| -> Vec<String> {
            engine().on(choice).unwrap().among.into_iter().map(|one| one.name).collect()
        };
        assert_eq!(among(&EngineChoice::Listed { name: "big BOX".into() }), ["Big box"]);
        assert_eq!(among(&EngineChoice::FirstFree), ["Big box", "other"]);
        assert!(among(&EngineChoice::Usual).is_empty());
        let unknown = engine().on(&EngineChoice::Listed { name: "none".into() }).unwrap_err();
        assert_eq!(unknown.message, "No engine with the name none is in the list.");
    }

    #[test]
    fn what_cannot_be_used_is_not_kept() {
        let home = tempfile::tempdir().unwrap();
        let engine = Engine::new(Some(home.path().into()), DockerSettings::default()).unwrap();
        for name in ["", " box", "../box", "a/b", "-box", ".box", "a:b", &"x".repeat(41)] {
            assert!(engine.list_engines(&[listed(name)]).is_err(), "{name}");
        }
        assert!(engine.list_engines(&[listed("box"), listed("BOX")]).is_err());
        assert!(engine.list_engines(&[ListedEngine { address: "box".into(), ..listed("box") }]).is_err());
        assert!(engine.list_engines(&[ListedEngine { runs_at_once: 0, ..listed("box") }]).is_err());
        assert_eq!(engine.listed_engines().unwrap(), []);
    }
}
