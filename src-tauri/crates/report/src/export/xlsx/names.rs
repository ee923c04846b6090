//! Names of sheets.

use std::collections::HashSet;

/// A sheet's name has no more letters.
const MOST_LETTERS: usize = 31;

/// The names that are given so far, in small letters: Excel takes `A` and `a` for the same name.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A name that Excel accepts and no other sheet has.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let clean = clean(wanted);
        let mut name = cut(&clean, MOST_LETTERS);
        let mut count = 1;
        while !self.0.insert(name.to_lowercase()) {
            count += 1;
            let end = format!(" ({count})");
            name = cut(&clean, MOST_LETTERS - end.len()) + &end;
        }
        name
    }
}

/// A name without what Excel forbids in one.
fn clean(wanted: &str) -> String {
    let spaced: String =
        wanted.chars().map(|c| if c.is_control() || "[]:*?/\\".contains(c) { ' ' } else { c }).collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = words.trim_matches('\'').trim();
    match name {
        "" => "Table".to_owned(),
        // Excel keeps this name for itself.
        name if name.eq_ignore_ascii_case("history") => format!("{name} 1"),
        name => name.to_owned(),
    }
}

/// The beginning of a name. Excel counts in units of UTF-16.
fn cut(name: &str, most: usize) -> String {
    let mut length = 0;
    let kept: String = name
        .chars()
        .take_while(|c| {
            length += c.len_utf16();
            length <= most
        })
        .collect();
    kept.trim_end_matches(['\'', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_valid_and_its_own() {
        let mut names = Names::default();
        let long = "a very long name of a table that goes on";
        let given = [
            "weeks",
            "Weeks",
            "a/b:c*?[d]\\",
            "'x'",
            "",
            "History",
            long,
            long,
            "龍井",
            "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀",
        ]
        .map(|name| names.unique(name));
        assert_eq!(
            given,
            [
                "weeks",
                "Weeks (2)",
                "a b c d",
                "x",
                "Table",
                "History 1",
                "a very long name of a table tha",
                "a very long name of a table (2)",
                "龍井",
                "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀",
            ]
        );
        assert!(given.iter().all(|name| name.encode_utf16().count() <= MOST_LETTERS));
    }
}
