//! One decision about the way a file is read, as it is shown and flipped.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One decision with what speaks for it and what else it could have been.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Decision {
    /// The name under which it can be [set](crate::Settings::set): `encoding`, `dates:sold`.
    pub id: String,
    /// What it is about: `Encoding`, "Dates in `sold`".
    pub about: String,
    /// What was decided, as a value that can be set.
    pub value: String,
    /// What was decided, in plain words: `Semicolon`.
    pub label: String,
    /// What speaks for it, a plain sentence.
    pub evidence: String,
    /// Whether a person made it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// What it could have been instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// What a decision could have been instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Alternative {
    /// As a value that can be set.
    pub value: String,
    /// In plain words.
    pub label: String,
}

impl Alternative {
    pub(crate) fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into() }
    }
}
