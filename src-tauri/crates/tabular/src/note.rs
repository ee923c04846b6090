//! Wording shared by the notes.

/// `1 value`, `2,000 values`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// The number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `a`, `b` and 3 more.
pub(crate) fn listed(names: &[String], shown: usize) -> String {
    let quoted: Vec<String> = names.iter().take(shown).map(|name| format!("`{name}`")).collect();
    match (quoted.split_last(), names.len().saturating_sub(shown)) {
        (None, _) => String::new(),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, rest)), 0) => format!("{} and {last}", rest.join(", ")),
        (Some(_), more) => format!("{} and {more} more", quoted.join(", ")),
    }
}
