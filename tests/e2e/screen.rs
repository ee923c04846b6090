//! The stage's screen: windows, a pointer, a keyboard, and pictures.

use std::path::Path;
use std::time::Duration;

use crate::drag;
use crate::stage::{SOON, Stage, pictures, wait_for};

/// Where a window lies, without its frame: x, y, width, height.
pub(crate) type Geometry = (i32, i32, i32, i32);

impl Stage {
    /// Takes a picture of the whole screen into the folder for pictures.
    pub(crate) fn picture(&self, name: &str) {
        let place = pictures().join(format!("{name}.png"));
        let taken = self.command("import").args(["-window", "root"]).arg(&place).status().unwrap();
        assert!(taken.success());
    }

    /// Opens a window of another program, from which files can be dragged.
    pub(crate) fn open_drag_source(&mut self, files: &[&Path]) {
        let mut source = drag::source(&|program| self.command(program), files);
        self.start(&mut source);
    }

    /// Drags files from another window onto the app, with a real pointer.
    pub(crate) fn drag(&self, files: &[&Path]) {
        drag::drag(&|program| self.command(program), files);
    }

    /// Types a path into the file dialog of this title and confirms it.
    pub(crate) fn answer_dialog(&self, title: &str, path: &Path) {
        let window = self.front(&format!("^{title}$"));
        // A slash opens the line for a path, which takes a moment; in a dialog that saves the line is there.
        self.type_text("/");
        std::thread::sleep(Duration::from_millis(700));
        self.press_key("ctrl+a");
        self.type_text(path.to_str().unwrap());
        self.picture(&format!("dialog-{}", title.to_lowercase().replace(' ', "-")));
        self.press_key("Return");
        wait_for(SOON, "the end of the dialog", || {
            // A list of suggestions may take the first press.
            let is_open = self.is_open(&window);
            if is_open {
                std::thread::sleep(Duration::from_millis(500));
                if self.is_open(&window) {
                    self.press_key("Return");
                }
            }
            !is_open
        });
    }

    fn is_open(&self, window: &str) -> bool {
        let asked = self.command("xdotool").args(["getwindowname", window]).output().unwrap();
        asked.status.success()
    }

    /// Brings the window of this title to the front, with the keyboard; gives its number.
    pub(crate) fn front(&self, title: &str) -> String {
        let window = self.find_window(title);
        self.xdotool(&["windowactivate", "--sync", &window]);
        window
    }

    /// The number of the window with this title, when it is there.
    pub(crate) fn find_window(&self, title: &str) -> String {
        let mut found = String::new();
        wait_for(SOON, title, || {
            let asked =
                self.command("xdotool").args(["search", "--onlyvisible", "--name", title]).output().unwrap();
            let listed = String::from_utf8(asked.stdout).unwrap();
            listed.lines().last().unwrap_or_default().clone_into(&mut found);
            !found.is_empty()
        });
        found
    }

    /// The title of the window that has the keyboard; empty when none has.
    pub(crate) fn active_window(&self) -> String {
        let asked = self.command("xdotool").args(["getactivewindow", "getwindowname"]).output().unwrap();
        String::from_utf8(asked.stdout).unwrap().trim().to_owned()
    }

    /// Where a window lies.
    pub(crate) fn geometry(&self, window: &str) -> Geometry {
        let told = self.xdotool(&["getwindowgeometry", "--shell", window]);
        let number = |name: &str| -> i32 {
            told.lines().find_map(|line| line.strip_prefix(name)).unwrap().parse().unwrap()
        };
        (number("X="), number("Y="), number("WIDTH="), number("HEIGHT="))
    }

    /// Where a window lies once it has come to rest.
    pub(crate) fn settled_geometry(&self, window: &str) -> Geometry {
        let mut seen = Vec::from([self.geometry(window)]);
        wait_for(SOON, "a window at rest", || {
            std::thread::sleep(Duration::from_millis(200));
            seen.push(self.geometry(window));
            seen.len() > 5 && seen[seen.len() - 5..].iter().all(|each| *each == seen[seen.len() - 1])
        });
        seen[seen.len() - 1]
    }

    /// Gives the app's window a size, and waits until it has it.
    pub(crate) fn resize(&self, width: i32, height: i32) {
        let window = self.find_window("^Assay$");
        self.xdotool(&["windowsize", &window, &width.to_string(), &height.to_string()]);
        wait_for(SOON, "the window's new size", || {
            let (.., now_width, now_height) = self.geometry(&window);
            (now_width, now_height) == (width, height)
        });
    }

    /// Closes the app's window as the cross in its frame does: the window manager asks the app to go.
    pub(crate) fn close_window(&self) {
        let window: u64 = self.find_window("^Assay$").parse().unwrap();
        let asked = self.command("wmctrl").args(["-i", "-c", &format!("{window:#x}")]).status().unwrap();
        assert!(asked.success());
    }

    /// Presses a key, such as `Tab` or `ctrl+Return`.
    pub(crate) fn press_key(&self, key: &str) {
        self.xdotool(&["key", "--clearmodifiers", key]);
    }

    /// Types a text.
    pub(crate) fn type_text(&self, text: &str) {
        self.xdotool(&["type", "--delay", "4", text]);
    }

    /// Drives windows, the pointer and the keyboard.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = self.command("xdotool").args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "xdotool {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}
