//! What stands on the host for an attack to reach, and what it was like before.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

/// A folder that anybody may write to, a process with a secret in its environment, and listeners.
pub(crate) struct Canary {
    folder: tempfile::TempDir,
    process: Child,
    tcp: [TcpListener; 2],
    udp: UdpSocket,
    unix: UnixListener,
    unix_name: String,
    before: Seen,
}

/// What can be seen of the folder and the process.
#[derive(Debug, PartialEq)]
struct Seen {
    files: BTreeMap<String, (Vec<u8>, u32, SystemTime)>,
    process: BTreeMap<&'static str, Vec<u8>>,
}

impl Canary {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("assay-canary-").tempdir().unwrap();
        open_to_all(folder.path(), 0o777);
        for name in ["secret.txt", "precious.csv"] {
            let file = folder.path().join(name);
            std::fs::write(&file, "of the host").unwrap();
            open_to_all(&file, 0o666);
        }
        let mut process = Command::new("sh")
            .args(["-c", "echo up; exec sleep 3600"])
            .env("ASSAY_CANARY_SECRET", "of the host")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
        while seen_of(process.id())["cmdline"] != b"sleep\x003600\0" {
            std::thread::yield_now();
        }
        let tcp = ["0.0.0.0:0", "[::1]:0"].map(|address| TcpListener::bind(address).unwrap());
        let udp = UdpSocket::bind("0.0.0.0:0").unwrap();
        let unix_name = format!("assay-canary-{}", process.id());
        let address = SocketAddr::from_abstract_name(&unix_name).unwrap();
        let unix = UnixListener::bind_addr(&address).unwrap();
        for listener in &tcp {
            listener.set_nonblocking(true).unwrap();
        }
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        let before = Seen { files: files_of(folder.path()), process: seen_of(process.id()) };
        Self { folder, process, tcp, udp, unix, unix_name, before }
    }

    /// The code with the names of what is here in the place of words in capitals.
    pub(crate) fn aim(&self, code: &str) -> String {
        code.replace("HOST_FOLDER", self.folder.path().to_str().unwrap())
            .replace("HOST_PID", &self.process.id().to_string())
            .replace("HOST_PORT_V6", &self.tcp[1].local_addr().unwrap().port().to_string())
            .replace("HOST_PORT_UDP", &self.udp.local_addr().unwrap().port().to_string())
            .replace("HOST_PORT", &self.tcp[0].local_addr().unwrap().port().to_string())
            .replace("HOST_SOCKET", &self.unix_name)
    }

    /// What differs from before, or who has knocked.
    pub(crate) fn harm(&mut self) -> Option<String> {
        let now = Seen { files: files_of(self.folder.path()), process: seen_of(self.process.id()) };
        if now != self.before {
            return Some(format!("the host was changed: {now:?}"));
        }
        if let Some(ended) = self.process.try_wait().unwrap() {
            return Some(format!("a process of the host has ended: {ended}"));
        }
        let heard = [
            self.tcp[0].accept().map(drop),
            self.tcp[1].accept().map(drop),
            self.unix.accept().map(drop),
            self.udp.recv(&mut [0; 1]).map(drop),
        ];
        let quiet = |result: &std::io::Result<()>| {
            result.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        (!heard.iter().all(quiet)).then(|| format!("somebody has come to the host's doors: {heard:?}"))
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn open_to_all(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn files_of(folder: &Path) -> BTreeMap<String, (Vec<u8>, u32, SystemTime)> {
    let of = |entry: std::fs::DirEntry| {
        let about = entry.metadata().unwrap();
        let content = std::fs::read(entry.path()).unwrap_or_default();
        let mark = (content, about.permissions().mode(), about.modified().unwrap());
        (entry.file_name().to_string_lossy().into_owned(), mark)
    };
    std::fs::read_dir(folder).unwrap().map(|entry| of(entry.unwrap())).collect()
}

fn seen_of(pid: u32) -> BTreeMap<&'static str, Vec<u8>> {
    let read = |name| (name, std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default());
    ["cmdline", "environ", "limits", "oom_score_adj", "uid_map"].into_iter().map(read).collect()
}
