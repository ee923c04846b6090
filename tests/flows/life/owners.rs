//! A sandbox whose owner falls silent: gone, or standing still with its connection open.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assay_sandbox::{Action, Manifest, OpenRequest, Policy, Runtime, Step, StepStatus};
use assay_testkit::ScriptedServer;
use assay_tests::docker;
use tokio_util::sync::CancellationToken;

use crate::endings::{long_work, ready, runtime};
use crate::leftovers::Docker;
use crate::program::{Program, signal_process};

/// The run of an owner in a process of its own, and the code of its only step.
const RUN: &str = "ASSAY_TEST_OWNER_RUN";
const CODE: &str = "ASSAY_TEST_OWNER_CODE";

fn policy(silence_limit_s: f64) -> Policy {
    Policy { silence_limit_s, ..Policy::default() }
}

/// An owner in a process of its own: this very program, told to run [`owns_a_sandbox`] only.
struct Owner {
    child: Child,
    run: String,
}

impl Owner {
    /// Starts one, and waits until its step prints something, or its sandbox is open where it has no step.
    fn start(name: &str, code: &str) -> Self {
        let run = format!("life-{name}-{}", std::process::id());
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "owners::owns_a_sandbox"])
            .env(RUN, &run)
            .env(CODE, code)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("owner: on")), "{name}");
        Self { child, run }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a part of other tests, which start it in a process of its own"]
async fn owns_a_sandbox() {
    let Ok(run) = std::env::var(RUN) else { return };
    let (manifest, policy, never) = (Manifest::default(), policy(3.0), CancellationToken::new());
    let request = OpenRequest { run: &run, manifest: &manifest, policy: &policy };
    let mut session = docker().await.unwrap().open(request, &never).await.unwrap();
    let code = std::env::var(CODE).unwrap();
    if code.is_empty() {
        println!("owner: on");
        tokio::time::sleep(Duration::from_mins(10)).await;
    }
    let step = Step { number: 1, action: Action::Python { code }, limit_s: 600.0 };
    let mut told = false;
    let mut on = |_| {
        if !std::mem::replace(&mut told, true) {
            println!("owner: on");
        }
    };
    let _ = session.run(&step, &mut on, &never).await;
}

#[test]
fn a_sandbox_whose_owner_stands_still_ends_itself_though_the_connection_is_open() {
    if !ready() {
        return;
    }
    let engine = Docker::default();
    for (name, code) in [
        ("idle", ""),
        ("asleep", "import time\nprint('on', flush=True)\ntime.sleep(600)"),
        // Nobody reads what the supervisor writes, so it waits in the middle of a write.
        ("flooding", "while True: print('on' * 1000)"),
        // Code that uses the same timer for itself, or blocks it.
        (
            "timers",
            "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.alarm(1)\nprint('on', flush=True)\ntime.sleep(600)",
        ),
    ] {
        let owner = Owner::start(name, code);
        let containers = engine.containers(&owner.run);
        assert_eq!(containers.len(), 1, "{name}");
        signal_process(owner.child.id(), "-STOP");
        engine.is_clean(&owner.run, &containers, name);
        let state = std::fs::read_to_string(format!("/proc/{}/stat", owner.child.id())).unwrap();
        assert!(state.contains(") T "), "{name}: the owner is still there and stands still: {state}");
    }
}

#[test]
fn a_sandbox_whose_owner_is_gone_ends_itself_at_once() {
    if !ready() {
        return;
    }
    let engine = Docker::default();
    let mut owner = Owner::start("killed", "import time\nprint('on', flush=True)\ntime.sleep(600)");
    let containers = engine.containers(&owner.run);
    owner.child.kill().unwrap();
    owner.child.wait().unwrap();
    let begun = Instant::now();
    engine.is_clean(&owner.run, &containers, "killed");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn an_owner_that_lives_is_heard_during_a_long_step_too() {
    if !ready() {
        return;
    }
    runtime().block_on(async {
        let (manifest, policy, never) = (Manifest::default(), policy(2.0), CancellationToken::new());
        let run = format!("life-heard-{}", std::process::id());
        let request = OpenRequest { run: &run, manifest: &manifest, policy: &policy };
        let mut session = docker().await.unwrap().open(request, &never).await.unwrap();
        let code = "import time\ntime.sleep(5)\nprint('there')".into();
        let step = Step { number: 1, action: Action::Python { code }, limit_s: 60.0 };
        let outcome = session.run(&step, &mut |_| {}, &never).await.unwrap();
        assert_eq!((outcome.status, outcome.stdout.head.as_str()), (StepStatus::Ok, "there\n"));
        tokio::time::sleep(Duration::from_secs(4)).await;
        let code = "import os, signal\nos.kill(1, signal.SIGALRM)\nprint('sent')".into();
        let step = Step { number: 2, action: Action::Python { code }, limit_s: 60.0 };
        let outcome = session.run(&step, &mut |_| {}, &never).await.unwrap();
        assert_eq!((outcome.status, outcome.stdout.head.as_str()), (StepStatus::Ok, "sent\n"));
        session.write("work/x.txt", b"x").await.unwrap();
        session.close().await.unwrap();
    });
}

#[test]
fn a_computer_that_sleeps_and_wakes_goes_on_where_it_was() {
    if !ready() {
        return;
    }
    let server = ScriptedServer::start(long_work(3));
    let mut program = Program::start(&Docker::default(), &server, &[], 0o644);
    assert!(program.until("output"));
    program.signal("-STOP");
    std::thread::sleep(Duration::from_secs(6));
    program.signal("-CONT");
    assert_eq!(program.end(), Some(0), "{:?}", program.events.last());
    assert_eq!(program.count("sandbox_restored"), 0);
    Docker::default().is_clean(&program.run, &program.containers, "asleep for a while");
}
