//! A screen, a window manager and a driver of the test's own, with the built app on it.
//!
//! The app is driven by WebDriver through the web view's own driver, which starts it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assay_tests::skip;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;

/// How long the interface may take for anything that does not run an analysis.
pub(crate) const SOON: Duration = Duration::from_secs(20);
/// How long an analysis may take on a busy machine.
pub(crate) const LONG: Duration = Duration::from_mins(2);

const PROGRAMS: [&str; 6] = ["Xvfb", "openbox", "dbus-daemon", "WebKitWebDriver", "xdotool", "import"];

/// Everything around the app. Ends with its value.
pub(crate) struct Stage {
    display: String,
    bus: String,
    children: Vec<Child>,
    /// The app's folder.
    pub(crate) home: tempfile::TempDir,
    port: u16,
    driver: Option<Child>,
}

/// Ends a process when the test ends, however it ends.
fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Stage {
    fn drop(&mut self) {
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
                skip(&format!("{program} is not installed (scripts/setup window)"));
                return None;
            }
        }
        let mut children = Vec::new();
        let (display, screen) = start_screen();
        children.push(screen);
        let (bus, daemon) = start_bus();
        children.push(daemon);
        let home = tempfile::tempdir().unwrap();
        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display).env("DBUS_SESSION_BUS_ADDRESS", &bus);
        children.push(manager.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let port = free_port();
        Some(Self { display, bus, children, home, port, driver: None })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env("DBUS_SESSION_BUS_ADDRESS", &self.bus);
        command.env("GDK_BACKEND", "x11").env("NO_AT_BRIDGE", "1");
        command.env("ASSAY_HOME", self.home.path()).env("XDG_DATA_HOME", self.home.path().join("xdg"));
        for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY"] {
            command.env_remove(name);
        }
        command
    }

    /// Starts the app and gives a hold of its window.
    pub(crate) async fn open_app(&mut self, arguments: &[&str]) -> Client {
        if let Some(driver) = &mut self.driver {
            kill(driver);
        }
        self.port = free_port();
        let mut driver = self.command("WebKitWebDriver");
        driver.arg(format!("--port={}", self.port));
        // The shell lets itself be driven only when it is told so.
        driver.env("TAURI_AUTOMATION", "true").env("TAURI_WEBVIEW_AUTOMATION", "true");
        self.driver = Some(driver.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        wait_for(SOON, "WebKitWebDriver", || std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok());
        let options = json!({"binary": env!("CARGO_BIN_EXE_assay-desktop"), "args": arguments});
        let capabilities: Capabilities =
            [("webkitgtk:browserOptions".to_owned(), options)].into_iter().collect();
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .unwrap();
        client.wait().at_most(SOON).for_element(Locator::Css("main")).await.unwrap();
        client
    }

    /// Closes the app's window and waits until its process is gone.
    pub(crate) async fn close_app(&self, client: Client) {
        client.close().await.unwrap();
        wait_for(SOON, "the end of the app", || !self.app_runs());
    }

    /// Whether a process of the app with this stage's folder lives.
    fn app_runs(&self) -> bool {
        let home = format!("ASSAY_HOME={}", self.home.path().display());
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        processes.into_iter().any(|process| {
            let is_app =
                std::fs::read_link(process.join("exe")).is_ok_and(|exe| exe.ends_with("assay-desktop"));
            let variables = std::fs::read(process.join("environ")).unwrap_or_default();
            is_app && variables.split(|byte| *byte == 0).any(|variable| variable == home.as_bytes())
        })
    }

    /// Takes a picture of the whole screen into the folder for pictures.
    pub(crate) fn picture(&self, name: &str) {
        let place = pictures().join(format!("{name}.png"));
        let taken = self.command("import").args(["-window", "root"]).arg(&place).status().unwrap();
        assert!(taken.success());
    }

    /// Drags files from another window onto the app, with a real pointer.
    pub(crate) fn drag(&mut self, files: &[&Path]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/e2e/drag_source.py");
        let mut source = self.command("/usr/bin/python3");
        source.arg(script).args(files);
        self.children.push(source.stdout(Stdio::null()).spawn().unwrap());
        let window = self.find_window("^assay drag source$");
        self.pointer(&["windowraise", &window]);
        self.pointer(&["windowmove", "--sync", &window, "20", "20"]);
        let geometry = self.pointer(&["getwindowgeometry", "--shell", &window]);
        let number = |name: &str| -> i32 {
            geometry.lines().find_map(|line| line.strip_prefix(name)).unwrap().parse().unwrap()
        };
        let (x, y) = (number("X=") + number("WIDTH=") / 2, number("Y=") + number("HEIGHT=") / 2);
        let (to_x, to_y) = (640, 560);
        self.move_pointer(x, y);
        self.pointer(&["mousedown", "1"]);
        for step in 1..=12 {
            self.move_pointer(x + (to_x - x) * step / 12, y + (to_y - y) * step / 12);
            std::thread::sleep(Duration::from_millis(100));
        }
        self.move_pointer(to_x + 3, to_y + 2);
        std::thread::sleep(Duration::from_millis(200));
        self.move_pointer(to_x, to_y);
        std::thread::sleep(Duration::from_millis(200));
        self.pointer(&["mouseup", "1"]);
        if let Some(mut source) = self.children.pop() {
            std::thread::sleep(Duration::from_millis(500));
            kill(&mut source);
        }
    }

    fn find_window(&self, title: &str) -> String {
        let mut found = String::new();
        wait_for(SOON, title, || {
            let output = self.command("xdotool").args(["search", "--name", title]).output().unwrap();
            String::from_utf8(output.stdout)
                .unwrap()
                .lines()
                .last()
                .unwrap_or_default()
                .clone_into(&mut found);
            !found.is_empty()
        });
        found
    }

    fn move_pointer(&self, x: i32, y: i32) {
        self.pointer(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    fn pointer(&self, arguments: &[&str]) -> String {
        let output = self.command("xdotool").args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "xdotool {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Where pictures of the views are left.
pub(crate) fn pictures() -> PathBuf {
    let root = std::env::var_os("ASSAY_PICTURES").map(PathBuf::from);
    let folder = root.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
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

fn start_bus() -> (String, Child) {
    let mut daemon = Command::new("dbus-daemon")
        .args(["--session", "--nofork", "--print-address"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = first_line(&mut daemon);
    (address, daemon)
}

fn first_line(child: &mut Child) -> String {
    use std::io::BufRead;
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line.trim().to_owned()
}

fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

fn wait_for(limit: Duration, what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < limit, "{what} did not come within {limit:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
