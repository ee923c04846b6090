//! Questions that can be asked about a table, in the words of its own columns.

use crate::roles::Roles;
use crate::table::{Column, Kind, Table};

/// Questions at most and at least.
const MOST: usize = 5;
const LEAST: usize = 3;

/// Every question has fewer words.
const WORDS: usize = 12;

/// Words of which nobody speaks in the plural.
const NEVER_MANY: [&str; 6] = ["weather", "sex", "gender", "race", "status", "info"];

/// Longest part of a name that is used, in characters.
const NAME_CHARACTERS: usize = 32;

const HALF_DAY_S: u64 = 12 * 60 * 60;
const WEEK_S: u64 = 14 * HALF_DAY_S;
const QUARTER_S: u64 = 13 * WEEK_S;

/// Three to five questions, each under twelve words, that name the table's own columns; the one that
/// most likely helps comes first.
pub fn suggestions(table: &Table) -> Vec<String> {
    let roles = Roles::of(table);
    let mut questions: Vec<String> = Vec::new();
    let fallbacks = fallbacks(table);
    let usual = usual(&roles).into_iter().flatten().map(|question| (question, MOST));
    for (question, limit) in usual.chain(fallbacks.into_iter().map(|question| (question, LEAST))) {
        if questions.len() < limit && !questions.contains(&question) {
            questions.push(question);
        }
    }
    questions
}

/// The questions that the kinds of the columns give rise to.
fn usual(roles: &Roles) -> Vec<Option<String>> {
    let measure = roles.measures.first().copied();
    let (time, group) = (roles.time, roles.groups.first().copied());
    let unusual = measure
        .map(|measure| fitted(&[measure], |names| format!("Find unusual {} and explain it", names[0])));
    let change = measure
        .zip(time)
        .map(|(measure, _)| fitted(&[measure], |names| format!("How did {} change over time?", names[0])));
    let cycle = measure.zip(time).and_then(|(measure, time)| cycle(measure, time.step_s?));
    let difference = |place: usize| {
        measure.zip(roles.groups.get(place)).map(|(measure, group)| difference(measure, group))
    };
    let relation = measure.zip(roles.measures.get(1).copied()).map(|(measure, other)| {
        fitted(&[measure, other], |names| format!("How does {} depend on {}?", names[0], names[1]))
    });
    let frequency = group
        .filter(|group| group.kind == Kind::Category)
        .map(|group| fitted(&[group], |names| format!("Which {} come up most often?", plural(&names[0]))));
    let together = group.zip(roles.groups.get(1).copied()).map(|(group, other)| {
        fitted(&[group, other], |names| format!("How are {} and {} related?", names[0], names[1]))
    });
    let over_time = time
        .filter(|_| measure.is_none())
        .map(|time| fitted(&[time], |names| format!("How are the rows spread over {}?", names[0])));
    let highest = measure.zip(roles.texts.first().copied()).map(|(measure, text)| {
        fitted(&[text, measure], |names| {
            format!("Which {} have the highest {}?", plural(&names[0]), names[1])
        })
    });
    let words = roles
        .texts
        .first()
        .filter(|_| measure.is_none())
        .map(|text| fitted(&[text], |names| format!("Which words come up most often in {}?", names[0])));
    match time {
        Some(time) if time.step_s.is_some() && measure.is_some() => {
            vec![unusual, change, cycle, difference(0), relation, difference(1)]
        }
        Some(_) => vec![
            change,
            difference(0),
            over_time,
            unusual,
            difference(1),
            relation,
            frequency,
            together,
            words,
        ],
        None => vec![difference(0), relation, unusual, highest, difference(1), frequency, together, words],
    }
}

/// Questions that make sense for any column.
fn fallbacks(table: &Table) -> Vec<String> {
    let filled = || table.columns.iter().filter(|column| column.kind != Kind::Empty);
    let gaps = table.columns.iter().find(|column| column.missing > 0);
    let gaps =
        gaps.map(|column| fitted(&[column], |names| format!("Where are values of {} missing?", names[0])));
    let each = filled().take(2).flat_map(|column| {
        [
            fitted(&[column], |names| format!("What stands out in {}?", names[0])),
            fitted(&[column], |names| format!("Which values of {} come up more than once?", names[0])),
            fitted(&[column], |names| format!("Give an overview of {}", names[0])),
        ]
    });
    gaps.into_iter().chain(each).collect()
}

/// The question about the rhythm that the step between rows can show.
fn cycle(measure: &Column, step_s: u64) -> Option<String> {
    let rhythms =
        [(HALF_DAY_S, "At which hours"), (WEEK_S, "On which weekdays"), (QUARTER_S, "In which months")];
    let (_, when) = rhythms.into_iter().find(|(limit_s, _)| step_s < *limit_s)?;
    Some(fitted(&[measure], |names| format!("{when} is {} highest?", names[0])))
}

fn difference(measure: &Column, group: &Column) -> String {
    fitted(&[measure, group], |names| match group.kind {
        Kind::Boolean => format!("How does {} differ by {}?", names[0], names[1]),
        _ => format!("Which {} differ most in {}?", plural(&names[1]), names[0]),
    })
}

/// The question with as much of the names as it has room for.
fn fitted(columns: &[&Column], ask: impl Fn(&[String]) -> String) -> String {
    let with = |words| ask(&columns.iter().map(|column| spoken(column, words)).collect::<Vec<_>>());
    (1..=4)
        .rev()
        .map(with)
        .find(|question| question.split_whitespace().count() < WORDS)
        .unwrap_or_else(|| with(1))
}

/// The name as it is said: underscores are blanks, unless it ends with a unit; cut after some words.
fn spoken(column: &Column, words: usize) -> String {
    let name = if column.unit.is_some() { column.name.clone() } else { column.name.replace('_', " ") };
    let all: Vec<&str> = name.split_whitespace().collect();
    let cut = all[..all.len().min(words)].join(" ");
    let ending = [' ', '?', ',', '.', ':'];
    if all.len() <= words && cut.chars().count() <= NAME_CHARACTERS {
        return cut.trim_end_matches(ending).to_owned();
    }
    let cut: String = cut.chars().take(NAME_CHARACTERS).collect();
    format!("{}…", cut.trim_end_matches(ending))
}

/// The name for many, where its last word is one that can be said of many; else `values of` it.
fn plural(name: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or(name);
    let word = last.len() > 2
        && last.chars().all(|letter| letter.is_ascii_alphabetic())
        && !last.ends_with("ed")
        && !NEVER_MANY.contains(&last.to_ascii_lowercase().as_str());
    if !word || last.chars().all(char::is_uppercase) {
        return format!("values of {name}");
    }
    let vowel_before_y = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match name.strip_suffix('y') {
        Some(stem) if !vowel_before_y(stem) => format!("{stem}ies"),
        _ if name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("us") => name.to_owned(),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|ending| name.ends_with(ending)) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}
