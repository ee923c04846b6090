//! Progress in plain words on standard error: a line for each thing done, and on a terminal a last line
//! that shows what goes on and for how long.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use assay_engine::{EngineEvent, Event, RunEvent, SessionFacts, Staging, StepOutcome, Table};

/// Shows events as they come. The live line is wiped when this is dropped.
pub(crate) struct Progress {
    screen: Arc<Mutex<Screen>>,
    ticking: Option<tokio::task::JoinHandle<()>>,
}

struct Screen {
    begun: Instant,
    is_terminal: bool,
    /// What goes on now, and since when.
    current: Option<(String, Instant)>,
    /// What went on when the sandbox was lost.
    cut_off: Option<(String, Instant)>,
    /// Columns of the live line on the screen.
    drawn: usize,
}

impl Progress {
    pub(crate) fn start(begun: Instant, is_terminal: bool) -> Self {
        let screen =
            Arc::new(Mutex::new(Screen { begun, is_terminal, current: None, cut_off: None, drawn: 0 }));
        let ticking = is_terminal.then(|| {
            let screen = screen.clone();
            tokio::spawn(async move {
                let mut second = tokio::time::interval(Duration::from_secs(1));
                loop {
                    second.tick().await;
                    lock(&screen).draw();
                }
            })
        });
        Self { screen, ticking }
    }

    pub(crate) fn show(&self, event: &RunEvent) {
        let mut screen = lock(&self.screen);
        match event {
            RunEvent::Engine(event) => screen.show_engine(event),
            RunEvent::Agent(event) => screen.show_agent(event),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(ticking) = &self.ticking {
            ticking.abort();
        }
        let mut screen = lock(&self.screen);
        screen.current = None;
        screen.wipe();
    }
}

fn lock(screen: &Mutex<Screen>) -> MutexGuard<'_, Screen> {
    screen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Screen {
    fn show_engine(&mut self, event: &EngineEvent) {
        match event {
            EngineEvent::ReadingFile { name } => self.begin(format!("Reading {name}")),
            EngineEvent::PreparingFile { name } => self.begin(format!("Preparing {name}")),
            EngineEvent::FileRead { table } => {
                self.line(&describe(table));
                for note in &table.notes {
                    self.line(&format!("  {note}"));
                }
            }
            EngineEvent::RunStarted { model, .. } => {
                let who = match (&model.host, model.is_ai) {
                    (Some(host), false) => {
                        format!(
                            "{} (no AI, unless a step fails: then a model at {host} is asked)",
                            model.name
                        )
                    }
                    (None, false) => format!("{} (rules, no AI; nothing leaves this computer)", model.name),
                    (Some(host), true) => format!("{} at {host}", model.name),
                    (None, true) => model.name.clone(),
                };
                self.line(&format!("Thinks: {who}"));
            }
            EngineEvent::WaitingForEngine { engines } => {
                self.line(&format!("Waits for a free place on {}", engines.join(", ")));
                self.begin("Waiting".into());
            }
            EngineEvent::OpeningSandbox { engine, .. } => {
                let place = engine.as_ref().map_or(String::new(), |name| format!(" on {name}"));
                self.begin(format!("Opening the sealed sandbox{place}"));
            }
        }
    }

    fn show_agent(&mut self, event: &Event) {
        match event {
            Event::SandboxReady { facts } => self.line(&runs_in(facts)),
            Event::TurnStarted { .. } => self.begin("Thinking".into()),
            Event::Waiting { wait_s, reason, .. } => {
                self.line(&format!("{reason} Next try in {wait_s:.0} s"));
                self.begin("Waiting".into());
            }
            Event::Asked { ask } => self.line(&format!("Asked: {ask}")),
            Event::Replaying { step, title } => self.begin(format!("{step}. {title} (again)")),
            Event::SandboxLost { .. } => {
                self.cut_off = self.current.take();
                self.begin("The sandbox was lost; setting it up again".into());
            }
            Event::SandboxRestored { steps, different } => {
                self.current = self.cut_off.take();
                self.line(&restored(*steps, different));
            }
            Event::StepStarted { step, title, mended, .. } => {
                for said in mended {
                    self.line(&format!("   mended: {said}"));
                }
                self.begin(format!("{step}. {title}"));
            }
            Event::StepEnded { ok, outcome, .. } => self.end_step(*ok, outcome.as_deref()),
            Event::ArtifactSaved { path, .. } => self.line(&format!("   made {path}")),
            Event::ArtifactRefused { path, reason, .. } => {
                self.line(&format!("   left in the sandbox: {path} ({reason})"));
            }
            Event::ContractBroken { gaps } => {
                let gaps: Vec<&str> = gaps.iter().map(|gap| gap.0.as_str()).collect();
                self.line(&format!("Not complete yet: {}", gaps.join("; ")));
            }
            Event::Shortened { results } => {
                self.line(&format!("Shortened {results} older results, so that the model has room to go on"));
            }
            Event::QuestionAsked { .. } => {
                self.wipe();
                self.current = None;
            }
            Event::QuestionAnswered { answer, .. } => match answer {
                Some(answer) => self.line(&format!("   answered: {answer}")),
                None => self.line("   left to the model"),
            },
            Event::Briefed { .. }
            | Event::RequestSent { .. }
            | Event::Text { .. }
            | Event::Reasoning { .. }
            | Event::TurnEnded { .. }
            | Event::Output(_)
            | Event::ArtifactRemoved { .. } => {}
            Event::RunEnded { .. } => self.current = None,
        }
    }

    fn end_step(&mut self, ok: bool, outcome: Option<&StepOutcome>) {
        let Some((title, _)) = self.current.take() else { return };
        let took =
            outcome.map_or(String::new(), |outcome| format!(" ({:.1} s)", outcome.duration_ms / 1000.0));
        let why = outcome.filter(|_| !ok).map_or(String::new(), |outcome| format!(": {}", trouble(outcome)));
        self.line(&format!("{title}{}{why}{took}", if ok { "" } else { " - did not work" }));
    }

    fn begin(&mut self, text: String) {
        self.current = Some((text, Instant::now()));
        self.draw();
    }

    fn line(&mut self, text: &str) {
        self.wipe();
        let seconds = self.begun.elapsed().as_secs();
        eprintln!("{:>2}:{:02}  {text}", seconds / 60, seconds % 60);
        self.draw();
    }

    fn draw(&mut self) {
        self.wipe();
        if let (true, Some((text, since))) = (self.is_terminal, &self.current) {
            let seconds = self.begun.elapsed().as_secs();
            let live = format!(
                "{:>2}:{:02}  {text} ... {} s",
                seconds / 60,
                seconds % 60,
                since.elapsed().as_secs()
            );
            let live: String = live.chars().take(78).collect();
            eprint!("{live}");
            self.drawn = live.chars().count();
            let _ = std::io::stderr().flush();
        }
    }

    fn wipe(&mut self) {
        if self.drawn > 0 {
            eprint!("\r{}\r", " ".repeat(self.drawn));
            self.drawn = 0;
        }
    }
}

fn describe(table: &Table) -> String {
    let path = table.prepared_from.as_ref().unwrap_or(&table.path);
    let name = path.strip_prefix("input/").unwrap_or(path);
    format!("{name}: {} rows, {} columns", thousands(table.rows), table.columns.len())
}

fn runs_in(facts: &SessionFacts) -> String {
    let inputs = match facts.staging {
        Staging::Mounted => "files readable, not writable",
        Staging::Uploaded => "files copied in",
    };
    format!("Runs in: sealed Docker sandbox, no network, {inputs}")
}

/// That the sandbox was set up again, and what that changed.
fn restored(steps: u32, different: &[u32]) -> String {
    let again = match steps {
        0 => String::new(),
        1 => "; 1 step was run again".into(),
        _ => format!("; {steps} steps were run again"),
    };
    let numbers: Vec<String> = different.iter().map(u32::to_string).collect();
    let other = match &numbers[..] {
        [] => String::new(),
        _ => format!(", with other output than before in step {}", numbers.join(", ")),
    };
    format!("The sandbox was lost and has been set up again{again}{other}")
}

fn trouble(outcome: &StepOutcome) -> String {
    use assay_engine::StepStatus;
    match outcome.status {
        StepStatus::Timeout => "it took too long".into(),
        StepStatus::OutOfMemory => "the sandbox ran out of memory".into(),
        StepStatus::Interrupted => "stopped".into(),
        StepStatus::Exited | StepStatus::Crashed => "Python was lost and started anew".into(),
        StepStatus::Ok | StepStatus::Error => match (&outcome.error, outcome.exit_code) {
            (Some(error), _) => {
                let message = error.message.lines().next().unwrap_or_default();
                format!("{} {message}", error.kind).chars().take(100).collect()
            }
            (None, Some(code)) => format!("exit code {code}"),
            (None, None) => "it failed".into(),
        },
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
