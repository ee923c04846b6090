//! Folders that are needed for a while, each with the name of its owner, so that a later start can tell whether
//! it still is.

use std::path::Path;

use tempfile::TempDir;

use crate::owner::Owner;

const OWNER: &str = ".owner";

/// A new folder below `parent`, removed when it is dropped.
pub(super) fn scratch(parent: &Path) -> std::io::Result<TempDir> {
    std::fs::create_dir_all(parent)?;
    let folder = TempDir::new_in(parent)?;
    std::fs::write(folder.path().join(OWNER), Owner::current().to_string())?;
    Ok(folder)
}

/// Makes a folder one that stays, under the name `place`.
pub(super) fn keep(folder: TempDir, place: &Path) -> std::io::Result<()> {
    std::fs::rename(folder.path(), place)?;
    // It is not there any more under the name that would be removed.
    let _ = folder.keep();
    std::fs::remove_file(place.join(OWNER))
}

/// Removes the folders below `parent` whose owners are dead; returns how many there were.
pub(super) fn sweep(parent: &Path) -> std::io::Result<usize> {
    let mut removed = 0;
    let Ok(entries) = std::fs::read_dir(parent) else { return Ok(0) };
    for entry in entries.flatten() {
        let owner = std::fs::read_to_string(entry.path().join(OWNER)).ok();
        if owner.and_then(|label| Owner::parse(&label)).is_some_and(|owner| owner.is_dead()) {
            std::fs::remove_dir_all(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}
