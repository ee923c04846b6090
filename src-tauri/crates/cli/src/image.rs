//! `assay image`: the images that sandboxes start from.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use assay_engine::{Engine, ImageProgress, OwnImage, PartProgress, Problem, StopToken};

use crate::arguments::{ImageArguments, ImageCommand};
use crate::exit::Exit;
use crate::run::{show_problem, stop_on_signals};

pub(crate) async fn image(arguments: ImageArguments) -> anyhow::Result<Exit> {
    let stop = StopToken::new();
    stop_on_signals(stop.clone());
    let done = match arguments.sandbox.engine_alone() {
        Ok(engine) => carry_out(&engine, arguments.command, arguments.json, &stop).await,
        Err(problem) => Err(problem),
    };
    Ok(match done {
        Ok(()) => Exit::Done,
        Err(problem) => {
            show_problem(&problem);
            Exit::from(&problem)
        }
    })
}

async fn carry_out(
    engine: &Engine,
    command: Option<ImageCommand>,
    json: bool,
    stop: &StopToken,
) -> Result<(), Problem> {
    let mut screen = Screen::start(json);
    let mut show = |progress: ImageProgress| screen.show(&progress);
    match command {
        None => list(&engine.own_images().await?, json),
        Some(ImageCommand::Build { packages }) => {
            let name = engine.make_image(&packages, &mut show, stop).await?;
            screen.wipe();
            say(json, "image", &name);
        }
        Some(ImageCommand::Pull { name }) => {
            engine.pull_image(&name, &mut show, stop).await?;
            screen.wipe();
            say(json, "image", &name);
        }
        Some(ImageCommand::Load { file }) => {
            let names = engine.load_image(&file, &mut show, stop).await?;
            screen.wipe();
            for name in &names {
                say(json, "image", name);
            }
        }
        Some(ImageCommand::Prune) => {
            for image in engine.remove_old_images().await? {
                say(json, "removed", &name_of(&image));
            }
        }
    }
    Ok(())
}

fn say(json: bool, what: &str, name: &str) {
    if json {
        println!("{}", serde_json::json!({ what: name }));
    } else {
        println!("{}", if what == "removed" { format!("removed {name}") } else { name.to_owned() });
    }
}

fn list(images: &[OwnImage], json: bool) {
    if json {
        println!("{}", serde_json::to_string(images).unwrap_or_default());
        return;
    }
    for image in images {
        let use_words = if image.is_present { "in use" } else { "old   " };
        let base = image
            .base
            .as_deref()
            .map_or_else(|| "the official Python image".into(), |base| format!("base {base}"));
        println!(
            "{use_words}  {}  {} MB, for {}, made here on {base}",
            name_of(image),
            image.bytes / 1_000_000,
            image.architecture
        );
        if !image.lock.is_empty() {
            println!("        with {}", image.lock.join(", "));
        }
    }
    if images.is_empty() {
        println!("No image has been made yet: `assay image build` makes it.");
    }
    if images.iter().any(|image| !image.is_present) {
        println!("`assay image prune` removes the old ones.");
    }
}

fn name_of(image: &OwnImage) -> String {
    image.names.first().cloned().unwrap_or_else(|| image.id.chars().skip("sha256:".len()).take(12).collect())
}

/// A line that changes while bytes come in, and one for each other thing; JSON has a line for each.
struct Screen {
    json: bool,
    is_terminal: bool,
    drawn: Option<Instant>,
}

impl Screen {
    fn start(json: bool) -> Self {
        Self { json, is_terminal: std::io::stderr().is_terminal(), drawn: None }
    }

    fn show(&mut self, progress: &ImageProgress) {
        if self.json {
            println!("{}", serde_json::to_string(progress).unwrap_or_default());
            return;
        }
        let Some(part) = &progress.part else {
            self.wipe();
            eprintln!("{}", progress.line);
            return;
        };
        if self.is_terminal && self.drawn.is_none_or(|drawn| drawn.elapsed().as_millis() > 100) {
            eprint!("\r\x1b[K{}", words(&progress.line, part));
            let _ = std::io::stderr().flush();
            self.drawn = Some(Instant::now());
        }
    }

    fn wipe(&mut self) {
        if self.drawn.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

/// `Downloading 3f9d2c: 12 of 48 MB`.
fn words(line: &str, part: &PartProgress) -> String {
    let name = if line.contains(&part.name) { String::new() } else { format!(" {}", part.name) };
    let total = part.total_bytes.map_or_else(String::new, |total| format!(" of {}", total / 1_000_000));
    format!("{line}{name}: {}{total} MB", part.done_bytes / 1_000_000)
}
