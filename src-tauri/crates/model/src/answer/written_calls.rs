//! Tool calls that a model wrote into its text instead of making them, as small local models do.

use serde_json::{Map, Value};

use crate::answer::arguments::{Arguments, CUT_OFF, as_object, read_arguments, read_json, reason};

/// A call found in a text.
#[derive(Debug, PartialEq)]
pub(crate) struct WrittenCall {
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
}

/// A text taken apart.
#[derive(Debug, PartialEq)]
pub(crate) struct Recovered {
    /// What is left of the text beside the calls.
    pub(crate) text: String,
    pub(crate) calls: Vec<WrittenCall>,
}

/// The ways in which a written call begins, and how it ends.
const BLOCKS: &[(&str, &[&str])] =
    &[("```", &["\n```", "```"]), ("<tool_call>", &["</tool_call>"]), ("<function=", &["</function>"])];

/// Finds the calls of known tools in a text: JSON in a code fence, `<tool_call>` and `<function=…>`
/// elements, or a text that is nothing but JSON. `None` when there is none.
pub(crate) fn recover(text: &str, tools: &[&str]) -> Option<Recovered> {
    if may_be_json(text) {
        let calls = read_block(text, tools);
        return (!calls.is_empty()).then(|| Recovered { text: String::new(), calls });
    }
    let (mut kept, mut calls) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((start, block)) = next_block(rest) {
        let found = read_block(block.content, tools);
        let end = start + block.length;
        kept.push_str(&rest[..if found.is_empty() { end } else { start }]);
        calls.extend(found);
        rest = &rest[end..];
    }
    kept.push_str(rest);
    (!calls.is_empty()).then(|| Recovered { text: kept.trim().to_owned(), calls })
}

/// Up to where a text that is still arriving can be shown, given how much of it was shown before:
/// what may turn out to be a written call (or a picture in base64) is held back to the end.
pub(crate) fn showable(text: &str, shown: usize) -> usize {
    let new = &text[shown..];
    let marks = || BLOCKS.iter().map(|(open, _)| *open).chain(["data:image/"]);
    if (shown == 0 && may_be_json(new)) || marks().any(|mark| new.starts_with(mark)) {
        return shown;
    }
    let held = marks().filter_map(|mark| new.find(mark).or_else(|| unfinished(new, mark))).min();
    shown + held.unwrap_or(new.len())
}

/// Whether a text, or its beginning, is an object or a list of objects. A link in Markdown begins
/// with a bracket too.
fn may_be_json(text: &str) -> bool {
    let text = text.trim_start();
    let listed = text.strip_prefix('[').map(str::trim_start);
    text.starts_with('{') || listed.is_some_and(|first| first.is_empty() || first.starts_with('{'))
}

/// Where the text ends in the beginning of a mark.
fn unfinished(text: &str, mark: &str) -> Option<usize> {
    (1..mark.len()).rev().find(|&length| text.ends_with(&mark[..length])).map(|length| text.len() - length)
}

struct Block<'a> {
    content: &'a str,
    length: usize,
}

fn next_block(text: &str) -> Option<(usize, Block<'_>)> {
    let found = BLOCKS.iter().filter_map(|(open, closes)| Some((text.find(open)?, open, closes)));
    let (start, open, closes) = found.min_by_key(|(start, ..)| *start)?;
    let inside = start + open.len();
    let rest = &text[inside..];
    let ending = closes.iter().find_map(|close| Some((rest.find(close)?, close.len())));
    let (end, ending_length) = ending.unwrap_or((rest.len(), 0));
    // A function element's name stands in its opening tag, which is therefore part of the content.
    let content_start = if *open == "<function=" { start } else { inside };
    let content = &text[content_start..inside + end];
    Some((start, Block { content, length: open.len() + end + ending_length }))
}

/// The calls in one block; none when it holds anything but calls of known tools.
fn read_block(block: &str, tools: &[&str]) -> Vec<WrittenCall> {
    if let Some(call) = read_element(block.trim(), tools) {
        return vec![call];
    }
    let Some(start) = block.find(['{', '[']) else { return Vec::new() };
    // The language of a code fence may stand before the JSON, or an element's tag inside a fence.
    let label = block[..start].replace("<tool_call>", "");
    if !label.trim().chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Vec::new();
    }
    let json = block[start..].trim();
    let mut values: Vec<Value> =
        serde_json::Deserializer::from_str(json).into_iter().map_while(Result::ok).collect();
    if values.is_empty() {
        match read_json(json) {
            Ok(value) => values.push(value),
            Err(error) => return broken_call(json, tools, &error).into_iter().collect(),
        }
    }
    let values = values.into_iter().flat_map(|value| match value {
        Value::Array(values) => values,
        other => vec![other],
    });
    values.map(|value| read_value(value, tools)).collect::<Option<_>>().unwrap_or_default()
}

/// A call whose JSON cannot be read but which can be nothing else.
fn broken_call(json: &str, tools: &[&str], error: &serde_json::Error) -> Option<WrittenCall> {
    let tool = tools.iter().find(|tool| json.contains(&format!("\"{tool}\"")))?;
    json.contains("\"name\"").then(|| WrittenCall { name: (*tool).into(), arguments: Err(reason(error)) })
}

/// `{"name": …, "arguments": …}`, also with `parameters`, inside `"function"`, or with the
/// arguments beside the name.
fn read_value(mut value: Value, tools: &[&str]) -> Option<WrittenCall> {
    if value["function"].is_object() {
        value = value["function"].take();
    }
    let Value::Object(mut fields) = value else { return None };
    let name = fields.get("name")?.as_str().filter(|name| tools.contains(name))?.to_owned();
    let arguments = ["arguments", "parameters"].iter().find_map(|key| fields.shift_remove(*key));
    let arguments = match arguments {
        Some(Value::String(text)) => read_arguments(&text),
        Some(value) => as_object(value),
        None => {
            fields.shift_remove("name");
            Ok(Value::Object(fields))
        }
    };
    Some(WrittenCall { name, arguments })
}

/// `<function=NAME><parameter=KEY>VALUE</parameter>…</function>`, or JSON in place of parameters.
fn read_element(block: &str, tools: &[&str]) -> Option<WrittenCall> {
    let (name, mut rest) = block.strip_prefix("<function=")?.split_once('>')?;
    let name = tools.iter().find(|tool| **tool == name.trim())?.to_string();
    if rest.trim_start().starts_with('{') {
        return Some(WrittenCall {
            name,
            arguments: read_arguments(rest.trim().trim_end_matches("</function>")),
        });
    }
    let mut arguments = Map::new();
    while let Some((_, parameter)) = rest.split_once("<parameter=") {
        let whole = parameter.split_once('>').and_then(|(key, rest)| {
            let (value, rest) = rest.split_once("</parameter>")?;
            Some((key, value, rest))
        });
        let Some((key, value, after)) = whole else {
            return Some(WrittenCall { name, arguments: Err(CUT_OFF.into()) });
        };
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        arguments.insert(key.trim().to_owned(), value.into());
        rest = after;
    }
    Some(WrittenCall { name, arguments: Ok(Value::Object(arguments)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const TOOLS: &[&str] = &["run_python", "run_shell"];

    fn python(code: &str) -> WrittenCall {
        WrittenCall { name: "run_python".into(), arguments: Ok(json!({"code": code})) }
    }

    #[test]
    fn field_084_calls_written_as_text_are_recovered() {
        let json = r#"{"name": "run_python", "arguments": {"code": "1"}}"#;
        for text in [
            format!("```json\n{json}\n```"),
            format!("```\n{json}```"),
            format!("```json\n{json}"),
            format!("<tool_call>\n{json}\n</tool_call>"),
            format!("<tool_call>{json}"),
            json.to_owned(),
            format!("{json}\n\nThis runs it."),
            format!("[{json}]"),
            format!("```xml\n<tool_call>\n{json}\n</tool_call>\n```"),
            r#"{"name": "run_python", "code": "1"}"#.into(),
            r#"{"type": "function", "function": {"name": "run_python", "parameters": {"code": "1"}}}"#.into(),
            r#"```json
{"name": "run_python", "arguments": "{\"code\": \"1\"}"}
```"#
                .into(),
            "<tool_call>\n<function=run_python>\n<parameter=code>\n1\n</parameter>\n</function>\n</tool_call>".into(),
            r#"<function=run_python>{"code": "1"}</function>"#.into(),
        ] {
            let expected = Recovered { text: String::new(), calls: vec![python("1")] };
            assert_eq!(recover(&text, TOOLS), Some(expected), "{text}");
        }
    }

    #[test]
    fn prose_beside_the_calls_is_kept() {
        let json = |code: &str| format!(r#"{{"name": "run_python", "arguments": {{"code": "{code}"}}}}"#);
        let text = format!("First:\n```json\n{}\n{}\n```\nThen `x`.", json("1"), json("2"));
        let expected =
            Recovered { text: "First:\n\nThen `x`.".into(), calls: vec![python("1"), python("2")] };
        assert_eq!(recover(&text, TOOLS), Some(expected));
    }

    #[test]
    fn raw_line_ends_in_written_code_are_forgiven() {
        let text = "```json\n{\"name\": \"run_python\", \"arguments\": {\"code\": \"a = 1\nprint(a)\"}}\n```";
        assert_eq!(recover(text, TOOLS).map(|it| it.calls), Some(vec![python("a = 1\nprint(a)")]));
    }

    #[test]
    fn a_written_call_that_was_cut_is_a_broken_call() {
        for text in [
            "```json\n{\"name\": \"run_python\", \"arguments\": {\"code\": \"import pan",
            "<tool_call><function=run_python><parameter=code>import pan",
        ] {
            let broken = WrittenCall { name: "run_python".into(), arguments: Err(CUT_OFF.into()) };
            assert_eq!(recover(text, TOOLS).map(|it| it.calls), Some(vec![broken]), "{text}");
        }
    }

    #[test]
    fn other_texts_are_answers() {
        for text in [
            "The mean is 4.",
            "```python\nprint({'name': 'run_python'})\n```",
            "```json\n{\"name\": \"North\", \"total\": 3}\n```",
            r#"{"name": "unknown_tool", "arguments": {}}"#,
            "I would use run_python.",
            "",
        ] {
            assert_eq!(recover(text, TOOLS), None, "{text}");
        }
    }

    #[test]
    fn what_may_be_a_call_is_held_back() {
        for (text, shown) in [
            ("All good.", 9),
            ("See:\n``", 5),
            ("See:\n```json\n{", 5),
            ("a <tool", 2),
            ("a < b", 5),
            ("x <", 2),
            (" {\"na", 0),
            ("[", 0),
            ("[ {", 0),
            ("[Report](output/report.md)", 26),
            ("![c](data:image/png;base64,iVBO", 5),
        ] {
            assert_eq!(showable(text, 0), shown, "{text}");
        }
        assert_eq!(showable("Values: [1, 2]", 8), 14);
        assert_eq!(showable("See:\n```json\n{", 5), 5);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in r#"(```|json|<tool_call>|</tool_call>|<function=|run_python|>|\{"name": "|"|\}|é|\n| ){0,20}"#) {
            recover(&text, TOOLS);
            prop_assert!(text.is_char_boundary(showable(&text, 0)));
        }
    }
}
