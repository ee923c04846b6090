//! The arguments of a tool call, as models really write them.

use serde_json::{Map, Value, json};

/// Arguments that could be read, or why not.
pub(crate) type Arguments = Result<Value, String>;

/// Why arguments are not whole, for the model to read.
pub(crate) const CUT_OFF: &str = "the arguments were cut off before their end";

/// Reads the text of a call's arguments. Nothing at all means no arguments; an object wrapped in a
/// string is unwrapped; raw line ends inside strings are forgiven.
pub(crate) fn read_arguments(text: &str) -> Arguments {
    let text = text.trim();
    if text.is_empty() {
        return Ok(json!({}));
    }
    match read_json(text) {
        Ok(Value::String(inner)) => as_object(read_json(&inner).map_err(|error| reason(&error))?),
        Ok(value) => as_object(value),
        Err(error) => Err(reason(&error)),
    }
}

/// An object, or `{}` for null.
pub(crate) fn as_object(value: Value) -> Arguments {
    match value {
        Value::Object(_) => Ok(value),
        Value::Null => Ok(Value::Object(Map::new())),
        _ => Err("the arguments are not a JSON object".into()),
    }
}

/// Reads one JSON value; raw control characters inside strings are taken as if they were escaped.
pub(crate) fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text)
        .or_else(|error| serde_json::from_str(&with_escaped_controls(text)).map_err(|_| error))
}

/// Why a text is not JSON, for the model to read.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    if error.is_eof() { CUT_OFF.into() } else { format!("the arguments are not valid JSON: {error}") }
}

fn with_escaped_controls(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let (mut in_string, mut after_backslash) = (false, false);
    for letter in text.chars() {
        match letter {
            '\n' if in_string => escaped.push_str("\\n"),
            '\r' if in_string => escaped.push_str("\\r"),
            '\t' if in_string => escaped.push_str("\\t"),
            _ => escaped.push(letter),
        }
        in_string ^= letter == '"' && !after_backslash;
        after_backslash = letter == '\\' && !after_backslash;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_the_forms_that_occur() {
        for (text, expected) in [
            ("", json!({})),
            ("null", json!({})),
            (r#"{"code":"print(\"a\")\n"}"#, json!({"code": "print(\"a\")\n"})),
            (r#""{\"x\": 1}""#, json!({"x": 1})),
            ("{\"code\": \"a = 1\n\tprint('\\\\')\"}\n", json!({"code": "a = 1\n\tprint('\\')"})),
        ] {
            assert_eq!(read_arguments(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn field_091_arguments_that_cannot_be_read_have_a_reason() {
        for (text, expected) in [
            (r#"{"code": "impo"#, CUT_OFF),
            ("[1]", "the arguments are not a JSON object"),
            ("{'code': 1}", "the arguments are not valid JSON: key must be a string at line 1 column 2"),
        ] {
            assert_eq!(read_arguments(text), Err(expected.into()), "{text}");
        }
    }
}
