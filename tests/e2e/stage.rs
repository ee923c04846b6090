//! A screen, a window manager, a bus and a folder of the test's own, with the built app on them.
//!
//! The app is driven by WebDriver through the web view's own driver, which starts it; what lies outside the
//! page (dialogs, drags, the window's frame) is driven by a real pointer and keyboard, see `screen.rs`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assay_engine::{RuntimeChoice, Settings};
use assay_tests::skip;
use fantoccini::Locator;

use crate::desk::Desk;
use crate::driver::{self, first_line, free_port};

/// How long the interface may take for anything that does not run an analysis.
pub(crate) const SOON: Duration = Duration::from_secs(20);
/// How long an analysis may take on a busy machine.
pub(crate) const LONG: Duration = Duration::from_mins(2);

const PROGRAMS: [&str; 9] =
    ["Xvfb", "openbox", "dbus-daemon", "dunst", "WebKitWebDriver", "xdotool", "wmctrl", "import", "setpriv"];
const APP: &str = env!("CARGO_BIN_EXE_assay-desktop");

/// Everything around the app. Ends with its value.
pub(crate) struct Stage {
    /// What programs on this stage find in their environment.
    variables: Vec<(OsString, OsString)>,
    /// Put before every program that drives the app, such as one that takes rights away.
    prefix: Vec<String>,
    children: Vec<Child>,
    driver: Option<Child>,
    root: tempfile::TempDir,
}

/// Ends a process when the test ends, however it ends.
fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Stage {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
            let _ = self
                .command("import")
                .args(["-window", "root"])
                .arg(pictures().join(format!("failed-{test}.png")))
                .status();
        }
        // The page's process ends with the app, unless a test has stopped it.
        for process in self.app_process().into_iter().chain(self.processes_of("WebKitWebProcess")) {
            signal("KILL", process);
        }
        if let Some(driver) = &mut self.driver {
            kill(driver);
        }
        for child in self.children.iter_mut().rev() {
            kill(child);
        }
    }
}

impl Stage {
    /// Sets the stage up, or says loudly why not.
    pub(crate) fn set() -> Option<Self> {
        for program in PROGRAMS {
            let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
            if !found.status.success() {
                skip(&format!("{program} is not installed (scripts/setup --window)"));
                return None;
            }
        }
        let (display, screen) = start_screen();
        let root = tempfile::tempdir().unwrap();
        let (bus, daemon) = start_bus(root.path());
        let mut stage = Self {
            variables: Vec::new(),
            prefix: Vec::new(),
            children: vec![screen, daemon],
            driver: None,
            root,
        };
        std::fs::create_dir(stage.root.path().join("files")).unwrap();
        for (name, value) in [
            ("DISPLAY", display.as_str()),
            ("DBUS_SESSION_BUS_ADDRESS", &bus),
            ("GDK_BACKEND", "x11"),
            ("NO_AT_BRIDGE", "1"),
            ("LANG", "C.UTF-8"),
            // Whatever a dialog remembers is gone with the test.
            ("GSETTINGS_BACKEND", "memory"),
        ] {
            stage.set_variable(name, value);
        }
        stage.set_variable("ASSAY_HOME", stage.home());
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            stage.set_variable(name, stage.root.path().join(name));
        }
        let mut manager = stage.command("openbox");
        let manager = manager.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        stage.children.push(manager);
        Some(stage)
    }

    /// Gives every program that is started from now on one more variable.
    pub(crate) fn set_variable(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.variables.push((name.into(), value.as_ref().to_owned()));
    }

    /// Starts the app through this program from now on.
    pub(crate) fn set_prefix(&mut self, words: &[&str]) {
        self.prefix = words.iter().map(|word| (*word).to_owned()).collect();
    }

    /// Keeps modes of files binding for the app, even where the test is run by the one who may do anything.
    pub(crate) fn take_rights(&mut self) {
        if is_root() {
            self.set_prefix(&["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]);
        }
    }

    /// Keeps in the settings where code runs, before the app is opened.
    pub(crate) fn choose_runtime(&self, runtime: RuntimeChoice) {
        let desk = assay_engine::Desk::new(Some(self.home()));
        let settings = desk.settings().unwrap();
        desk.save_settings(Settings { runtime, ..settings }).unwrap();
    }

    /// The app's own folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// A place for a file of the person's.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.root.path().join("files").join(name)
    }

    /// Writes a file of the person's.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "WAYLAND_DISPLAY"] {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Starts a program that ends with the stage.
    pub(crate) fn start(&mut self, command: &mut Command) {
        self.children.push(command.stdout(Stdio::null()).spawn().unwrap());
    }

    /// The app as a person would start it a second time.
    pub(crate) fn app_command(&self, arguments: &[&OsStr]) -> Command {
        let mut command = self.command(APP);
        command.args(arguments);
        command
    }

    /// Starts the app and gives a hold of its window.
    pub(crate) async fn open_app(&mut self, arguments: &[&str]) -> Desk {
        if let Some(driver) = &mut self.driver {
            kill(driver);
        }
        let port = free_port();
        let words = self.prefix.iter().map(String::as_str).chain(["WebKitWebDriver"]).collect::<Vec<_>>();
        let mut driver = self.command(words[0]);
        driver.args(&words[1..]).arg(format!("--port={port}"));
        // The shell lets itself be driven only when it is told so.
        driver.env("TAURI_AUTOMATION", "true").env("TAURI_WEBVIEW_AUTOMATION", "true");
        self.driver = Some(driver.stdout(Stdio::null()).spawn().unwrap());
        wait_for(SOON, "WebKitWebDriver", || driver::listens(port));
        let client = driver::open(port, APP, arguments).await;
        client.wait().at_most(SOON).for_element(Locator::Css("main")).await.unwrap();
        Desk::new(client)
    }

    /// Waits until the app's process is gone.
    pub(crate) fn wait_for_end(&self) {
        wait_for(SOON, "the end of the app", || self.app_process().is_none());
    }

    /// Ends the app as a crash or an impatient system would.
    pub(crate) fn kill_app(&self) {
        signal("KILL", self.app_process().expect("the app runs"));
        self.wait_for_end();
    }

    /// The process of the app with this stage's folder, if it lives.
    pub(crate) fn app_process(&self) -> Option<u32> {
        self.process_of("assay-desktop")
    }

    /// A process of this program that belongs to this stage.
    pub(crate) fn process_of(&self, program: &str) -> Option<u32> {
        self.processes_of(program).next()
    }

    /// The processes of this program that belong to this stage.
    pub(crate) fn processes_of(&self, program: &str) -> impl Iterator<Item = u32> {
        let home = format!("ASSAY_HOME={}", self.home().display());
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(move |entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            let exe = std::fs::read_link(entry.path().join("exe")).ok()?;
            let variables = std::fs::read(entry.path().join("environ")).ok()?;
            let is_own = variables.split(|byte| *byte == 0).any(|variable| variable == home.as_bytes());
            (exe.ends_with(program) && is_own).then_some(number)
        })
    }

    /// The id of the one run that the app has kept.
    pub(crate) fn only_run(&self) -> String {
        let runs = self.runs();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs[0].file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// The folders of the runs that the app has kept, oldest first. A folder has its run's id as name.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let listed = std::fs::read_dir(self.home().join("runs"));
        let mut runs: Vec<PathBuf> =
            listed.map(|listed| listed.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
        runs.sort();
        runs
    }
}

/// Whether the test is run by the one who may do anything.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

/// The containers of a run.
pub(crate) fn containers(run: &str) -> Vec<String> {
    let filter = format!("label=assay.run={run}");
    let listed =
        Command::new("docker").args(["ps", "--all", "--quiet", "--filter", &filter]).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Sends a signal to a process.
pub(crate) fn signal(name: &str, process: u32) {
    // The process may have ended by itself meanwhile.
    let _ = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
}

fn start_screen() -> (String, Child) {
    // The server chooses a free number itself and writes it down.
    let mut screen = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let number = first_line(&mut screen);
    (format!(":{number}"), screen)
}

/// A bus that starts no services: what the computer at hand has installed makes no difference.
const BUS: &str = "<busconfig>
    <type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
    <policy context='default'>
        <allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/>
    </policy>
</busconfig>";

fn start_bus(folder: &Path) -> (String, Child) {
    let config = folder.join("bus.conf");
    std::fs::write(&config, BUS).unwrap();
    let mut daemon = Command::new("dbus-daemon")
        .arg(format!("--config-file={}", config.display()))
        .args(["--nofork", "--print-address"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = first_line(&mut daemon);
    (address, daemon)
}

/// Waits until something outside the page is so.
pub(crate) fn wait_for(limit: Duration, what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < limit, "{what} did not come within {limit:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Where pictures of the views are left.
pub(crate) fn pictures() -> PathBuf {
    let root = std::env::var_os("ASSAY_PICTURES").map(PathBuf::from);
    let folder = root.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
