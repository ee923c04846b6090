//! The code of an earlier run, written for another file: its name, and what was known of it, replaced.

use std::ops::Range;

use super::python::{Call, calls, scan};

/// Stand for a new name while a code is being changed, so that nothing is replaced twice.
const NEW_NAMES: [&str; 2] = ["\u{E001}", "\u{E002}"];

/// Functions of pandas that read a table file.
pub(super) const READERS: [&str; 3] = ["read_csv", "read_excel", "read_table"];

/// Arguments that only texts have, and those that only workbooks have.
const OF_TEXTS: [&str; 13] = [
    "sep",
    "delimiter",
    "encoding",
    "encoding_errors",
    "quoting",
    "quotechar",
    "escapechar",
    "skipinitialspace",
    "lineterminator",
    "low_memory",
    "on_bad_lines",
    "engine",
    "nrows",
];
const OF_WORKBOOKS: [&str; 2] = ["sheet_name", "engine"];

/// What of an earlier file becomes what of a new one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Instead {
    /// The names of the files.
    pub(super) old_name: String,
    pub(super) new_name: String,
    /// What code reads, below `input/`: the files, or their prepared tables.
    pub(super) old_path: String,
    pub(super) new_path: String,
    /// The expressions that read the tables.
    pub(super) old_read: String,
    pub(super) new_read: String,
    /// Whole texts, such as the format of a column's dates: before, now.
    pub(super) texts: Vec<(String, String)>,
    /// Pieces of code as they stand: before, now.
    pub(super) pieces: Vec<(String, String)>,
}

impl Instead {
    /// Python code, for the new file.
    pub(super) fn in_python(&self, code: &str) -> String {
        let mut code = code.to_owned();
        let names = self.names_in_code();
        let new_read = self.new_read.replace(names[0].1, NEW_NAMES[0]);
        if !self.old_read.is_empty() {
            code = code.replace(&self.old_read, &new_read);
            code = self.in_calls(&code, &new_read);
        }
        for (before, now) in &self.pieces {
            code = code.replace(before, now);
        }
        code = self.in_texts(&code);
        for ((before, _), new) in names.iter().zip(NEW_NAMES) {
            code = renamed(&code, before, |_, _| new.to_owned());
        }
        for ((_, now), new) in names.iter().zip(NEW_NAMES) {
            code = code.replace(new, now);
        }
        code
    }

    /// What code calls the old file, and the new one: first what it reads.
    fn names_in_code(&self) -> Vec<(&str, &str)> {
        let old_path = if self.old_path.is_empty() { &self.old_name } else { &self.old_path };
        let new_path = if self.new_path.is_empty() { &self.new_name } else { &self.new_path };
        let mut names = vec![(old_path.as_str(), new_path.as_str())];
        if *old_path != self.old_name {
            names.push((&self.old_name, &self.new_name));
        }
        names
    }

    /// A command for a shell, for the new file.
    pub(super) fn in_shell(&self, command: &str) -> String {
        let mut command = command.to_owned();
        for ((before, now), new) in self.names_in_code().into_iter().zip(NEW_NAMES) {
            let quoted = |command: &str, at: usize| {
                let count = |quote: char| command[..at].matches(quote).count() % 2;
                if count('\'') == 1 || count('"') == 1 {
                    return new.to_owned();
                }
                let is_plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
                now.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
            };
            command = renamed(&command, before, quoted).replace(new, now);
        }
        command
    }

    /// Any other text, for the new file.
    pub(super) fn in_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (before, _) in self.names_in_code() {
            text = renamed(&text, before, |_, _| NEW_NAMES[0].to_owned());
        }
        text.replace(NEW_NAMES[0], &self.new_name)
    }

    /// Replaces texts that are said as a whole. What a date is written with stays as it was.
    fn in_texts(&self, code: &str) -> String {
        let scanned = scan(code);
        let mut out = String::with_capacity(code.len());
        let mut done = 0;
        for text in scanned.texts {
            let writes = code[..text.start].trim_end_matches(['\'', '"']).ends_with("strftime(");
            let now = self.texts.iter().find(|(before, _)| *before == code[text.clone()]);
            if let Some((_, now)) = now.filter(|_| !writes && text.start >= done) {
                out.push_str(&code[done..text.start]);
                out.push_str(now);
                done = text.end;
            }
        }
        out.push_str(&code[done..]);
        out
    }

    /// Gives the calls that read the old file the arguments that the new one needs. What the code says
    /// otherwise than the old expression did was meant, and stays.
    fn in_calls(&self, code: &str, new_read: &str) -> String {
        let (Some(old), Some(new)) = (Reading::of(&self.old_read), Reading::of(new_read)) else {
            return code.to_owned();
        };
        let scanned = scan(code);
        let mut out = code.to_owned();
        for call in calls(&scanned.bare, &READERS).into_iter().rev() {
            let reading = Reading::at(code, &call);
            if self.reads_old_file(&reading, &old) {
                out.replace_range(call.name.start..call.inside.end, &reading.instead(&old, &new));
            }
        }
        out
    }

    /// Whether a call reads the old file: it names it, or it holds all that the old expression said.
    fn reads_old_file(&self, reading: &Reading, old: &Reading) -> bool {
        let path = reading.path.trim_matches(['\'', '"', 'r', 'f']);
        let named = path
            .strip_suffix(self.names_in_code()[0].0)
            .is_some_and(|before| before.is_empty() || before.ends_with("input/"));
        let is_name = !reading.path.is_empty()
            && reading.path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        named
            || is_name
                && !old.arguments.is_empty()
                && old.arguments.iter().all(|one| reading.arguments.contains(one))
    }
}

/// Replaces the old file's name where it is no part of a longer one and of no other folder.
fn renamed(text: &str, name: &str, new: impl Fn(&str, usize) -> String) -> String {
    let mut forms = vec![name.to_owned(), escaped(name)];
    let json = serde_json::Value::from(name).to_string();
    forms.extend([name.replace('\'', "\\'"), json.trim_matches('"').to_owned()]);
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.dedup();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let form = forms.iter().find(|form| text[at..].starts_with(form.as_str()));
        if let Some(form) = form.filter(|form| is_this_file(text, at, at + form.len())) {
            out.push_str(&new(text, at));
            at += form.len();
        } else if let Some(c) = text[at..].chars().next() {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// Whether a name is a file of `input/`, or stands by itself.
fn is_this_file(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (&text[..start], &text[end..]);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let goes_on = after.starts_with(is_part)
        || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let begins = match before.chars().next_back() {
        Some('/') => before.ends_with("input/") && !before[..before.len() - 6].ends_with(is_part),
        Some(c) => !is_part(c) && c != '.',
        None => true,
    };
    begins && !goes_on
}

/// The name as the built-in analyst writes it: only letters and plain signs as they are.
fn escaped(name: &str) -> String {
    let one = |c: char| match u32::from(c) {
        _ if c.is_ascii() || c.is_alphanumeric() => c.to_string(),
        code if code > 0xFFFF => format!("\\U{code:08x}"),
        code => format!("\\u{code:04x}"),
    };
    name.chars().map(one).collect::<Vec<_>>().concat()
}

/// A call that reads a table.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    function: String,
    path: String,
    /// Names and values, as written.
    arguments: Vec<(String, String)>,
}

impl Reading {
    /// The first reading call of an expression.
    fn of(expression: &str) -> Option<Self> {
        let bare = scan(expression).bare;
        Some(Self::at(expression, calls(&bare, &READERS).first()?))
    }

    fn at(code: &str, call: &Call) -> Self {
        let mut parts = call.arguments.iter().map(|part: &Range<usize>| code[part.clone()].trim());
        let path = parts.next().unwrap_or_default();
        let arguments = parts.map(|part| {
            let (name, value) = part.split_once('=').unwrap_or(("", part));
            (name.trim().to_owned(), plain_quotes(value.trim()))
        });
        Self {
            function: code[call.name.clone()].to_owned(),
            path: path.to_owned(),
            arguments: arguments.collect(),
        }
    }

    fn value(&self, name: &str) -> Option<&String> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The same call for the new file, from the function's name up to its last argument.
    fn instead(&self, old: &Self, new: &Self) -> String {
        let turned = old.function != new.function;
        let left: &[&str] = match new.function.as_str() {
            _ if !turned => &[],
            "read_excel" => &OF_TEXTS,
            _ => &OF_WORKBOOKS,
        };
        let mut arguments: Vec<(String, String)> = Vec::new();
        for (name, value) in self.arguments.iter().filter(|(name, _)| !left.contains(&name.as_str())) {
            let as_before = old.value(name) == Some(value) && !name.is_empty();
            match new.value(name) {
                Some(now) if as_before => arguments.push((name.clone(), now.clone())),
                None if as_before => {}
                _ => arguments.push((name.clone(), value.clone())),
            }
        }
        for (name, value) in &new.arguments {
            let needed = turned || old.value(name).is_none();
            if needed && !arguments.iter().any(|(own, _)| own == name) {
                arguments.push((name.clone(), value.clone()));
            }
        }
        let function = if turned { &new.function } else { &self.function };
        // A path that is a variable is given its name elsewhere.
        let is_text = self.path.ends_with(['\'', '"']);
        let mut text = format!("{function}({}", if is_text { &new.path } else { &self.path });
        for (name, value) in arguments {
            text.push_str(", ");
            if !name.is_empty() {
                text.push_str(&name);
                text.push('=');
            }
            text.push_str(&value);
        }
        text
    }
}

/// A value with the quotation marks of the expressions, so that equal values look alike.
fn plain_quotes(value: &str) -> String {
    if value.contains(['\'', '\\']) { value.to_owned() } else { value.replace('"', "'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instead(old: (&str, &str), new: (&str, &str)) -> Instead {
        Instead {
            old_name: old.0.into(),
            old_read: old.1.into(),
            new_name: new.0.into(),
            new_read: new.1.into(),
            ..Instead::default()
        }
    }

    #[test]
    fn only_the_whole_name_of_the_old_file_is_replaced() {
        let plain = instead(("sales.csv", ""), ("a sales.csv", ""));
        for (before, now) in [
            ("open('input/sales.csv')", "open('input/a sales.csv')"),
            ("'/workspace/input/sales.csv'", "'/workspace/input/a sales.csv'"),
            (
                "os.path.join('input', 'sales.csv') # sales.csv.",
                "os.path.join('input', 'a sales.csv') # a sales.csv.",
            ),
            (
                "'output/sales.csv', 'my_sales.csv', 'sales.csv.gz', 'sales.csv2'",
                "'output/sales.csv', 'my_sales.csv', 'sales.csv.gz', 'sales.csv2'",
            ),
        ] {
            assert_eq!(plain.in_python(before), now);
        }
        assert_eq!(
            plain.in_shell("wc -l input/sales.csv 'input/sales.csv'"),
            "wc -l input/a\\ sales.csv 'input/a sales.csv'"
        );
        assert_eq!(plain.in_text("From sales.csv."), "From a sales.csv.");
        let marks = instead(("it's – 1.csv", ""), ("b.csv", ""));
        assert_eq!(
            marks.in_python("T = \"input/it's \\u2013 1.csv\"; u = 'it\\'s – 1.csv'"),
            "T = \"input/b.csv\"; u = 'b.csv'"
        );
    }

    #[test]
    fn the_reading_expression_becomes_that_of_the_new_file() {
        let changed = instead(
            ("old.csv", "pd.read_csv('input/old.csv', sep=';', decimal=',', nrows=12)"),
            ("old b.csv", "pd.read_csv('input/old b.csv', encoding='cp1252', decimal=',', nrows=99)"),
        );
        for (before, now) in [
            (
                "df = pd.read_csv('input/old.csv', sep=';', decimal=',', nrows=12).dropna()",
                "df = pd.read_csv('input/old b.csv', encoding='cp1252', decimal=',', nrows=99).dropna()",
            ),
            (
                "pd.read_csv(\"input/old.csv\", sep=\";\", parse_dates=['d'], decimal='.')",
                "pd.read_csv('input/old b.csv', parse_dates=['d'], decimal='.', encoding='cp1252')",
            ),
            (
                "p = 'input/old.csv'\npd.read_csv(p, sep=';', decimal=',', nrows=12, index_col=0)",
                "p = 'input/old b.csv'\npd.read_csv(p, decimal=',', nrows=99, index_col=0, encoding='cp1252')",
            ),
            ("pd.read_csv('output/x.csv', sep=';')", "pd.read_csv('output/x.csv', sep=';')"),
        ] {
            assert_eq!(changed.in_python(before), now);
        }
    }

    #[test]
    fn a_text_may_become_a_workbook() {
        let changed = instead(
            ("a.csv", "pd.read_csv('input/a.csv', sep=';')"),
            ("b.xlsx", "pd.read_excel('input/b.xlsx', sheet_name='S', skiprows=2)"),
        );
        assert_eq!(
            changed
                .in_python("x = pd.read_csv('input/a.csv', delimiter=';', usecols=['k'], encoding='utf-8')"),
            "x = pd.read_excel('input/b.xlsx', usecols=['k'], sheet_name='S', skiprows=2)"
        );
    }

    #[test]
    fn what_was_known_of_the_file_is_replaced_where_it_is_said_as_a_whole() {
        let mut changed = instead(("a.csv", ""), ("b.csv", ""));
        changed.texts = vec![("%Y-%m-%d".into(), "%d.%m.%Y".into())];
        changed.pieces = vec![("KINDS = [\"date\"]".into(), "KINDS = [\"date\", \"text\"]".into())];
        assert_eq!(
            changed.in_python("KINDS = [\"date\"]\npd.to_datetime(x, format='%Y-%m-%d').dt.strftime('%Y-%m-%d') + '%Y-%m-%d x'"),
            "KINDS = [\"date\", \"text\"]\npd.to_datetime(x, format='%d.%m.%Y').dt.strftime('%Y-%m-%d') + '%Y-%m-%d x'"
        );
    }
}
