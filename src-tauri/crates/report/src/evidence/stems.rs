//! Words as they are compared: by their beginnings, with the usual words for the same thing as one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// A word, as far as it is compared.
pub(crate) type Stem = u64;

/// Words that say nothing of which value is meant.
const COMMON: &str = " the and for with from that this these those was were are has have had not but all any its it's \
    than then into over under about which each per between there their they also only more most less least very \
    while where when what who how can could would should will may one two three four five six seven eight nine ten \
    first last same other some such both either was been being der die das und mit von den dem ein eine des im in \
    of to is on by at an as or be we we're was dtype name none nan true false ";

/// Words for the same thing; the first of a group stands for all.
const SAME: [&str; 13] = [
    "mean average avg averages averaged durchschnitt mittelwert",
    "median typical typically",
    "max maximum highest peak largest biggest top höchste",
    "min minimum lowest smallest tiefste",
    "sum total totals totalling overall altogether summe gesamt",
    "count number n counts rows entries records events readings observations anzahl",
    "std deviation standard sd",
    "share percent percentage pct proportion fraction rate anteil",
    "missing null nulls empty absent fehlend",
    "corr correlation correlated r pearson",
    "difference diff change changed delta rise rose fell drop increase decrease",
    "duplicate duplicates duplicated repeated repeats",
    "unusual anomaly anomalies anomalous outlier outliers",
];

/// How many letters of a word count.
const LETTERS: usize = 4;

/// The stems of a text, each once, in no order.
pub(crate) fn stems(text: &str) -> Vec<Stem> {
    let mut found: Vec<Stem> =
        text.split(|c: char| !c.is_alphabetic()).flat_map(humps).filter_map(stem).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The stem of a value that names a row, such as a year or the hour of a day.
pub(crate) fn value_stem(value: f64) -> Stem {
    hash(&(value.to_bits(), "value"))
}

/// The stem of a day.
pub(crate) fn day_stem(month: u8, day: u8) -> Stem {
    hash(&(month, day, "day"))
}

/// `camelCase` is two words.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut starts: Vec<usize> = vec![0];
    let mut before_lower = false;
    for (at, c) in word.char_indices() {
        if c.is_uppercase() && before_lower {
            starts.push(at);
        }
        before_lower = c.is_lowercase();
    }
    starts.push(word.len());
    (1..starts.len()).map(move |index| &word[starts[index - 1]..starts[index]])
}

/// What is known of a word: the stem of its group, or `None` for one that says nothing.
static KNOWN: LazyLock<HashMap<&str, Option<Stem>>> = LazyLock::new(|| {
    let common = COMMON.split_ascii_whitespace().map(|word| (word, None));
    // Of two groups that hold a word the first one counts.
    let same =
        SAME.iter().rev().flat_map(|group| group.split(' ').map(move |word| (word, Some(hash(group)))));
    common.chain(same).collect()
});

fn stem(word: &str) -> Option<Stem> {
    let lower = word.to_lowercase();
    if let Some(known) = KNOWN.get(lower.as_str()) {
        return *known;
    }
    // What has fewer than three letters says nothing.
    lower.chars().nth(2)?;
    let end = lower.char_indices().nth(LETTERS).map_or(lower.len(), |(at, _)| at);
    let short = &lower[..end];
    // "costs" and "cost" are one word.
    Some(hash(&if short.len() > 3 { short.trim_end_matches('s') } else { short }))
}

fn hash(value: &impl Hash) -> Stem {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        for (one, other) in [
            ("anomalies", "anomaly"),
            ("The average", "mean"),
            ("energy_kwh", "Energy"),
            ("outdoorTemp", "outdoor"),
            ("regions", "region"),
            ("costs", "cost"),
        ] {
            let (one, other) = (stems(one), stems(other));
            assert!(one.iter().any(|stem| other.contains(stem)), "{one:?} {other:?}");
        }
        assert!(stems("of the and").is_empty());
    }
}
