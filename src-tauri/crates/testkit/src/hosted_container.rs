//! A container of the hosted server: a folder in the place of `/mnt/data`, and a Python that runs in it.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// Where a container's files are, as its code and the interface name them.
pub(crate) const MNT_DATA: &str = "/mnt/data";

/// What is around the code of a container.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Walls {
    /// Nothing: it is a process of this computer like any other.
    #[default]
    None,
    /// Bubblewrap: the programs of this computer, read-only, no network, processes of its own, and `/mnt/data`.
    Bubblewrap,
}

impl Walls {
    /// The command that runs a program within them, with `folder` as the container's.
    pub(crate) fn command(self, folder: &Path, program: &[&str]) -> Command {
        if self == Self::None {
            let mut command = Command::new(program[0]);
            command.args(&program[1..]).env("ASSAY_HOSTED_ROOT", folder);
            return command;
        }
        let mut command = Command::new("bwrap");
        command.args(["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]);
        command.args(["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]);
        command.args(["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin"]);
        for shown in [
            "/usr",
            "/bin",
            "/sbin",
            "/lib",
            "/lib64",
            "/etc/alternatives",
            "/etc/ld.so.cache",
            "/etc/passwd",
        ] {
            command.args(["--ro-bind-try", shown, shown]);
        }
        command.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind"]).arg(folder);
        command.arg(MNT_DATA).args(program);
        command
    }
}

#[derive(Debug)]
pub(crate) struct Container {
    pub(crate) id: String,
    pub(crate) asked: Value,
    pub(crate) folder: tempfile::TempDir,
    slice_s: f64,
    walls: Walls,
    interpreter: Mutex<Option<Interpreter>>,
    number: Mutex<Option<u32>>,
    /// Files that are there and not listed yet.
    late: Mutex<HashSet<OsString>>,
}

#[derive(Debug)]
struct Interpreter {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Container {
    pub(crate) fn new(id: String, asked: Value, slice_s: f64, walls: Walls) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            id,
            asked,
            folder,
            slice_s,
            walls,
            interpreter: Mutex::default(),
            number: Mutex::default(),
            late: Mutex::default(),
        }
    }

    /// Runs code to its end and returns what it printed. An interpreter that ended is started anew.
    pub(crate) fn run(&self, code: &str) -> String {
        let mut interpreter = self.interpreter.lock().unwrap_or_else(PoisonError::into_inner);
        let running = interpreter.get_or_insert_with(|| self.start());
        // What the code calls /mnt/data lies elsewhere without walls.
        let folder = self.folder.path().to_str().expect("a plain path");
        let code = match self.walls {
            Walls::None => code.replace(&format!("{MNT_DATA}/"), &format!("{folder}/")),
            Walls::Bubblewrap => code.to_owned(),
        };
        let mut line = String::new();
        let asked =
            writeln!(running.input, "{}", json!(code)).and_then(|()| running.output.read_line(&mut line));
        if asked.is_err() || line.is_empty() {
            *interpreter = None;
            return "the interpreter ended".into();
        }
        serde_json::from_str(&line).expect("a line of JSON")
    }

    fn start(&self) -> Interpreter {
        let slice_s = format!("ASSAY_HOSTED_SLICE_S={}", self.slice_s);
        let program = ["env", &slice_s, "python3", "-u", "-c", include_str!("interpreter.py")];
        let mut child = self
            .walls
            .command(self.folder.path(), &program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3");
        *self.number.lock().unwrap_or_else(PoisonError::into_inner) = Some(child.id());
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Interpreter { child, input, output }
    }

    /// Ends the interpreter, whatever it does. What it has started ends with it.
    pub(crate) fn kill(&self) {
        if let Some(number) = self.number.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = Command::new("kill").args(["-9", &number.to_string()]).status();
        }
    }

    /// Leaves what is new since `known` out of the list until the next time.
    pub(crate) fn list_late(&self, known: &HashSet<OsString>) {
        *self.late.lock().unwrap_or_else(PoisonError::into_inner) =
            self.names().difference(known).cloned().collect();
    }

    /// The names of all files.
    pub(crate) fn names(&self) -> HashSet<OsString> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder").flatten();
        entries.map(|entry| entry.file_name()).collect()
    }

    /// Puts an upload in its place, whole at once, under a name of the server's; its path as the interface has it.
    pub(crate) fn put(&self, number: usize, name: &str, content: &[u8]) -> String {
        let name = format!("{number:032x}-{name}");
        let partial = self.folder.path().join(".upload");
        std::fs::write(&partial, content).expect("a file");
        std::fs::rename(&partial, self.folder.path().join(&name)).expect("a file");
        format!("{MNT_DATA}/{name}")
    }

    /// The files, newest first, with one row as the real interface sometimes has it.
    pub(crate) fn rows(&self) -> Vec<Value> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder").flatten();
        let late = self.late.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut files: Vec<_> = entries
            .filter(|entry| !late.contains(&entry.file_name()))
            .filter(|entry| entry.path().is_file() && !entry.file_name().to_string_lossy().starts_with('.'))
            .map(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.file_name()))
            .collect();
        files.sort();
        let rows = files.iter().rev().map(|(_, name)| {
            let name = name.to_string_lossy();
            let source = if name.split_once('-').is_some_and(|(first, _)| first.len() == 32) {
                "user"
            } else {
                "assistant"
            };
            json!({"id": id_of(&name), "object": "container.file", "path": format!("{MNT_DATA}/{name}"), "bytes": null,
                   "container_id": self.id, "source": source})
        });
        let odd = json!({"id": "cfile_odd", "path": "/mnt/data/a.png  /mnt/data/../b.png", "bytes": null});
        std::iter::once(odd).chain(rows).collect()
    }

    /// The file of an id.
    pub(crate) fn file(&self, id: &str) -> Option<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path()).ok()?.flatten();
        entries
            .map(|entry| entry.path())
            .find(|path| path.file_name().is_some_and(|name| id_of(&name.to_string_lossy()) == id))
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        self.kill();
        if let Some(mut interpreter) =
            self.interpreter.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            let _ = interpreter.child.wait();
        }
    }
}

fn id_of(name: &str) -> String {
    use std::fmt::Write;
    name.bytes().fold(String::from("cfile_"), |mut id, byte| {
        let _ = write!(id, "{byte:02x}");
        id
    })
}
