//! Mends code that is nearly right, and says what it mended.
//!
//! Models, small ones above all, wrap code in fences, indent all of it, double its escapes, call `!pip`, or
//! forget an import. Only what is certain is mended; everything else is left for Python to refuse.

use std::collections::BTreeSet;

/// What can be mended without an import, and how the import is written.
const IMPORTS: &[(&str, &str)] = &[
    ("pd", "import pandas as pd"),
    ("np", "import numpy as np"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("stats", "from scipy import stats"),
    ("math", "import math"),
    ("re", "import re"),
    ("json", "import json"),
    ("os", "import os"),
    ("statistics", "import statistics"),
    ("itertools", "import itertools"),
    ("collections", "import collections"),
    ("datetime", "import datetime"),
];

/// Python code as it will run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mended {
    /// To be run, with what was changed of it, a plain sentence each.
    Code(String, Vec<String>),
    /// Nothing of it but an attempt to install something.
    Install,
}

/// Mends Python code. `known` holds the names that earlier steps have brought in; this code's are added.
pub(crate) fn mend(code: &str, known: &mut BTreeSet<&'static str>) -> Mended {
    let mut code = code.replace("\r\n", "\n");
    let mut done = Vec::new();
    let mut step = |change: Option<String>, said: &str, code: &mut String| {
        if let Some(changed) = change {
            *code = changed;
            done.push(said.to_owned());
        }
    };
    let changed = without_fence(&code);
    step(changed, "The marks around the code were left out.", &mut code);
    let changed = with_line_ends(&code);
    step(changed, "Line ends written as \\n were made real ones.", &mut code);
    let changed = without_prompts(&code);
    step(changed, "The prompts (>>>) were left out.", &mut code);
    let changed = without_indentation(&code);
    step(changed, "The indentation of the whole code was left out.", &mut code);
    if calls_installer(&code) {
        let rest: String =
            code.lines().filter(|line| !is_install(line)).flat_map(|line| [line, "\n"]).collect();
        if rest.trim().is_empty() || calls_installer(&rest) {
            return Mended::Install;
        }
        code = rest;
        done.push("The line that installs a package was left out: nothing can be installed.".into());
    }
    let brought = names_brought(&code);
    let missing: Vec<&str> = IMPORTS
        .iter()
        .filter(|(name, _)| !known.contains(name) && !brought.contains(name) && uses(&code, name))
        .map(|(_, import)| *import)
        .collect();
    known.extend(brought);
    known.extend(IMPORTS.iter().filter(|(_, import)| missing.contains(import)).map(|(name, _)| *name));
    if !missing.is_empty() {
        done.push(format!("Added: {}.", missing.join("; ")));
        code = format!("{}\n{code}", missing.join("\n"));
    }
    Mended::Code(code, done)
}

/// Whether a shell command or Python code tries to install a package.
pub(crate) fn calls_installer(text: &str) -> bool {
    text.lines().any(|line| {
        let words: Vec<&str> = line
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '!' | '%' | '#')))
            .filter(|word| !word.is_empty())
            .collect();
        if words.first().is_some_and(|word| word.starts_with('#')) {
            return false;
        }
        words.windows(2).any(|pair| {
            let tool = pair[0].trim_start_matches(['!', '%']).rsplit('/').next().unwrap_or_default();
            INSTALLERS.contains(&tool) && pair[1] == "install"
        })
    })
}

const INSTALLERS: &[&str] = &["pip", "pip3", "conda", "mamba", "apt", "apt-get", "easy_install"];

/// A whole line that does nothing but install.
fn is_install(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['!', '%']);
    let line = line.strip_prefix("python -m ").or_else(|| line.strip_prefix("python3 -m ")).unwrap_or(line);
    line.split_whitespace().next().is_some_and(|word| INSTALLERS.contains(&word)) && calls_installer(line)
}

fn without_fence(code: &str) -> Option<String> {
    let inner = code.trim().strip_prefix("```")?;
    let (language, inner) = inner.split_once('\n')?;
    let is_language = language.trim().chars().all(|c| c.is_ascii_alphanumeric());
    let inner = inner.trim_end();
    let inner = inner.strip_suffix("```").unwrap_or(inner);
    (is_language && !inner.contains("\n```")).then(|| inner.to_owned())
}

/// Code on one line whose line ends were escaped twice. A backslash before an `n` outside of a text is no
/// Python at all.
fn with_line_ends(code: &str) -> Option<String> {
    let code = code.trim();
    if code.contains('\n') || !code.contains("\\n") {
        return None;
    }
    let mut quote = None;
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None) if letters.peek() == Some(&'n') => {
                return Some(code.replace("\\n", "\n").replace("\\\"", "\"").replace("\\t", "\t"));
            }
            ('\\', Some(_)) => drop(letters.next()),
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            _ => {}
        }
    }
    None
}

fn without_prompts(code: &str) -> Option<String> {
    code.trim_start().starts_with(">>> ").then(|| {
        let lines = code.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix(">>> ").or_else(|| line.strip_prefix("... ")).or((line == "...").then_some(""))
        });
        lines.flat_map(|line| [line, "\n"]).collect()
    })
}

fn without_indentation(code: &str) -> Option<String> {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = || code.lines().filter(|line| !line.trim().is_empty());
    let common = filled().map(indent).min().filter(|common| *common > 0)?;
    let first = filled().next().map(|line| &line[..common])?;
    filled()
        .all(|line| line.starts_with(first))
        .then(|| code.lines().flat_map(|line| [line.get(common..).unwrap_or_default(), "\n"]).collect())
}

/// The names of [`IMPORTS`] that the code itself brings in: by an import or an assignment.
fn names_brought(code: &str) -> BTreeSet<&'static str> {
    let names = IMPORTS.iter().map(|(name, _)| *name);
    names
        .filter(|name| {
            code.lines().any(|line| {
                let line = line.trim();
                let is_import =
                    (line.starts_with("import ") || line.starts_with("from ")) && has_word(line, name);
                let is_assigned =
                    line.split('=').next().is_some_and(|left| left.trim() == *name) && line.contains('=');
                let is_bound = [" as ", "for "].iter().any(|word| {
                    line.split(word)
                        .skip(1)
                        .any(|rest| rest.trim_start().split(|c: char| !is_word(c)).next() == Some(*name))
                });
                is_import || is_assigned || is_bound
            })
        })
        .collect()
}

/// Whether the code uses a module by this name: `name.` at the beginning of a word.
fn uses(code: &str, name: &str) -> bool {
    code.lines().any(|line| {
        let line = line.split('#').next().unwrap_or_default();
        line.match_indices(name).any(|(start, _)| {
            let before = line[..start].chars().next_back();
            let after = &line[start + name.len()..];
            let quotes = line[..start].matches(['\'', '"']).count();
            !before.is_some_and(|c| is_word(c) || c == '.')
                && after.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()))
                && quotes % 2 == 0
        })
    })
}

fn has_word(line: &str, name: &str) -> bool {
    line.split(|c: char| !is_word(c)).any(|word| word == name)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(code: &str) -> (String, Vec<String>) {
        let mut known = BTreeSet::from(["pd", "np", "plt"]);
        match mend(code, &mut known) {
            Mended::Code(code, said) => (code, said),
            Mended::Install => ("install".into(), Vec::new()),
        }
    }

    #[test]
    fn code_that_is_right_stays_as_it_is() {
        for code in [
            "print(1)",
            "if a:\n    print('\\n')\n",
            "print('''\n```\n''')",
            "text = 'a\\nb'; print(text)",
            "import os\nos.listdir('.')",
            "for re in (1, 2): print(re.real)",
            "print('see math.pi')",
            "df.stats.mean()",
            "# pip install nothing\nprint(2)",
        ] {
            assert_eq!(mended(code), (code.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn marks_prompts_indentation_and_doubled_escapes_are_mended_and_said() {
        for (code, right) in [
            ("```python\nprint(1)\n```", "print(1)\n"),
            ("```\nprint(1)", "print(1)"),
            ("  a = 1\n  if a:\n      print(a)", "a = 1\nif a:\n    print(a)\n"),
            (">>> a = 1\n>>> print(a)\n1", "a = 1\nprint(a)\n"),
            ("a = 1\\nprint(\\\"x\\\")", "a = 1\nprint(\"x\")"),
        ] {
            let (code, said) = mended(code);
            assert_eq!((code.as_str(), said.len()), (right, 1));
        }
    }

    #[test]
    fn a_forgotten_import_is_added_once() {
        let mut known = BTreeSet::new();
        let first = mend("x = np.sqrt(4)\nprint(math.pi)", &mut known);
        assert_eq!(
            first,
            Mended::Code(
                "import numpy as np\nimport math\nx = np.sqrt(4)\nprint(math.pi)".into(),
                vec!["Added: import numpy as np; import math.".into()]
            )
        );
        assert_eq!(mend("np.sqrt(9)", &mut known), Mended::Code("np.sqrt(9)".into(), Vec::new()));
    }

    #[test]
    fn field_069_installing_is_left_out_or_refused() {
        let (code, said) = mended("!pip install seaborn\nprint(1)");
        assert_eq!((code.as_str(), said.len()), ("print(1)\n", 1));
        for code in [
            "!pip install seaborn",
            "%pip install a\n",
            "import subprocess\nsubprocess.run(['pip', 'install', 'a'])",
            "import os\nos.system('pip3 install a')",
            "import sys, subprocess\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'a'])",
        ] {
            assert_eq!(mended(code).0, "install", "{code}");
        }
        assert!(calls_installer("cd work && /usr/bin/pip install x"));
        assert!(!calls_installer("ls input"));
    }
}
