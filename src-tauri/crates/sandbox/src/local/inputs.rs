//! What is mounted into a session's `input/`, and from where.

use std::path::{Path, PathBuf};

use crate::error::SandboxError;
use crate::manifest::{Manifest, Source};
use crate::runtime::Staging;

/// The place of each input on this computer, and its destination below `input/`. Content made by the app, and
/// copies, are written to `folder`.
pub(super) async fn place(
    manifest: &Manifest,
    staging: Staging,
    folder: &Path,
) -> Result<Vec<(PathBuf, String)>, SandboxError> {
    let (manifest, folder) = (manifest.clone(), folder.to_owned());
    let placing = tokio::task::spawn_blocking(move || match staging {
        Staging::Mounted => mounted(&manifest, &folder),
        Staging::Uploaded => copied(&manifest, &folder),
    });
    placing.await.map_err(|error| SandboxError::Protocol(error.to_string()))?
}

fn mounted(manifest: &Manifest, folder: &Path) -> Result<Vec<(PathBuf, String)>, SandboxError> {
    let entries = manifest.entries().iter().enumerate();
    entries
        .map(|(number, entry)| {
            let place = match &entry.source {
                Source::File(path) | Source::Folder(path) => path.canonicalize()?,
                Source::Inline(content) => written(folder, number, content)?,
            };
            Ok((place, entry.destination.clone()))
        })
        .collect()
}

fn copied(manifest: &Manifest, folder: &Path) -> Result<Vec<(PathBuf, String)>, SandboxError> {
    let inline = manifest.entries().iter().enumerate().filter_map(|(number, entry)| match &entry.source {
        Source::Inline(content) => Some((number, &entry.destination, content)),
        _ => None,
    });
    let mut places = Vec::new();
    for (number, destination, content) in inline {
        places.push((written(folder, number, content)?, destination.clone()));
    }
    for (number, file) in manifest.files().iter().enumerate() {
        let Some(source) = &file.source else { continue };
        let copy = folder.join(format!("copy-{number}"));
        std::fs::copy(source, &copy)?;
        readable(&copy)?;
        places.push((copy, file.destination.clone()));
    }
    Ok(places)
}

fn written(folder: &Path, number: usize, content: &[u8]) -> std::io::Result<PathBuf> {
    let place = folder.join(format!("made-{number}"));
    std::fs::write(&place, content)?;
    readable(&place)?;
    Ok(place)
}

/// The folder that it lies in lets nobody else in; inside it is another user who reads it.
fn readable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o444))
}
