//! Everything that is needed to do an analysis again without the app, in one zip file.

mod transcript;

use std::fmt::Write;
use std::fs::File;
use std::io::Read;

use assay_agent::Event;
use assay_report::{Cell, ExportError, Progress};
use assay_sandbox::{StagedFile, kernel_modules, own_image, own_recipe};

use sha2::{Digest, Sha256};

use super::Kept;
use super::folder::Archive;
use crate::contract::files_below;
use crate::staging::staged_files;

/// The data come along up to this size together; beyond it their names and hashes do.
const MAX_DATA_BYTES: u64 = 200 << 20;
const COMMAND: &str = "sh again.sh";

/// Writes data, code, image recipe, transcript, results, and a command that makes the results again and compares
/// them.
pub(super) fn bundle(kept: &Kept<'_>, into: File, progress: Progress<'_>) -> Result<(), ExportError> {
    let outputs = files_below(kept.output);
    let data = Data::of(kept);
    let files = kept.staged();
    let all = outputs.len() + files.len();
    let mut archive = Archive::new(into);
    archive.add("README.md", readme(kept, &data))?;
    archive.add("again.sh", command(kept))?;
    archive.add("code/analysis.py", script(kept.cells))?;
    archive.add("code/run_steps.py", include_str!("bundle/run_steps.py"))?;
    let modules = kernel_modules();
    let order: Vec<&str> = modules.iter().map(|(name, _)| *name).collect();
    archive.add("code/sandbox/order.txt", order.join("\n"))?;
    for (name, source) in modules {
        archive.add(&format!("code/sandbox/{name}.py"), source)?;
    }
    for (name, content) in own_recipe().files {
        archive.add(&format!("image/{name}"), content)?;
    }
    archive.add("transcript.md", transcript::transcript(kept))?;
    archive.add("run.json", record(kept))?;
    for (done, file) in outputs.iter().enumerate() {
        progress(done, all)?;
        archive.copy(&format!("output/{file}"), &kept.output.join(file))?;
    }
    if let Data::Here = data {
        for (done, file) in files.iter().enumerate() {
            progress(outputs.len() + done, all)?;
            if let Some(source) = &file.source {
                archive.copy(&data_name(file), source)?;
            }
        }
    }
    archive.finish()
}

/// Whether the data come along.
enum Data {
    Here,
    /// Their hashes only, and why.
    Hashes(&'static str),
}

impl Data {
    fn of(kept: &Kept<'_>) -> Self {
        let files = kept.staged();
        let is_there = |file: &StagedFile| {
            let size = file.source.as_ref().and_then(|source| std::fs::metadata(source).ok());
            size.is_some_and(|metadata| metadata.len() == file.size)
                && kept.hash_of(file).is_none_or(|then| hash_now(file).as_deref() == Some(then))
        };
        if files.iter().map(|file| file.size).sum::<u64>() > MAX_DATA_BYTES {
            Self::Hashes("they are large")
        } else if files.iter().all(is_there) {
            Self::Here
        } else {
            Self::Hashes("they are no longer where they were, or have changed")
        }
    }
}

impl Kept<'_> {
    /// What its sandbox got, where it lies.
    fn staged(&self) -> Vec<StagedFile> {
        let folder = self.output.with_file_name("input");
        staged_files(self.record, &folder)
    }

    /// The hash of a file as it was analysed, where it was taken.
    fn hash_of(&self, file: &StagedFile) -> Option<&str> {
        self.events.iter().rev().find_map(|event| match event {
            Event::SandboxReady { facts } => facts.input_hashes.get(&file.destination).map(String::as_str),
            _ => None,
        })
    }
}

/// The hash of a file as it is now. Of a large one none was taken when it was analysed.
fn hash_now(file: &StagedFile) -> Option<String> {
    let mut content = File::open(file.source.as_ref()?).ok()?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match content.read(&mut piece).ok()? {
            0 => break,
            length => hash.update(&piece[..length]),
        }
    }
    Some(hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

fn data_name(file: &StagedFile) -> String {
    let destination = file.destination.as_str();
    format!("data/{}", destination.strip_prefix("input/").unwrap_or(destination))
}

fn command(kept: &Kept<'_>) -> String {
    let used = kept.events.iter().find_map(|event| match event {
        Event::SandboxReady { facts } => facts.image.split_whitespace().next(),
        _ => None,
    });
    let image = used.unwrap_or(own_image());
    let recipe = if image == own_image() { own_recipe().hash } else { String::new() };
    let policy = &kept.record.policy;
    include_str!("bundle/again.sh")
        .replace("@IMAGE@", &quoted(image))
        .replace("@RECIPE@", &recipe)
        .replace("@MEMORY@", &policy.memory_mib.to_string())
        .replace("@CPUS@", &policy.cpus.to_string())
        .replace("@PROCESSES@", &policy.processes.to_string())
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The code as one script, in cells as editors know them.
fn script(cells: &[Cell]) -> String {
    let mut script = String::from(
        "# The code of the analysis, step by step. run_steps.py runs it: it also saves open figures, and goes on\n\
         # behind a step that ends with an exception, as it did when the steps were made.\n\n",
    );
    for Cell { step, title, code, error, .. } in cells {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let ends = error.as_ref().map(|error| format!(" (ends with {error})")).unwrap_or_default();
        let _ = write!(script, "# %% Step {step}{ends}: {title}\n{code}\n");
    }
    script
}

fn record(kept: &Kept<'_>) -> String {
    let events: Vec<&Event> = kept.events.iter().filter(|event| !event.is_live_only()).collect();
    format!("{:#}\n", serde_json::json!({ "run": kept.record.without_places(), "events": events }))
}

fn readme(kept: &Kept<'_>, data: &Data) -> String {
    let mut files = String::new();
    for file in &kept.staged() {
        let hash = kept.hash_of(file).map(str::to_owned).or_else(|| hash_now(file));
        let hash = hash.map_or_else(|| "not taken".into(), |hash| format!("`{hash}`"));
        let _ = writeln!(files, "| `{}` | {} | {hash} |", data_name(file), file.size);
    }
    let data = match data {
        Data::Here => "The files that were analysed are in `data/`.".to_owned(),
        Data::Hashes(why) => {
            format!("The files that were analysed are not here ({why}). Put them where the list says first.")
        }
    };
    format!(
        "# {title}\n\n\
         This folder holds an analysis with all that is needed to do it again. Assay is not needed for it; Docker \
         is.\n\n\
         ```\n{COMMAND}\n```\n\n\
         makes the image if it is missing, runs the code in a container without network, writes what it makes to \
         `again/output`, and says for each file whether it is the same as in `output`. Pictures are compared by \
         their pixels.\n\n\
         | what | where |\n|---|---|\n\
         | the results | `output/` |\n\
         | the code, as one script | `code/analysis.py` |\n\
         | what runs it as the sandbox did | `code/run_steps.py`, `code/sandbox/` |\n\
         | how the image is made, with every package pinned | `image/` |\n\
         | what was said and done | `transcript.md` |\n\
         | the same for programs, with what was in force | `run.json` |\n\n\
         {data}\n\n| file | bytes | SHA-256 |\n|---|---:|---|\n{files}",
        title = kept.title.split_whitespace().collect::<Vec<_>>().join(" "),
    )
}
