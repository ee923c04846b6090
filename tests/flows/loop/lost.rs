//! A sandbox that is lost in the middle of a run.

use std::process::Command;

use assay_engine::{EngineEvent, Event, Policy, RunEvent, RunResult, RunStatus};
use assay_testkit::Reply;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, python};

fn docker(arguments: &[&str]) -> String {
    let output = Command::new("docker").args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn container(run: &str) -> String {
    docker(&["ps", "-q", "--no-trunc", "--filter", &format!("label=assay.run={run}")])
}

/// Removes the sandbox of a run by force, as a person or a tidy script would.
fn remove_container(run: &str) {
    docker(&["rm", "-f", &container(run)]);
}

/// Lets the system kill the supervisor first when memory runs out, not the code.
fn expose_supervisor(run: &str) {
    let container = container(run);
    let supervisor = docker(&["inspect", "--format", "{{.State.Pid}}", &container]);
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let number = entry.file_name().into_string().unwrap();
        let groups = std::fs::read_to_string(entry.path().join("cgroup")).unwrap_or_default();
        if groups.contains(&container) {
            let score = if number == supervisor { "1000" } else { "0" };
            std::fs::write(entry.path().join("oom_score_adj"), score).unwrap();
        }
    }
}

/// Runs to the end; the sandbox is removed each time that code prints `mark`, at most so often.
async fn losing(desk: &mut Desk, mark: &str, times: u32) -> RunResult {
    harming(desk, mark, times, remove_container).await
}

/// The same with another harm, which is done to the run's sandbox.
async fn harming(desk: &mut Desk, mark: &str, mut times: u32, harm: fn(&str)) -> RunResult {
    let engine = desk.engine();
    let mut run = String::new();
    let events = &mut desk.events;
    let watch = |event: &RunEvent| {
        match event {
            RunEvent::Engine(EngineEvent::RunStarted { run: id, .. }) => run.clone_from(id),
            RunEvent::Agent(Event::Output(chunk)) if times > 0 && chunk.text.contains(mark) => {
                times -= 1;
                harm(&run);
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

#[tokio::test]
async fn field_067_memory_that_ends_the_whole_sandbox_is_told_and_the_code_not_run_again() {
    use std::os::unix::fs::MetadataExt;
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return assay_tests::skip("only root may say whom the system kills first");
    }
    // A file in memory leaves the code so little that the system's choice is clear.
    let hungry = "import time\nwith open('work/x', 'wb') as file:\n    for _ in range(200): file.write(b'x' * (1 << 20))\nprint('now', flush=True)\ntime.sleep(2)\nrest = b'x' * (900 << 20)";
    let script = vec![
        python("Keeping", "kept = 40"),
        python("Much at once", hungry),
        python("Again", hungry),
        python("Less", "print(kept + 2)"),
        Reply::text("42"),
    ];
    let Some(mut desk) = Desk::with(script).await else { return };
    answer_only(&mut desk);
    desk.request.policy = Policy { memory_mib: 512, ..Policy::default() };
    let result = harming(&mut desk, "now", 1, expose_supervisor).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert_eq!(restored(&desk), [(1, vec![])]);
    assert_eq!(
        desk.observation(3),
        "status: killed\nThe sandbox ran out of memory (512 MB). The same code would again: read fewer columns, work \
         in chunks, or use a sample.\n--- output\nnow\nThe variables and files are as they were before this step: \
         the steps before it were run again."
    );
    assert!(desk.observation(4).starts_with("status: error\nNothing was run: this code has just used up"));
    assert_eq!(desk.observation(5), "status: ok\n--- output\n42", "what was kept is there");
    let told_person = desk.events.iter().any(|event| {
        matches!(event, RunEvent::Agent(Event::StepEnded { outcome: Some(outcome), .. })
            if outcome.message.as_deref() == Some("The sandbox ran out of memory (512 MB)."))
    });
    assert!(told_person);
}
