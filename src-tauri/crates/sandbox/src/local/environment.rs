//! The Python packages of the local runtime: an environment of their own in the app's folder, made once.

use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;

use super::filter::{Counting, filter};
use super::means::Means;
use super::obstacle::LocalObstacle;
use super::process::Process;
use super::scratch::{keep, scratch};
use super::walls::Walls;
use crate::docker::stage::hex;
use crate::docker::{CERTIFICATE_VARIABLES, CERTIFICATES, ImageProgress, PROXY_VARIABLES, SILENCE_LIMIT};
use crate::error::SandboxError;
use crate::text::printable;

/// What an environment is made from. Another content makes another environment.
const RECIPE: [(&str, &str); 4] = [
    ("environment.sh", include_str!("../../../../../sandbox/environment.sh")),
    ("font_fallback.py", include_str!("../../../../../sandbox/font_fallback.py")),
    ("matplotlibrc", include_str!("../../../../../sandbox/matplotlibrc")),
    ("requirements.txt", include_str!("../../../../../sandbox/requirements.txt")),
];
/// Written last, with the size in bytes.
const MADE: &str = "made";
/// The certificates, among the recipe's files.
const TRUSTED: &str = "trusted.crt";

/// The environment for one Python.
#[derive(Debug, Clone)]
pub(super) struct Environment {
    pub(super) folder: PathBuf,
    /// What tells it from others, for example `python3.11-0123456789abcdef`.
    pub(super) name: String,
}

impl Environment {
    /// The one for these means; it may not be made yet.
    pub(super) fn of(home: &Path, means: &Means) -> Self {
        let mut digest = Sha256::new();
        for (name, content) in RECIPE {
            digest.update(format!("{name} {}\n", content.len()));
            digest.update(content);
        }
        let name = format!("python{}-{}", means.python_version(), &hex(&digest.finalize())[..16]);
        Self { folder: home.join("environments").join(&name), name }
    }

    /// Its size in bytes, when it is made.
    pub(super) fn size(&self) -> Option<u64> {
        std::fs::read_to_string(self.folder.join(MADE)).ok()?.trim().parse().ok()
    }

    /// Makes it in a folder beside its place, and moves it there when it is whole. Others are removed then, for
    /// nothing uses them any more.
    pub(super) async fn make(
        &self,
        means: &Means,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        check_venv(means)?;
        let parent = self.folder.parent().unwrap_or(&self.folder);
        let (making, start) = (scratch(parent)?, scratch(parent)?);
        let build = making.path().join("build");
        std::fs::create_dir(&build)?;
        for (name, content) in RECIPE {
            std::fs::write(build.join(name), content)?;
        }
        std::fs::write(build.join(TRUSTED), trusted())?;
        let mut walls = Walls::of_making(means, making.path());
        walls.variables(
            PROXY_VARIABLES.iter().filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?))),
        );
        walls.variables(
            ["PIP_CERT", "SSL_CERT_FILE"].map(|name| format!("{name}=/opt/assay/build/{TRUSTED}")),
        );
        walls.variables(["HOME=/tmp", "PYTHONUNBUFFERED=1"]);
        let python = means.python.to_string_lossy();
        let program = ["/bin/sh", "/opt/assay/build/environment.sh", &python];
        let command = walls.command(start.path(), &filter(Counting::Whole)?, None, &program)?;
        tokio::select! {
            made = follow(command, progress) => made?,
            () = stop.cancelled() => return Err(SandboxError::Stopped),
        }
        let folder = making.path().to_owned();
        let size = tokio::task::spawn_blocking(move || size_below(&folder)).await.unwrap_or_default();
        std::fs::write(making.path().join(MADE), size.to_string())?;
        if self.size().is_none() {
            let _ = std::fs::remove_dir_all(&self.folder);
            keep(making, &self.folder)?;
        }
        self.remove_others();
        Ok(())
    }

    fn remove_others(&self) {
        let parent = self.folder.parent().unwrap_or(&self.folder);
        for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
            if entry.path() != self.folder && entry.path().join(MADE).exists() {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Whether this Python can make environments.
pub(super) fn check_venv(means: &Means) -> Result<(), LocalObstacle> {
    let mut python = std::process::Command::new(&means.python);
    let told = python.args(["-I", "-c", "import ensurepip, venv"]).output();
    match told {
        Ok(told) if told.status.success() => Ok(()),
        _ => Err(LocalObstacle::NoVenv { python: means.python_version().to_owned() }),
    }
}

/// Runs what makes an environment to its end, and passes its lines on.
async fn follow(
    command: std::process::Command,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<(), SandboxError> {
    let (process, (input, output, complaints)) = Process::start(command, ()).await?;
    drop(input);
    let output = ReaderStream::new(tokio::process::ChildStdout::from_std(output)?);
    let complaints = ReaderStream::new(tokio::process::ChildStderr::from_std(complaints)?);
    let mut pieces = futures_util::stream::select(output, complaints);
    let (mut held, mut last) = (Vec::new(), String::new());
    loop {
        let next = tokio::time::timeout(SILENCE_LIMIT, pieces.next()).await;
        let next = next.map_err(|_| SandboxError::ImageBuild("nothing was heard for a long time".into()))?;
        let Some(piece) = next else { break };
        held.extend_from_slice(&piece?);
        while let Some(end) = held.iter().position(|byte| *byte == b'\n') {
            let line = printable(&held.drain(..=end).collect::<Vec<u8>>()).trim().to_owned();
            if !line.is_empty() {
                last.clone_from(&line);
                progress(ImageProgress { line, part: None });
            }
        }
    }
    if process.succeeded().await { Ok(()) } else { Err(SandboxError::ImageBuild(last)) }
}

/// The certificates that downloads are checked against: the system's, and those that this computer adds.
fn trusted() -> Vec<u8> {
    let named = CERTIFICATE_VARIABLES.iter().filter_map(std::env::var_os).map(PathBuf::from);
    let added =
        named.filter(|path| path != Path::new(CERTIFICATES)).find_map(|path| std::fs::read(path).ok());
    let mut all = std::fs::read(CERTIFICATES).unwrap_or_default();
    all.push(b'\n');
    all.extend(added.unwrap_or_default());
    all
}

fn size_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some((entry.path(), entry.path().symlink_metadata().ok()?)))
        .map(|(path, found)| if found.is_dir() { size_below(&path) } else { found.len() })
        .sum()
}
