//! What code leaves in `output/` to hinder the host from keeping the rest.

use assay_engine::{Event, RunEvent, RunStatus};
use assay_testkit::Reply;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, REPORT, python};

#[tokio::test]
async fn names_that_stand_in_the_way_are_refused_and_the_run_ends_well() {
    let script = vec![
        python(
            "Laying traps",
            "import os\nos.makedirs('output/.assay-partial/deep')\nfor name in ('.assay-partial/x.csv', '.assay-partial/deep/y.csv', 'later'):\n    open('output/' + name, 'w').write('a')",
        ),
        python(
            "Working",
            "os.remove('output/later'); os.mkdir('output/later'); open('output/later/z.csv', 'w').write('a')\nimport pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('input/sales 2025.csv')\ntotals = df.groupby('region')['amount'].sum()\ntotals.to_csv('output/totals.csv')\ntotals.plot.bar()\nplt.savefig('output/charts/regions.png')\nprint(totals.to_dict(), totals.sum())",
        ),
        Reply::call("write_file", json!({"path": "output/report.md", "content": REPORT})),
        Reply::text("North sells most."),
        Reply::text("North sells most."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    let refused: Vec<&str> = desk
        .events
        .iter()
        .filter_map(|event| match event {
            RunEvent::Agent(Event::ArtifactRefused { path, .. }) => Some(path.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(refused, [".assay-partial/deep/y.csv", ".assay-partial/x.csv"]);
    assert_eq!(std::fs::read_to_string(result.folder.join("later/z.csv")).unwrap(), "a");
    assert!(!result.folder.join(".assay-partial").exists());
}
