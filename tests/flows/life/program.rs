//! The command `assay` as a process that is watched, and ended in every way.

use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use assay_testkit::ScriptedServer;
use serde_json::Value;

use crate::leftovers::Docker;

/// Longer than any run here takes.
const END_LIMIT: Duration = Duration::from_secs(150);

/// A run in a process of its own, with a home and a folder for temporary files of its own.
pub(crate) struct Program {
    folder: tempfile::TempDir,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    docker: Docker,
    /// The run's id, once it is known.
    pub(crate) run: String,
    /// What it has said so far.
    pub(crate) events: Vec<Value>,
    /// The containers that were seen.
    pub(crate) containers: Vec<String>,
}

impl Program {
    /// Starts a run on a small table. Whether the table can be mounted is a matter of its mode.
    pub(crate) fn start(docker: &Docker, server: &ScriptedServer, arguments: &[&str], mode: u32) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let table = folder.path().join("t.csv");
        std::fs::write(&table, "a,b\n1,2\n").unwrap();
        std::fs::set_permissions(&table, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "ASSAY_LOG"] {
            command.env_remove(name);
        }
        command
            .env("ASSAY_HOME", folder.path().join("home"))
            .env("TMPDIR", folder.path().join("tmp"))
            .args(["run", "--ask", "x", "--json", "--answer-only", "--model", ScriptedServer::MODEL])
            .args(["--base-url", &server.url()])
            .args(arguments)
            .arg(&table)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if let Some(address) = &docker.0 {
            command.args(["--docker-host", address]);
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let docker = docker.clone();
        Self { folder, child, lines, docker, run: String::new(), events: Vec::new(), containers: Vec::new() }
    }

    /// Reads on until an event, or to the end; whether the event came.
    pub(crate) fn until(&mut self, kind: &str) -> bool {
        for line in self.lines.by_ref() {
            let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let name = event["event"].as_str().unwrap_or_default().to_owned();
            if name == "run_started" {
                event["run"].as_str().unwrap().clone_into(&mut self.run);
            }
            self.events.push(event);
            if name == kind {
                self.look();
                return true;
            }
        }
        false
    }

    /// Remembers the containers that are there.
    pub(crate) fn look(&mut self) {
        if !self.run.is_empty() {
            let seen = self.docker.containers(&self.run);
            self.containers.extend(seen);
        }
    }

    /// The one container that runs now.
    pub(crate) fn container(&self) -> String {
        let running = self.docker.containers(&self.run);
        assert_eq!(running.len(), 1, "{running:?}");
        running[0].clone()
    }

    /// Sends the process a signal, such as `-INT`.
    pub(crate) fn signal(&self, signal: &str) {
        signal_process(self.child.id(), signal);
    }

    /// Waits for its end: its exit code, which a kill has none of.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while self.until("sandbox_ready") {}
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(begun.elapsed() < END_LIMIT, "the run does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// How often an event came.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.events.iter().filter(|event| event["event"] == kind).count()
    }

    /// The files that it has left in its folder for temporary ones.
    pub(crate) fn temporary_files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path().display().to_string()).collect()
    }

    /// The folder with the run's results.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.path().join("home/runs").join(&self.run).join("output")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn signal_process(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success(), "{signal} to {process}");
}

/// Whether a folder can be deleted by whoever runs this.
pub(crate) fn can_be_deleted(folder: &Path) -> bool {
    std::fs::remove_dir_all(folder).is_ok()
}
