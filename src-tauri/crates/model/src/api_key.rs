//! The secret of an account.

use std::fmt;

/// A provider's API key. Neither `Debug` nor `Display` shows it, and it cannot be serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key without the white space around it; `None` when nothing is left.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// The key itself, for the request's header only.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text with every occurrence of the key blotted out.
    pub(crate) fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey([hidden])")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[hidden]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_trimmed_and_never_shown() {
        let key = ApiKey::new(" sk-secret\n").expect("a key");
        assert_eq!(key.expose(), "sk-secret");
        assert_eq!(format!("{key:?} {key}"), "ApiKey([hidden]) [hidden]");
        assert_eq!(key.redact("Incorrect key sk-secret."), "Incorrect key [key].");
        assert_eq!(ApiKey::new(" \n"), None);
    }
}
