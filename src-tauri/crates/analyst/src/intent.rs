//! The kinds of question that can be answered: one file each, with its words, its plan and its tests.

mod change;
mod compare;
mod counts;
mod distribution;
mod figure;
mod forecast;
mod join;
mod overview;
mod plain;
mod quality;
mod ranking;
mod relation;
mod survey;
mod unusual;
mod versions;
mod why;

use crate::plan::{Plan, Task};
use crate::question::{Aggregate, Group, Question};

/// One kind of question.
pub(crate) struct Intent {
    /// Its word: in the line of what was understood, and in the ids of its calls.
    pub(crate) word: &'static str,
    /// What it does, for a person who asked for something else.
    pub(crate) does: &'static str,
    /// Words and phrases that speak for it, each with how much. `drop*` is any word that begins so.
    pub(crate) cues: &'static [(&'static str, i32)],
    /// How much what was found besides words speaks for it.
    pub(crate) fits: fn(&Clues<'_>) -> i32,
    /// The steps.
    pub(crate) plan: fn(&Task<'_>) -> Plan,
}

impl std::fmt::Debug for Intent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)
    }
}

impl PartialEq for Intent {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

/// Every intent; of two that fit alike, the first.
pub(crate) const ALL: [&Intent; 17] = [
    &unusual::INTENT,
    &why::INTENT,
    &forecast::INTENT,
    &versions::INTENT,
    &join::INTENT,
    &quality::INTENT,
    &survey::INTENT,
    &relation::INTENT,
    &ranking::INTENT,
    &change::INTENT,
    &distribution::INTENT,
    &counts::INTENT,
    &compare::INTENT,
    &figure::INTENT,
    &overview::INTENT,
    &overview::UNKNOWN,
    &plain::INTENT,
];

/// What a question holds, for choosing an intent.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, read by name")]
pub(crate) struct Clues<'a> {
    /// Its words in lower case, with a stand-in for columns and what is quoted.
    pub(crate) words: Vec<&'a str>,
    pub(crate) aggregates: &'a [Aggregate],
    pub(crate) measures: usize,
    pub(crate) groups: usize,
    /// Whether it is divided into stretches of time.
    pub(crate) over_time: bool,
    pub(crate) periods: usize,
    pub(crate) has_top: bool,
    /// Whether the table has times.
    pub(crate) has_time: bool,
    pub(crate) has_conditions: bool,
    /// Whether a condition names several values of a column.
    pub(crate) alternatives: bool,
    /// Whether it begins with a word that means nothing here.
    pub(crate) begins_unknown: bool,
}

impl Clues<'_> {
    /// Whether one of these is computed.
    pub(crate) fn computes(&self, any: &[Aggregate]) -> bool {
        any.iter().any(|one| self.aggregates.contains(one))
    }

    /// Whether the phrase stands in the question.
    pub(crate) fn says(&self, phrase: &str) -> bool {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        self.words
            .windows(wanted.len())
            .any(|words| words.iter().zip(&wanted).all(|(word, wanted)| is_like(word, wanted)))
    }

    fn score(&self, intent: &Intent) -> i32 {
        let cues: i32 =
            intent.cues.iter().filter(|(phrase, _)| self.says(phrase)).map(|(_, weight)| weight).sum();
        cues + (intent.fits)(self)
    }
}

fn is_like(word: &str, wanted: &str) -> bool {
    wanted.strip_suffix('*').map_or(word == wanted, |start| word.starts_with(start))
}

/// The intent that fits best; the one that says it cannot answer when none does.
pub(crate) fn best(clues: &Clues<'_>) -> &'static Intent {
    if clues.begins_unknown {
        return &overview::UNKNOWN;
    }
    let scored = ALL.iter().map(|intent| (clues.score(intent), *intent));
    let best = scored.fold((0, &overview::UNKNOWN), |best, next| if next.0 > best.0 { next } else { best });
    best.1
}

/// The intent of this word.
pub(crate) fn of_word(word: &str) -> Option<&'static Intent> {
    ALL.into_iter().find(|intent| intent.word == word)
}

/// Whether a single word speaks for an intent, and so names no column.
pub(crate) fn is_cue(word: &str) -> bool {
    let single = |phrase: &&str| !phrase.contains(' ');
    !word.is_empty()
        && ALL.iter().any(|intent| {
            intent.cues.iter().map(|(phrase, _)| *phrase).filter(single).any(|cue| is_like(word, cue))
        })
}

/// The intent of a figure that is divided.
pub(crate) fn divided(question: &Question) -> &'static Intent {
    let over_time = question.groups.iter().any(|group| matches!(group, Group::Every(..)));
    match (over_time, question.measures.is_empty()) {
        (true, _) => &change::INTENT,
        (false, true) => &counts::INTENT,
        (false, false) => &compare::INTENT,
    }
}

/// The code that names how the other tables are read, for plans of several.
fn other_tables(task: &Task<'_>) -> String {
    let others = task.opening.tables.iter().filter(|table| table.path != task.table.path);
    let others: Vec<String> = others
        .map(|table| format!("    {}: lambda: {},", crate::python::string(&table.path), table.read_with))
        .collect();
    format!("OTHER_TABLES = {{\n{}\n}}\n", others.join("\n"))
}

/// What can be asked, one line each.
pub(crate) fn abilities() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().map(|intent| intent.does).filter(|does| !does.is_empty())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::question::tests::{chosen_intent, table};

    /// Asserts that each of these questions, asked of the named table, is of this kind.
    pub(crate) fn all_are(intent: &Intent, name: &str, questions: &[&str]) {
        for question in questions {
            assert_eq!(chosen_intent(&table(name), question).word, intent.word, "{question}");
        }
    }

    #[test]
    fn words_are_unique_and_fit_into_an_id() {
        for (at, intent) in ALL.iter().enumerate() {
            assert!(intent.word.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", intent.word);
            assert!(ALL[at + 1..].iter().all(|other| other != intent), "{}", intent.word);
        }
    }
}
