//! Which column of a new file may be the one that an earlier file called otherwise.

use assay_tabular::Kind;

/// Names that are less alike than this are not proposed.
const ALIKE: f64 = 0.82;
/// So many columns are proposed for one at most.
const MOST_PROPOSED: usize = 3;
/// How much likeness a column of another kind loses.
const OTHER_KIND: f64 = 0.8;

/// Words at the end of a name that say in what something is measured.
const UNITS: [&str; 37] = [
    "kwh", "mwh", "gwh", "wh", "kw", "mw", "w", "kj", "mj", "c", "f", "celsius", "kelvin", "pct", "percent",
    "m", "cm", "mm", "km", "m2", "m3", "l", "kg", "g", "t", "v", "a", "hz", "s", "min", "h", "eur", "usd",
    "chf", "gbp", "euro", "dollars",
];

/// The columns that may be the one with this name, the likeliest first.
pub(super) fn proposals(name: &str, kind: Option<Kind>, columns: &[(String, Kind)]) -> Vec<String> {
    let mut alike: Vec<(f64, &String)> = columns
        .iter()
        .map(|(other, other_kind)| {
            let same_kind = kind.is_none_or(|kind| class(kind) == class(*other_kind));
            (likeness(name, other) * if same_kind { 1.0 } else { OTHER_KIND }, other)
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|one, two| two.0.total_cmp(&one.0));
    // Beside one that is the same but for how it is written, what is merely alike confuses.
    if alike.first().is_some_and(|(best, _)| *best >= 1.0) {
        alike.retain(|(likeness, _)| *likeness >= 1.0);
    }
    alike.into_iter().take(MOST_PROPOSED).map(|(_, name)| name.clone()).collect()
}

/// How alike two names are, from 0 to 1; case, marks and units do not count.
fn likeness(one: &str, two: &str) -> f64 {
    let (one_words, two_words) = (words(one), words(two));
    let (one, two) = (one_words.concat(), two_words.concat());
    if one == two {
        return 1.0;
    }
    let mut sorted = [one_words.clone(), two_words.clone()];
    for words in &mut sorted {
        words.sort();
    }
    if sorted[0] == sorted[1] {
        return 0.98;
    }
    let shared = one_words.iter().filter(|word| two_words.contains(word) && word.len() > 2).count();
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let shared = shared as f64 / one_words.len().max(two_words.len()).max(1) as f64;
    let is_begin = one.len().min(two.len()) > 2 && (one.starts_with(&two) || two.starts_with(&one));
    let spelt = strsim::normalized_damerau_levenshtein(&one, &two).max(if is_begin { 0.85 } else { 0.0 });
    spelt.max(if shared >= 0.5 { 0.82 + shared / 10.0 } else { 0.0 }).min(0.97)
}

/// The words of a name in small letters, without its unit.
fn words(name: &str) -> Vec<String> {
    let name = name.trim();
    let bare = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let (before, _) = name.strip_suffix(close)?.rsplit_once(open)?;
        (!before.trim().is_empty()).then_some(before)
    });
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for c in bare.unwrap_or(name).chars() {
        // `outdoorTemp` is two words, `kWh` is one.
        let is_long = words.last().is_some_and(|word| word.chars().count() > 1);
        let turns = |last: char| last.is_lowercase() && c.is_uppercase() && is_long;
        let begins = last.is_none_or(|last| !last.is_alphanumeric() || turns(last));
        if c.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        last = Some(c);
    }
    if words.len() > 1 && words.last().is_some_and(|word| UNITS.contains(&word.as_str())) {
        words.pop();
    }
    words
}

/// Whether two kinds can stand for each other in code.
pub(super) fn is_like(one: Kind, two: Kind) -> bool {
    class(one) == class(two) || one == Kind::Empty || two == Kind::Empty
}

fn class(kind: Kind) -> u8 {
    match kind {
        Kind::Integer | Kind::Decimal | Kind::Duration => 0,
        Kind::Date | Kind::Timestamp => 1,
        Kind::Time => 2,
        Kind::Boolean | Kind::Category | Kind::Text | Kind::Identifier | Kind::Empty => 3,
    }
}

/// A kind in a plain word.
pub(super) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer | Kind::Decimal => "numbers",
        Kind::Date => "dates",
        Kind::Timestamp => "dates with times",
        Kind::Duration => "spans of time",
        Kind::Time => "times",
        Kind::Boolean => "yes or no",
        Kind::Category | Kind::Text | Kind::Identifier => "text",
        Kind::Empty => "nothing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_is_called_otherwise_is_found_by_its_name_and_kind() {
        let columns = |names: &[(&str, Kind)]| -> Vec<(String, Kind)> {
            names.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
        };
        let file = columns(&[
            ("Time stamp", Kind::Timestamp),
            ("Energy (MWh)", Kind::Decimal),
            ("OutdoorTemp", Kind::Decimal),
            ("Remarks", Kind::Text),
            ("Amounts", Kind::Integer),
            ("region_name", Kind::Category),
        ]);
        for (name, kind, found) in [
            ("energy_kwh", Kind::Decimal, vec!["Energy (MWh)"]),
            ("outdoor_temp_c", Kind::Decimal, vec!["OutdoorTemp"]),
            ("timestamp", Kind::Timestamp, vec!["Time stamp"]),
            ("amount", Kind::Integer, vec!["Amounts"]),
            ("region", Kind::Category, vec!["region_name"]),
            ("remark", Kind::Integer, vec![]),
            ("price", Kind::Decimal, vec![]),
        ] {
            assert_eq!(proposals(name, Some(kind), &file), found, "{name}");
        }
    }

    #[test]
    fn units_alone_are_names() {
        assert_eq!(words("kWh"), ["kwh"]);
        assert_eq!(words("energy_kwh"), ["energy"]);
        assert_eq!(words("(a)"), ["a"]);
    }
}
