//! An SSH server of a test's own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use assay_tests::skip;
use tempfile::TempDir;

use crate::started::{end, free_port, is_root, run};

/// A place to log in on this computer, for one name that only this test knows.
pub(crate) struct LogIn {
    pub(crate) host: String,
    pub(crate) folder: TempDir,
    settings: PathBuf,
    server: Child,
}

impl LogIn {
    /// An SSH server of its own with a key of its own, or `None` after a loud skip.
    pub(crate) fn start() -> Option<Self> {
        if !is_root() || !Path::new("/usr/sbin/sshd").exists() {
            skip("starting an SSH server needs root and openssh-server");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).display().to_string();
        for name in ["host", "key", "other"] {
            run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &place(name)]));
        }
        std::fs::create_dir_all("/run/sshd").unwrap();
        let port = free_port();
        std::fs::write(
            place("sshd_config"),
            format!(
                "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\n\
                 UsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n",
                place("host"),
                place("key.pub")
            ),
        )
        .unwrap();
        let log = std::fs::File::create(place("log")).unwrap();
        let mut server = Command::new("/usr/sbin/sshd");
        let server = server.args(["-D", "-e", "-f", &place("sshd_config")]).stderr(log).spawn().unwrap();
        let host = format!("assay-box-{port}");
        let known = std::fs::read_to_string(place("host.pub")).unwrap();
        let mut file = std::fs::File::create(place("known_hosts")).unwrap();
        writeln!(file, "{host} {known}").unwrap();
        let settings = PathBuf::from(format!("/etc/ssh/ssh_config.d/{host}.conf"));
        let login = Self { host, folder, settings, server };
        login.use_key("key", "known_hosts");
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the SSH server does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(login)
    }

    /// Chooses the key to log in with, and the file of known computers.
    pub(crate) fn use_key(&self, key: &str, known_hosts: &str) {
        let port = self.host.rsplit('-').next().unwrap();
        let place = |name: &str| self.folder.path().join(name).display().to_string();
        std::fs::write(
            &self.settings,
            format!(
                "Host {host}\n  HostName 127.0.0.1\n  HostKeyAlias {host}\n  Port {port}\n  User root\n  \
                 IdentitiesOnly yes\n  IdentityFile {}\n  UserKnownHostsFile {}\n  StrictHostKeyChecking yes\n",
                place(key),
                place(known_hosts),
                host = self.host,
            ),
        )
        .unwrap();
    }
}

impl Drop for LogIn {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.settings);
        end(&mut self.server);
    }
}
