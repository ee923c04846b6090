//! Python code looked at from outside: which parts of it are texts, and which calls it makes.

use std::ops::Range;

/// Python code with its texts told apart from the rest.
pub(super) struct Scanned {
    /// The insides of its texts, those within the fields of formatted texts too.
    pub(super) texts: Vec<Range<usize>>,
    /// The code, of the same length in bytes, with blanks where texts and remarks stand.
    pub(super) bare: String,
}

/// Looks for the texts of Python code.
pub(super) fn scan(code: &str) -> Scanned {
    let mut scanned = Scanned { texts: Vec::new(), bare: code.to_owned() };
    let mut blanks = vec![false; code.len()];
    look(code, 0..code.len(), &mut scanned.texts, &mut blanks);
    scanned.texts.sort_by_key(|text| text.start);
    let bytes = code.bytes().zip(&blanks).map(|(byte, blank)| match byte {
        b'\n' => byte,
        _ if *blank => b' ',
        _ => byte,
    });
    scanned.bare = String::from_utf8(bytes.collect()).unwrap_or_default();
    scanned
}

fn look(code: &str, part: Range<usize>, texts: &mut Vec<Range<usize>>, blanks: &mut [bool]) {
    let mut at = part.start;
    let mut word = String::new();
    while at < part.end {
        let Some(c) = code[at..part.end].chars().next() else { break };
        if c == '#' {
            let end = code[at..part.end].find('\n').map_or(part.end, |length| at + length);
            blanks[at..end].fill(true);
            at = end;
        } else if c == '"' || c == '\'' {
            let prefix = word.to_lowercase();
            let is_prefix = prefix.len() <= 2 && prefix.chars().all(|c| "rbfut".contains(c));
            let has = |letter: char| is_prefix && prefix.contains(letter);
            at = text(code, at, part.end, has('f') || has('t'), texts, blanks);
            word.clear();
        } else {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
            } else {
                word.clear();
            }
            at += c.len_utf8();
        }
    }
}

/// Takes one text, which begins with its mark at `start`; returns where it ends.
fn text(
    code: &str,
    start: usize,
    limit: usize,
    formatted: bool,
    texts: &mut Vec<Range<usize>>,
    blanks: &mut [bool],
) -> usize {
    let quote = &code[start..=start];
    let triple = quote.repeat(3);
    let mark = if code[start..limit].starts_with(&triple) { triple.as_str() } else { quote };
    let inside = start + mark.len();
    let mut at = inside;
    let mut said = inside;
    while at < limit {
        let rest = &code[at..limit];
        if rest.starts_with(mark) {
            break;
        }
        let Some(c) = rest.chars().next() else { break };
        if c == '\n' && mark.len() == 1 {
            break;
        }
        if c == '\\' {
            at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        } else if formatted && (rest.starts_with("{{") || rest.starts_with("}}")) {
            at += 2;
        } else if formatted && c == '{' {
            let end = field_end(code, at, limit, mark);
            blanks[said..at].fill(true);
            look(code, at + 1..end, texts, blanks);
            said = end;
            at = end;
        } else {
            at += c.len_utf8();
        }
    }
    let end = at.min(limit);
    blanks[said.min(end)..end].fill(true);
    texts.push(inside..end);
    (end + mark.len()).min(limit)
}

/// Where the field of a formatted text ends that begins at `start`.
fn field_end(code: &str, start: usize, limit: usize, mark: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code[start..limit].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return start + at,
            '}' => depth -= 1,
            // A field of a short text does not go over its line.
            '\n' if mark.len() == 1 => return start + at,
            _ => {}
        }
    }
    limit
}

/// A call of a function, by places in the code.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// The function's last name.
    pub(super) name: Range<usize>,
    /// Its arguments, without the commas between them.
    pub(super) arguments: Vec<Range<usize>>,
    /// All between its brackets.
    pub(super) inside: Range<usize>,
}

/// The calls of functions with one of these names, in order.
pub(super) fn calls(bare: &str, names: &[&str]) -> Vec<Call> {
    let mut found: Vec<Call> = names
        .iter()
        .flat_map(|name| bare.match_indices(name).map(|(at, name)| at..at + name.len()))
        .filter(|name| is_whole(bare, name) && bare[name.end..].starts_with('('))
        .filter_map(|name| {
            let inside = name.end + 1..closing(bare, name.end)?;
            Some(Call { arguments: parts(bare, inside.clone()), name, inside })
        })
        .collect();
    found.sort_by_key(|call| call.name.start);
    found
}

/// Whether a range is no part of a longer name.
pub(super) fn is_whole(code: &str, range: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !code[..range.start].ends_with(is_part) && !code[range.end..].starts_with(is_part)
}

/// The bracket that closes the one at `open`.
fn closing(bare: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in bare[open..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at the commas outside of brackets.
fn parts(bare: &str, inside: Range<usize>) -> Vec<Range<usize>> {
    let (mut depth, mut start) = (0_usize, inside.start);
    let mut parts = Vec::new();
    for (at, c) in bare[inside.clone()].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(start..inside.start + at);
                start = inside.start + at + 1;
            }
            _ => {}
        }
    }
    if !bare[start..inside.end].trim().is_empty() || bare[start..inside.end].len() > 1 {
        parts.push(start..inside.end);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<&str> {
        scan(code).texts.into_iter().map(|text| &code[text]).collect()
    }

    #[test]
    fn texts_are_told_from_code() {
        let code =
            "a = 'x' + \"it's\"  # 'no'\nb = f\"n {df['k'].sum():.1f} {{y}}\" + r'\\d'\nc = '''two\nlines'''";
        assert_eq!(texts(code), ["x", "it's", "n {df['k'].sum():.1f} {{y}}", "k", "\\d", "two\nlines"]);
        let bare = scan(code).bare;
        assert_eq!(bare.len(), code.len());
        assert!(bare.contains("df[' '].sum()") && !bare.contains("no") && !bare.contains("lines"), "{bare}");
        assert_eq!(texts("x = 'unfinished\ny = 'z'"), ["unfinished", "z"]);
        assert_eq!(texts("é = 'ü' # ß\nü = \"é\""), ["ü", "é"]);
    }

    #[test]
    fn calls_are_found_with_their_arguments() {
        let code = "df = pd.read_csv('a,b.csv', sep=';', names=['x', 'y'], )\nmy_read_csv('c')";
        let bare = scan(code).bare;
        let found = calls(&bare, &["read_csv"]);
        let arguments: Vec<Vec<&str>> = found
            .iter()
            .map(|call| call.arguments.iter().map(|part| code[part.clone()].trim()).collect())
            .collect();
        assert_eq!(arguments, [vec!["'a,b.csv'", "sep=';'", "names=['x', 'y']"]]);
    }
}
