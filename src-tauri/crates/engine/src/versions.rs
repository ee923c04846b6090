//! Earlier versions of artifacts: what `output/` held when a further question was asked.

use std::path::{Path, PathBuf};

use crate::contract::files_below;

/// Keeps `output/` as it is now, beside it in `versions/N/`. A later write replaces a file by a new one, so a
/// hard link is enough where the file system has them.
pub(crate) fn keep(output: &Path) -> std::io::Result<()> {
    let kept = folders(output);
    let folder = root(output).join((kept.len() + 1).to_string());
    for file in files_below(output) {
        let place = folder.join(&file);
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let source = output.join(&file);
        if std::fs::hard_link(&source, &place).is_err() {
            std::fs::copy(&source, &place)?;
        }
    }
    Ok(())
}

/// All versions of an artifact that differ from the one after them, oldest first; the last is today's.
pub(crate) fn of(output: &Path, file: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let places = folders(output).into_iter().map(|folder| folder.join(file)).chain([output.join(file)]);
    for place in places.filter(|place| place.is_file()) {
        if found.last().is_none_or(|last| !same(last, &place)) {
            found.push(place);
        } else if let Some(last) = found.last_mut() {
            *last = place;
        }
    }
    found
}

fn same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| std::fs::metadata(path).map(|metadata| metadata.len()).ok();
    length(one) == length(other) && std::fs::read(one).ok() == std::fs::read(other).ok()
}

fn root(output: &Path) -> PathBuf {
    output.with_file_name("versions")
}

fn folders(output: &Path) -> Vec<PathBuf> {
    (1..=u32::MAX)
        .map(|number| root(output).join(number.to_string()))
        .take_while(|folder| folder.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redrawn_chart_has_versions_and_an_unchanged_one_has_not() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("output");
        std::fs::create_dir_all(output.join("charts")).unwrap();
        let write = |file: &str, text: &str| {
            // As artifacts are written: a new file in the place of the old one.
            let place = output.join(file);
            std::fs::write(place.with_extension("new"), text).unwrap();
            std::fs::rename(place.with_extension("new"), place).unwrap();
        };
        write("charts/a.png", "one");
        write("b.csv", "same");
        keep(&output).unwrap();
        write("charts/a.png", "two");
        keep(&output).unwrap();
        write("c.csv", "new");
        let texts = |file: &str| -> Vec<String> {
            of(&output, file).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
        };
        assert_eq!(texts("charts/a.png"), ["one", "two"]);
        assert_eq!(texts("b.csv"), ["same"]);
        assert_eq!(texts("c.csv"), ["new"]);
        assert_eq!(texts("none"), [""; 0]);
    }
}
