//! Whether a text is nothing but Python, judged by its lines: models without tools write code without
//! a fence around it, and prose must never be taken for it.

/// Statements that begin a line and say that it is code, with what must stand in the rest of the line.
const STATEMENTS: &[(&str, &str)] = &[
    ("def ", "("),
    ("class ", ":"),
    ("for ", " in "),
    ("while ", ":"),
    ("if ", ":"),
    ("elif ", ":"),
    ("else", ":"),
    ("try", ":"),
    ("except", ":"),
    ("finally", ":"),
    ("with ", ":"),
    ("return", ""),
    ("raise ", ""),
    ("assert ", ""),
    ("del ", ""),
    ("global ", ""),
];

/// Whether every line can be Python and at least one can hardly be anything else.
pub(super) fn is_plainly_python(text: &str) -> bool {
    let mut evidence = false;
    let mut quotes = Quotes::Closed;
    let mut depth = 0;
    for line in text.lines() {
        let inside = quotes == Quotes::Open || depth > 0;
        let is_indented = line.starts_with([' ', '\t']);
        let line = line.trim();
        let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
        if !inside && !line.is_empty() && !line.starts_with('#') {
            match kind(line) {
                Kind::Proof => evidence = true,
                Kind::Possible => {}
                Kind::Prose if is_indented => {}
                Kind::Prose => return false,
            }
        }
        if marks % 2 == 1 {
            quotes = if quotes == Quotes::Open { Quotes::Closed } else { Quotes::Open };
        }
        if quotes == Quotes::Closed {
            let opened = line.matches(['(', '[', '{']).count();
            let closed = line.matches([')', ']', '}']).count();
            depth = (depth + opened).saturating_sub(closed);
        }
    }
    evidence
}

#[derive(PartialEq, Eq)]
enum Quotes {
    Closed,
    Open,
}

enum Kind {
    /// Hardly anything else than code.
    Proof,
    /// A word or a bracket, as both code and prose have it.
    Possible,
    Prose,
}

fn kind(line: &str) -> Kind {
    let is_statement = STATEMENTS.iter().any(|(start, within)| {
        line.strip_prefix(start).is_some_and(|rest| rest.contains(within) || line.ends_with(within))
    });
    let name_end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.'));
    let (name, rest) = line.split_at(name_end.unwrap_or(line.len()));
    let begins_with_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    if line.starts_with("import ") || line.starts_with("from ") {
        return if is_import(line) { Kind::Proof } else { Kind::Prose };
    }
    if begins_with_name && rest.starts_with(['(', '[']) && line.ends_with([')', ']', '(', '[', '{', ',', ':'])
        || begins_with_name && is_assignment(rest)
    {
        return Kind::Proof;
    }
    if is_statement
        || line.starts_with(['@', ')', ']', '}', '"', '\''])
        || matches!(line, "pass" | "break" | "continue")
        || (begins_with_name && rest.is_empty() && !name.ends_with('.'))
    {
        return Kind::Possible;
    }
    if begins_with_name && (rest.starts_with(['(', '[', ',']) && line.contains('=')) {
        Kind::Possible
    } else {
        Kind::Prose
    }
}

/// Whether a line is an import and not a sentence that begins like one.
fn is_import(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default();
    let is_path = |name: &str| {
        !name.ends_with('.')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'))
    };
    let is_list = |names: &str| {
        names.trim_matches(['(', ')', ' ']).split(',').all(|name| {
            match name.split_whitespace().collect::<Vec<_>>().as_slice() {
                [] | ["*"] => true,
                [name] => is_path(name),
                [name, "as", alias] => is_path(name) && is_path(alias),
                _ => false,
            }
        })
    };
    match line.strip_prefix("import ") {
        Some(names) => is_list(names),
        None => line
            .strip_prefix("from ")
            .and_then(|rest| rest.split_once(" import "))
            .is_some_and(|(module, names)| is_path(module.trim()) && is_list(names)),
    }
}

/// Whether what follows a name makes it an assignment: `= …`, `+= …`, `: int = …`, `["a"] = …`.
fn is_assignment(rest: &str) -> bool {
    let rest = rest.trim_start();
    let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|']);
    operator.starts_with('=') && !operator.starts_with("==")
        || rest.starts_with('[') && rest.contains("] = ")
        || rest.starts_with(':') && rest.contains(" = ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_085_code_without_a_fence_is_told_from_prose() {
        for code in [
            "import pandas as pd\n\ndf = pd.read_csv('a.csv')\ndf",
            "print(1)",
            "x = 1",
            "# The mean\ndf['a'] = df['b'] * 2\nprint(\n    df.mean(),\n)",
            "def f(x):\n    \"\"\"Says hello.\n\n    And more words here.\n    \"\"\"\n    return x\n\nf(1)",
            "for name in names:\n    print(name)\nelse:\n    pass",
            "import numpy as np, os  # both\nfrom math import (\n    pi,\n)\nfrom os.path import *",
            "text = '''\nAny words can stand here.\n'''",
            "result = (df\n    .groupby('a')\n    .sum())",
        ] {
            assert!(is_plainly_python(code), "{code}");
        }
        for prose in [
            "",
            "Done.",
            "df",
            "The mean is 4.",
            "# Report\n\nThe mean is 4.",
            "import the file first",
            "import the file, then look.",
            "from the table import the columns",
            "from January on",
            "for each region the mean is given",
            "print(1)\nThis prints one.",
            "Mean (all regions)\n4",
            "Total: 3",
            "- a = 1\n- b = 2",
            "{\"a\": 1}",
            "| a | b |\n|---|---|",
        ] {
            assert!(!is_plainly_python(prose), "{prose}");
        }
    }
}
