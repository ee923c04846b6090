//! Engines of a test's own: started in a folder, stopped and removed with it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assay_sandbox::{DockerRuntime, DockerSettings};
use assay_tests::skip;
use tempfile::TempDir;

/// A small image with Python, made from Debian packages where the official one cannot be had.
const SMALL_IMAGE: &str = "assay-base:debian12";

/// An engine that was started for one test.
pub(crate) struct Started {
    pub(crate) folder: TempDir,
    /// The image with Python that it was given.
    pub(crate) image: String,
    engine: Child,
    /// A user who was made for it.
    user: Option<User>,
    /// A network of its own.
    bridge: Option<Bridge>,
}

impl Started {
    /// Its socket on this computer.
    pub(crate) fn socket(&self) -> String {
        format!("unix://{}", self.folder.path().join("engine.sock").display())
    }

    pub(crate) fn runtime(&self, address: &str) -> DockerRuntime {
        self.secure_runtime(address, None)
    }

    pub(crate) fn secure_runtime(&self, address: &str, certificates: Option<PathBuf>) -> DockerRuntime {
        DockerRuntime::new(DockerSettings {
            address: Some(address.into()),
            image: Some(self.image.clone()),
            certificates,
            ..DockerSettings::default()
        })
    }

    /// Rootful Podman, or `None` after a loud skip.
    pub(crate) fn podman() -> Option<Self> {
        Some(Self::rootful_podman(prepared("podman")?, Command::new("podman")))
    }

    /// Rootful Podman that sees no temporary file of this computer but its own folder, as if it were far away.
    pub(crate) fn far_podman() -> Option<Self> {
        let folder = prepared("podman")?;
        let mut service = Command::new("unshare");
        let own_temporary = "cd / && mount --bind \"$0\" /mnt && mount -t tmpfs none \"$1\" && mkdir -p \"$0\" && \
                             mount --move /mnt \"$0\" && shift && exec podman \"$@\"";
        service
            .args(["--mount", "--", "sh", "-c", own_temporary])
            .arg(folder.path())
            .arg(std::env::temp_dir());
        Some(Self::rootful_podman(folder, service))
    }

    fn rootful_podman(folder: TempDir, mut service: Command) -> Self {
        let place = |name: &str| folder.path().join(name).display().to_string();
        service.args(["--root", &place("root"), "--runroot", &place("run")]);
        Self::serve(service, folder, None)
    }

    /// Podman of an ordinary user, or `None` after a loud skip.
    pub(crate) fn rootless_podman() -> Option<Self> {
        let folder = prepared("podman")?;
        if !has("newuidmap") {
            skip("newuidmap is missing (package uidmap)");
            return None;
        }
        let user = User::new(folder.path(), "podman");
        let mut service = Command::new("runuser");
        service
            .args(["-u", &user.name, "--", "podman"])
            .env("HOME", &user.home)
            .env("XDG_RUNTIME_DIR", &user.home);
        service.current_dir(&user.home);
        Some(Self::serve(service, folder, Some(user)))
    }

    /// Docker's engine of an ordinary user, or `None` after a loud skip.
    pub(crate) fn rootless_docker() -> Option<Self> {
        let script = "/usr/share/docker.io/contrib/dockerd-rootless.sh";
        let folder = prepared("rootlesskit")?;
        if !Path::new(script).exists() || !has("newuidmap") {
            skip("Docker's own script for an engine without root is missing (packages docker.io and uidmap)");
            return None;
        }
        let user = User::new(folder.path(), "docker");
        let mut engine = Command::new("runuser");
        engine.args(["-u", &user.name, "--", "sh", script]).current_dir(&user.home);
        engine.env("HOME", &user.home).env("XDG_RUNTIME_DIR", &user.home);
        engine.env("DOCKERD_ROOTLESS_ROOTLESSKIT_NET", "host");
        engine.env("DOCKERD_ROOTLESS_ROOTLESSKIT_PORT_DRIVER", "none");
        engine.args(["--bridge=none", "--iptables=false", "--ip-masq=false", "--host"]);
        engine.arg(format!("unix://{}", folder.path().join("engine.sock").display()));
        Some(Self::wait(engine, folder, Some(user)))
    }

    fn serve(mut service: Command, folder: TempDir, user: Option<User>) -> Self {
        let settings = folder.path().join("containers.conf");
        // Podman's own choice of a runtime refuses systems with both versions of cgroups.
        let is_hybrid = Path::new("/sys/fs/cgroup/unified").exists();
        std::fs::write(&settings, if is_hybrid { "[engine]\nruntime = \"runc\"\n" } else { "" }).unwrap();
        let socket = format!("unix://{}", folder.path().join("engine.sock").display());
        service.args(["system", "service", "-t", "0", &socket]).env("CONTAINERS_CONF", &settings);
        Self::wait(service, folder, user)
    }

    /// A Docker engine that listens on a port with certificates, and on a socket; or `None` after a loud skip.
    pub(crate) fn docker(port: u16) -> Option<Self> {
        let folder = prepared("dockerd")?;
        if !has("ip") {
            skip("an engine needs a network of its own (package iproute2)");
            return None;
        }
        certificates(&folder.path().join("tls"), "ca");
        let place = |name: &str| folder.path().join(name).display().to_string();
        let mut engine = Command::new("dockerd");
        engine.args([
            "--data-root",
            &place("data"),
            "--exec-root",
            &place("exec"),
            "--pidfile",
            &place("pid"),
        ]);
        engine.args(["--host", &format!("unix://{}", place("engine.sock"))]);
        engine.args(["--host", &format!("tcp://127.0.0.1:{port}"), "--tlsverify"]);
        engine.args(["--tlscacert", &place("tls/ca.pem"), "--tlscert", &place("tls/cert.pem")]);
        engine.args(["--tlskey", &place("tls/key.pem")]);
        // Without a bridge of its own, and with none at all too, it would take that of this computer's engine away.
        let bridge = Bridge::new(port);
        engine.args(["--bridge", &bridge.0, "--iptables=false", "--ip-forward=false", "--ip-masq=false"]);
        let mut started = Self::wait(engine, folder, None);
        started.bridge = Some(bridge);
        Some(started)
    }

    fn wait(mut engine: Command, folder: TempDir, user: Option<User>) -> Self {
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        engine.stdout(log.try_clone().unwrap()).stderr(log).stdin(Stdio::null());
        let engine = engine.spawn().unwrap();
        let mut started = Self { folder, image: image(), engine, user, bridge: None };
        let begun = Instant::now();
        while !started.docker_command(&["version"]).output().unwrap().status.success() {
            let log = || std::fs::read_to_string(started.folder.path().join("log")).unwrap_or_default();
            assert!(started.engine.try_wait().unwrap().is_none(), "the engine ended: {}", log());
            assert!(begun.elapsed() < Duration::from_mins(1), "the engine does not answer: {}", log());
            std::thread::sleep(Duration::from_millis(200));
        }
        let archive = started.folder.path().join("image.tar");
        let save =
            Command::new("docker").args(["save", &started.image, "-o"]).arg(&archive).status().unwrap();
        assert!(save.success());
        let loaded = started.docker_command(&["load", "-i"]).arg(&archive).output().unwrap();
        assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
        std::fs::remove_file(archive).unwrap();
        started
    }

    /// Docker's client, talking to this engine.
    pub(crate) fn docker_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("docker");
        command.env_remove("DOCKER_TLS_VERIFY").args(["-H", &self.socket()]).args(arguments);
        command
    }

    /// Ids of all that it has: containers and volumes.
    pub(crate) fn holds(&self) -> Vec<String> {
        let ids = |arguments: &[&str]| {
            let listed = self.docker_command(arguments).output().unwrap();
            assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
            String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        };
        [ids(&["ps", "-aq"]), ids(&["volume", "ls", "-q"])].concat()
    }

    /// Whether nothing is left within the limit.
    pub(crate) fn is_empty_within(&self, limit: Duration) -> bool {
        let begun = Instant::now();
        while !self.holds().is_empty() {
            if begun.elapsed() > limit {
                return false;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        true
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        end(&mut self.engine);
        // What containers have mounted lies below the folder, and some of it belongs to other users.
        let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
        let below = |line: &&str| {
            line.split(' ').nth(1).is_some_and(|at| Path::new(at).starts_with(self.folder.path()))
        };
        for line in mounts.lines().filter(below).collect::<Vec<_>>().into_iter().rev() {
            let place = line.split(' ').nth(1).unwrap_or_default();
            let _ = Command::new("umount").args(["-l", place]).status();
        }
        if let Some(user) = &self.user {
            let _ = Command::new("pkill").args(["-KILL", "-U", &user.number]).status();
        }
    }
}

/// Asks a process to end, and kills it when it does not.
pub(crate) fn end(process: &mut Child) {
    let _ = Command::new("kill").arg(process.id().to_string()).status();
    for _ in 0..100 {
        if process.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let _ = process.kill();
    let _ = process.wait();
}

/// A network that leads nowhere, for an engine that must have one.
struct Bridge(String);

impl Bridge {
    fn new(port: u16) -> Self {
        let name = format!("assay{port}");
        run(Command::new("ip").args(["link", "add", &name, "type", "bridge"]));
        run(Command::new("ip").args(["addr", "add", "10.213.0.1/24", "dev", &name]));
        Self(name)
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["link", "del", &self.0]).status();
    }
}

/// An ordinary user with numbers of users to give away, removed with the test.
struct User {
    name: String,
    number: String,
    home: PathBuf,
}

impl User {
    fn new(folder: &Path, product: &str) -> Self {
        let name = format!("assay-{product}-{}", std::process::id());
        let home = folder.join("home");
        run(Command::new("useradd").args(["--create-home", "--home-dir"]).arg(&home).arg(&name));
        let number = Command::new("id").args(["-u", &name]).output().unwrap();
        let number = String::from_utf8(number.stdout).unwrap().trim().to_owned();
        // The socket is made beside the home.
        run(Command::new("chown").arg(&name).arg(folder));
        Self { name, number, home }
    }
}

impl Drop for User {
    fn drop(&mut self) {
        std::thread::sleep(Duration::from_millis(300));
        let _ = Command::new("userdel").args(["--force", &self.name]).stderr(Stdio::null()).status();
    }
}

/// A folder for an engine, where this machine has its program and lets it be started.
fn prepared(program: &str) -> Option<TempDir> {
    if !is_root() || !has(program) {
        skip(&format!("starting an engine needs root and {program}"));
        return None;
    }
    if image().is_empty() {
        skip("no image with Python is there to be given to another engine");
        return None;
    }
    let folder = tempfile::Builder::new().prefix("assay-engine-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    Some(folder)
}

/// The smallest image with Python that the engine of this computer has.
pub(crate) fn image() -> String {
    for name in [SMALL_IMAGE, assay_sandbox::own_image()] {
        let there = Command::new("docker").args(["image", "inspect", name]).output();
        if there.is_ok_and(|output| output.status.success()) {
            return name.into();
        }
    }
    String::new()
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

pub(crate) fn has(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).exists())
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Makes an authority and one certificate by it for this computer, good for both sides of a connection.
pub(crate) fn certificates(folder: &Path, authority: &str) {
    std::fs::create_dir_all(folder).unwrap();
    let place = |name: &str| folder.join(name).display().to_string();
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    let make = |arguments: &[&str]| {
        run(Command::new("openssl").args(["req", "-x509"]).args(key).args(arguments).stderr(Stdio::null()));
    };
    make(&["-subj", &format!("/CN={authority}"), "-keyout", &place("ca-key.pem"), "-out", &place("ca.pem")]);
    make(&[
        "-subj",
        "/CN=engine",
        "-CA",
        &place("ca.pem"),
        "-CAkey",
        &place("ca-key.pem"),
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
        "-addext",
        "extendedKeyUsage=serverAuth,clientAuth",
        "-keyout",
        &place("key.pem"),
        "-out",
        &place("cert.pem"),
    ]);
}

pub(crate) fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}");
}
