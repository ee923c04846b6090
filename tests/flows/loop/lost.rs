//! A sandbox that is lost in the middle of a run.

use std::process::Command;

use assay_engine::{EngineEvent, Event, Policy, RunEvent, RunResult, RunStatus};
use assay_testkit::Reply;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, python};

/// Removes the sandbox of a run by force, as a person or a tidy script would.
fn remove_container(run: &str) {
    let filter = format!("label=assay.run={run}");
    let listed = Command::new("docker").args(["ps", "-q", "--filter", &filter]).output().unwrap();
    let id = String::from_utf8(listed.stdout).unwrap();
    let removed = Command::new("docker").args(["rm", "-f", id.trim()]).output().unwrap();
    assert!(removed.status.success(), "{removed:?}");
}

/// Runs to the end; the sandbox is removed each time that code prints one of `marks`, at most so often.
async fn losing(desk: &mut Desk, mark: &str, mut times: u32) -> RunResult {
    let engine = desk.engine();
    let mut run = String::new();
    let events = &mut desk.events;
    let watch = |event: &RunEvent| {
        match event {
            RunEvent::Engine(EngineEvent::RunStarted { run: id, .. }) => run.clone_from(id),
            RunEvent::Agent(Event::Output(chunk)) if times > 0 && chunk.text.contains(mark) => {
                times -= 1;
                remove_container(&run);
            }
            _ => {}
        }
        events.push(event.clone());
    };
    engine.run(&desk.request, watch, &CancellationToken::new()).await.unwrap()
}

fn restored(desk: &Desk) -> Vec<(u32, Vec<u32>)> {
    let events = desk.events.iter();
    events
        .filter_map(|event| match event {
            RunEvent::Agent(Event::SandboxRestored { steps, different }) => Some((*steps, different.clone())),
            _ => None,
        })
        .collect()
}

fn answer_only(desk: &mut Desk) {
    desk.request.give.report = false;
    desk.request.give.charts = false;
}

#[tokio::test]
async fn field_066_a_lost_sandbox_is_set_up_again_and_the_step_run_again() {
    let script = vec![
        python("Reading", "import pandas as pd\ndf = pd.read_csv('input/sales 2025.csv')\nprint(len(df))"),
        python("Drawing lots", "import random\nlot = random.random()\nprint(lot)"),
        python("Failing", "df['nothing']"),
        python(
            "Adding",
            "import time\nprint('now', flush=True)\ntime.sleep(2)\nprint(int(df['amount'].sum()), lot > 0)",
        ),
        Reply::text("60 in all."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    answer_only(&mut desk);
    let result = losing(&mut desk, "now", 1).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert_eq!(restored(&desk), [(2, vec![2])], "the failed step is not run again, the lots are others");
    assert_eq!(desk.server.requests().len(), 5, "nobody was asked because of the loss");
    assert_eq!(
        desk.observation(5),
        "status: ok\n--- output\nnow\n60 True\nnote: The steps before this one were run again in a new sandbox. \
         Other output than before: step 2."
    );
}

#[tokio::test]
async fn field_066_a_sandbox_that_is_lost_twice_in_a_step_pauses_the_run() {
    let script = vec![
        python("Reading", "kept = 40"),
        python("Long", "import time\nprint('now', flush=True)\ntime.sleep(60)"),
        python("Going on", "print(kept + 2)"),
        Reply::text("42"),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    answer_only(&mut desk);
    let result = losing(&mut desk, "now", 2).await;
    assert_eq!(result.status, RunStatus::Paused, "{result:?}");
    assert!(result.remarks[0].starts_with("The sandbox was lost, set up again, and lost once more."));
    assert!(result.problem.is_none(), "a pause is no failure");
    assert_eq!(desk.server.requests().len(), 2, "the loss is not told to the model");
    for request in desk.server.requests() {
        let told = request.body.to_string();
        assert!(!told.contains("sandbox was lost") && !told.contains("No such container"), "{told}");
    }
}

#[tokio::test]
async fn field_067_memory_that_ends_the_code_is_told_with_its_size() {
    let hungry = "rest = b'x' * (900 << 20)";
    let script = vec![
        python("Much at once", hungry),
        Reply::text("It needs too much."),
        Reply::text("It needs too much."),
        Reply::text("It needs too much."),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    answer_only(&mut desk);
    desk.request.policy = Policy { memory_mib: 512, ..Policy::default() };
    desk.run(&CancellationToken::new()).await.unwrap();
    assert!(
        desk.observation(2).starts_with(
            "status: killed\nThe sandbox ran out of memory (512 MB). The same code would again: read fewer columns"
        ),
        "{}",
        desk.observation(2)
    );
    assert_eq!(restored(&desk), [], "the supervisor lives, so the sandbox does");
}
