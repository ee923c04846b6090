//! Runs that are taken along: the bundle makes the same artifacts again, and so does the notebook.

use std::path::Path;
use std::process::Command;

use assay_engine::{ModelChoice, RunStatus};
use assay_testkit::Reply;
use assay_tests::skip;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, REPORT, python};

/// Steps of all kinds: one that fails half way, a command, figures that are saved by themselves, a file that is
/// written as it is.
async fn run() -> Option<(Desk, String)> {
    let script = vec![
        python(
            "Reading",
            "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.read_csv('input/sales 2025.csv')\ndf['nothing']",
        ),
        Reply::call("run_shell", json!({"title": "Counting", "command": "wc -l < 'input/sales 2025.csv'"})),
        python("Adding up", "totals = df.groupby('region').amount.sum()\ntotals"),
        python("A quick look", "_ = plt.plot([1, 2, 3])"),
        python(
            "Drawing",
            "ax = totals.plot.bar()\nax.figure.savefig('output/charts/regions.png')\ntotals.to_csv('output/totals.csv')\nprint('saved \"both\"')",
        ),
        Reply::call("write_file", json!({"path": "output/report.md", "content": REPORT})),
        Reply::text("North sells most."),
    ];
    let mut desk = Desk::with(script).await?;
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    Some((desk, result.id))
}

fn export(desk: &Desk, run: &str, form: &str) -> std::path::PathBuf {
    let name = desk.engine().export_name(run, form).unwrap();
    let place = desk.folder.path().join(name);
    desk.engine().export(run, form, &place, &|_, _| {}, &CancellationToken::new()).unwrap();
    place
}

/// What a command says, and whether it was content.
fn told(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

fn again(bundle: &Path, folder: &Path) -> (bool, String) {
    let unpack = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
    let (unpacked, text) = told(Command::new("python3").args(["-c", unpack]).arg(bundle).arg(folder));
    assert!(unpacked, "{text}");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let command = readme.split("```\n").nth(1).unwrap().trim();
    assert_eq!(command, "sh again.sh");
    told(Command::new("sh").args(["-c", command]).current_dir(folder))
}

#[tokio::test]
async fn a_bundle_makes_the_same_artifacts_again_without_the_app() {
    let Some((desk, run)) = run().await else { return };
    let bundle = export(&desk, &run, "bundle");
    assert_eq!(bundle.file_name().unwrap(), "Which region sells most.zip");
    let folder = desk.folder.path().join("bundle");
    let (same, text) = again(&bundle, &folder);
    assert!(same, "{text}");
    for file in ["charts/regions.png", "charts/step_04_figure_1.png", "report.md", "totals.csv"] {
        assert!(text.contains(&format!("the same  {file}\n")), "{text}");
        assert!(folder.join("again/output").join(file).is_file());
    }
    assert!(text.contains("4 files were delivered; all are the same."), "{text}");
    for file in ["README.md", "run.json", "transcript.md", "code/analysis.py"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(
            !text.contains(desk.folder.path().to_str().unwrap()),
            "a place of this computer is in {file}"
        );
        assert!(!text.contains("sk-flow-secret"), "the key is in {file}");
    }

    // What is compared is what was made: another result is told.
    std::fs::write(folder.join("output/totals.csv"), "region,amount\nNorth,41\nSouth,20\n").unwrap();
    let (same, text) = told(Command::new("sh").arg("again.sh").current_dir(&folder));
    assert!(!same && text.contains("different totals.csv") && text.contains("1 differ"), "{text}");
}

#[tokio::test]
async fn a_bundle_of_the_built_in_analyst_makes_its_report_again() {
    let Some(mut desk) = Desk::with(Vec::new()).await else { return };
    desk.request.model = ModelChoice::BuiltIn;
    desk.request.files = vec!["../src-tauri/crates/engine/sample/building_energy.csv".into()];
    desk.request.ask = "Find unusual energy use and explain it".into();
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    let bundle = export(&desk, &result.id, "bundle");
    let (same, text) = again(&bundle, &desk.folder.path().join("bundle"));
    assert!(
        same && text.contains("the same  report.md") && text.contains("the same  anomalies.csv"),
        "{text}"
    );
}

/// Runs a notebook and prints, for each cell with code, what it printed and how wide its pictures are in pixels,
/// as kept and as they are now.
const EXECUTE: &str = "
import base64, copy, json, struct, sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(book)
def told(book):
    cells = []
    for cell in book.cells:
        if cell.cell_type == 'code':
            outputs = cell.outputs
            printed = ''.join(o.text for o in outputs if o.output_type == 'stream' and o.name == 'stdout')
            pictures = [struct.unpack('>I', base64.b64decode(o.data['image/png'])[16:20])[0] for o in outputs if o.output_type == 'display_data' and 'image/png' in o.data]
            cells.append([printed, pictures])
    return cells
kept = told(copy.deepcopy(book))
NotebookClient(book, timeout=120, resources={'metadata': {'path': sys.argv[2]}}).execute()
print(json.dumps([kept, told(book)]))
";

#[tokio::test]
async fn a_notebook_is_valid_and_runs_again_to_the_same_outputs() {
    let Some((desk, run)) = run().await else { return };
    let notebook = export(&desk, &run, "notebook");
    let made = Command::new("../scripts/notebook").output().unwrap();
    if !made.status.success() {
        let text = String::from_utf8_lossy(&made.stderr).into_owned();
        return skip(&format!("there is nothing that runs notebooks: {text}"));
    }
    let folder = desk.folder.path().join("notebook");
    std::fs::create_dir_all(folder.join("input")).unwrap();
    std::fs::copy(&desk.request.files[0], folder.join("input/sales 2025.csv")).unwrap();
    let python = String::from_utf8(made.stdout).unwrap();
    let output =
        Command::new(python.trim()).args(["-c", EXECUTE]).args([&notebook, &folder]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [kept, now]: [Vec<(String, Vec<u32>)>; 2] = serde_json::from_slice(&output.stdout).unwrap();
    let words = |cells: &[(String, Vec<u32>)]| -> Vec<(String, usize)> {
        cells.iter().map(|(printed, pictures)| (printed.clone(), pictures.len())).collect()
    };
    assert_eq!(words(&kept), words(&now));
    // The fonts of this computer may be others than the sandbox's, and a little wider or narrower.
    let widths = |cells: &[(String, Vec<u32>)]| cells.iter().flat_map(|(_, widths)| widths.clone()).collect();
    let (then, now): (Vec<u32>, Vec<u32>) = (widths(&kept), widths(&now));
    assert!(then.iter().zip(&now).all(|(then, now)| then.abs_diff(*now) * 20 < *then), "{then:?} {now:?}");
    let printed: Vec<&str> = kept.iter().map(|(printed, _)| printed.as_str()).collect();
    assert_eq!(printed[2], "4\n");
    assert!(printed[3].starts_with("region\nNorth    40\nSouth    20\n"), "{printed:?}");
    let pictures: Vec<usize> = kept.iter().map(|(_, pictures)| pictures.len()).collect();
    assert_eq!(pictures, [0, 0, 0, 0, 1, 1, 0]);
    assert_eq!(std::fs::read_to_string(folder.join("output/report.md")).unwrap(), REPORT);
}
