//! A real drag of files from another window onto the app.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// Where the files are let go: within the app's window.
const TARGET: (i32, i32) = (640, 560);
/// Where the pointer takes hold of them: within the other window, which is put into the corner.
const START: (i32, i32) = (110, 80);

/// The window from which these files can be dragged.
pub(crate) fn source(command: &dyn Fn(&str) -> Command, files: &[&Path]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/e2e/drag_source.py");
    let mut source = command("/usr/bin/python3");
    source.arg(script).args(files).stdout(Stdio::null());
    source
}

/// Drags files with the pointer of the screen on which commands run; says when they were let go.
pub(crate) fn drag(command: &dyn Fn(&str) -> Command, files: &[&Path]) -> SystemTime {
    let xdotool = |arguments: &[&str]| {
        let mut patient = command("timeout");
        let done = patient.args(["20", "xdotool"]).args(arguments).stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "xdotool {arguments:?}");
    };
    let move_pointer = |x: i32, y: i32, pause_ms: u64| {
        xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
        std::thread::sleep(Duration::from_millis(pause_ms));
    };
    let mut window = source(command, files).spawn().unwrap();
    let find = ["search", "--sync", "--onlyvisible", "--name", "^assay drag source$"];
    xdotool(&[&find[..], &["windowraise", "windowmove", "--sync", "20", "20"]].concat());
    let ((x, y), (to_x, to_y)) = (START, TARGET);
    move_pointer(x, y, 60);
    xdotool(&["mousedown", "1"]);
    for step in 1..=12 {
        move_pointer(x + (to_x - x) * step / 12, y + (to_y - y) * step / 12, 60);
    }
    // A drag that is let go before the window below has said that it takes it is called off.
    for nearer in [3, 0, 2, 0] {
        move_pointer(to_x + nearer, to_y + nearer, 150);
    }
    let released = SystemTime::now();
    xdotool(&["mouseup", "1"]);
    // The files' names are asked for now.
    std::thread::sleep(Duration::from_millis(500));
    window.kill().unwrap();
    window.wait().unwrap();
    released
}
