//! What is staged: destination below `input/` -> source on the host.
//!
//! Every path rule is checked when the manifest is made, once, for all runtimes. Sources are only read.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One thing to stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Relative path below `input/`, with `/` between its parts.
    pub destination: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file on the host.
    File(PathBuf),
    /// A folder on the host, with everything below it.
    Folder(PathBuf),
    /// Content made by the app.
    Inline(Vec<u8>),
}

/// A checked manifest: its files are there, and no rule is broken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    entries: Vec<Entry>,
    files: Vec<StagedFile>,
}

/// One file of a manifest, folders unfolded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StagedFile {
    /// Relative path below `input/`.
    pub destination: String,
    /// The file on the host; `None` for inline content.
    pub source: Option<PathBuf>,
    /// Size in bytes when the manifest was made.
    pub size: u64,
}

/// Which rule a manifest breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The path is empty, or one of its parts is.
    #[error("a destination with an empty part: `{0}`")]
    Empty(String),
    /// The path starts at a root or names a drive or share.
    #[error("a destination must be relative: `{0}`")]
    Absolute(String),
    /// The path has a `.` or `..` part.
    #[error("a destination may not go up or stay: `{0}`")]
    Dots(String),
    /// The path has a character that some system cannot have in a name.
    #[error("a destination with a character that is not allowed: `{0}`")]
    Character(String),
    /// A part is over 255 bytes, or the path over 1,024.
    #[error("a destination that is too long: `{0}`")]
    TooLong(String),
    /// Two entries have the same destination, or one lies within the other's file.
    #[error("two files would both be `{0}`")]
    Duplicate(String),
    /// Two destinations differ only in upper and lower case.
    #[error("`{0}` and `{1}` are one name on many systems")]
    CaseClash(String, String),
    /// The source does not exist.
    #[error("there is no file `{0}`")]
    Missing(PathBuf),
    /// The source is not what the entry says, or not an ordinary file.
    #[error("`{0}` is not an ordinary file or folder")]
    NotOrdinary(PathBuf),
    /// A link below a folder leads out of that folder.
    #[error("the link `{0}` leads out of its folder")]
    LinkLeaves(PathBuf),
    /// The source cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

impl Manifest {
    /// Checks the entries and lists their files.
    pub fn new(entries: Vec<Entry>) -> Result<Self, ManifestError> {
        let mut files = Vec::new();
        for entry in &entries {
            check_relative_path(&entry.destination)?;
            list_files(entry, &mut files)?;
        }
        check_clashes(&files)?;
        Ok(Self { entries, files })
    }

    /// The entries as given.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every file, folders unfolded, in order.
    pub fn files(&self) -> &[StagedFile] {
        &self.files
    }
}

/// Checks that a path is relative and safe on every system: no root, drive or share, no `.` or `..`, no
/// backslash, colon, NUL, control or direction-override character, no part over 255 bytes.
pub fn check_relative_path(path: &str) -> Result<(), ManifestError> {
    let bytes = path.as_bytes();
    let drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if path.starts_with(['/', '\\']) || drive {
        return Err(ManifestError::Absolute(path.into()));
    }
    if path.chars().any(is_forbidden) {
        return Err(ManifestError::Character(shown(path)));
    }
    if path.len() > 1024 {
        return Err(ManifestError::TooLong(path.into()));
    }
    for part in path.split('/') {
        match part {
            "" => return Err(ManifestError::Empty(path.into())),
            "." | ".." => return Err(ManifestError::Dots(path.into())),
            long if long.len() > 255 => return Err(ManifestError::TooLong(path.into())),
            _ => {}
        }
    }
    Ok(())
}

fn is_forbidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\\' | ':' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

fn shown(path: &str) -> String {
    path.chars().map(|c| if is_forbidden(c) && c != '\\' && c != ':' { '\u{fffd}' } else { c }).collect()
}

fn list_files(entry: &Entry, files: &mut Vec<StagedFile>) -> Result<(), ManifestError> {
    match &entry.source {
        Source::Inline(content) => files.push(StagedFile {
            destination: entry.destination.clone(),
            source: None,
            size: content.len() as u64,
        }),
        Source::File(path) => {
            let metadata = std::fs::metadata(path).map_err(|error| source_error(path, &error))?;
            if !metadata.is_file() {
                return Err(ManifestError::NotOrdinary(path.clone()));
            }
            files.push(StagedFile {
                destination: entry.destination.clone(),
                source: Some(path.clone()),
                size: metadata.len(),
            });
        }
        Source::Folder(path) => {
            let root = path.canonicalize().map_err(|error| source_error(path, &error))?;
            if !root.is_dir() {
                return Err(ManifestError::NotOrdinary(path.clone()));
            }
            walk(&root, &root, &entry.destination, files)?;
        }
    }
    Ok(())
}

/// Lists the files below `folder` in name order. A link is followed only when it stays within `root`,
/// and only to a file.
fn walk(
    root: &Path,
    folder: &Path,
    destination: &str,
    files: &mut Vec<StagedFile>,
) -> Result<(), ManifestError> {
    let read = |error: std::io::Error| source_error(folder, &error);
    let mut children =
        std::fs::read_dir(folder).map_err(read)?.collect::<Result<Vec<_>, _>>().map_err(read)?;
    children.sort_by_key(std::fs::DirEntry::file_name);
    for child in children {
        let path = child.path();
        let name = child.file_name();
        let name = name.to_str().ok_or_else(|| ManifestError::Character(path.to_string_lossy().into()))?;
        let destination = format!("{destination}/{name}");
        check_relative_path(&destination)?;
        let kind = child.file_type().map_err(|error| source_error(&path, &error))?;
        if kind.is_dir() {
            walk(root, &path, &destination, files)?;
            continue;
        }
        if kind.is_symlink() {
            let target = path.canonicalize().map_err(|error| source_error(&path, &error))?;
            if !target.starts_with(root) {
                return Err(ManifestError::LinkLeaves(path));
            }
        }
        let metadata = std::fs::metadata(&path).map_err(|error| source_error(&path, &error))?;
        if !metadata.is_file() {
            return Err(ManifestError::NotOrdinary(path));
        }
        files.push(StagedFile { destination, source: Some(path), size: metadata.len() });
    }
    Ok(())
}

fn source_error(path: &Path, error: &std::io::Error) -> ManifestError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ManifestError::Missing(path.into()),
        _ => ManifestError::Unreadable { path: path.into(), reason: error.to_string() },
    }
}

/// Refuses equal destinations, destinations equal but for case, and a file where another has a folder.
fn check_clashes(files: &[StagedFile]) -> Result<(), ManifestError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut folders: HashMap<String, &str> = HashMap::new();
    for file in files {
        let name = file.destination.as_str();
        if let Some(other) = seen.insert(name.to_lowercase(), name) {
            return Err(clash(other, name));
        }
        let parts = Path::new(name).components().filter(|part| matches!(part, Component::Normal(_))).count();
        let mut end = 0;
        for part in name.split('/').take(parts - 1) {
            end += part.len() + 1;
            let folder = &name[..end - 1];
            let known = folders.entry(folder.to_lowercase()).or_insert(folder);
            if *known != folder {
                return Err(clash(known, folder));
            }
        }
    }
    match folders.iter().find_map(|(key, folder)| seen.get(key).map(|file| (*file, *folder))) {
        Some((file, folder)) => Err(clash(file, folder)),
        None => Ok(()),
    }
}

fn clash(one: &str, other: &str) -> ManifestError {
    if one == other {
        ManifestError::Duplicate(one.into())
    } else {
        ManifestError::CaseClash(one.into(), other.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inline(destination: &str) -> Entry {
        Entry { destination: destination.into(), source: Source::Inline(b"x".to_vec()) }
    }

    fn error_of(destinations: &[&str]) -> Option<ManifestError> {
        Manifest::new(destinations.iter().map(|name| inline(name)).collect()).err()
    }

    #[test]
    fn paths_that_could_leave_the_workspace_are_refused() {
        for (path, error) in [
            ("/etc/passwd", ManifestError::Absolute("/etc/passwd".into())),
            ("\\\\server\\share", ManifestError::Absolute("\\\\server\\share".into())),
            ("C:\\x.csv", ManifestError::Absolute("C:\\x.csv".into())),
            ("c:x.csv", ManifestError::Absolute("c:x.csv".into())),
            ("../x.csv", ManifestError::Dots("../x.csv".into())),
            ("a/../../x.csv", ManifestError::Dots("a/../../x.csv".into())),
            ("a/./x.csv", ManifestError::Dots("a/./x.csv".into())),
            ("a\\..\\x.csv", ManifestError::Character("a\\..\\x.csv".into())),
            ("a\0b", ManifestError::Character("a\u{fffd}b".into())),
            ("x.csv:stream", ManifestError::Character("x.csv:stream".into())),
            ("a//b", ManifestError::Empty("a//b".into())),
            ("", ManifestError::Empty(String::new())),
            ("a/", ManifestError::Empty("a/".into())),
        ] {
            assert_eq!(error_of(&[path]), Some(error), "{path:?}");
        }
        assert_eq!(error_of(&[&"x".repeat(256)]), Some(ManifestError::TooLong("x".repeat(256))));
        assert_eq!(error_of(&["Отчёт за 2025.csv", "売上 #1 %20.csv", "..hidden", "a b/c"]), None);
    }

    #[test]
    fn names_that_clash_are_refused() {
        assert_eq!(error_of(&["a.csv", "a.csv"]), Some(ManifestError::Duplicate("a.csv".into())));
        assert_eq!(
            error_of(&["A.csv", "a.csv"]),
            Some(ManifestError::CaseClash("A.csv".into(), "a.csv".into()))
        );
        assert_eq!(
            error_of(&["Ä.csv", "ä.csv"]),
            Some(ManifestError::CaseClash("Ä.csv".into(), "ä.csv".into()))
        );
        assert_eq!(error_of(&["a", "a/b"]), Some(ManifestError::Duplicate("a".into())));
        assert_eq!(error_of(&["x/1", "X/2"]), Some(ManifestError::CaseClash("x".into(), "X".into())));
        assert_eq!(error_of(&["x/1", "x/2"]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_may_stay_in_its_folder_but_not_leave_it() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "s").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), "1234").unwrap();
        symlink("a.csv", folder.path().join("b.csv")).unwrap();
        let entry = Entry { destination: "data".into(), source: Source::Folder(folder.path().into()) };
        let manifest = Manifest::new(vec![entry.clone()]).unwrap();
        let sizes: Vec<_> =
            manifest.files().iter().map(|file| (file.destination.as_str(), file.size)).collect();
        assert_eq!(sizes, [("data/a.csv", 4), ("data/b.csv", 4)]);

        let link = folder.path().canonicalize().unwrap().join("c.csv");
        symlink(outside.path().join("secret"), &link).unwrap();
        assert_eq!(Manifest::new(vec![entry]), Err(ManifestError::LinkLeaves(link)));
    }

    #[test]
    fn a_source_that_is_not_there_or_not_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no.csv");
        let file = |path: &Path| {
            Manifest::new(vec![Entry { destination: "x".into(), source: Source::File(path.into()) }])
        };
        assert_eq!(file(&missing), Err(ManifestError::Missing(missing.clone())));
        assert_eq!(file(folder.path()), Err(ManifestError::NotOrdinary(folder.path().into())));
    }

    proptest! {
        #[test]
        fn an_accepted_path_stays_below_its_root(path in "[a-zA-Z./\\\\: ]{0,24}") {
            if check_relative_path(&path).is_ok() {
                let mut depth = 0i32;
                for part in Path::new(&path).components() {
                    prop_assert!(matches!(part, Component::Normal(_)), "{part:?}");
                    depth += 1;
                }
                prop_assert!(depth > 0);
                prop_assert!(!path.contains(['\\', ':']));
            }
        }
    }
}
