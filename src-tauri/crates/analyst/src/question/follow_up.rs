//! A question that leans on the one before: `only weekends`, `by month instead`, `without the outage`, `why?`.

use super::reading::Reader;
use super::{Condition, Form, Question};
use crate::intent;
use crate::words::is_among;

/// Words that a change of the last question begins with.
const CHANGES: &str = "only just without excluding except by per and same but for instead in since as now also not \
    before after from during median average total mean sum";
/// What was found before, in the words of people.
const FOUND: &str =
    "outage outages event events anomaly anomalies fault faults outlier outliers spike spikes zeros those";

/// The last question with what these words change, where they are no question of their own.
pub(super) fn changed(reader: &mut Reader<'_>, before: &Question, form: Form) -> Option<Question> {
    let words: Vec<String> =
        reader.tokens.iter().map(|token| token.text.clone()).filter(|word| word != ".").collect();
    let first = words.first()?.as_str();
    let why = first == "why" && words.len() <= 3;
    let about = matches!((first, words.get(1).map(String::as_str)), ("what" | "how", Some("about")));
    let is_change = is_among(first, CHANGES) || about || words.iter().any(|word| word == "instead");
    if why {
        let intent = intent::of_word("why")?;
        return Some(Question { intent, top: None, form: Form::Chart, ..before.clone() });
    }
    if !is_change || words.len() > 12 {
        return (form == Form::Table && words.len() <= 6).then(|| Question { form, ..before.clone() });
    }
    let mut question = before.clone();
    question.form = form;
    question.not_understood.clear();
    let excludes = words.iter().any(|word| is_among(word, "without excluding except not"));
    if excludes && words.iter().any(|word| is_among(word, FOUND)) {
        question.add(Condition::WithoutEvents);
        return Some(question);
    }
    reader.run();
    let given = std::mem::take(&mut reader.conditions);
    let measures =
        reader.measures.iter().map(|at| reader.table.columns[*at].name.clone()).collect::<Vec<_>>();
    let groups = std::mem::take(&mut reader.groups);
    let says_nothing =
        given.is_empty() && measures.is_empty() && groups.is_empty() && reader.aggregates.is_empty();
    if says_nothing && reader.top.is_none() && reader.periods.is_empty() && form == Form::Chart {
        return None;
    }
    for (.., condition) in given {
        question.add(condition);
    }
    let replace = |old: &mut Vec<_>, new: Vec<_>| {
        if !new.is_empty() {
            *old = new;
        }
    };
    replace(&mut question.measures, measures);
    if !groups.is_empty() {
        question.groups = groups;
        // A single figure that is now divided is a comparison, or a change where it is divided by time.
        if is_among(question.intent.word, "figure compare change counts") {
            question.intent = intent::divided(&question);
        }
    }
    if !reader.aggregates.is_empty() {
        question.aggregates = std::mem::take(&mut reader.aggregates);
    }
    if !reader.periods.is_empty() {
        question.periods = std::mem::take(&mut reader.periods);
    }
    question.top = reader.top.or(question.top);
    question.not_understood = std::mem::take(&mut reader.not_understood);
    Some(question)
}

/// A question of its own takes the columns that it does not name from the one before.
pub(super) fn leaning(mut question: Question, before: &Question) -> Question {
    if question.measures.is_empty() && is_among(question.intent.word, "change forecast distribution compare")
    {
        question.measures.clone_from(&before.measures);
    }
    question
}

impl Question {
    /// Adds a condition in place of one on the same column and of the same kind.
    fn add(&mut self, condition: Condition) {
        let same = |other: &Condition| match (other, &condition) {
            (Condition::Is { column, .. }, Condition::Is { column: new, .. })
            | (Condition::Within { column, .. }, Condition::Within { column: new, .. })
            | (Condition::During { column, .. }, Condition::During { column: new, .. }) => column == new,
            (Condition::Recurring { cycle, .. }, Condition::Recurring { cycle: new, .. }) => cycle == new,
            (Condition::WithoutEvents, Condition::WithoutEvents) => true,
            _ => false,
        };
        self.conditions.retain(|other| !same(other));
        self.conditions.push(condition);
    }
}
