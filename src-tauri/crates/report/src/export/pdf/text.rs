//! Words as strings of the typesetter, and how wide and which way they run.

use std::fmt::Write;

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Which way words run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    LeftToRight,
    RightToLeft,
}

impl Way {
    /// Which way words run by their first letter that says so; `None` where none does.
    pub(super) fn of(words: &str) -> Option<Self> {
        words.chars().find_map(|c| match c.script() {
            Script::Common | Script::Inherited | Script::Unknown => None,
            script if is_right_to_left(script) => Some(Self::RightToLeft),
            _ => Some(Self::LeftToRight),
        })
    }

    /// Its name in the typesetter.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LeftToRight => "ltr",
            Self::RightToLeft => "rtl",
        }
    }
}

fn is_right_to_left(script: Script) -> bool {
    matches!(
        script,
        Script::Arabic
            | Script::Hebrew
            | Script::Syriac
            | Script::Thaana
            | Script::Nko
            | Script::Samaritan
            | Script::Mandaic
            | Script::Adlam
    )
}

/// The language that decides how letters are drawn, as far as the letters tell it: the Han signs of Japan,
/// Korea and China differ. "und" is the tag for a language that is not known.
pub(super) fn language(words: &str) -> &'static str {
    let has = |wanted: &[Script]| words.chars().any(|c| wanted.contains(&c.script()));
    if has(&[Script::Hiragana, Script::Katakana]) {
        "ja"
    } else if has(&[Script::Hangul]) {
        "ko"
    } else if has(&[Script::Han]) {
        "zh"
    } else {
        match words.chars().map(|c| c.script()).find(|&script| is_right_to_left(script)) {
            Some(Script::Arabic) => "ar",
            Some(Script::Hebrew) => "he",
            _ => "und",
        }
    }
}

/// A string of the typesetter, in its quotes: within it, nothing but the quote and the stroke has a meaning.
pub(super) fn literal(words: &str) -> String {
    let mut quoted = String::with_capacity(words.len() + 2);
    quoted.push('"');
    for c in words.chars().filter_map(drawn) {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

/// A character as it can stand on paper: white space is a space, and what only commands is left out.
fn drawn(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Overrides turn the letters of others around, and the last ones are no characters.
        '\u{202a}'..='\u{202e}' | '\u{fff9}'..='\u{fffc}' | '\u{fffe}' | '\u{ffff}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

/// Writes words as strings, with places to break each word that is wider than `room_em`.
pub(super) fn push_words(into: &mut String, words: &str, room_em: f64) {
    push_pieces(into, words, room_em, width_em, &|piece| literal(piece));
}

/// The same for letters of one width, each piece of them within `wrapped`.
pub(super) fn push_letters(into: &mut String, words: &str, room_em: f64, wrapped: &dyn Fn(&str) -> String) {
    push_pieces(into, words, room_em, letters_em, &|piece| wrapped(&literal(piece)));
}

fn push_pieces(
    into: &mut String,
    words: &str,
    room_em: f64,
    width: fn(char) -> f64,
    wrapped: &dyn Fn(&str) -> String,
) {
    let mut whole = String::new();
    for word in words.split_inclusive(breaks_after) {
        if word.chars().map(width).sum::<f64>() <= room_em {
            whole.push_str(word);
            continue;
        }
        // A piece is small enough that what a line leaves free for want of the next one is not seen.
        let mut filled = 0.0;
        for letter in word.graphemes(true) {
            let wide: f64 = letter.chars().map(width).sum();
            if filled + wide > room_em / 8.0 && filled > 0.0 {
                let _ = write!(into, "{};gap;", wrapped(&whole));
                whole.clear();
                filled = 0.0;
            }
            whole.push_str(letter);
            filled += wide;
        }
        let _ = write!(into, "{};", wrapped(&whole));
        whole.clear();
    }
    if !whole.is_empty() {
        let _ = write!(into, "{};", wrapped(&whole));
    }
}

/// Whether a line may be broken after a character wherever it stands.
fn breaks_after(c: char) -> bool {
    c == '-' || (c.is_whitespace() && c != '\u{a0}' && c != '\u{202f}') || is_wide(c)
}

/// From here on scripts break between signs, or the typesetter knows their words.
fn is_wide(c: char) -> bool {
    c >= '\u{1100}'
        && matches!(
            c.script(),
            Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo
        )
}

/// About how wide a character of the text's font is, rather too wide than too narrow.
pub(super) fn width_em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ';' | ':' | '\'' | '|' | '!' => 0.34,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' => 0.86,
        'A'..='Z' | '&' => 0.7,
        _ if is_wide(c) => 1.0,
        _ if c.script() == Script::Inherited => 0.0,
        _ => 0.54,
    }
}

/// The same in the font for code.
pub(super) fn letters_em(c: char) -> f64 {
    if is_wide(c) { 1.0 } else { 0.61 }
}
