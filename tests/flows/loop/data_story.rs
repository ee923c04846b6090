//! What a run did to the data, and what it tried on the way.

use assay_engine::{DataStory, Left, RunStatus};
use assay_testkit::Reply;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, python};

const READ: &str = "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.DataFrame({'group': ['a', 'b'] * 900, 'score': [None if i % 3 == 0 else float(i % 7) for i in range(1800)]})\nprint(len(df), 'answers')";
const DROP: &str =
    "used = df.dropna(subset=['score'])\nprint('n =', len(used), 'mean', round(used.score.mean(), 3))";
const FILL: &str = "used = df.copy()\nused['score'] = used['score'].fillna(6)\nprint('n =', len(used), 'mean', round(used.score.mean(), 3))";
const DRAW: &str = "used.groupby('group').score.mean().plot.bar()\nplt.savefig('output/charts/groups.png')";

fn report() -> Reply {
    let content = "# The two groups\n\nThe mean score of all 1800 answers was compared between the groups, and they differ.\n\n![Both groups](charts/groups.png)\n\nNothing else was looked at, and nothing was left out.\n";
    Reply::call("write_file", json!({"path": "output/report.md", "content": content}))
}

/// Each change as `step: table before->after`.
fn rows(story: &DataStory) -> Vec<String> {
    let shown = story.changes.iter().map(|each| {
        let name = each.change.name.as_deref().unwrap_or("-");
        let before = each.change.rows_before.unwrap_or_default();
        format!("{}: {} {name} {before}->{}", each.step, each.change.kind.words(), each.change.rows_after)
    });
    shown.collect()
}

#[tokio::test]
async fn field_099_the_rows_of_each_choice_and_the_choice_that_was_left_are_told_of() {
    let script = vec![
        python("Reading", READ),
        python("Leaving out who did not answer", DROP),
        python("Adding up", "used['Score'].mean()"),
        python("Taking six for who did not answer", FILL),
        python("Drawing", DRAW),
        report(),
        Reply::text("The groups differ."),
        Reply::text("The groups differ."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    let story = desk.engine().data_story(&result.id).unwrap();
    assert_eq!(
        rows(&story),
        ["2: missing left out used 1800->1200", "4: missing filled used['score'] 1800->1800"]
    );
    let missing = story.changes.iter().map(|each| (each.change.missing_before, each.change.missing_after));
    assert_eq!(missing.collect::<Vec<_>>(), [(Some(600), Some(0)); 2]);
    let left: Vec<_> = story.attempts.iter().map(|each| (each.step, each.title.as_str())).collect();
    assert_eq!(left, [(2, "Leaving out who did not answer"), (3, "Adding up")]);
    assert_eq!(story.attempts[0].reason, Left::Unused);
    assert_eq!(story.attempts[1].reason, Left::Failed { message: "KeyError: 'Score'".into() });
}
