//! Brings inputs in: mounts, or one streamed archive; and says what must be found inside.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use bollard::Docker;
use bollard::models::{Mount, MountType, MountVolumeOptions};
use bollard::query_parameters::UploadToContainerOptionsBuilder;
use bytes::Bytes;
use futures_util::stream;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use crate::error::SandboxError;
use crate::manifest::{Manifest, Source, StagedFile};
use crate::protocol::VerifyEntry;

/// Where inputs are found inside.
pub(crate) const INPUT: &str = "/workspace/input";
/// Files under this size are compared by content, larger ones by size.
const HASH_LIMIT_BYTES: u64 = 64 << 20;
/// Each mount costs the engine time at the start; beyond this many one archive is faster.
const MAX_MOUNTS: usize = 32;
/// Bytes of archive in one piece of the upload.
const PIECE_BYTES: usize = 256 << 10;
/// Pieces that may wait for the engine, which bounds the memory an upload takes.
const WAITING_PIECES: usize = 8;

/// Whether every entry can be mounted: few, from this computer's disk, and not within one another.
pub(super) fn can_mount(manifest: &Manifest) -> bool {
    let entries = manifest.entries();
    entries.len() <= MAX_MOUNTS && entries.iter().all(|entry| !matches!(entry.source, Source::Inline(_)))
}

/// Read-only mounts of the entries.
pub(super) fn mounts(manifest: &Manifest) -> Result<Vec<Mount>, SandboxError> {
    manifest
        .entries()
        .iter()
        .filter_map(|entry| match &entry.source {
            Source::File(path) | Source::Folder(path) => Some((entry, path)),
            Source::Inline(_) => None,
        })
        .map(|(entry, path)| {
            Ok(Mount {
                typ: Some(MountType::BIND),
                source: Some(for_the_engine(&path.canonicalize()?.to_string_lossy())),
                target: Some(format!("{INPUT}/{}", entry.destination)),
                read_only: Some(true),
                ..Mount::default()
            })
        })
        .collect()
}

/// Windows names a full path in a form of its own (`\\?\C:\...`), which the engine does not take.
fn for_the_engine(path: &str) -> String {
    match path.strip_prefix(r"\\?\UNC\") {
        Some(share) => format!(r"\\{share}"),
        None => path.strip_prefix(r"\\?\").unwrap_or(path).to_owned(),
    }
}

/// The place an archive is unpacked to: a volume of the container's own, removed with it.
pub(super) fn input_volume(labels: HashMap<String, String>) -> Mount {
    let options = MountVolumeOptions { labels: Some(labels), ..MountVolumeOptions::default() };
    Mount {
        typ: Some(MountType::VOLUME),
        target: Some(INPUT.into()),
        volume_options: Some(options),
        ..Mount::default()
    }
}

/// What must be found below `input/`; hashing runs beside the start of the container.
pub(crate) fn expected(
    manifest: &Manifest,
) -> impl Future<Output = Result<Vec<VerifyEntry>, SandboxError>> + use<> {
    let work: Vec<(StagedFile, Option<Vec<u8>>)> = with_content(manifest);
    let hashing = tokio::task::spawn_blocking(move || {
        work.into_iter()
            .map(|(file, inline)| {
                let sha256 = match (&file.source, inline) {
                    _ if file.size >= HASH_LIMIT_BYTES => None,
                    (Some(path), _) => Some(hash_file(path)?),
                    (None, content) => Some(hex(&Sha256::digest(content.unwrap_or_default()))),
                };
                Ok(VerifyEntry { path: file.destination, size: file.size, sha256 })
            })
            .collect()
    });
    async move { hashing.await.map_err(|error| SandboxError::Protocol(error.to_string()))? }
}

/// Writes every file into one archive.
pub(crate) fn archive<W: Write + Send + 'static>(
    manifest: &Manifest,
    writer: W,
) -> impl Future<Output = Result<(), SandboxError>> + use<W> {
    let files = with_content(manifest);
    let packing = tokio::task::spawn_blocking(move || pack(&files, writer));
    async move { packing.await.map_err(|error| SandboxError::Protocol(error.to_string()))? }
}

/// Streams every file as one archive into the container's `input/`. Files belong to root and cannot be
/// written, whoever owns them outside.
pub(super) async fn upload(
    docker: &Docker,
    container: &str,
    manifest: &Manifest,
) -> Result<(), SandboxError> {
    let (pieces, waiting) = mpsc::channel::<Bytes>(WAITING_PIECES);
    let packing = archive(manifest, PieceWriter { pieces, piece: Vec::new() });
    let body = stream::unfold(waiting, |mut waiting| async move { Some((waiting.recv().await?, waiting)) });
    let options = UploadToContainerOptionsBuilder::default().path(INPUT).build();
    let sent = docker.upload_to_container(container, Some(options), bollard::body_stream(body)).await;
    packing.await?;
    Ok(sent?)
}

fn with_content(manifest: &Manifest) -> Vec<(StagedFile, Option<Vec<u8>>)> {
    manifest
        .files()
        .iter()
        .map(|file| {
            let content = manifest.entries().iter().find_map(|entry| match &entry.source {
                Source::Inline(bytes) if entry.destination == file.destination => Some(bytes.clone()),
                _ => None,
            });
            (file.clone(), content)
        })
        .collect()
}

fn pack<W: Write>(files: &[(StagedFile, Option<Vec<u8>>)], writer: W) -> Result<(), SandboxError> {
    let mut archive = tar::Builder::new(writer);
    let mut folders = std::collections::BTreeSet::new();
    for (file, content) in files {
        for folder in Path::new(&file.destination).ancestors().skip(1) {
            folders.insert(folder.to_owned());
        }
        let mut header = tar::Header::new_gnu();
        header.set_size(file.size);
        header.set_mode(0o444);
        match (&file.source, content) {
            (Some(path), _) => append_file(&mut archive, &mut header, &file.destination, path, file.size)?,
            (None, content) => {
                let content = content.as_deref().unwrap_or_default();
                archive.append_data(&mut header, &file.destination, content)?;
            }
        }
    }
    for folder in folders {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Directory);
        header.set_mode(0o555);
        header.set_size(0);
        archive.append_data(&mut header, Path::new(".").join(folder), std::io::empty())?;
    }
    archive.into_inner()?.flush()?;
    Ok(())
}

/// Adds exactly `size` bytes, as the header promises: a file that shrank meanwhile is an error, and what
/// was added to it meanwhile is left out.
fn append_file<W: Write>(
    archive: &mut tar::Builder<W>,
    header: &mut tar::Header,
    destination: &str,
    path: &PathBuf,
    size: u64,
) -> Result<(), SandboxError> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() < size {
        let reason = "it became shorter while it was read".into();
        return Err(SandboxError::Staging { path: destination.into(), reason });
    }
    archive.append_data(header, destination, file.take(size))?;
    Ok(())
}

/// Hands an archive on in pieces; blocks while the engine is slower.
struct PieceWriter {
    pieces: mpsc::Sender<Bytes>,
    piece: Vec<u8>,
}

impl Write for PieceWriter {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.piece.extend_from_slice(data);
        if self.piece.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        if piece.is_empty() {
            return Ok(());
        }
        self.pieces
            .blocking_send(piece.into())
            .map_err(|_| std::io::Error::other("the engine ended the upload"))
    }
}

fn hash_file(path: &Path) -> Result<String, SandboxError> {
    let mut file = std::fs::File::open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hex(&digest.finalize()));
        }
        digest.update(&buffer[..count]);
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_given_paths_in_their_usual_form() {
        assert_eq!(for_the_engine(r"\\?\C:\Users\Ann\sales.csv"), r"C:\Users\Ann\sales.csv");
        assert_eq!(for_the_engine(r"\\?\UNC\server\share\sales.csv"), r"\\server\share\sales.csv");
        assert_eq!(for_the_engine("/home/ann/sales.csv"), "/home/ann/sales.csv");
    }
}
