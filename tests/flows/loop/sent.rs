//! What leaves this computer.

use std::collections::BTreeSet;

use assay_engine::{Desk as Window, Event, Give, Rows, RunEvent, RunStatus};
use assay_testkit::Reply;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, REPORT, python};
use serde_json::json;

#[tokio::test]
async fn every_request_that_left_can_be_read_word_for_word_with_the_cells_marked() {
    let script = vec![python("Looking", "print(open('input/sales 2025.csv').read())"), Reply::text("Done.")];
    let Some(mut desk) = Desk::with(script).await else { return };
    desk.request.give = Give::ANSWER;
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done);
    let window = Window::new(Some(desk.home()));
    let sent = window.sent(&result.id).unwrap();
    let (mut requests, mut asides) = (Vec::new(), Vec::new());
    for listed in &sent {
        let parts = window.sent_text(&result.id, listed.number).unwrap();
        let text: String = parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(listed.bytes, text.len() as u64);
        let marked: BTreeSet<&str> =
            parts.iter().filter(|part| part.from_files).map(|part| part.text.as_str()).collect();
        if let Ok(body) = serde_json::from_str::<serde_json::Value>(&text) {
            assert_eq!(marked, ["North", "South"].into());
            requests.push(body);
        } else {
            // What was asked beside the conversation: whether the server answers, how much the model reads.
            assert_eq!(marked, BTreeSet::new());
            asides.push(text.lines().next().unwrap().replace(&desk.server.url().replace("/v1", ""), ""));
        }
    }
    let left: Vec<_> = desk.server.requests().into_iter().map(|request| request.body).collect();
    assert_eq!(requests, left);
    let mut asked = desk.server.asides();
    // Some are asked at the same time, and arrive as they please.
    asides.sort();
    asked.sort();
    assert!(asked.contains(&"GET /v1/models".into()) && asked.contains(&"GET /props".into()), "{asked:?}");
    assert_eq!(asides, asked);
    let view = window.open_run(&result.id).unwrap();
    let all = u32::try_from(left.len() + asked.len()).unwrap();
    assert_eq!((view.sent.requests, view.sent.stays_here, view.sent.rows), (all, true, Rows::Shown));
    assert_eq!(view.sent.bytes, sent.iter().map(|request| request.bytes).sum::<u64>());
    let kept = serde_json::to_string(&view).unwrap();
    assert!(!kept.contains("max_tokens"), "a window gets a request's text when it asks for it");
}

#[tokio::test]
async fn rows_that_are_kept_here_are_in_no_request_and_in_the_report_nevertheless() {
    let script = vec![
        python(
            "Adding up",
            "df = pd.read_csv('input/sales 2025.csv')\ntotals = df.groupby('region').amount.sum()\nprint(totals)\nprint(df.region.str.upper().tolist())\n1 / (totals.index[0] == 'x')",
        ),
        python("Once more", "print(totals['⟦1⟧'])"),
        Reply::call(
            "write_file",
            json!({"path": "output/report.md", "content": REPORT.replace("North", "⟦1⟧")}),
        ),
        python(
            "Drawing",
            "totals.to_csv('output/totals.csv')\ntotals.plot.bar()\nplt.savefig('output/charts/regions.png')",
        ),
        Reply::text("⟦1⟧ sells most."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    desk.request.ask = "Which region sells most?".into();
    desk.request.rows = Rows::KeptHere;
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "North sells most."), "{result:?}");
    assert_eq!(std::fs::read_to_string(result.report.unwrap()).unwrap(), REPORT);
    assert!(desk.observation(3).ends_with("--- output\n40"), "{}", desk.observation(3));
    for request in desk.server.requests() {
        let text = request.body.to_string().to_lowercase();
        for word in ["north", "south"] {
            assert!(!text.contains(word), "{word} is in\n{text}");
        }
    }
    let kept = desk.events.iter().filter_map(|event| match event {
        RunEvent::Agent(Event::RequestSent { turn: 1.., text, .. }) => Some(text.to_lowercase()),
        _ => None,
    });
    assert!(kept.clone().count() == 5 && kept.clone().all(|text| !text.contains("north")));
}

#[tokio::test]
async fn the_built_in_analyst_sends_nothing() {
    let Some(mut desk) = Desk::with(Vec::new()).await else { return };
    desk.request.model = assay_engine::ModelChoice::BuiltIn;
    desk.request.ask = "Give me an overview".into();
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done);
    let view = Window::new(Some(desk.home())).open_run(&result.id).unwrap();
    assert_eq!((view.sent.requests, view.sent.bytes, view.sent.hosts), (0, 0, Vec::new()));
    assert_eq!(desk.server.requests(), []);
}
