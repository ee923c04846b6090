//! A screen whose pixels can be read, with a bus and a window manager, and the programs on it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, Locator};

use crate::driver::{self, first_line, free_port};

/// How long anything here may take.
pub(crate) const LIMIT: Duration = Duration::from_mins(2);
/// The app, built as it is shipped.
pub(crate) const APP: &str = env!("CARGO_BIN_EXE_assay-desktop");

const PROGRAMS: [&str; 5] = ["Xvfb", "openbox", "dbus-daemon", "WebKitWebDriver", "xdotool"];
/// Width and height of the screen.
pub(crate) const SCREEN: (usize, usize) = (1280, 900);

/// Everything around the programs. Ends with its value.
pub(crate) struct Stage {
    display: String,
    bus: String,
    folder: tempfile::TempDir,
    children: Vec<Child>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        for child in self.children.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Stage {
    /// Sets the stage up; says what is missing otherwise.
    pub(crate) fn set() -> Result<Self, String> {
        for program in PROGRAMS {
            let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
            if !found.status.success() {
                return Err(format!("{program} is not installed (scripts/setup --window)"));
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let size = format!("{}x{}x24", SCREEN.0, SCREEN.1);
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-nolisten", "tcp", "-nocursor", "-screen", "0", &size, "-fbdir"]);
        let mut screen = quiet(screen.arg(folder.path()));
        let display = format!(":{}", first_line(&mut screen));
        let mut bus = Command::new("dbus-daemon");
        let mut bus_process = quiet(bus.args(["--session", "--nofork", "--print-address"]));
        let bus = first_line(&mut bus_process);
        let mut stage = Self { display, bus, folder, children: vec![screen, bus_process] };
        let mut manager = stage.command(Path::new("openbox"));
        stage.children.push(quiet(&mut manager));
        Ok(stage)
    }

    /// The file that holds what the screen shows.
    pub(crate) fn pixels(&self) -> PathBuf {
        self.folder.path().join("Xvfb_screen0")
    }

    /// A place for files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The app's folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env("DBUS_SESSION_BUS_ADDRESS", &self.bus);
        command.env("GDK_BACKEND", "x11").env("NO_AT_BRIDGE", "1").env("ASSAY_LOG", "info");
        command.env("ASSAY_HOME", self.home());
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, self.folder.path().join(name));
        }
        for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY"] {
            command.env_remove(name);
        }
        command
    }

    /// Starts a program.
    pub(crate) fn start(&self, program: &Path, arguments: &[&str]) -> Started {
        let mut command = self.command(program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        let begun = Instant::now();
        let mut child = command.spawn().unwrap();
        let (said, lines) = channel();
        let complaints = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in complaints.lines().map_while(Result::ok) {
                if said.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Started { child, begun, lines }
    }

    /// Starts the app so that its page can be asked and driven.
    pub(crate) async fn drive(&mut self, arguments: &[&str]) -> Client {
        let port = free_port();
        let mut driver = self.command(Path::new("WebKitWebDriver"));
        driver.arg(format!("--port={port}"));
        driver.env("TAURI_AUTOMATION", "true").env("TAURI_WEBVIEW_AUTOMATION", "true");
        self.children.push(quiet(&mut driver));
        wait_for("WebKitWebDriver", || driver::listens(port));
        let client = driver::open(port, APP, arguments).await;
        client.update_timeouts(TimeoutConfiguration::new(Some(LIMIT), None, None)).await.unwrap();
        client.wait().at_most(LIMIT).for_element(Locator::Css("main")).await.unwrap();
        client
    }
}

fn quiet(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits for something that cannot be heard of otherwise.
pub(crate) fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < LIMIT, "{what} did not come within {LIMIT:?}");
        std::thread::sleep(Duration::from_millis(4));
    }
}

/// A program that runs.
pub(crate) struct Started {
    child: Child,
    begun: Instant,
    lines: Receiver<(Instant, String)>,
}

impl Started {
    /// When it was started.
    pub(crate) fn begun(&self) -> Instant {
        self.begun
    }

    /// When it wrote a line with these words, once it has.
    pub(crate) fn wait_for_line(&self, words: &str) -> Instant {
        loop {
            let (at, line) = self.lines.recv_timeout(LIMIT).unwrap_or_else(|_| panic!("no line: {words}"));
            if line.contains(words) {
                return at;
            }
        }
    }

    /// It and all processes that it started.
    pub(crate) fn processes(&self) -> Vec<u32> {
        family(self.child.id())
    }

    /// Ends it, and waits until all that it started is gone.
    pub(crate) fn end(mut self) {
        let family = self.processes();
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        wait_for("the end of a program", || {
            family.iter().all(|process| !Path::new(&format!("/proc/{process}")).exists())
        });
    }
}

/// A process and its descendants.
fn family(root: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let parents: Vec<(u32, u32)> = processes
        .filter_map(|entry| {
            let process: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| process));
        next += 1;
    }
    found
}
