//! What a front hears while a run goes on.

use assay_agent::Event;
use assay_model::ModelCard;
use assay_sandbox::Readiness;
use assay_tabular::Table;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something that happened, from the first file that is read to the last artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[ts(rename = "RecordedEvent")]
pub enum RunEvent {
    /// Before and after the loop.
    Engine(EngineEvent),
    /// In the loop.
    Agent(Event),
}

/// What happens around the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EngineEvent {
    /// A file is being read.
    ReadingFile {
        /// Its name.
        name: String,
    },
    /// The table of a file is being written in the way that code reads best.
    PreparingFile {
        /// The file's name.
        name: String,
    },
    /// A file was read.
    FileRead {
        /// What it says.
        table: Box<Table>,
    },
    /// The run exists: from here on everything is kept.
    RunStarted {
        /// The run's id.
        run: String,
        /// Who thinks.
        model: ModelCard,
        /// Where the code will run.
        runtime: String,
    },
    /// Every engine that the run may go to is full.
    WaitingForEngine {
        /// The names of those that it waits for.
        engines: Vec<String>,
    },
    /// The sandbox is being opened.
    OpeningSandbox {
        /// The name of the engine of the list, where it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        engine: Option<String>,
        /// What its runtime says of itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ready: Option<Readiness>,
    },
}

impl RunEvent {
    /// Whether the event only shows progress and need not be kept.
    pub fn is_live_only(&self) -> bool {
        match self {
            Self::Engine(event) => {
                matches!(
                    event,
                    EngineEvent::ReadingFile { .. }
                        | EngineEvent::PreparingFile { .. }
                        | EngineEvent::WaitingForEngine { .. }
                )
            }
            Self::Agent(event) => event.is_live_only(),
        }
    }
}

impl RunEvent {
    /// The event as a window is told of it: the text of a request is shown when it is asked for.
    pub(crate) fn for_window(&self) -> Self {
        let mut event = self.clone();
        if let Self::Agent(Event::RequestSent { text, .. }) = &mut event {
            text.clear();
        }
        event
    }
}

impl From<Event> for RunEvent {
    fn from(event: Event) -> Self {
        Self::Agent(event)
    }
}

impl From<EngineEvent> for RunEvent {
    fn from(event: EngineEvent) -> Self {
        Self::Engine(event)
    }
}
