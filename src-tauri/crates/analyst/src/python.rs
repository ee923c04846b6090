//! Values as Python source. Names and cells come from files, so they enter code only through here.

use serde_json::Value;

/// Signs outside ASCII that units are written with.
const SIGNS: &str = "°€£µ‰";

/// A Python string literal of this text.
///
/// JSON's string syntax is a subset of Python's. Characters outside ASCII are written as escapes,
/// so that no line separator, direction mark or look-alike is hidden in code that a person reads,
/// and printable letters stay readable.
pub(crate) fn string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    for character in Value::from(text).to_string().chars() {
        if character.is_ascii() && !character.is_ascii_control()
            || character.is_alphanumeric()
            || SIGNS.contains(character)
        {
            literal.push(character);
        } else {
            let code = u32::from(character);
            let escape = if code > 0xFFFF { format!("\\U{code:08x}") } else { format!("\\u{code:04x}") };
            literal.push_str(&escape);
        }
    }
    literal
}

/// A Python string literal, or `None`.
pub(crate) fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "None".to_owned(), string)
}

/// `True` or `False`.
pub(crate) fn boolean(truth: bool) -> &'static str {
    if truth { "True" } else { "False" }
}

/// A Python list of string literals.
pub(crate) fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<String> = texts.into_iter().map(string).collect();
    format!("[{}]", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_literal() {
        assert_eq!(string("energy_kwh"), r#""energy_kwh""#);
        assert_eq!(string(r#"a"b'c\d"#), r#""a\"b'c\\d""#);
        assert_eq!(string("a\nb\r\t\u{0}"), r#""a\nb\r\t\u0000""#);
        assert_eq!(string("\"\nimport os\n#"), r#""\"\nimport os\n#""#);
        assert_eq!(string("a\u{2028}b\u{85}c\u{202e}d\u{7f}"), r#""a\u2028b\u0085c\u202ed\u007f""#);
        assert_eq!(string("Verbräuche 東京 𝄞"), r#""Verbräuche 東京 \U0001d11e""#);
    }

    #[test]
    fn other_values() {
        assert_eq!(optional(None), "None");
        assert_eq!(optional(Some("x")), r#""x""#);
        assert_eq!(boolean(true), "True");
        assert_eq!(list(["a", "b\""]), r#"["a", "b\""]"#);
    }
}
