//! One question to the person, when a request can be understood in several ways.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
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

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

#[async_trait]
impl Person for Nobody {
    async fn answer(&self, _question: &Question, _stop: &CancellationToken) -> Option<String> {
        None
    }
}
