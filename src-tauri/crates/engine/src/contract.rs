//! The output contract of an analysis.

use std::path::Path;

use assay_agent::{Contract, Gap};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Reports over this size are not read.
const MAX_REPORT_BYTES: u64 = 4 << 20;
/// A report with less text than this says nothing.
const MIN_REPORT_CHARS: usize = 80;
pub(crate) const REPORT: &str = "report.md";
/// How the name of an interactive chart ends; its picture has the same name with `.png` instead.
pub(crate) const INTERACTIVE: &str = ".vl.json";
const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "svg"];

/// What must lie in `output/` before a run counts as done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Expected {
    /// A report; without it the answer in words is what comes out.
    #[serde(default = "yes")]
    pub report: bool,
    /// At least so many charts.
    pub charts: usize,
    /// At least so many CSV tables.
    pub tables: usize,
    /// Files that the request names, relative to `output/`.
    pub files: Vec<String>,
}

fn yes() -> bool {
    true
}

/// What should come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Give {
    /// The report; without it only an answer in words.
    pub report: bool,
    /// At least one chart.
    pub charts: bool,
    /// At least one table as CSV.
    pub tables: bool,
}

impl Default for Give {
    fn default() -> Self {
        Self { report: true, charts: true, tables: false }
    }
}

impl Give {
    /// Nothing but an answer in words.
    pub const ANSWER: Self = Self { report: false, charts: false, tables: false };
}

impl Expected {
    pub(crate) fn with_choice(self, give: Give) -> Self {
        Self {
            report: give.report,
            charts: usize::from(give.charts),
            tables: usize::from(give.tables),
            ..self
        }
    }

    /// A report with a chart, and every `*.csv` or `*.xlsx` that the request names unless it is an input.
    pub fn of_request(request: &str, inputs: &[String]) -> Self {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut files: Vec<String> = Vec::new();
        for word in request.split(|c: char| !is_part(c)) {
            let word = word.trim_matches('.');
            let is_table = [".csv", ".xlsx"]
                .iter()
                .any(|end| word.to_lowercase().ends_with(end) && word.len() > end.len());
            let is_input = inputs.iter().any(|input| input.ends_with(word));
            if is_table && !is_input && !files.iter().any(|file| file == word) {
                files.push(word.to_owned());
            }
        }
        Self { report: true, charts: 1, tables: 0, files }
    }
}

impl Contract for Expected {
    fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.report {
            lines.push(
                "output/report.md: the report in Markdown; each link in it leads to a file in output/"
                    .to_owned(),
            );
        }
        if self.charts > 0 {
            lines
                .push(format!("at least {} chart (PNG) in output/charts/, shown in the report", self.charts));
        }
        if self.tables > 0 {
            lines.push(format!("at least {} table as CSV in output/, linked in the report", self.tables));
        }
        lines.extend(self.files.iter().map(|file| format!("output/{file}, which the request asks for")));
        lines
    }

    fn gaps(&self, output: &Path, answer: &str) -> Vec<Gap> {
        let mut gaps = if self.report { report_gaps(output) } else { answer_gaps(answer) };
        let files = files_below(output);
        let count = |ends: &[&str]| {
            files.iter().filter(|file| ends.iter().any(|end| has_extension(file, end))).count()
        };
        if count(&PICTURES) < self.charts {
            gaps.push(Gap(format!("at least {} chart as a PNG file in output/charts/", self.charts)));
        }
        if count(&["csv"]) < self.tables {
            gaps.push(Gap(format!("at least {} table as a CSV file in output/", self.tables)));
        }
        for file in &self.files {
            if !files.iter().any(|found| found == file || found.ends_with(&format!("/{file}"))) {
                gaps.push(Gap(format!("the file output/{file}, which the request asks for")));
            }
        }
        gaps
    }
}

/// What an answer in words lacks. A value that is no number is what a mistake in the code leaves behind.
fn answer_gaps(answer: &str) -> Vec<Gap> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = answer.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    if words.clone().next().is_none() {
        return vec![Gap("an answer in words".into())];
    }
    match words.find(|word| word.eq_ignore_ascii_case("nan") || *word == "None") {
        Some(word) => vec![Gap(format!(
            "a value in place of `{word}`: the code lost it on the way, for example by text that was not read as a number"
        ))],
        None => Vec::new(),
    }
}

fn report_gaps(output: &Path) -> Vec<Gap> {
    let place = output.join(REPORT);
    let size = std::fs::metadata(&place).map(|metadata| metadata.len());
    let text = match size {
        Err(_) => return vec![Gap("the report output/report.md".into())],
        Ok(size) if size > MAX_REPORT_BYTES => {
            return vec![Gap("a report of less than 4 MiB: output/report.md is too long to read".into())];
        }
        Ok(_) => std::fs::read_to_string(&place),
    };
    let Ok(text) = text else {
        return vec![Gap("a report in UTF-8: output/report.md is not readable text".into())];
    };
    if text.chars().filter(|c| !c.is_whitespace()).count() < MIN_REPORT_CHARS {
        return vec![Gap("a report that says something: output/report.md is nearly empty".into())];
    }
    let mut gaps = Vec::new();
    for link in assay_report::links(&text).0 {
        let Some(path) = link.local_path() else { continue };
        let inside = assay_sandbox::check_relative_path(&path).is_ok();
        if !inside || !output.join(&path).is_file() {
            gaps.push(Gap(format!(
                "the file that the report links to as `{}` (it is not in output/)",
                shown(&link.destination)
            )));
        }
    }
    gaps.dedup();
    gaps
}

fn shown(destination: &str) -> String {
    assay_sandbox::printable(destination.as_bytes()).chars().take(120).collect()
}

/// Relative paths of all files, with `/` between their parts.
pub(crate) fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(prefix) = waiting.pop() {
        for entry in std::fs::read_dir(folder.join(&prefix)).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(path),
                Ok(kind) if kind.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

pub(crate) fn is_picture(path: &str) -> bool {
    PICTURES.iter().any(|extension| has_extension(path, extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, text: &str) {
        let place = folder.join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }

    #[test]
    fn an_answer_in_words_must_say_something() {
        let expected = Expected::of_request("How many rows?", &[]).with_choice(Give::ANSWER);
        let gaps = |answer: &str| expected.gaps(Path::new("/nowhere"), answer).len();
        for (answer, missing) in
            [("", 1), (" \n", 1), ("The mean is nan.", 1), ("@mean[None]", 1), ("12 rows of Nancy's", 0)]
        {
            assert_eq!(gaps(answer), missing, "{answer}");
        }
        assert_eq!(expected.describe(), [""; 0]);
    }

    #[test]
    fn the_request_can_name_files() {
        let request = "Find outliers in sales.csv, save them as top-10.csv and 'a_b.XLSX'. See www.csv.";
        let expected = Expected::of_request(request, &["sales.csv".into()]);
        assert_eq!(expected.files, ["top-10.csv", "a_b.XLSX", "www.csv"]);
        assert_eq!(Expected::of_request("make a .csv", &[]).files, [""; 0]);
    }

    #[test]
    fn a_folder_is_complete_only_with_report_chart_links_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path();
        let expected = Expected { report: true, charts: 1, tables: 1, files: vec!["rows.csv".into()] };
        let gaps = |output: &Path| expected.gaps(output, "").into_iter().map(|gap| gap.0).collect::<Vec<_>>();
        assert_eq!(gaps(output).len(), 4);
        write(output, "report.md", "# Hi\n");
        assert!(gaps(output)[0].contains("nearly empty"));
        let body = "The answer is plain and long enough to count as a report of something that was found. "
            .repeat(2);
        write(
            output,
            "report.md",
            &format!("{body}\n![c](charts/a%20b.png) [t](rows.csv) [x](../secret) [y](/etc/passwd)"),
        );
        assert_eq!(
            gaps(output),
            [
                "the file that the report links to as `charts/a%20b.png` (it is not in output/)",
                "the file that the report links to as `rows.csv` (it is not in output/)",
                "the file that the report links to as `../secret` (it is not in output/)",
                "the file that the report links to as `/etc/passwd` (it is not in output/)",
                "at least 1 chart as a PNG file in output/charts/",
                "at least 1 table as a CSV file in output/",
                "the file output/rows.csv, which the request asks for",
            ]
        );
        write(output, "charts/a b.png", "x");
        write(output, "rows.csv", "a\n1\n");
        write(
            output,
            "report.md",
            &format!("{body}\n![c](charts/a%20b.png) [t](./rows.csv) <https://example.org>"),
        );
        assert_eq!(gaps(output), [""; 0]);
    }
}
