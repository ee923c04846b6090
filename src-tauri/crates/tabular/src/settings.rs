//! What a person says about the way a file is read, in place of what the file says itself.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// The names of decisions about the whole file.
const NAMES: [&str; 9] =
    ["member", "sheet", "encoding", "delimiter", "quote", "escape", "header", "decimal", "dates"];

/// The names of decisions about one column, which follow behind a colon: `type:amount`.
const COLUMN_NAMES: [&str; 4] = ["type", "dates", "omit", "name"];

/// Decisions that were made by a person, by name. The same file under the same settings is read alike.
///
/// The names are those of [`Decision::id`](crate::Decision::id): `encoding`, `delimiter`, `quote`, `escape`,
/// `header` (the row from 1, 0 for none), `decimal`, `dates`, `sheet`, `member`; and for one column
/// `type:NAME`, `dates:NAME`, `omit:NAME`, `name:NAME`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "ReadingSettings")]
pub struct Settings(BTreeMap<String, String>);

/// A character that has a meaning between or within cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// No character has it.
    None,
    /// This one has.
    Byte(u8),
}

impl Sign {
    pub(crate) fn byte(self) -> Option<u8> {
        match self {
            Self::None => None,
            Self::Byte(byte) => Some(byte),
        }
    }
}

/// A setting that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no `=` between name and value.
    #[error("\"{0}\" does not say what is set to what; write it as NAME=VALUE.")]
    NoValue(String),
    /// No decision has the name.
    #[error("There is no setting called \"{0}\". There are: {list}.", list = all_names())]
    UnknownName(String),
    /// The decision cannot be made that way.
    #[error("\"{value}\" is nothing that `{name}` can be. {expected}")]
    UnknownValue {
        /// The name of the decision.
        name: String,
        /// What it was set to.
        value: String,
        /// What it can be set to, as a sentence.
        expected: &'static str,
    },
}

impl Settings {
    /// Takes in one setting, `NAME=VALUE`. A later one replaces an earlier one of the same name.
    ///
    /// # Errors
    /// A [`SettingError`] when the name or the value means nothing.
    pub fn set(&mut self, setting: &str) -> Result<(), SettingError> {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| SettingError::NoValue(setting.to_owned()))?;
        self.put(name, value)
    }

    /// The same, name and value apart.
    ///
    /// # Errors
    /// As [`Settings::set`].
    pub fn put(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let known = match name.split_once(':') {
            Some((kind, column)) => COLUMN_NAMES.contains(&kind) && !column.is_empty(),
            None => NAMES.contains(&name),
        };
        if !known {
            return Err(SettingError::UnknownName(name.to_owned()));
        }
        if let Some(expected) = refusal(name, value) {
            return Err(SettingError::UnknownValue {
                name: name.to_owned(),
                value: value.to_owned(),
                expected,
            });
        }
        self.0.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The settings, `NAME=VALUE` each.
    pub fn listed(&self) -> Vec<String> {
        self.0.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The setting about one column.
    pub(crate) fn of_column(&self, name: &str, column: &str) -> Option<&str> {
        self.0.get(&format!("{name}:{column}")).map(String::as_str)
    }

    /// The single byte that a setting names, in words or as itself.
    pub(crate) fn byte(&self, name: &str) -> Option<Sign> {
        self.get(name).and_then(named_byte)
    }
}

/// What the value could be instead, when it means nothing.
fn refusal(name: &str, value: &str) -> Option<&'static str> {
    let kind = name.split(':').next().unwrap_or(name);
    let (fits, expected) = match kind {
        "encoding" => (
            encoding_rs::Encoding::for_label(value.as_bytes()).is_some(),
            "Write the name of an encoding, such as utf-8, utf-16le, windows-1252 or gb18030.",
        ),
        "delimiter" => (
            value == "blanks" || matches!(named_byte(value), Some(Sign::Byte(_))),
            "Write comma, semicolon, tab, pipe, blanks or one ASCII character.",
        ),
        "quote" | "escape" => {
            (named_byte(value).is_some(), "Write one ASCII character, or none where there is none.")
        }
        "header" => (
            value.parse::<u64>().is_ok(),
            "Write the number of the row that holds the names, from 1, or 0 when there is none.",
        ),
        "decimal" => (matches!(value, "." | ","), "Write . or ,"),
        "dates" => (matches!(value, "day-first" | "month-first"), "Write day-first or month-first."),
        "type" => (
            crate::table::Kind::named(value).is_some(),
            "Write integer, decimal, boolean, date, time, timestamp, duration, category, text or identifier.",
        ),
        "omit" => (matches!(value, "yes" | "no"), "Write yes or no."),
        _ => (!value.is_empty(), "Write a name."),
    };
    (!fits).then_some(expected)
}

/// The byte that a word or a character names; `none` names no byte.
fn named_byte(value: &str) -> Option<Sign> {
    match value {
        "none" => Some(Sign::None),
        "comma" => Some(Sign::Byte(b',')),
        "semicolon" => Some(Sign::Byte(b';')),
        "tab" | "\\t" => Some(Sign::Byte(b'\t')),
        "pipe" => Some(Sign::Byte(b'|')),
        "blank" => Some(Sign::Byte(b' ')),
        _ => match value.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r') => Some(Sign::Byte(*byte)),
            _ => None,
        },
    }
}

fn all_names() -> String {
    let of_columns = COLUMN_NAMES.iter().map(|name| format!("{name}:COLUMN"));
    NAMES.iter().map(|name| (*name).to_owned()).chain(of_columns).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{SettingError, Settings, Sign};

    #[test]
    fn settings_that_mean_nothing_are_refused() {
        let mut settings = Settings::default();
        for good in ["encoding=gbk", "delimiter=tab", "quote=none", "header=0", "type:a=b=text", "omit:x=yes"]
        {
            let fine = settings.set(good);
            assert_eq!(fine.is_ok(), good != "type:a=b=text", "{good}: {fine:?}");
        }
        assert!(matches!(settings.set("delimiter"), Err(SettingError::NoValue(_))));
        assert!(matches!(settings.set("colour=red"), Err(SettingError::UnknownName(_))));
        assert!(matches!(settings.set("encoding=klingon"), Err(SettingError::UnknownValue { .. })));
        assert!(matches!(settings.set("delimiter=\n"), Err(SettingError::UnknownValue { .. })));
        assert_eq!(settings.byte("delimiter"), Some(Sign::Byte(b'\t')));
        assert_eq!(settings.byte("quote"), Some(Sign::None));
        assert_eq!(settings.byte("escape"), None);
    }
}
