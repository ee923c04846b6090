//! One question to the person, when a request can be understood in several ways.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

/// What the model wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Question {
    /// The question, in plain words.
    pub text: String,
    /// Two to four answers to choose from.
    pub choices: Vec<String>,
    /// What is taken when nobody answers; one of the choices.
    pub default: String,
}

/// Who answers. Without an answer the default is taken.
#[async_trait]
pub trait Person: Send + Sync {
    /// Asks and waits; `None` when nobody is there, or when the person leaves the choice to the model.
    async fn answer(&self, question: &Question, stop: &CancellationToken) -> Option<String>;
}

/// How long a run has waited for the person. That time is not the run's own.
#[derive(Debug, Default)]
pub(crate) struct Waited(Mutex<(Duration, Option<Instant>)>);

impl Waited {
    /// Counts from now on.
    pub(crate) fn begin(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(Instant::now());
    }

    /// Counts no more.
    pub(crate) fn end(&self) {
        let mut waited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = waited.1.take() {
            waited.0 += begun.elapsed();
        }
    }

    /// All of it so far.
    pub(crate) fn total(&self) -> Duration {
        let (before, begun) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        before + begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }
}

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

#[async_trait]
impl Person for Nobody {
    async fn answer(&self, _question: &Question, _stop: &CancellationToken) -> Option<String> {
        None
    }
}
