//! A provider that fails, a model that does not obey, a container that ends, and code that means harm.

use std::time::{Duration, Instant};

use assay_sandbox::{
    HostedError, HostedKey, HostedRuntime, HostedSettings, Manifest, Runtime, SandboxError, StepStatus,
};
use assay_testkit::{HostedServer, HostedTrouble};
use tokio_util::sync::CancellationToken;

use crate::{Bench, manifest, runtime};

#[tokio::test]
async fn a_container_that_has_expired_is_a_lost_sandbox_whatever_is_asked_of_it() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &manifest(&[("a.csv", "a\n1\n")])).await.unwrap();
    bench.python("x = 1\nopen('output/kept.md', 'w').write('kept')").await;
    server.expire();
    let errors = [
        bench.fetched("output/kept.md").await.map(drop),
        bench.fetched("output/other.md").await.map(drop),
        bench.session.write("work/a", b"a").await,
        bench.act("print(x)", 20.0, &CancellationToken::new()).await.map(drop),
    ];
    for error in errors {
        assert!(matches!(error, Err(SandboxError::Vanished(_))), "{error:?}");
    }
    assert_eq!(server.requests().iter().filter(|request| request.line == "POST /v1/containers").count(), 1);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_provider_that_does_not_answer() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    server.answer_nothing_more();
    let stop = CancellationToken::new();
    stop.cancel();
    let started = Instant::now();
    let stopped = bench.act("print(1)", 60.0, &stop).await.unwrap();
    assert_eq!((stopped.status, stopped.restarted), (StepStatus::Interrupted, false));
    let next = bench.act("print(2)", 60.0, &CancellationToken::new()).await;
    assert!(matches!(next, Err(SandboxError::Vanished(_))), "{next:?}");
    assert!(bench.session.close().await.is_err(), "nobody has said that it is deleted");
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_container_that_ends_during_a_step_is_a_lost_sandbox() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    server.plan(HostedTrouble::ExpiresMeanwhile);
    let lost = bench.act("import time\ntime.sleep(15)", 20.0, &CancellationToken::new()).await;
    assert!(matches!(lost, Err(SandboxError::Vanished(_))), "{lost:?}");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn passing_trouble_of_the_provider_is_waited_out_and_no_step_runs_twice() {
    let server = HostedServer::start(30.0);
    server.lose_answers_to_uploads();
    server.plan(HostedTrouble::ListsLate);
    let mut bench = Bench::open(&server, &manifest(&[("a.csv", "a")])).await.unwrap();
    bench.python("count = 0").await;
    for trouble in [
        HostedTrouble::Refused(429),
        HostedTrouble::RefusedAfter(500),
        HostedTrouble::RefusedAfter(503),
        HostedTrouble::NoOutputs,
    ] {
        server.plan(trouble);
    }
    assert_eq!(bench.python("count += 1\nprint(count)").await.stdout.head, "1\n");
    server.refuse(500);
    server.refuse(429);
    assert_eq!(bench.python("count += 1\nprint(count)").await.stdout.head, "2\n");
    assert_eq!(bench.python("print(count, open('input/a.csv').read())").await.stdout.head, "2 a\n");
    server.plan(HostedTrouble::ListsLate);
    let late = bench.python("count += 1\nopen('output/n.txt', 'w').write(str(count))").await;
    assert_eq!((late.status, late.changed.len(), late.restarted), (StepStatus::Ok, 1, false));
    assert_eq!(bench.fetched("output/n.txt").await.unwrap(), "3");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_model_that_runs_something_else_is_asked_once_more_and_then_not_believed() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    server.plan(HostedTrouble::OtherCode("print('I know better')".into()));
    assert_eq!(bench.python("print(1)").await.stdout.head, "1\n");
    server.plan(HostedTrouble::NoCall);
    assert_eq!(bench.python("print(2)").await.stdout.head, "2\n");

    bench.python("count = 0").await;
    server.plan(HostedTrouble::AlsoRuns("print('and more')".into()));
    assert_eq!(bench.python("count += 1\nprint(count)").await.stdout.head, "1\n");
    (0..2).for_each(|_| server.plan(HostedTrouble::AlsoRuns("print('and more')".into())));
    let error = bench.act("print(3)", 10.0, &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, SandboxError::Hosted(HostedError::Disobeyed(_))), "{error:?}");

    server.plan(HostedTrouble::NoCall);
    server.plan(HostedTrouble::OtherCode("print('\u{1b}[31mred')".into()));
    let error = bench.act("print(3)", 10.0, &CancellationToken::new()).await.unwrap_err();
    let SandboxError::Hosted(HostedError::Disobeyed(what)) = &error else { panic!("{error:?}") };
    assert_eq!(what, "it ran `print('red')`");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn an_interpreter_that_the_provider_starts_anew_is_a_restart() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    bench.python("x = 1\nopen('work/there', 'w').write('yes')").await;
    // The interpreter is the supervisor's parent, and the supervisor the kernel's.
    let killed = bench
        .python("import os, signal\nparent = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]\nos.kill(int(parent), signal.SIGKILL)")
        .await;
    assert!(killed.restarted, "{killed:?}");
    let next = bench.python("print('x' in globals(), open('work/there').read())").await;
    assert_eq!(next.stdout.head, "False yes\n");

    let supervisor = bench
        .python("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(9)")
        .await;
    assert_eq!((supervisor.status, supervisor.restarted), (StepStatus::Crashed, true));
    assert_eq!(bench.python("print('on')").await.stdout.head, "on\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn only_ordinary_files_of_the_workspace_come_back_and_no_larger_than_asked() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    let code = "import os\nos.symlink('/etc/passwd', 'output/link.csv')\nos.mkfifo('output/pipe.csv')\nopen('output/line\\nbreak.csv', 'w').write('x')\nopen('output/big.bin', 'w').truncate(2 << 20)\nopen('output/good.csv', 'w').write('a,b')";
    let outcome = bench.python(code).await;
    let refused: Vec<&str> = outcome.refused.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(refused, ["output/link.csv", "output/pipe.csv"]);
    assert_eq!(bench.fetched("output/good.csv").await.unwrap(), "a,b");
    for path in ["output/link.csv", "output/pipe.csv", "output/big.bin", "output/none"] {
        let error = bench.fetched(path).await.unwrap_err();
        assert!(matches!(&error, SandboxError::File { path: named, .. } if named == path), "{path}: {error}");
    }
    for path in ["../etc/passwd", "/etc/passwd", "output/line\nbreak.csv"] {
        let error = bench.fetched(path).await.unwrap_err();
        assert!(matches!(error, SandboxError::Manifest(_)), "{path}: {error}");
    }
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_forged_answer_ends_in_an_error_of_the_host() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    // The ask of the next step is the third: its answer is forged before it is asked for, and cannot be replaced.
    bench.python("import os\nos.makedirs('../assay-answer-3.part')\nos.symlink('/etc/hostname', '../assay-answer-3')").await;
    let error = bench.act("print(1)", 10.0, &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, SandboxError::Protocol(_)), "{error:?}");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn inputs_that_did_not_arrive_whole_are_named() {
    let server = HostedServer::start(30.0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    std::fs::write(&file, "a\n1\n").unwrap();
    let entry = assay_sandbox::Entry {
        destination: "a.csv".into(),
        source: assay_sandbox::Source::File(file.clone()),
    };
    let manifest = Manifest::new(vec![entry]).unwrap();
    std::fs::write(&file, "a\n1\n2\n").unwrap();
    let error = Bench::open(&server, &manifest).await.err().unwrap();
    assert!(matches!(&error, SandboxError::Staging { path, .. } if path == "a.csv"), "{error:?}");
    assert_eq!(server.names(), [""; 0], "deleted before the error is told");
}

#[tokio::test]
async fn a_wrong_key_is_told_without_showing_it() {
    let server = HostedServer::start(30.0);
    let settings = HostedSettings {
        base_url: server.url(),
        consent: assay_sandbox::Consent::FilesMayLeave,
        ..HostedSettings::default()
    };
    let error = HostedRuntime::new(settings, HostedKey::new("sk-mistyped")).readiness().await.unwrap_err();
    assert!(matches!(error, SandboxError::Hosted(HostedError::WrongKey { .. })), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("sk-mistyped"));
    assert!(runtime(&server).readiness().await.is_ok());
}
