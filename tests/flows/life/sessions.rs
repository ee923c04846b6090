//! Sessions within this process: dropped futures, panics, and memory that ends the sandbox as a whole.

use std::time::Duration;

use assay_sandbox::{
    Action, DockerRuntime, DockerSettings, Entry, Manifest, OpenRequest, Policy, Runtime, SandboxError,
    Source, Step, StepStatus,
};
use assay_tests::docker;
use tokio_util::sync::CancellationToken;

use crate::leftovers::Docker;

fn inputs() -> Manifest {
    let source = Source::Inline(b"a\n1\n".to_vec());
    Manifest::new(vec![Entry { destination: "a.csv".into(), source }]).unwrap()
}

fn sleeping() -> Step {
    let code = "import time\nprint('on', flush=True)\ntime.sleep(600)".into();
    Step { number: 1, action: Action::Python { code }, limit_s: 600.0 }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_that_is_dropped_at_any_moment_leaves_nothing() {
    let Some(runtime) = docker().await else { return };
    for (number, wait_ms) in [0, 5, 20, 60, 120, 200, 300, 450, 700].into_iter().enumerate() {
        let manifest = if number % 2 == 0 { inputs() } else { Manifest::default() };
        let policy = Policy::default();
        let run = format!("life-dropped-{}-{wait_ms}", std::process::id());
        let request = OpenRequest { run: &run, manifest: &manifest, policy: &policy };
        let never = CancellationToken::new();
        let opened =
            tokio::time::timeout(Duration::from_millis(wait_ms), runtime.open(request, &never)).await;
        drop(opened);
        is_clean(&run).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_is_dropped_and_a_panic_leave_nothing() {
    let Some(runtime) = docker().await else { return };
    for way in ["dropped", "panicked"] {
        let run = format!("life-{way}-{}", std::process::id());
        let (own_run, own_runtime) = (run.clone(), runtime.clone());
        let task = tokio::spawn(async move {
            let (manifest, policy, never) = (inputs(), Policy::default(), CancellationToken::new());
            let request = OpenRequest { run: &own_run, manifest: &manifest, policy: &policy };
            let mut session = own_runtime.open(request, &never).await.unwrap();
            let step = sleeping();
            let mut printed = |_| assert!(way != "panicked", "a fault of the app");
            let running = session.run(&step, &mut printed, &never);
            // The one is cut off in the middle of the step; the other ends by itself as soon as something is printed.
            let limit_s = if way == "panicked" { 60 } else { 3 };
            let _ = tokio::time::timeout(Duration::from_secs(limit_s), running).await;
        });
        assert_eq!(task.await.is_err(), way == "panicked");
        is_clean(&run).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn field_067_a_sandbox_that_ends_as_a_whole_for_want_of_memory_says_so() {
    let Some(runtime) = docker().await else { return };
    let run = format!("life-memory-{}", std::process::id());
    let (manifest, never) = (Manifest::default(), CancellationToken::new());
    let policy = Policy { memory_mib: 160, work_mib: 1024, ..Policy::default() };
    let request = OpenRequest { run: &run, manifest: &manifest, policy: &policy };
    let mut session = runtime.open(request, &never).await.unwrap();
    // Files in memory are not given back when the process that wrote them ends.
    let code =
        "print('on', flush=True)\nfile = open('work/large', 'wb')\nwhile True: file.write(b'x' * (1 << 20))";
    let step = Step { number: 1, action: Action::Python { code: code.into() }, limit_s: 60.0 };
    let ended = session.run(&step, &mut |_| {}, &never).await;
    let outcome = match ended {
        Ok(outcome) => outcome,
        Err(SandboxError::OutOfMemory(outcome)) => *outcome,
        Err(error) => panic!("{error}"),
    };
    assert_eq!((outcome.status, outcome.stdout.head.as_str()), (StepStatus::OutOfMemory, "on\n"));
    session.close().await.unwrap();
    is_clean(&run).await;
}

async fn is_clean(run: &str) {
    let run = run.to_owned();
    let looking = tokio::task::spawn_blocking(move || Docker::default().is_clean(&run, &[], &run));
    looking.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_volume_of_a_dead_owner_is_swept() {
    let Some(_) = docker().await else { return };
    let engine = Docker::default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let run = format!("life-volume-{}", std::process::id());
    let make = |owner: &str| {
        let (of_run, of_owner) = (format!("assay.run={run}"), format!("assay.owner={owner}"));
        engine.says(&["volume", "create", "--label", "app=assay", "--label", &of_run, "--label", &of_owner])
    };
    make(&format!("{}/999999/5", host.trim()));
    let living = make("another-computer/1/5");
    let left = DockerRuntime::new(DockerSettings::default()).sweep().await.unwrap();
    assert!(left >= 1, "{left}");
    assert_eq!(engine.left_of(&run, &[]), [format!("volume {living}")]);
    engine.says(&["volume", "rm", &living]);
}
