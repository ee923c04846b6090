//! Figures of a report that nobody computed.

use assay_engine::{Event, RunEvent, RunStatus, Verdict};
use assay_testkit::Reply;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, python};

const DRAW: &str = "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.read_csv('input/sales 2025.csv')\nt = df.groupby('region')['amount'].sum()\nprint(t)\nt.plot.bar()\nplt.savefig('output/charts/regions.png')";

fn report(sentence: &str) -> Reply {
    let content = format!(
        "# Sales by region\n\n{sentence}\n\n![Sales of each region](charts/regions.png)\n\nBoth regions were counted in full, and nothing was left out.\n"
    );
    Reply::call("write_file", json!({"path": "output/report.md", "content": content}))
}

#[tokio::test]
async fn a_model_is_told_once_of_figures_that_nobody_computed_and_the_report_says_what_is_left() {
    let script = vec![
        python("Adding up", DRAW),
        report("North sells 40, which is 67 % more than the 23.5 of last year."),
        Reply::text("North sells most."),
        report("North sells 40 and South 20, together 60, and 31.7 were planned."),
        Reply::text("North sells most: 40."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, desk.server.remaining()), (RunStatus::Done, 0), "{result:?}");
    let told = desk.messages(4).last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(
        told.contains("`67 %` (in “North sells 40, which is 67 % more than the 23.5 of last year.”)"),
        "{told}"
    );
    assert!(told.contains("`23.5`") && !told.contains("`40`"), "{told}");
    let broken =
        desk.events.iter().filter(|event| matches!(event, RunEvent::Agent(Event::ContractBroken { .. })));
    assert_eq!(broken.count(), 1, "it is told once");

    let figures = result.figures.unwrap();
    assert_eq!((figures.figures, figures.not_found), (4, 1), "{figures:?}");
    let check = desk.engine().check_report(&result.id).unwrap();
    let verdict = |text: &str| &check.figures.iter().find(|figure| figure.text == text).unwrap().verdict;
    assert!(
        matches!(verdict("40"), Verdict::Printed { step: 1, words, .. } if words == "North    40"),
        "{check:?}"
    );
    assert!(matches!(verdict("60"), Verdict::Derived { how, .. } if how == "40 + 20"), "{check:?}");
    assert_eq!(*verdict("31.7"), Verdict::NotFound);
}

#[tokio::test]
async fn what_code_prints_of_its_own_is_no_evidence_and_what_it_computes_into_the_report_is() {
    let write = "share = t['North'] / t.sum() * 100\nlines = ['# Sales by region', '', f'North has {share:.1f} % of all.', 'Each sale earned 812.5 on average.', '', '![Sales of each region](charts/regions.png)', '', 'Both regions were counted in full, and nothing was left out.']\nprint('\\n'.join(lines))\nopen('output/report.md', 'w').write('\\n'.join(lines))";
    let script = vec![
        python("Adding up", DRAW),
        python("Writing the report", write),
        Reply::text("North sells most."),
        Reply::text("It stays so."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    let check = desk.engine().check_report(&result.id).unwrap();
    let verdict = |text: &str| &check.figures.iter().find(|figure| figure.text == text).unwrap().verdict;
    assert_ne!(*verdict("66.7 %"), Verdict::NotFound);
    assert_eq!(*verdict("812.5"), Verdict::NotFound);
}
