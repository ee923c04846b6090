//! What may be left of a run, looked for with the engine's own command.

use std::process::Command;
use std::time::{Duration, Instant};

/// An engine, by its address; `None` is the one that every client finds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Docker(pub(crate) Option<String>);

impl Docker {
    /// What a command of the client prints.
    ///
    /// # Panics
    /// When it fails.
    pub(crate) fn says(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("docker");
        if let Some(address) = &self.0 {
            command.args(["--host", address]);
        }
        command.args(arguments);
        command
    }

    /// The containers of a run, ended ones included.
    pub(crate) fn containers(&self, run: &str) -> Vec<String> {
        self.labelled(&["ps", "-aq", "--no-trunc"], run)
    }

    fn labelled(&self, list: &[&str], run: &str) -> Vec<String> {
        let filter = format!("label=assay.run={run}");
        let arguments = [list, &["--filter", &filter]].concat();
        self.says(&arguments).lines().map(str::to_owned).collect()
    }

    /// The process number of a container's first process, on this computer.
    pub(crate) fn process_of(&self, container: &str) -> u32 {
        self.says(&["inspect", "--format", "{{.State.Pid}}", container]).parse().unwrap()
    }

    /// Everything that is there of a run: containers, volumes, networks, and processes of `known` containers.
    pub(crate) fn left_of(&self, run: &str, known: &[String]) -> Vec<String> {
        let mut left = Vec::new();
        for (kind, list) in [
            ("container", &["ps", "-aq", "--no-trunc"][..]),
            ("volume", &["volume", "ls", "-q"]),
            ("network", &["network", "ls", "-q"]),
        ] {
            left.extend(self.labelled(list, run).into_iter().map(|name| format!("{kind} {name}")));
        }
        left.extend(processes_in(known));
        left
    }

    /// Waits until nothing is left of a run.
    ///
    /// # Panics
    /// When something still is after 15 seconds.
    pub(crate) fn is_clean(&self, run: &str, known: &[String], what: &str) {
        let begun = Instant::now();
        loop {
            let left = self.left_of(run, known);
            if left.is_empty() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(15), "{what}: {left:?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The processes of this computer that run in one of the containers.
fn processes_in(containers: &[String]) -> Vec<String> {
    let numbers = std::fs::read_dir("/proc").unwrap().flatten();
    numbers
        .filter_map(|entry| {
            let groups = std::fs::read_to_string(entry.path().join("cgroup")).ok()?;
            let id = containers.iter().find(|id| groups.contains(id.as_str()))?;
            Some(format!("process {} of {id}", entry.file_name().to_string_lossy()))
        })
        .collect()
}
