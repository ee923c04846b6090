//! Which names a piece of Python makes and which it takes from elsewhere, told by a simple look at its lines.
//!
//! This is no parser. Where it cannot tell, it says that a name is used: what follows from it (`data_story.rs`)
//! would rather leave a step in the account than call it abandoned.

use std::collections::BTreeSet;

/// The names of a piece of code.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// Made anew at the outermost level: whoever uses the name later uses this.
    pub(crate) made: BTreeSet<String>,
    /// Changed, or made where it may not happen: in a branch, a loop, or in place.
    pub(crate) touched: BTreeSet<String>,
    /// Used before the code makes them itself.
    pub(crate) needed: BTreeSet<String>,
}

/// Methods that change what they are called on.
const CHANGING: [&str; 8] =
    [".append(", ".extend(", ".update(", ".add(", ".insert(", ".pop(", ".remove(", "inplace=True"];

impl Names {
    /// Looks at code.
    pub(crate) fn of(code: &str) -> Self {
        let mut names = Self::default();
        for line in statements(code) {
            let outermost = !line.starts_with([' ', '\t']);
            let (makes, touches, rest) = parts(line.trim());
            for name in identifiers(&rest) {
                if !names.made.contains(&name) {
                    names.needed.insert(name);
                }
            }
            names.touched.extend(touches);
            if outermost { names.made.extend(makes) } else { names.touched.extend(makes) }
        }
        names
    }
}

/// What a statement makes, what it changes, and the text in which it uses names.
fn parts(line: &str) -> (Vec<String>, Vec<String>, String) {
    let line = line.strip_prefix("async ").unwrap_or(line);
    if line.starts_with("import ") || line.starts_with("from ") {
        let list = line.split_once("import ").map_or("", |(_, list)| list);
        let names = list.split(',').filter_map(|each| {
            let each = each.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
            let name = each.rsplit(" as ").next()?.split('.').next()?.trim();
            is_identifier(name).then(|| name.to_owned())
        });
        return (names.collect(), Vec::new(), String::new());
    }
    for word in ["def ", "class "] {
        if let Some(rest) = line.strip_prefix(word) {
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            return (vec![rest[..end].to_owned()], Vec::new(), rest[end..].to_owned());
        }
    }
    if let Some((targets, rest)) = line.strip_prefix("for ").and_then(|rest| rest.split_once(" in ")) {
        return (identifiers(targets), Vec::new(), rest.to_owned());
    }
    if line.starts_with("with ") {
        let made = line.split(" as ").skip(1).filter_map(|rest| identifiers(rest).into_iter().next());
        return (made.collect(), Vec::new(), line.to_owned());
    }
    assignment(line)
}

fn assignment(line: &str) -> (Vec<String>, Vec<String>, String) {
    let (mut makes, mut touches, mut uses) = (Vec::new(), Vec::new(), String::new());
    let mut rest = line;
    while let Some((target, value, augmented)) = split_assignment(rest) {
        for each in target.split(',') {
            let each = each.trim_matches(|c: char| c.is_whitespace() || "()[]*".contains(c));
            let each = each.split(':').next().unwrap_or_default().trim();
            if is_identifier(each) && !augmented {
                makes.push(each.to_owned());
            } else if let Some(name) = identifiers(each).into_iter().next() {
                touches.push(name);
            }
        }
        if augmented || makes.is_empty() {
            uses.push_str(target);
            uses.push(' ');
        }
        rest = value;
    }
    if CHANGING.iter().any(|changing| rest.contains(changing)) {
        touches.extend(identifiers(rest).into_iter().next());
    }
    uses.push_str(rest);
    (makes, touches, uses)
}

/// Target and value of an assignment, and whether it adds to what is there.
fn split_assignment(line: &str) -> Option<(&str, &str, bool)> {
    let (mut depth, mut quote) = (0i32, None);
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == *byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, b'=') if depth == 0 => {
                let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
                if bytes.get(at + 1) == Some(&b'=') || b"=!<>".contains(&before) {
                    return None;
                }
                let augmented = b"+-*/%&|^@".contains(&before);
                let target = line[..at].trim_end_matches(|c: char| "+-*/%&|^@".contains(c));
                return Some((target, &line[at + 1..], augmented));
            }
            _ => {}
        }
    }
    None
}

/// Statements: lines joined where brackets are open or a text goes on, without comments.
fn statements(code: &str) -> Vec<String> {
    let (mut found, mut now) = (Vec::new(), String::new());
    let (mut depth, mut quote): (i32, Option<&str>) = (0, None);
    let mut rest = code;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        if let Some(open) = quote {
            if next == '\\' {
                taken += rest[taken..].chars().next().map_or(0, char::len_utf8);
            } else if rest.starts_with(open) {
                taken = open.len();
                quote = None;
            }
        } else if let Some(open) =
            ["\"\"\"", "'''", "\"", "'"].into_iter().find(|open| rest.starts_with(open))
        {
            taken = open.len();
            quote = Some(open);
        } else if next == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if (next == '\n' || next == ';') && depth <= 0 {
            found.push(std::mem::take(&mut now));
            rest = &rest[taken..];
            if next == ';' {
                rest = rest.trim_start_matches(' ');
            }
            continue;
        } else if "([{".contains(next) {
            depth += 1;
        } else if ")]}".contains(next) {
            depth -= 1;
        }
        now.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    found.push(now);
    found.retain(|line| !line.trim().is_empty());
    found
}

/// The names in a text, in order; not those of attributes.
fn identifiers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            before = next;
            rest = &rest[next.len_utf8()..];
            continue;
        }
        let word = &rest[..length];
        if before != '.' && is_identifier(word) {
            found.push(word.to_owned());
        }
        before = ' ';
        rest = &rest[length..];
    }
    found
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_identifier(word: &str) -> bool {
    word.chars().all(is_part) && word.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_is_made_touched_and_needed_is_told_apart() {
        let code = "import pandas as pd, numpy\nfrom scipy.stats import (\n    ttest_ind,\n    norm as n)\n\
                    clean = df.dropna(subset=[\"x\"])  # clean = other\n\
                    a, b = clean[clean.g == 'north'], other\n\
                    clean['x'] = 1; total += a.sum()\n\
                    def f(x):\n    inner = x\n    return inner\n\
                    for i in range(3):\n    table = i\n\
                    rows.append(i)\nprint(f\"{mean:.2f}\", kept == 3)";
        let names = Names::of(code);
        assert_eq!(names.made, set(&["pd", "numpy", "ttest_ind", "n", "clean", "a", "b", "f", "i"]),);
        assert_eq!(names.touched, set(&["clean", "total", "inner", "table", "rows"]));
        for name in ["df", "other", "total", "rows", "mean", "kept"] {
            assert!(names.needed.contains(name), "{name}: {names:?}");
        }
        for name in ["clean", "pd", "a", "sum", "dropna"] {
            assert!(!names.needed.contains(name), "{name}: {names:?}");
        }
    }

    #[test]
    fn a_name_that_is_made_from_itself_is_needed() {
        assert_eq!(Names::of("df = df.dropna()").needed, set(&["df"]));
        assert_eq!(Names::of("clean = df.fillna(0)\nclean.x").needed, set(&["df"]));
    }

    #[test]
    fn broken_code_is_looked_at_too() {
        for code in ["'''open", "x = (1,\n", "= 3", "a == b)", "über = größe\n\\", ""] {
            let _ = Names::of(code);
        }
        assert_eq!(Names::of("über = größe").needed, set(&["größe"]));
    }
}
