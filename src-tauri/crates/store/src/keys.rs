//! Keys of model providers: in the system's keychain, or where the person chose to keep them instead.
//!
//! A key is never in the database. Where the system has no keychain, it is kept for as long as the program
//! runs, or, if the person says so, in a file that only their own account can read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The name that the keychain lists the keys under.
const SERVICE: &str = "Assay";

/// How long the keychain may take: it may ask the person to unlock it.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long it may take to say that it is there.
const GLANCE: Duration = Duration::from_secs(3);

/// Where a key is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// In the system's keychain.
    #[default]
    Keychain,
    /// In memory, until the program ends.
    Session,
    /// In a file that only the person's own account can read.
    File,
}

/// A key could not be kept or read. No message holds a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The system has no keychain, or it does not answer.
    #[error("the system's keychain cannot be used: {0}")]
    NoKeychain(String),
    /// The file of keys could not be read or written.
    #[error("the file of keys could not be used: {0}")]
    File(#[from] std::io::Error),
}

/// The keys, each under the name of the host it is for.
#[derive(Debug)]
pub struct Keys {
    file: PathBuf,
    session: Mutex<BTreeMap<String, String>>,
}

impl Keys {
    /// Keys whose file, where there is one, lies in `home`.
    pub fn new(home: &Path) -> Self {
        Self { file: home.join("keys.json"), session: Mutex::default() }
    }

    /// Keeps a key in one place, and takes it out of memory and file where those are others. What is in the
    /// keychain stays until it is forgotten: asking for it may disturb the person.
    pub fn keep(&self, host: &str, key: &str, place: KeyPlace) -> Result<(), KeyError> {
        if place == KeyPlace::Keychain {
            let (host, key) = (host.to_owned(), key.to_owned());
            in_keychain(PATIENCE, move || keyring::Entry::new(SERVICE, &host)?.set_password(&key))?;
        }
        self.forget_elsewhere(host, place)?;
        match place {
            KeyPlace::Keychain => {}
            KeyPlace::Session => {
                self.session().insert(host.to_owned(), key.to_owned());
            }
            KeyPlace::File => {
                let mut keys = self.read_file()?;
                keys.insert(host.to_owned(), key.to_owned());
                self.write_file(&keys)?;
            }
        }
        Ok(())
    }

    /// A host's key, where it is in this place.
    pub fn find(&self, host: &str, place: KeyPlace) -> Option<String> {
        match place {
            KeyPlace::Session => self.session().get(host).cloned(),
            KeyPlace::File => self.read_file().ok()?.remove(host),
            KeyPlace::Keychain => {
                let host = host.to_owned();
                in_keychain(PATIENCE, move || keyring::Entry::new(SERVICE, &host)?.get_password()).ok()
            }
        }
    }

    /// Forgets a host's key wherever it is.
    pub fn forget(&self, host: &str) -> Result<(), KeyError> {
        self.forget_elsewhere(host, KeyPlace::Keychain)?;
        let host = host.to_owned();
        let forgotten =
            in_keychain(PATIENCE, move || match keyring::Entry::new(SERVICE, &host)?.delete_credential() {
                Err(keyring::Error::NoEntry) => Ok(()),
                done => done,
            });
        // Where there is no keychain, there is no key in it.
        forgotten.or_else(|error| match error {
            KeyError::NoKeychain(_) => Ok(()),
            other @ KeyError::File(_) => Err(other),
        })
    }

    /// Whether the system has a keychain that can be used.
    pub fn has_keychain() -> bool {
        in_keychain(GLANCE, || match keyring::Entry::new(SERVICE, "probe")?.get_password() {
            Ok(_) | Err(keyring::Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
        .is_ok()
    }

    fn forget_elsewhere(&self, host: &str, place: KeyPlace) -> Result<(), KeyError> {
        if place != KeyPlace::Session {
            self.session().remove(host);
        }
        if place != KeyPlace::File {
            let mut keys = self.read_file()?;
            if keys.remove(host).is_some() {
                self.write_file(&keys)?;
            }
        }
        Ok(())
    }

    fn session(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_file(&self) -> std::io::Result<BTreeMap<String, String>> {
        match std::fs::read(&self.file) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error),
        }
    }

    /// Writes a new file beside the old one and puts it in its place; it is private from its first byte on.
    fn write_file(&self, keys: &BTreeMap<String, String>) -> std::io::Result<()> {
        if keys.is_empty() {
            return std::fs::remove_file(&self.file);
        }
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let partial = self.file.with_extension("partial");
        let _ = std::fs::remove_file(&partial);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&partial)?;
        file.write_all(serde_json::to_string(keys)?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, &self.file)
    }
}

/// Asks the keychain on a thread of its own: on Linux it is asked over a bus, by a library that must not wait
/// on an asynchronous thread.
fn in_keychain<T: Send + 'static>(
    patience: Duration,
    ask: impl FnOnce() -> keyring::Result<T> + Send + 'static,
) -> Result<T, KeyError> {
    let (answer, waiting) = mpsc::channel();
    std::thread::spawn(move || answer.send(ask()));
    match waiting.recv_timeout(patience) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(KeyError::NoKeychain(error.to_string())),
        Err(_) => Err(KeyError::NoKeychain("it does not answer".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_in_one_place_only_and_its_file_is_private() {
        let home = tempfile::tempdir().unwrap();
        let keys = Keys::new(home.path());
        keys.keep("api.example.com", "sk-1", KeyPlace::Session).unwrap();
        assert_eq!(keys.find("api.example.com", KeyPlace::Session).as_deref(), Some("sk-1"));
        assert!(!keys.file.exists());

        keys.keep("api.example.com", "sk-2", KeyPlace::File).unwrap();
        keys.keep("other.example.com", "sk-3", KeyPlace::File).unwrap();
        assert_eq!(keys.find("api.example.com", KeyPlace::Session), None);
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&keys.file).unwrap());
            assert_eq!(mode & 0o777, 0o600);
        }
        let later = Keys::new(home.path());
        assert_eq!(later.find("api.example.com", KeyPlace::File).as_deref(), Some("sk-2"));

        keys.keep("api.example.com", "sk-4", KeyPlace::Session).unwrap();
        assert!(!std::fs::read_to_string(&keys.file).unwrap().contains("sk-2"));
        keys.forget("other.example.com").unwrap();
        assert!(!keys.file.exists(), "a file without a key is no file");
    }
}
