//! Turns the files a person chose into a manifest and into what is known of each.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use assay_sandbox::{Entry, Manifest, Source};
use assay_tabular::{Reading, Settings, Table, TableError};

use crate::problem::{Code, Problem};

/// The folder below `input/` for tables that were prepared.
const PREPARED: &str = "prepared";

/// A chosen file, its name below `input/`, and how a person wants it to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) destination: String,
    pub(crate) settings: Settings,
}

impl Input {
    /// The name below `input/` of the table that is prepared from it, where one is.
    pub(crate) fn prepared(&self) -> String {
        let name = &self.destination;
        if name.to_lowercase().ends_with(".csv") {
            format!("{PREPARED}/{name}")
        } else {
            format!("{PREPARED}/{name}.csv")
        }
    }
}

/// A file that was read.
#[derive(Debug, Clone)]
pub(crate) struct ReadInput {
    pub(crate) reading: Reading,
    /// The table as code is to read it: the file's own, or the prepared one.
    pub(crate) table: Table,
}

impl ReadInput {
    /// Whether code reads a prepared table.
    pub(crate) fn is_prepared(&self) -> bool {
        self.table.prepared_from.is_some()
    }
}

/// Gives each file a name of its own below `input/`: its own name, readable whatever its script; where two
/// files share one, the names of their folders are put before it.
pub(crate) fn name_inputs(
    files: &[PathBuf],
    settings: &[(PathBuf, Settings)],
) -> Result<Vec<Input>, Problem> {
    if files.is_empty() {
        return Err(Problem::new(Code::Input, "No file was given.", "Name at least one table file."));
    }
    let mut taken = HashSet::from([PREPARED.to_owned()]);
    let mut inputs = Vec::new();
    for path in files {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if inputs.iter().any(|input: &Input| input.path == path) {
            continue;
        }
        let destination = free_name(&path, &taken);
        taken.insert(destination.to_lowercase());
        let is_this = |file: &PathBuf| std::path::absolute(file).is_ok_and(|file| file == path);
        let settings = settings.iter().find(|(file, _)| is_this(file)).map(|(_, settings)| settings.clone());
        inputs.push(Input { path, destination, settings: settings.unwrap_or_default() });
    }
    Ok(inputs)
}

/// A name below `input/` that is not taken; those that are stand in lower case.
pub(crate) fn free_name(path: &Path, taken: &HashSet<String>) -> String {
    let is_free = |name: &String| !taken.contains(&name.to_lowercase());
    let mut name = path.file_name().map_or_else(|| "table".into(), clean);
    for folder in path.ancestors().skip(1).filter_map(Path::file_name) {
        if is_free(&name) {
            return name;
        }
        name = format!("{} {name}", clean(folder));
    }
    let numbered = (2..=taken.len() + 2).map(|number| format!("{number} {name}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// Blocks only what no name may have: separators, control characters and direction overrides.
pub(crate) fn clean(name: &std::ffi::OsStr) -> String {
    let cleaned: String =
        name.to_string_lossy()
            .chars()
            .map(|c| {
                if assay_sandbox::check_relative_path(&format!("a{c}a")).is_ok() && c != '/' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
    let mut start = cleaned.len().saturating_sub(200);
    while !cleaned.is_char_boundary(start) {
        start += 1;
    }
    match &cleaned[start..] {
        "" | "." | ".." => "table".into(),
        name => name.to_owned(),
    }
}

/// What one file says. `go_on` hears how many bytes of how many were read.
pub(crate) fn read_input(
    input: &Input,
    go_on: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<ReadInput, TableError> {
    let name = format!("input/{}", input.destination);
    let reading = assay_tabular::read_as(&input.path, &name, &input.settings, go_on)?;
    if reading.has_no_value() {
        let file = input.path.file_name().map(|name| name.to_string_lossy().into_owned());
        return Err(TableError::NoRows { file: file.unwrap_or_default() });
    }
    let table = if reading.is_plain() {
        reading.table.clone()
    } else {
        reading.prepared_table(&format!("input/{}", input.prepared()))
    };
    Ok(ReadInput { reading, table })
}

/// The same, where nobody waits for more.
pub(crate) fn read_at_once(input: &Input) -> Result<ReadInput, TableError> {
    read_input(input, &mut |_, _| ControlFlow::Continue(()))
}

/// The manifest of the inputs.
pub(crate) fn manifest(inputs: &[Input]) -> Result<Manifest, Problem> {
    let entries = inputs
        .iter()
        .map(|input| Entry {
            destination: input.destination.clone(),
            source: Source::File(input.path.clone()),
        })
        .collect();
    Ok(Manifest::new(entries)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        let files: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        name_inputs(&files, &[]).unwrap().into_iter().map(|input| input.destination).collect()
    }

    #[test]
    fn field_030_names_stay_readable_and_apart() {
        assert_eq!(
            names(&["/d/Отчёт за 2025.csv", "/d/Отчёт за 2024.csv"]),
            ["Отчёт за 2025.csv", "Отчёт за 2024.csv"]
        );
        assert_eq!(
            names(&["/jan/a.csv", "/feb/A.csv", "/x/feb/a.csv"]),
            ["a.csv", "feb A.csv", "x feb a.csv"]
        );
        assert_eq!(names(&["/d/a.csv", "/d/a.csv"]), ["a.csv"], "the same file twice is one file");
        assert_eq!(names(&["/d/a:b\u{202e}\n.csv"]), ["a_b__.csv"]);
        let long = "ü".repeat(150);
        assert!(names(&[&format!("/d/{long}.csv")])[0].ends_with("üü.csv"));
        assert!(manifest_accepts(&names(&[&format!("/d/{long}.csv")])[0]));
    }

    fn manifest_accepts(name: &str) -> bool {
        assay_sandbox::check_relative_path(name).is_ok()
    }
}
