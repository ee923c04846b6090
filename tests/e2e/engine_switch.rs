//! An engine that can be switched off: a socket that leads to the real one, there only while a file is.
//!
//! The real engine of the computer goes on for everybody else.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_engine::RuntimeChoice;

use crate::stage::{SOON, Stage, wait_for};

const REAL: &str = "/var/run/docker.sock";

/// What `pkexec` does on this stage: nothing but what the app may ask for, and only while it is granted.
const PKEXEC: &str = "#!/bin/sh
[ \"$*\" = 'systemctl start docker' ] || { echo \"unexpected: $*\" >&2; exit 1; }
[ -e FOLDER/granted ] || { echo 'Request dismissed' >&2; exit 126; }
touch FOLDER/on
";

/// The name of the sandbox's image, and one of the same length that the engine does not know.
const IMAGE: &[u8] = b"assay-sandbox";
const UNKNOWN_IMAGE: &[u8] = b"assay-missing";

/// The label of Assay's own images as it is asked for, and one of the same length that the stage's images have.
const LABEL: &[u8] = b"app%3Dassay";
const LABEL_OF_STAGE: &[u8] = b"app%3Dstage";

/// The engine of one stage.
pub(crate) struct EngineSwitch {
    folder: PathBuf,
    ended: Arc<AtomicBool>,
}

impl Drop for EngineSwitch {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if self.folder.join("without-image").exists() {
            // Only the name goes: what the real image is made of stays.
            let name = format!("{}:1", String::from_utf8_lossy(UNKNOWN_IMAGE));
            let _ = Command::new("docker").args(["image", "rm", "--no-prune", &name]).output();
        }
    }
}

impl EngineSwitch {
    /// Puts the switch, which is off, between the stage's programs and the engine, and lets code run in an engine
    /// only.
    pub(crate) fn install(stage: &mut Stage) -> Self {
        let folder = stage.place("engine");
        std::fs::create_dir(&folder).unwrap();
        let program = folder.join("pkexec");
        std::fs::write(&program, PKEXEC.replace("FOLDER", folder.to_str().unwrap())).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = std::env::var("PATH").unwrap();
        stage.set_variable("PATH", format!("{}:{path}", folder.display()));
        stage.set_variable("DOCKER_HOST", format!("unix://{}", folder.join("docker.sock").display()));
        // It is about the engine here, not about doing without one.
        stage.choose_runtime(RuntimeChoice::Docker);
        let ended = Arc::new(AtomicBool::new(false));
        let (own_folder, own_ended) = (folder.clone(), ended.clone());
        std::thread::spawn(move || serve(&own_folder, &own_ended));
        Self { folder, ended }
    }

    pub(crate) fn on(&self) {
        std::fs::write(self.folder.join("on"), "").unwrap();
        wait_for(SOON, "the engine's socket", || self.folder.join("docker.sock").exists());
    }

    pub(crate) fn off(&self) {
        std::fs::remove_file(self.folder.join("on")).unwrap();
        wait_for(SOON, "the end of the engine's socket", || !self.folder.join("docker.sock").exists());
    }

    /// Lets the engine look as if the sandbox's image had not been made yet. What is asked for under its name
    /// is made, and used, under another.
    pub(crate) fn hide_image(&self) {
        std::fs::write(self.folder.join("without-image"), "").unwrap();
    }

    /// Lets the engine tell of no images as Assay's own but those with the label `app=stage`: what else is there
    /// belongs to others.
    pub(crate) fn show_images_of_stage(&self) {
        std::fs::write(self.folder.join("own-images"), "").unwrap();
    }

    /// Lets whoever makes an image wait, as long downloads do; what waits is let go unmade.
    pub(crate) fn hold_making(&self) {
        std::fs::write(self.folder.join("held"), "").unwrap();
    }

    pub(crate) fn go_on_making(&self) {
        std::fs::remove_file(self.folder.join("held")).unwrap();
    }

    /// Who may reach the engine, as the mode of its socket.
    pub(crate) fn permit(&self, mode: u32) {
        let socket = self.folder.join("docker.sock");
        std::fs::set_permissions(socket, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Lets whoever asks for the engine's start have it.
    pub(crate) fn grant(&self) {
        std::fs::write(self.folder.join("granted"), "").unwrap();
    }
}

/// Listens while the engine is on; when it goes off, every connection ends with it.
fn serve(folder: &Path, ended: &AtomicBool) {
    let mut listener: Option<UnixListener> = None;
    let open: Arc<Mutex<Vec<UnixStream>>> = Arc::default();
    while !ended.load(Ordering::Relaxed) {
        let is_on = folder.join("on").exists();
        match (&listener, is_on) {
            (None, true) => {
                let fresh = UnixListener::bind(folder.join("docker.sock")).unwrap();
                fresh.set_nonblocking(true).unwrap();
                listener = Some(fresh);
            }
            (Some(_), false) => {
                listener = None;
                let _ = std::fs::remove_file(folder.join("docker.sock"));
                for stream in open.lock().unwrap().drain(..) {
                    let _ = stream.shutdown(Shutdown::Both);
                }
            }
            (Some(listening), true) => {
                while let Ok((near, _)) = listening.accept() {
                    near.set_nonblocking(false).unwrap();
                    let Ok(far) = UnixStream::connect(REAL) else { continue };
                    let mut all = open.lock().unwrap();
                    all.push(near.try_clone().unwrap());
                    all.push(far.try_clone().unwrap());
                    let rename = folder.join("without-image").exists();
                    let is_apart = folder.join("own-images").exists();
                    let held = folder.join("held");
                    pass_on(near.try_clone().unwrap(), far.try_clone().unwrap(), move |bytes| {
                        if rename {
                            replace(bytes, IMAGE, UNKNOWN_IMAGE);
                        }
                        if is_apart {
                            replace(bytes, LABEL, LABEL_OF_STAGE);
                        }
                        let is_making = ["/images/create", "/build?"].iter().any(|place| holds(bytes, place));
                        let wait = is_making && held.exists();
                        while wait && held.exists() {
                            std::thread::sleep(Duration::from_millis(20));
                        }
                        !wait
                    });
                    pass_on(far, near, |_| true);
                }
            }
            (None, false) => {}
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn holds(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}

/// Puts some bytes in place of others, as many as those are.
fn replace(bytes: &mut [u8], old: &[u8], new: &[u8]) {
    for at in 0..bytes.len().saturating_sub(old.len() - 1) {
        if bytes[at..].starts_with(old) {
            bytes[at..at + old.len()].copy_from_slice(new);
        }
    }
}

/// Passes bytes on until one side has no more, or `change` says that they shall not go on; tells the other side so.
fn pass_on(
    mut from: UnixStream,
    mut to: UnixStream,
    mut change: impl FnMut(&mut [u8]) -> bool + Send + 'static,
) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            if !change(&mut buffer[..count]) {
                let _ = from.shutdown(Shutdown::Both);
                break;
            }
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}
