//! From the start of the process to a first paint and to a Home that can be used, beside an empty window.

use std::path::Path;
use std::time::Duration;

use crate::empty;
use crate::screen::Screen;
use crate::stage::{APP, Stage};
use crate::table::{Row, median, ms, ratio};

/// What the app and the empty window say when their page runs.
pub(crate) const READY: &str = "the interface is ready";
const ROUNDS: usize = 11;

/// The times of one window.
#[derive(Default)]
struct Times {
    /// Text is on the screen.
    painted: Vec<Duration>,
    /// It is, and the page has called the shell.
    usable: Vec<Duration>,
}

impl Times {
    fn add(&mut self, stage: &Stage, screen: &Screen, program: &Path, arguments: &[&str]) {
        screen.wait_for_nothing();
        let started = stage.start(program, arguments);
        let painted = screen.wait_for_content();
        let ready = started.wait_for_line(READY);
        self.painted.push(painted - started.begun());
        self.usable.push(painted.max(ready) - started.begun());
        started.end();
    }
}

/// Starts both windows in turns.
pub(crate) fn measure(stage: &Stage) -> Vec<Row> {
    let own = std::env::current_exe().unwrap();
    let screen = Screen::open(&stage.pixels());
    let (mut app, mut empty) = (Times::default(), Times::default());
    for round in 0..=ROUNDS {
        // The first round reads the programs from the disk and makes the app's folder.
        if round == 1 {
            (app, empty) = (Times::default(), Times::default());
        }
        app.add(stage, &screen, Path::new(APP), &[]);
        empty.add(stage, &screen, &own, &[empty::ARGUMENT]);
    }
    let row = |what: &str, app: Vec<Duration>, empty: Vec<Duration>| {
        let (app, empty) = (median(app), median(empty));
        Row::new(what, ms(app), format!("{}, an empty window", ms(empty)), ratio(app, empty))
    };
    vec![
        row("first paint", app.painted, empty.painted),
        row("a Home that can be used", app.usable, empty.usable),
    ]
}
