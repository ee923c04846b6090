//! What this computer offers for a sandbox of its own: bubblewrap, Python, and a user to be inside.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::obstacle::LocalObstacle;

/// Where systems keep programs. The person's own `PATH` may lead to what is not visible inside.
const PLACES: [&str; 2] = ["/usr/bin", "/usr/local/bin"];
/// The first bubblewrap that limits the size of a folder in memory.
const BUBBLEWRAP: (u32, u32) = (0, 7);
/// The versions of Python that the packages are pinned for, by their second number; the system's own goes first.
const PYTHONS: [u32; 4] = [12, 11, 13, 14];
/// Numbers of users that nobody has: systems give them to services for as long as these run.
const FREE_USERS: std::ops::Range<u32> = 61_184..65_520;

/// What a sandbox is made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Means {
    pub(super) bubblewrap: PathBuf,
    /// For example `0.8.0`.
    pub(super) version: String,
    /// The real program, for example `/usr/bin/python3.11`.
    pub(super) python: PathBuf,
    pub(super) user: User,
}

/// Who the code is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    /// The one who runs the app, in a user namespace.
    Own { uid: u32, gid: u32 },
    /// Nobody else: a number of the session's own, since the app runs as root.
    Fresh { uid: u32 },
}

impl Means {
    /// Looks for what is needed.
    pub(super) fn find() -> Result<Self, LocalObstacle> {
        let bubblewrap = program("bwrap").ok_or(LocalObstacle::NoBubblewrap)?;
        let version = version_of(&bubblewrap)?;
        let python = python()?;
        Ok(Self { bubblewrap, version, python, user: User::find() })
    }

    /// For example `3.11`.
    pub(super) fn python_version(&self) -> &str {
        let name = self.python.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.trim_start_matches("python")
    }
}

impl User {
    fn find() -> Self {
        match std::fs::metadata("/proc/self") {
            Ok(own) if own.uid() != 0 => Self::Own { uid: own.uid(), gid: own.gid() },
            _ => Self::Fresh { uid: fastrand::u32(FREE_USERS) },
        }
    }
}

fn program(name: &str) -> Option<PathBuf> {
    PLACES.iter().map(|place| Path::new(place).join(name)).find(|path| path.is_file())
}

fn version_of(bubblewrap: &Path) -> Result<String, LocalObstacle> {
    let told = Command::new(bubblewrap).arg("--version").output();
    let told = told.map_err(|error| LocalObstacle::Forbidden(error.to_string()))?;
    let told = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    let version = told.rsplit(' ').next().unwrap_or_default().to_owned();
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < BUBBLEWRAP {
        return Err(LocalObstacle::OldBubblewrap { found: version });
    }
    Ok(version)
}

/// The system's Python, or another of its Pythons that the packages are made for.
fn python() -> Result<PathBuf, LocalObstacle> {
    let own = program("python3").and_then(|path| path.canonicalize().ok());
    let others = PYTHONS.iter().filter_map(|minor| program(&format!("python3.{minor}"))?.canonicalize().ok());
    let found: Vec<PathBuf> = own.into_iter().chain(others).filter(|path| path.starts_with("/usr")).collect();
    let fits = |path: &&PathBuf| minor(path).is_some_and(|minor| PYTHONS.contains(&minor));
    match found.iter().find(fits) {
        Some(python) => Ok(python.clone()),
        None => Err(LocalObstacle::NoPython {
            found: found.first().and_then(|path| minor(path)).map(|minor| format!("3.{minor}")),
        }),
    }
}

fn minor(python: &Path) -> Option<u32> {
    python.file_name()?.to_str()?.strip_prefix("python3.")?.parse().ok()
}
