//! What was chosen in the code, and what code that wrote the report cannot have made up.

use std::collections::HashSet;

use super::chance::Finds;
use super::lines::Pool;
use super::wanted::Wanted;
use super::{StepSource, Verdict};
use crate::figures::{Figure, Kind, scan};

/// Looks at the code of the steps, for the figures that no result holds.
pub(super) fn look(wanted: &Wanted<'_>, steps: &[StepSource<'_>], finds: &mut Finds) {
    let mut chosen = Pool::default();
    for step in steps.iter().filter(|step| !step.code.is_empty()) {
        let parts = split(step.code);
        if step.wrote_report {
            let said = Said::new(&parts);
            for (index, figure) in wanted.figures.iter().enumerate() {
                if !said.holds(figure) {
                    finds.fill(index, || Verdict::Written { step: step.number });
                }
            }
        }
        let code = parts.code;
        chosen.add_text(wanted, &code, |line, _| {
            let step = step.number;
            Box::new(move || Verdict::Chosen { step, line })
        });
    }
    let mut found = Finds::default();
    chosen.settle(wanted, &mut found);
    for (index, verdict) in found.settle(wanted.figures.len()).into_iter().enumerate() {
        if verdict != Verdict::NotFound {
            finds.fill(index, || verdict);
        }
    }
}

/// Which figures the code holds by itself, so that it need not have computed them.
pub(crate) fn holds_figures(code: &str, figures: &[Figure]) -> Vec<bool> {
    let said = Said::new(&split(code));
    figures.iter().map(|figure| said.holds(figure)).collect()
}

/// Python code, with its texts apart.
struct Parts {
    /// The code line by line, with blanks where texts and remarks stood.
    code: String,
    /// The texts.
    texts: String,
}

/// Takes the texts and remarks out of Python code. The fields of formatted texts are code.
fn split(code: &str) -> Parts {
    let (mut bare, mut texts) = (String::with_capacity(code.len()), String::new());
    let mut rest = code;
    let mut word = String::new();
    while let Some(c) = rest.chars().next() {
        if c == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        if c == '"' || c == '\'' {
            let formatted = word.len() <= 2 && word.to_lowercase().contains('f');
            let raw = word.to_lowercase().contains('r');
            let triple: String = std::iter::repeat_n(c, 3).collect();
            let mark = if rest.starts_with(&triple) { triple } else { c.to_string() };
            rest = text(&rest[mark.len()..], &mark, formatted, raw, &mut bare, &mut texts);
            word.clear();
            continue;
        }
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            word.clear();
        }
        bare.push(c);
        rest = &rest[c.len_utf8()..];
    }
    Parts { code: bare, texts }
}

/// Takes one text, from behind its opening mark; returns what follows.
fn text<'a>(
    mut rest: &'a str,
    mark: &str,
    formatted: bool,
    raw: bool,
    bare: &mut String,
    texts: &mut String,
) -> &'a str {
    let mut depth = 0_u32;
    while let Some(c) = rest.chars().next() {
        if depth == 0 && rest.starts_with(mark) {
            texts.push('\n');
            bare.push(' ');
            return &rest[mark.len()..];
        }
        if c == '\n' && mark.len() == 1 {
            break;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' if !raw && depth == 0 => {
                let next = rest.chars().next();
                rest = &rest[next.map_or(0, char::len_utf8)..];
                texts.push(' ');
                if next == Some('\n') {
                    bare.push('\n');
                }
            }
            '{' if formatted && rest.starts_with('{') && depth == 0 => {
                texts.push('{');
                rest = &rest[1..];
            }
            '{' if formatted => depth += 1,
            '}' if formatted && depth > 0 => {
                depth -= 1;
                texts.push('\u{1f}');
            }
            '\n' => {
                bare.push('\n');
                texts.push('\n');
            }
            c if depth > 0 => bare.push(c),
            c => texts.push(c),
        }
    }
    texts.push('\n');
    rest
}

/// The lines that stand as texts in code.
pub(super) fn texts_of(code: &str) -> HashSet<String> {
    let lines = split(code).texts;
    lines.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// What the code says by itself, so that the report may repeat it uncomputed.
struct Said {
    /// The figures within its texts.
    texts: Vec<Kind>,
    /// Numbers that are given a name as they are, or are long enough to be meant.
    numbers: Vec<f64>,
}

/// Numbers with more digits than these are not there by accident.
const FEW_DIGITS: usize = 2;

impl Said {
    fn new(parts: &Parts) -> Self {
        let texts = scan(&parts.texts).into_iter().map(|token| token.kind).collect();
        let mut numbers = Vec::new();
        for line in parts.code.lines() {
            for token in scan(line) {
                let Kind::Number(written) = &token.kind else { continue };
                let before = line[..token.start].trim_end();
                let named =
                    before.ends_with('=') && !before.ends_with("==") || before.ends_with([':', ',', '[']);
                if named || written.digits > FEW_DIGITS {
                    numbers.push(written.readings[0].value);
                }
            }
        }
        Self { texts, numbers }
    }

    fn holds(&self, figure: &Figure) -> bool {
        match &figure.reads {
            Kind::Number(written) => {
                let spans = written.spans();
                let holds =
                    |value: f64| spans.iter().any(|(span, _)| span.holds(value) || span.holds(-value));
                self.numbers.iter().any(|value| holds(*value))
                    || self.texts.iter().any(|kind| {
                        matches!(kind, Kind::Number(said) if said.readings.iter().any(|reading| holds(reading.value)))
                    })
            }
            reads => self.texts.contains(reads),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_code_are_told_apart() {
        let parts = split(
            "limit = 3.5  # of 9\nx = f\"rose {a['k'] + 2:.1f} to {{7}}\" + 'say \\'12\\''\ny = '''two\n8'''\nz = 4\n",
        );
        assert_eq!(parts.code.lines().count(), 5);
        assert!(
            parts.code.contains("limit = 3.5")
                && parts.code.contains("+ 2:.1f")
                && parts.code.contains("z = 4")
        );
        assert!(!parts.code.contains('9') && !parts.code.contains("12") && !parts.code.contains('8'));
        assert!(
            parts.texts.contains("rose \u{1f} to {7}")
                && parts.texts.contains("12")
                && parts.texts.contains('8')
        );
    }
}
