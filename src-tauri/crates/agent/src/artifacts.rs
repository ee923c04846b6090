//! The host's copy of `output/`: what steps have made is copied out after each of them.

use std::path::Path;

use assay_sandbox::{SandboxError, StepOutcome, Wanted, check_relative_path};

use crate::agent::AgentError;
use crate::event::Event;
use crate::workbench::Workbench;

/// What a file is called until all of it is there.
const PARTIAL: &str = ".assay-partial";

impl Workbench<'_> {
    /// Copies new and changed artifacts to the host, and removes the copies of those that are gone.
    pub(crate) async fn collect(&mut self, outcome: &StepOutcome) -> Result<(), AgentError> {
        let step = outcome.step;
        for path in outcome.removed.iter().filter_map(|path| path.strip_prefix("output/")) {
            if check_relative_path(path).is_ok() && std::fs::remove_file(self.output().join(path)).is_ok() {
                self.record(Event::ArtifactRemoved { step, path: path.into() })?;
            }
        }
        for file in &outcome.refused {
            if let Some(path) = file.path.strip_prefix("output/") {
                self.record(Event::ArtifactRefused { step, path: path.into(), reason: file.reason.clone() })?;
            }
        }
        // The sandbox may be in the middle of a kill; what is there is still copied out.
        let paths = outcome.changed.iter().filter_map(|file| file.path.strip_prefix("output/"));
        self.save(step, &paths.collect::<Vec<_>>()).await
    }

    /// Copies artifacts to the host, together at most what `output/` may hold: each to a file beside its place
    /// first, so that a copy is whole or absent.
    pub(crate) async fn save(&mut self, step: u32, paths: &[&str]) -> Result<(), AgentError> {
        let (mut copied, mut wanted) = (Vec::new(), Vec::new());
        for path in paths {
            match wanted_at(self.output(), path) {
                Ok(file) => {
                    copied.push(*path);
                    wanted.push(file);
                }
                Err(error) => self.record(told(step, path, Err(error))?)?,
            }
        }
        let (output, max_bytes) = (self.output().to_owned(), self.policy().output_mib << 20);
        let (session, recorder) = self.session_and_recorder();
        let mut trouble = None;
        let fetched = session
            .fetch_all(&wanted, max_bytes, &mut |at, fetched| {
                let (path, partial) = (copied[at], &wanted[at].to);
                let kept =
                    fetched.and_then(|size| Ok(std::fs::rename(partial, output.join(path)).map(|()| size)?));
                if kept.is_err() {
                    let _ = std::fs::remove_file(partial);
                }
                let recorded = told(step, path, kept)
                    .map_err(AgentError::from)
                    .and_then(|event| recorder.record(event).map_err(AgentError::Record));
                if let Err(error) = recorded {
                    trouble.get_or_insert(error);
                }
            })
            .await;
        if fetched.is_err() {
            for file in &wanted {
                drop(std::fs::remove_file(&file.to));
            }
        }
        trouble.map_or(Ok(fetched?), Err)
    }
}

/// Makes the place for an artifact's copy, and says where it goes until it is whole.
fn wanted_at(output: &Path, path: &str) -> Result<Wanted, SandboxError> {
    check_relative_path(path)?;
    if path.split('/').any(|part| part == PARTIAL) {
        return Err(SandboxError::File {
            path: path.into(),
            reason: "its name is one of Assay's own".into(),
        });
    }
    let place = output.join(path);
    let folder = place.parent().unwrap_or(output);
    std::fs::create_dir_all(folder)?;
    Ok(Wanted { path: format!("output/{path}"), to: folder.join(PARTIAL) })
}

/// What came of copying an artifact, for the record; an error that is more than its own ends the run.
fn told(step: u32, path: &str, copied: Result<u64, SandboxError>) -> Result<Event, SandboxError> {
    let reason = match copied {
        Ok(size) => return Ok(Event::ArtifactSaved { step, path: path.into(), size }),
        Err(SandboxError::Manifest(error)) => error.to_string(),
        Err(SandboxError::File { reason, .. }) => reason,
        Err(SandboxError::Io(error)) if is_about_the_name(&error) => {
            "this computer cannot keep a file of this name there".into()
        }
        Err(error) => return Err(error),
    };
    let shown = assay_sandbox::printable(path.as_bytes()).replace(['\n', '\t'], "\u{fffd}");
    Ok(Event::ArtifactRefused { step, path: shown, reason })
}

/// Whether the trouble is the name that the code has chosen: too long for this system, or a file where a folder
/// is, or the other way round.
fn is_about_the_name(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::DirectoryNotEmpty
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}
