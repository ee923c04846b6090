//! Notices a model that asks for the very same thing again and again.

use std::collections::HashMap;

use assay_model::ToolCall;
use assay_sandbox::StepError;
use serde_json::Value;

/// From this many equal calls on, the model is told.
const TOLD_AFTER: u32 = 3;
/// So many equal calls are one too many: the last is not run any more.
const REFUSED_AT: u32 = 5;

/// What the model reads below the result of a call that it has made before.
const HINT: &str = "\nThis is the same call with the same result as before. Doing it again will change \
                    nothing: do something else, or finish with what there is.";

/// The calls of one question, and what came of them.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    seen: HashMap<String, (String, u32)>,
    /// Whether the last call had the same result as before.
    is_repeating: bool,
    /// The last steps' error, and how many failed with it one after the other.
    failure: Option<(String, u32)>,
    /// The last call, where it used up all memory of a sandbox that is as it was before it.
    exhausting: Option<String>,
}

impl Repeats {
    /// Whether the call has been made so often that it is not to be run again.
    pub(crate) fn is_stuck(&self, call: &ToolCall) -> bool {
        self.seen.get(&name(call)).is_some_and(|(_, count)| count + 1 >= REFUSED_AT)
    }

    /// Whether the last call was made before, with the same result, or failed as the one before it.
    pub(crate) fn is_repeating(&self) -> bool {
        self.is_repeating || self.is_failing_again()
    }

    /// Whether the last two steps at least failed in the same way.
    pub(crate) fn is_failing_again(&self) -> bool {
        self.failure.as_ref().is_some_and(|(_, count)| *count > 1)
    }

    /// Whether the call has just used up all memory, and nothing has changed since.
    pub(crate) fn would_exhaust(&self, call: &ToolCall) -> bool {
        self.exhausting.as_ref().is_some_and(|before| *before == name(call))
    }

    /// Keeps a call that used up all memory and left the sandbox as it was; any other ends that.
    pub(crate) fn note_exhausted(&mut self, call: &ToolCall, has_exhausted: bool) {
        self.exhausting = has_exhausted.then(|| name(call));
    }

    /// Counts the error with which a step ended.
    pub(crate) fn note_failure(&mut self, error: Option<&StepError>) {
        self.failure = error.map(|error| {
            let name = format!("{}: {}", error.kind, error.message);
            let count =
                self.failure.take().filter(|(before, _)| *before == name).map_or(0, |(_, count)| count);
            (name, count + 1)
        });
    }

    /// Counts a call that was run, and adds a hint to its result when it has been made too often. A call with
    /// another result than before is a new one.
    pub(crate) fn note(&mut self, call: &ToolCall, result: &mut String) {
        let (before, count) = self.seen.entry(name(call)).or_default();
        if before == result {
            *count += 1;
        } else {
            before.clone_from(result);
            *count = 1;
        }
        self.is_repeating = *count > 1;
        if *count >= TOLD_AFTER {
            result.push_str(HINT);
        }
    }
}

/// The tool and its arguments in a fixed order. What a step is called does not matter.
fn name(call: &ToolCall) -> String {
    let mut arguments: Vec<(&str, &Value)> = match &call.arguments {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.as_str(), value)).collect(),
        other => vec![("", other)],
    };
    arguments.retain(|(key, _)| *key != "title");
    arguments.sort_by_key(|(key, _)| *key);
    format!("{} {arguments:?}", call.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(arguments: Value) -> ToolCall {
        ToolCall {
            id: "a".into(),
            name: "run_python".into(),
            arguments,
            broken: None,
            extra: serde_json::Map::new(),
        }
    }

    #[test]
    fn field_092_equal_calls_are_told_of_and_then_refused() {
        let mut repeats = Repeats::default();
        let same = |title: &str| call(json!({"title": title, "code": "print(1)"}));
        let mut told = Vec::new();
        for title in ["Look", "Look again", "And again", "Once more"] {
            assert!(!repeats.is_stuck(&same(title)));
            let mut result = "1".to_owned();
            repeats.note(&same(title), &mut result);
            told.push(result == format!("1{HINT}"));
        }
        assert_eq!(told, [false, false, true, true]);
        assert!(repeats.is_stuck(&call(json!({"code": "print(1)", "title": "x"}))));
        assert!(!repeats.is_stuck(&call(json!({"code": "print(2)"}))));
    }

    #[test]
    fn field_092_steps_that_fail_the_same_way_are_noticed() {
        let error = |message: &str| StepError {
            kind: "ValueError".into(),
            message: message.into(),
            traceback: String::new(),
            line: None,
            advice: None,
        };
        let mut repeats = Repeats::default();
        let mut noticed = Vec::new();
        for message in [Some("a"), Some("b"), Some("b"), None, Some("b")] {
            repeats.note_failure(message.map(error).as_ref());
            noticed.push(repeats.is_failing_again());
        }
        assert_eq!(noticed, [false, false, true, false, false]);
    }

    #[test]
    fn a_call_whose_result_changes_is_progress() {
        let mut repeats = Repeats::default();
        let count = call(json!({"code": "n += 1; print(n)"}));
        for number in 0..9 {
            assert!(!repeats.is_stuck(&count));
            let mut result = number.to_string();
            repeats.note(&count, &mut result);
            assert_eq!(result, number.to_string());
        }
    }
}
