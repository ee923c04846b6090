//! An engine of the test's own, which may be started anew and killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::leftovers::Docker;
use crate::program::signal_process;

/// A small image with Python that can be copied from the engine that everybody uses.
pub(crate) const IMAGE: &str = "assay-base:debian12";
/// An engine starts and ends within this time.
const LIMIT: Duration = Duration::from_mins(1);

/// A second engine with everything of its own below one folder.
pub(crate) struct OwnEngine {
    folder: tempfile::TempDir,
    /// What holds the containers: a process of its own, so that the engine can be killed without it. An engine with
    /// a view of its own of the disk brings one that has the same view.
    containerd: Option<Child>,
    dockerd: Child,
    /// A folder in whose place the engine sees another one.
    hidden: Option<PathBuf>,
    pub(crate) docker: Docker,
}

impl OwnEngine {
    /// Starts one with [`IMAGE`], or says why there can be none.
    pub(crate) fn start(hidden: Option<&Path>) -> Result<Self, String> {
        let is_root =
            std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        if !is_root || Command::new("dockerd").arg("--version").output().is_err() {
            return Err("a second engine can only be started by root, where dockerd is installed".into());
        }
        let shared = Docker::default();
        let has_image =
            shared.command(&["image", "inspect", IMAGE]).output().is_ok_and(|output| output.status.success());
        if !has_image {
            return Err(format!("there is no image {IMAGE} to copy"));
        }
        let folder = tempfile::tempdir().unwrap();
        let docker = Docker(Some(format!("unix://{}", folder.path().join("docker.sock").display())));
        let hidden = hidden.map(Path::to_owned);
        let containerd = hidden.is_none().then(|| spawn_containerd(folder.path()));
        let dockerd = spawn(folder.path(), hidden.as_deref());
        let engine = Self { folder, containerd, dockerd, hidden, docker };
        engine.wait();
        let mut saving = shared.command(&["save", IMAGE]).stdout(Stdio::piped()).spawn().unwrap();
        let loaded =
            engine.docker.command(&["load", "-q"]).stdin(saving.stdout.take().unwrap()).output().unwrap();
        assert!(saving.wait().unwrap().success() && loaded.status.success(), "{loaded:?}");
        Ok(engine)
    }

    fn wait(&self) {
        let begun = Instant::now();
        while !self.docker.command(&["version"]).output().unwrap().status.success() {
            let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < LIMIT, "the engine does not start: {log}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Ends the engine with a signal, `-TERM` or `-KILL`.
    pub(crate) fn end(&mut self, signal: &str) {
        signal_process(self.dockerd.id(), signal);
        self.dockerd.wait().unwrap();
    }

    /// Starts it again, with what it had.
    pub(crate) fn start_again(&mut self) {
        self.dockerd = spawn(self.folder.path(), self.hidden.as_deref());
        self.wait();
    }

    /// Everything that is there but the image.
    pub(crate) fn everything(&self) -> String {
        [self.docker.says(&["ps", "-aq"]), self.docker.says(&["volume", "ls", "-q"])].concat()
    }
}

impl Drop for OwnEngine {
    fn drop(&mut self) {
        if self.dockerd.try_wait().is_ok_and(|ended| ended.is_some()) {
            self.dockerd = spawn(self.folder.path(), self.hidden.as_deref());
            self.wait();
        }
        // What still runs keeps mounts below the folder.
        for container in self.docker.says(&["ps", "-aq"]).lines() {
            let _ = self.docker.command(&["rm", "-f", "-v", container]).output();
        }
        signal_process(self.dockerd.id(), "-TERM");
        let _ = self.dockerd.wait();
        if let Some(containerd) = &mut self.containerd {
            signal_process(containerd.id(), "-TERM");
            let _ = containerd.wait();
        }
        // The engine mounts its folder onto itself.
        let _ = Command::new("umount").arg(self.folder.path().join("data")).output();
    }
}

fn spawn_containerd(folder: &Path) -> Child {
    let place = |name: &str| folder.join(name).display().to_string();
    let (root, state, address) = (place("root"), place("state"), place("containerd.sock"));
    let settings = format!(
        "version = 2\nroot = \"{root}\"\nstate = \"{state}\"\ndisabled_plugins = [\"io.containerd.grpc.v1.cri\"]\n[grpc]\naddress = \"{address}\"\n"
    );
    std::fs::write(place("containerd.toml"), settings).unwrap();
    let log = std::fs::File::create(place("containerd.log")).unwrap();
    let child = Command::new("containerd")
        .args(["--config", &place("containerd.toml")])
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !Path::new(&address).exists() {
        assert!(begun.elapsed() < LIMIT, "containerd does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    child
}

fn spawn(folder: &Path, hidden: Option<&Path>) -> Child {
    let place = |name: &str| folder.join(name).display().to_string();
    let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
    // In a network of its own: without a bridge it would take away the one of the engine that everybody uses.
    let mut command = match hidden {
        None => {
            let mut command = Command::new("unshare");
            command.args(["--net", "dockerd", "--containerd", &place("containerd.sock")]);
            command
        }
        // The engine has a view of its own of this computer's disk, as one in a virtual machine has.
        Some(hidden) => {
            let mut command = Command::new("unshare");
            let script = "mount -t tmpfs none \"$0\" && printf 'a,b\\n9,9999\\n' > \"$0/changed.csv\" && exec dockerd \"$@\"";
            command.args(["--net", "--mount", "sh", "-c", script]).arg(hidden);
            command
        }
    };
    command
        .args(["--host", &format!("unix://{}", place("docker.sock"))])
        .args(["--data-root", &place("data"), "--exec-root", &place("exec"), "--pidfile", &place("pid")])
        .args(["--bridge", "none", "--iptables=false", "--shutdown-timeout", "5"])
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}
