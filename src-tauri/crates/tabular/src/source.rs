//! Opens a file and tells a table from everything else by its content.

use crate::TableError;
use crate::encoding;
use crate::error::file_name;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of the beginning of a file the decisions are made from.
const HEAD_BYTES: u64 = 256 * 1024;

/// Endings of the names of files that can be read.
const ENDINGS: [&str; 11] = ["csv", "tsv", "tab", "txt", "psv", "dat", "xlsx", "xlsm", "xlsb", "xls", "ods"];

/// First bytes that belong to something that is not a table.
const MAGIC: [(&[u8], &str); 22] = [
    (b"%PDF", "a PDF document"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xFF\xD8\xFF", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"RIFF", "a sound, film or picture"),
    (b"OggS", "a sound"),
    (b"ID3", "a sound"),
    (b"\x1F\x8B", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xFD7zXZ\0", "a compressed file"),
    (b"\x28\xB5\x2F\xFD", "a compressed file"),
    (b"7z\xBC\xAF\x27\x1C", "a compressed archive"),
    (b"Rar!", "a compressed archive"),
    (b"\x7FELF", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"\xCA\xFE\xBA\xBE", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"{\\rtf", "a text document"),
];

/// First characters of text that is not a table; blanks before them and case do not count.
const TEXT_MAGIC: [(&str, &str); 6] = [
    ("<!doctype html", "a web page"),
    ("<html", "a web page"),
    ("<?xml", "an XML file"),
    ("<svg", "a picture"),
    ("[{\"", "a JSON file"),
    ("{\"", "a JSON file"),
];

/// The formats of workbooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkbookFormat {
    Xlsx,
    Xlsb,
    Xls,
    Ods,
}

impl WorkbookFormat {
    /// The usual ending of file names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Xlsb => "xlsb",
            Self::Xls => "xls",
            Self::Ods => "ods",
        }
    }
}

/// What the content of a file is, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Text,
    Workbook(WorkbookFormat),
}

/// A file that can be opened and has content.
pub(crate) struct Source {
    path: PathBuf,
    head: Vec<u8>,
    length: u64,
    content: Content,
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self, TableError> {
        let mut source = Self::open_text(path)?;
        source.content = recognise(&source.head)
            .map_err(|looks_like| TableError::NotATable { file: file_name(path), looks_like })?;
        Ok(source)
    }

    /// Opens a file that is known to be text.
    pub(crate) fn open_text(path: &Path) -> Result<Self, TableError> {
        let trouble = |error| TableError::from_io(path, error);
        let facts = std::fs::metadata(path).map_err(trouble)?;
        if facts.is_dir() {
            return Err(TableError::IsFolder { file: file_name(path) });
        }
        if !facts.is_file() {
            return Err(TableError::NotATable {
                file: file_name(path),
                looks_like: "a device, not a stored file",
            });
        }
        if facts.len() == 0 {
            return Err(TableError::Empty { file: file_name(path) });
        }
        let mut head = Vec::new();
        File::open(path).map_err(trouble)?.take(HEAD_BYTES).read_to_end(&mut head).map_err(trouble)?;
        let length = facts.len().max(head.len() as u64);
        Ok(Self { path: path.to_owned(), length, head, content: Content::Text })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file_name(&self) -> String {
        file_name(&self.path)
    }

    pub(crate) fn content(&self) -> Content {
        self.content
    }

    /// The first bytes, at most [`HEAD_BYTES`].
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether [`Source::head`] is the whole file.
    pub(crate) fn head_is_all(&self) -> bool {
        self.length <= self.head.len() as u64
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The file, from its beginning.
    pub(crate) fn reader(&self) -> Result<File, TableError> {
        File::open(&self.path).map_err(|error| self.trouble(error))
    }

    pub(crate) fn trouble(&self, error: std::io::Error) -> TableError {
        TableError::from_io(&self.path, error)
    }
}

pub(crate) fn is_supported_name(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)))
}

/// What the content is, or what it looks like when it is no table.
fn recognise(head: &[u8]) -> Result<Content, &'static str> {
    if head.starts_with(b"PK\x03\x04") {
        return recognise_zip(head);
    }
    if head.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return Ok(Content::Workbook(WorkbookFormat::Xls));
    }
    if let Some((_, looks_like)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(looks_like);
    }
    if encoding::is_utf16(head) {
        return Ok(Content::Text);
    }
    if head.starts_with(b"MZ") && head.contains(&0) {
        return Err("a program");
    }
    let control = head.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    if control * 50 > head.len() {
        return Err("a program or another file that is not text");
    }
    let beginning: String = String::from_utf8_lossy(&head[..head.len().min(512)])
        .trim_start_matches('\u{FEFF}')
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    let looks_like = TEXT_MAGIC.iter().find(|(magic, _)| {
        let squeezed: String = magic.split_whitespace().collect();
        beginning.starts_with(&squeezed)
    });
    looks_like.map_or(Ok(Content::Text), |(_, looks_like)| Err(looks_like))
}

/// Tells the formats that are zip archives inside by the names of their first entries.
fn recognise_zip(head: &[u8]) -> Result<Content, &'static str> {
    let names = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
    if names(b"opendocument.spreadsheet") {
        Ok(Content::Workbook(WorkbookFormat::Ods))
    } else if names(b"xl/workbook.bin") {
        Ok(Content::Workbook(WorkbookFormat::Xlsb))
    } else if names(b"xl/") {
        Ok(Content::Workbook(WorkbookFormat::Xlsx))
    } else if names(b"word/") || names(b"opendocument.text") {
        Err("a text document")
    } else if names(b"ppt/") || names(b"opendocument.presentation") {
        Err("a presentation")
    } else {
        Err("a zip archive")
    }
}
