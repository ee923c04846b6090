//! Ways of naming a picture that people and models use and Markdown does not know.

/// A path with blanks, `![a](charts/a b.png)`: what stands before it, its words, its path, what stands behind.
pub(super) fn picture_with_blanks(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("![").map(|at| from + at) {
        if let Some((alt, path, end)) = picture(&text[at + 2..]) {
            return Some((&text[..at], alt, path, &text[at + 2 + end..]));
        }
        from = at + 2;
    }
    None
}

fn picture(rest: &str) -> Option<(&str, &str, usize)> {
    let (alt, behind) = rest.split_once("](")?;
    let (path, _) = behind.split_once(')')?;
    let has_ending = path.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    let is_one = !alt.contains([']', '\n']) && !path.contains(['(', '<', '>', '\n']);
    (is_one && path.contains(' ') && has_ending).then_some((alt, path, alt.len() + path.len() + 3))
}

/// A lone `<img src="..." alt="...">` with all its values in quotation marks: its source and its words. Whatever
/// else it says is let go.
pub(super) fn lone_image(html: &str) -> Option<(String, String)> {
    let html = html.trim();
    let is_image = html.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("<img"));
    let mut rest = html.get(4..)?.strip_suffix('>')?;
    rest = rest.strip_suffix('/').unwrap_or(rest);
    if !is_image || rest.contains(['<', '>']) {
        return None;
    }
    let (mut source, mut alt) = (String::new(), String::new());
    while !rest.trim().is_empty() {
        let attribute = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let (name, value) = attribute.split_once('=')?;
        let name = name.trim_end().to_ascii_lowercase();
        if !name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
            return None;
        }
        let value = value.trim_start();
        let mark = value.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
        let (value, behind) = value[1..].split_once(mark)?;
        match name.as_str() {
            "src" => value.clone_into(&mut source),
            "alt" => value.clone_into(&mut alt),
            _ => {}
        }
        rest = behind;
    }
    Some((source, alt))
}

/// The paths that a path may mean: models also write them from the workspace's root, with the strokes of
/// another system, or with letters that are put together in another way.
pub(super) fn spellings(path: &str) -> [String; 3] {
    let path = path.replace('\\', "/");
    let composed = icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&path).into_owned();
    let below = path.strip_prefix("output/").unwrap_or(&path).to_owned();
    [path, composed, below]
}
