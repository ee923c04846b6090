//! Cells that stand for no value, and cells as they are shown.

/// What pandas reads as missing by itself.
const PANDAS_NULLS: [&[u8]; 18] = [
    b"#N/A",
    b"#N/A N/A",
    b"#NA",
    b"-1.#IND",
    b"-1.#QNAN",
    b"-NaN",
    b"-nan",
    b"1.#IND",
    b"1.#QNAN",
    b"<NA>",
    b"N/A",
    b"NA",
    b"NULL",
    b"NaN",
    b"None",
    b"n/a",
    b"nan",
    b"null",
];

/// What people write for missing besides, in small letters. In a column of numbers or dates these say
/// nothing against the type.
const OTHER_NULLS: [&str; 21] = [
    "-", "--", "---", ".", "..", "...", "?", "na", "n/a", "n.a.", "nan", "nil", "none", "null", "missing",
    "unknown", "#value!", "#ref!", "#div/0!", "#name?", "…",
];

/// Longest cell that is shown whole.
const SHOWN_CHARACTERS: usize = 80;

/// Whether pandas reads the cell as missing without being told.
pub(crate) fn is_pandas_null(cell: &[u8]) -> bool {
    cell.is_empty() || (cell.len() <= 9 && PANDAS_NULLS.contains(&cell))
}

/// Whether the cell is a way to write that there is no value.
pub(crate) fn is_null_word(cell: &str) -> bool {
    let word = cell.trim();
    is_pandas_null(word.as_bytes())
        || (word.len() <= 8 && OTHER_NULLS.contains(&word.to_lowercase().as_str()))
}

/// Whether the cell is a mark that stands for no value, such as a hyphen, and nothing else.
pub(crate) fn is_null_mark(cell: &str) -> bool {
    is_null_word(cell) && !cell.contains(char::is_alphanumeric)
}

/// Whether there is nothing but blanks in the cell.
pub(crate) fn is_blank(cell: &[u8]) -> bool {
    !cell.first().is_some_and(u8::is_ascii_graphic)
        && std::str::from_utf8(cell).is_ok_and(|text| text.trim().is_empty())
}

/// The cell as it is shown: cut with an ellipsis when it is long.
pub(crate) fn shown(cell: &str) -> String {
    let mut characters = cell.char_indices().skip(SHOWN_CHARACTERS - 1).map(|(index, _)| index);
    match (characters.next(), characters.next()) {
        (Some(end), Some(_)) => format!("{}…", &cell[..end]),
        _ => cell.to_owned(),
    }
}
