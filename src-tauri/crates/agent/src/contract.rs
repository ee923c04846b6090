//! What a run must leave behind before it counts as done.

use std::path::Path;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The output contract. The host checks it on its own copy of `output/`.
pub trait Contract: Send + Sync {
    /// What is expected, for the model's instructions: one line each.
    fn describe(&self) -> Vec<String>;

    /// What is missing in the folder or in the model's last words; empty when the contract holds.
    fn gaps(&self, output: &Path, answer: &str) -> Vec<Gap>;

    /// What in the report nothing supports. The model is told of it once, when nothing else is missing.
    fn doubts(&self, output: &Path) -> Vec<Gap> {
        let _ = output;
        Vec::new()
    }
}

/// One thing that is missing, in words that both the model and the person understand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Gap(pub String);
