//! Opens a file and tells a table from everything else by its content.

use crate::TableError;
use crate::encoding;
use crate::error::file_name;
use crate::packing::{Packing, PackingTrouble};
use crate::progress::{Progress, Watched};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of the beginning of a file the decisions are made from.
const HEAD_BYTES: u64 = 256 * 1024;

/// Endings of the names of files that can be read.
const ENDINGS: [&str; 16] = [
    "csv", "tsv", "tab", "txt", "psv", "dat", "xlsx", "xlsm", "xlsb", "xls", "ods", "json", "jsonl",
    "ndjson", "parquet", "geojson",
];

/// Endings of the names of files that such a file may be packed in.
const PACKED_ENDINGS: [&str; 5] = ["gz", "zst", "zstd", "zip", "gzip"];

/// First bytes that belong to something that is not a table.
const MAGIC: [(&[u8], &str); 19] = [
    (b"%PDF", "a PDF document"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xFF\xD8\xFF", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"RIFF", "a sound, film or picture"),
    (b"OggS", "a sound"),
    (b"ID3", "a sound"),
    (b"BZh", "a compressed file"),
    (b"\xFD7zXZ\0", "a compressed file"),
    (b"7z\xBC\xAF\x27\x1C", "a compressed archive"),
    (b"Rar!", "a compressed archive"),
    (b"\x7FELF", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"\xCA\xFE\xBA\xBE", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"ARROW1", "an Arrow file"),
    (b"{\\rtf", "a text document"),
];

/// First characters of text that is not a table; blanks before them and case do not count.
const TEXT_MAGIC: [(&str, &str); 4] = [
    ("<!doctype html", "a web page"),
    ("<html", "a web page"),
    ("<?xml", "an XML file"),
    ("<svg", "a picture"),
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
    /// Objects in an array, or one on each line.
    Json,
    Parquet,
}

/// A file that can be opened and has content.
pub(crate) struct Source {
    path: PathBuf,
    head: Vec<u8>,
    length: u64,
    content: Content,
    packing: Packing,
    head_is_all: bool,
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self, TableError> {
        Self::open_member(path, None)
    }

    /// Opens a file, or the one of that name in a zip archive.
    pub(crate) fn open_member(path: &Path, member: Option<&str>) -> Result<Self, TableError> {
        let mut source = Self::open_text(path)?;
        let is_zip = source.head.starts_with(b"PK\x03\x04") || source.head.starts_with(b"PK\x05\x06");
        source.packing = match is_zip.then(|| recognise_zip(&source.head)) {
            Some(Err("a zip archive")) => {
                let file = File::open(path).map_err(|error| source.trouble(error))?;
                let is_table = |name: &str| is_supported_name(Path::new(name));
                Packing::in_zip(&file, member, is_table).map_err(|error| match member {
                    Some(name) if PackingTrouble::inside(&error) == Some(PackingTrouble::NothingInside) => {
                        TableError::Setting {
                            file: source.file_name(),
                            what: format!("it holds no file called `{name}`"),
                        }
                    }
                    _ => source.trouble(error),
                })?
            }
            _ => Packing::of(&source.head),
        };
        if source.packing != Packing::None {
            let mut head = Vec::new();
            let mut reader = source.reader()?.take(HEAD_BYTES);
            reader.read_to_end(&mut head).map_err(|error| source.trouble(error))?;
            if head.is_empty() {
                return Err(TableError::Empty { file: file_name(path) });
            }
            source.head_is_all = (head.len() as u64) < HEAD_BYTES;
            source.head = head;
            let again = Packing::of(&source.head) != Packing::None;
            if again || matches!(recognise(&source.head), Err("a zip archive")) {
                let looks_like = "a compressed file inside another";
                return Err(TableError::NotATable { file: file_name(path), looks_like });
            }
        }
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
        let head_is_all = length <= head.len() as u64;
        let (content, packing) = (Content::Text, Packing::None);
        Ok(Self { path: path.to_owned(), length, head, content, packing, head_is_all })
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
        self.head_is_all
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// How the content is packed.
    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// The name of the file within a zip archive.
    pub(crate) fn member(&self) -> Option<String> {
        match &self.packing {
            Packing::Zip(member) => Some(member.name.clone()),
            _ => None,
        }
    }

    /// Whether pandas reads the file itself, with what the sandbox's image has beside it.
    pub(crate) fn is_read_by_pandas(&self) -> bool {
        match (self.content, &self.packing) {
            (Content::Text, packing) => *packing != Packing::Zstd,
            (Content::Workbook(_) | Content::Json | Content::Parquet, packing) => *packing == Packing::None,
        }
    }

    /// The content, unpacked, from its beginning.
    pub(crate) fn reader(&self) -> Result<Box<dyn Read>, TableError> {
        let file = File::open(&self.path).map_err(|error| self.trouble(error))?;
        self.packing.open(file, self.length, |file| file).map_err(|error| self.trouble(error))
    }

    /// The content, unpacked, with reports on the bytes of the file that were read.
    pub(crate) fn watched<'a>(&self, progress: &'a mut Progress<'_>) -> io::Result<Box<dyn Read + 'a>> {
        let file = File::open(&self.path)?;
        self.packing.open(file, self.length, |file| Watched::new(file, progress))
    }

    /// The content as a file that can be read in any order: itself, or an unpacked copy without a name of
    /// at most `most` bytes.
    pub(crate) fn seekable(&self, most: u64) -> Result<File, TableError> {
        if self.packing == Packing::None {
            return File::open(&self.path).map_err(|error| self.trouble(error));
        }
        let trouble = |error| self.trouble(error);
        let mut copy = tempfile::tempfile().map_err(trouble)?;
        let length = io::copy(&mut self.reader()?.take(most + 1), &mut copy).map_err(trouble)?;
        if length > most {
            return Err(self.trouble(PackingTrouble::TooLarge.into()));
        }
        copy.seek(SeekFrom::Start(0)).map_err(trouble)?;
        Ok(copy)
    }

    pub(crate) fn trouble(&self, error: std::io::Error) -> TableError {
        TableError::from_io(&self.path, error)
    }
}

pub(crate) fn is_supported_name(path: &Path) -> bool {
    let ending =
        |path: &Path| path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    match ending(path) {
        Some(packed) if PACKED_ENDINGS.contains(&packed.as_str()) => {
            // An archive may hold anything; the name inside tells.
            let inside = ending(Path::new(path.file_stem().unwrap_or_default()));
            packed == "zip" || inside.is_some_and(|inside| ENDINGS.contains(&inside.as_str()))
        }
        Some(ending) => ENDINGS.contains(&ending.as_str()),
        None => false,
    }
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
    if head.starts_with(b"PAR1") {
        return Ok(Content::Parquet);
    }
    if encoding::is_utf16(head) {
        return Ok(Content::Text);
    }
    if looks_like_json(head) {
        return Ok(Content::Json);
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

/// Whether the text begins as JSON with objects does.
fn looks_like_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let mut signs = text.iter().filter(|byte| !byte.is_ascii_whitespace()).copied();
    match (signs.next(), signs.next(), signs.next()) {
        (Some(b'['), Some(b'{'), Some(b'"' | b'}'))
        | (Some(b'['), Some(b'['), Some(_))
        | (Some(b'{'), Some(b'"'), _) => true,
        (Some(b'{'), Some(b'}'), next) => matches!(next, None | Some(b'{')),
        _ => false,
    }
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
