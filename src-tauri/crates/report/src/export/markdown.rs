//! A report as it was written, with the files that it shows or leads to.

use super::archive::Archive;
use super::picture::stays_below;
use super::{Export, ExportError, Parcel, Progress};
use crate::links::links;
use std::collections::BTreeSet;

/// The report, below the folder of the run's files and in the archive.
const REPORT: &str = "report.md";

/// Writes a zip archive with the report in Markdown and each file that it links to, under the same paths.
pub fn markdown(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    let report = parcel.read(REPORT)?;
    let (paths, remarks) = linked(parcel, &String::from_utf8_lossy(&report));
    let total = paths.len() + 1;
    let mut archive = Archive::new();
    progress(0, total)?;
    archive.add(REPORT, &report)?;
    for (done, path) in paths.iter().enumerate() {
        progress(done + 1, total)?;
        archive.add(path, &parcel.read(path)?)?;
    }
    let bytes = archive.finish()?;
    progress(total, total)?;
    Ok(Export { bytes, remarks })
}

/// The files that a report links to and that lie below the run's folder, in order, and what is said of others.
fn linked(parcel: &Parcel<'_>, report: &str) -> (Vec<String>, Vec<String>) {
    let (mut paths, mut remarks) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::from([REPORT.to_owned()]);
    for path in links(report).0.iter().filter_map(crate::Link::local_path) {
        if !seen.insert(path.clone()) {
            continue;
        }
        if stays_below(parcel, &path) && parcel.place(&path).is_file() {
            paths.push(path);
        } else {
            remarks.push(format!("The report links to {path}, which is not among the files of this run."));
        }
    }
    (paths, remarks)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::document::Document;

    fn export(folder: &std::path::Path) -> Result<Export, ExportError> {
        let document = Document::default();
        let parcel = Parcel { document: &document, verdicts: &[], title: "", files: folder, cells: &[] };
        markdown(&parcel, &|_, _| Ok(()))
    }

    fn names(export: &Export) -> Vec<String> {
        let archive = zip::ZipArchive::new(Cursor::new(&export.bytes)).unwrap();
        archive.file_names().map(|name| name.unwrap().into_owned()).collect()
    }

    #[test]
    fn field_115_nothing_from_outside_the_folder_goes_along() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("output");
        std::fs::create_dir_all(folder.join("charts")).unwrap();
        std::fs::write(place.path().join("secret.txt"), "secret").unwrap();
        std::fs::write(folder.join("charts/a b.png"), "a").unwrap();
        std::fs::write(folder.join("not linked.csv"), "b").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.txt", folder.join("harmless.txt")).unwrap();
        let outside = place.path().join("secret.txt");
        std::fs::write(
            folder.join(REPORT),
            format!(
                "![a](charts/a%20b.png) ![again](<./charts/a b.png>) [b](../secret.txt) [c]({}) [d](harmless.txt) \
                 [e](charts) [f](https://example.org) [g](report.md) [h](#x)",
                outside.display()
            ),
        )
        .unwrap();
        let export = export(&folder).unwrap();
        assert_eq!(names(&export), [REPORT, "charts/a b.png"]);
        let gone = ["../secret.txt", &outside.display().to_string(), "harmless.txt", "charts"]
            .map(|path| format!("The report links to {path}, which is not among the files of this run."));
        assert_eq!(export.remarks, gone);
    }

    #[test]
    fn without_a_report_there_is_nothing_to_export() {
        let folder = tempfile::tempdir().unwrap();
        let error = export(folder.path()).unwrap_err();
        assert!(matches!(error, ExportError::Unreadable { path, .. } if path == REPORT));
    }
}
