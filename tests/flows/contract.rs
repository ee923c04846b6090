//! What every runtime does in the same way. A new one is a line in [`assay_tests::runtimes`].

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use assay_sandbox::{
    Action, Entry, Limit, Manifest, OpenRequest, Policy, Readiness, Runtime, SandboxError, Seccomp, Session,
    Source, StepOutcome, StepStatus, Verdict, Wanted, prove,
};
use assay_tests::{Bench, paths, runtimes};
use tokio_util::sync::CancellationToken;

async fn open(runtime: &dyn Runtime) -> Bench {
    Bench::open(runtime, &Manifest::default(), &Policy::default()).await.unwrap()
}

#[tokio::test]
async fn a_runtime_that_is_ready_says_what_it_is() {
    for runtime in runtimes().await {
        let readiness = runtime.readiness().await.unwrap();
        assert!(!readiness.engine.is_empty() && !readiness.image.is_empty(), "{readiness:?}");
        let bench = open(runtime.as_ref()).await;
        let facts = bench.session.facts();
        assert_eq!(facts.runtime, runtime.name());
        assert!(facts.inventory.python.starts_with("3."), "{facts:?}");
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn inputs_arrive_as_they_are_and_stay_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("söurce #1 %.csv");
    std::fs::write(&file, "a,b\n1,2\n").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/x.txt"), "x").unwrap();
    let entry = |destination: &str, source| Entry { destination: destination.into(), source };
    let manifest = Manifest::new(vec![
        entry("Отчёт за 2025.csv", Source::File(file.clone())),
        entry("more", Source::Folder(folder.path().join("sub"))),
        entry("notes/made.json", Source::Inline(b"{}".to_vec())),
    ])
    .unwrap();
    for runtime in runtimes().await {
        let mut bench = Bench::open(runtime.as_ref(), &manifest, &Policy::default()).await.unwrap();
        let code = "import os\nfor name in ('Отчёт за 2025.csv', 'more/x.txt', 'notes/made.json'): print(repr(open('input/' + name).read()))\nprint(os.path.samefile('.', '/workspace'))";
        let read = bench.python(code).await.unwrap();
        assert_eq!(read.stdout.head, "'a,b\\n1,2\\n'\n'x'\n'{}'\nTrue\n", "{}", runtime.name());
        let attempts = [
            "open('input/Отчёт за 2025.csv', 'a')",
            "open('input/new.csv', 'w')",
            "import os; os.remove('input/more/x.txt')",
            "import os; os.chmod('input/notes/made.json', 0o777)",
        ];
        // Where nothing keeps files from being changed, a slip with an input still fails.
        let tried = if runtime.unenforced().contains(&Limit::Root) { &attempts[..1] } else { &attempts };
        for code in tried {
            assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
        }
        bench.session.close().await.unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a,b\n1,2\n");
}

#[tokio::test]
async fn field_074_variables_and_files_live_on_from_step_to_step() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let first = bench
            .python("x = 20\nopen('work/a.txt', 'w').write('hello')\nprint('made')\nx + 1")
            .await
            .unwrap();
        assert_eq!(first.status, StepStatus::Ok);
        assert_eq!(first.stdout.head, "made\n21\n");
        assert_eq!(paths(&first), ["work/a.txt"]);
        let second = bench.python("print(x, open('work/a.txt').read())").await.unwrap();
        assert_eq!(second.stdout.head, "20 hello\n");
        assert_eq!(paths(&second), [""; 0]);
        let shell = bench.shell("cat work/a.txt; echo; echo trouble >&2; exit 3").await.unwrap();
        assert_eq!((shell.status, shell.exit_code), (StepStatus::Error, Some(3)));
        assert_eq!((shell.stdout.head.as_str(), shell.stderr.head.as_str()), ("hello\n", "trouble\n"));
        let third = bench.python("import os; os.remove('work/a.txt')").await.unwrap();
        assert_eq!(third.removed, ["work/a.txt"]);
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn output_streams_while_it_is_made_and_survives_bad_bytes() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let code = "import os, sys, time\nos.write(1, b'caf\\xc3')\ntime.sleep(0.05)\nos.write(1, b'\\xa9 \\xff\\x00\\x1b[31mred\\x1b[0m\\n')\nprint('\\ud800', file=sys.stderr)";
        let outcome = bench.python(code).await.unwrap();
        assert_eq!(outcome.stdout.head, "café \u{fffd}\u{fffd}red\n");
        assert_eq!(outcome.stderr.head, "\\ud800\n");
        assert!(bench.streamed.contains("café"), "{}", bench.streamed);
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn field_065_a_step_over_its_time_ends_and_the_variables_stay_where_the_interrupt_worked() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let before = others(&mut bench).await;
        bench.python("kept = 7").await.unwrap();
        let never = CancellationToken::new();
        let started = Instant::now();
        let code = "import subprocess, time\nchild = subprocess.Popen(['sleep', '300'])\nprint('on', flush=True)\nwhile True: pass";
        let outcome = bench.act(Action::Python { code: code.into() }, 1.0, &never).await.unwrap();
        assert_eq!((outcome.status, outcome.restarted), (StepStatus::Timeout, false));
        assert_eq!(outcome.stdout.head, "on\n");
        assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
        let after = bench.python("print(kept)").await.unwrap();
        assert_eq!(after.stdout.head, "7\n");
        assert!(after.duration_ms < 1000.0, "{}", after.duration_ms);
        assert_eq!(sleepers(&mut bench).await, "0\n");

        let stubborn = "import signal, os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass";
        let outcome = bench.act(Action::Python { code: stubborn.into() }, 1.0, &never).await.unwrap();
        assert_eq!((outcome.status, outcome.restarted), (StepStatus::Timeout, true));
        let after = bench.python("print('kept' in globals())").await.unwrap();
        assert_eq!(after.stdout.head, "False\n");
        assert_eq!(others(&mut bench).await, before, "{}", runtime.name());

        let shell =
            bench.act(Action::Shell { command: "echo on; sleep 300".into() }, 1.0, &never).await.unwrap();
        assert_eq!((shell.status, shell.stdout.head.as_str()), (StepStatus::Timeout, "on\n"));
        assert_eq!(sleepers(&mut bench).await, "0\n");
        bench.session.close().await.unwrap();
    }
}

/// The processes besides the kernel: its supervisor, and what that needs.
async fn others(bench: &mut Bench) -> String {
    let code =
        "import os\nprint(sorted(p for p in os.listdir('/proc') if p.isdigit() and p != str(os.getpid())))";
    bench.python(code).await.unwrap().stdout.head
}

async fn sleepers(bench: &mut Bench) -> String {
    let code = "import os\ncount = 0\nfor p in os.listdir('/proc'):\n    if p.isdigit():\n        try: count += b'sleep' in open(f'/proc/{p}/cmdline', 'rb').read()\n        except OSError: pass\nprint(count)";
    bench.python(code).await.unwrap().stdout.head
}

#[tokio::test]
async fn field_077_a_stop_interrupts_within_two_seconds() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        bench.python("kept = 7").await.unwrap();
        let sleep = "import time\nprint('on', flush=True)\ntime.sleep(60)";
        let (outcome, took) = stopped_after(&mut bench, sleep, Duration::from_millis(300)).await;
        assert_eq!((outcome.status, outcome.restarted), (StepStatus::Interrupted, false));
        assert_eq!(outcome.stdout.head, "on\n");
        assert!(took < Duration::from_secs(2), "{}: {took:?}", runtime.name());
        assert_eq!(bench.python("print(kept)").await.unwrap().stdout.head, "7\n");

        let endless = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass";
        let (outcome, took) = stopped_after(&mut bench, endless, Duration::from_millis(100)).await;
        assert_eq!((outcome.status, outcome.restarted), (StepStatus::Interrupted, true));
        assert!(took < Duration::from_millis(2500), "1.5 seconds of grace, then killed: {took:?}");
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_stop_while_the_kernel_still_warms_up_does_not_wait_for_it() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let (outcome, took) = stopped_after(&mut bench, "import time; time.sleep(60)", Duration::ZERO).await;
        assert_eq!(outcome.status, StepStatus::Interrupted);
        assert!(took < Duration::from_secs(2), "{}: {took:?}", runtime.name());
        assert_eq!(bench.python("print(1)").await.unwrap().stdout.head, "1\n");
        bench.session.close().await.unwrap();
    }
}

/// Runs Python that does not end by itself and stops it after a while: how it ended, and how long after
/// the stop.
async fn stopped_after(bench: &mut Bench, code: &str, wait: Duration) -> (StepOutcome, Duration) {
    let stop = CancellationToken::new();
    let trigger = stop.clone();
    let stopped = tokio::spawn(async move {
        tokio::time::sleep(wait).await;
        trigger.cancel();
        Instant::now()
    });
    let outcome = bench.act(Action::Python { code: code.into() }, 30.0, &stop).await.unwrap();
    (outcome, stopped.await.unwrap().elapsed())
}

#[tokio::test]
async fn only_ordinary_files_leave_the_sandbox() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let code = "import os\nos.symlink('/etc/passwd', 'output/link.csv')\nos.mkfifo('output/pipe.csv')\nos.symlink('/etc', 'output/etc')\nopen(b'output/bad\\xff.csv', 'w').write('x')\nopen('output/line\\nbreak.csv', 'w').write('x')\nopen('output/sparse.bin', 'w').truncate(1 << 40)\nopen('output/good.csv', 'w').write('a,b')";
        let outcome = bench.python(code).await.unwrap();
        assert_eq!(outcome.status, StepStatus::Ok, "{:?}", outcome.error);
        let refused: Vec<&str> = outcome.refused.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(refused, ["output/bad\\xff.csv", "output/etc", "output/link.csv", "output/pipe.csv"]);
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("x");
        assert_eq!(bench.session.fetch("output/good.csv", &to, 100).await.unwrap(), 3);
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "a,b");
        for path in
            ["output/link.csv", "output/pipe.csv", "output/etc/passwd", "output/sparse.bin", "output/none"]
        {
            let error = bench.session.fetch(path, &to, 1 << 20).await.unwrap_err();
            assert!(matches!(error, SandboxError::File { .. }), "{path}: {error}");
        }
        for path in ["../etc/passwd", "/etc/passwd", "output/line\nbreak.csv"] {
            let error = bench.session.fetch(path, &to, 1 << 20).await.unwrap_err();
            assert!(matches!(error, SandboxError::Manifest(_)), "{path}: {error}");
        }
        bench.session.write("output/made/by host.md", b"# hi").await.unwrap();
        let read = bench.python("print(open('output/made/by host.md').read())").await.unwrap();
        assert_eq!(read.stdout.head, "# hi\n");
        assert!(bench.session.write("input/x", b"x").await.is_err());
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn many_files_leave_in_their_order_and_what_is_wrong_with_one_is_its_own() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        let many = if runtime.name() == "hosted" { 10 } else { 300 };
        let code = format!(
            "import os\nfor i in range({many}): open(f'output/{{i}}.txt', 'w').write(f'number {{i}}')\nopen('output/long.bin', 'wb').write(bytes(range(256)) * 4000)\nopen('output/empty.txt', 'w')\nopen('output/sparse.bin', 'w').truncate(1 << 40)\nos.symlink('/etc/passwd', 'output/link.txt')"
        );
        assert_eq!(bench.python(&code).await.unwrap().status, StepStatus::Ok);
        let mut paths: Vec<String> = (0..many).map(|i| format!("output/{i}.txt")).collect();
        let strange =
            ["sparse.bin", "link.txt", "none.txt", "long.bin", "../etc/passwd", "empty.txt", "long.bin"];
        paths.splice(3..3, strange.map(|name| format!("output/{name}")));
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("partial");
        let wanted: Vec<Wanted> = paths.into_iter().map(|path| Wanted { path, to: to.clone() }).collect();
        let mut came: Vec<Result<Vec<u8>, &str>> = Vec::new();
        let mut keep = |at: usize, fetched: Result<u64, SandboxError>| {
            assert_eq!(at, came.len(), "{}", runtime.name());
            came.push(match fetched {
                Ok(size) => {
                    let content = std::fs::read(&to).unwrap();
                    assert_eq!(content.len() as u64, size);
                    Ok(content)
                }
                Err(SandboxError::File { .. }) => Err("file"),
                Err(SandboxError::Manifest(_)) => Err("path"),
                Err(error) => panic!("{}: {error}", runtime.name()),
            });
        };
        // There is room for the long file once, and for all of the others.
        bench.session.fetch_all(&wanted, 1_100_000, &mut keep).await.unwrap();
        let mut expected: Vec<Result<Vec<u8>, &str>> =
            (0..many).map(|i| Ok(format!("number {i}").into())).collect();
        let long: Vec<u8> = (0..=255).collect::<Vec<u8>>().repeat(4000);
        let found =
            [Err("file"), Err("file"), Err("file"), Ok(long), Err("path"), Ok(Vec::new()), Err("file")];
        expected.splice(3..3, found);
        assert!(came == expected, "{}", runtime.name());
        assert_eq!(bench.python("print(1)").await.unwrap().stdout.head, "1\n");
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn what_the_kernel_lost_between_two_steps_is_told_by_the_next() {
    for runtime in runtimes().await {
        let mut bench = open(runtime.as_ref()).await;
        bench.python("kept = 7\nimport os, subprocess\nchild = subprocess.Popen(['sh', '-c', f'sleep 0.2; kill -9 {os.getpid()}'])").await.unwrap();
        tokio::time::sleep(Duration::from_millis(600)).await;
        bench.session.write("work/note.txt", b"x").await.unwrap();
        let to = tempfile::tempdir().unwrap();
        assert_eq!(bench.session.fetch("work/note.txt", &to.path().join("note"), 10).await.unwrap(), 1);
        let next = bench.python("print('kept' in globals())").await.unwrap();
        assert_eq!((next.stdout.head.as_str(), next.restarted), ("False\n", true), "{}", runtime.name());
        assert!(!bench.python("1").await.unwrap().restarted);
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_closed_or_dropped_session_leaves_no_process() {
    for runtime in runtimes().await {
        for mark in ["closed", "dropped"] {
            let seconds = format!("{}.{}", 86_000 + mark.len(), std::process::id());
            let mut bench = open(runtime.as_ref()).await;
            let code = format!(
                "import subprocess\nchild = subprocess.Popen(['sleep', '{seconds}'], start_new_session=True)\nprint('on')"
            );
            assert_eq!(bench.python(&code).await.unwrap().stdout.head, "on\n");
            if mark == "closed" {
                bench.session.close().await.unwrap();
            } else {
                drop(bench);
            }
            let begun = Instant::now();
            while runs_here(&seconds) {
                assert!(begun.elapsed() < Duration::from_secs(10), "{}: {mark}", runtime.name());
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Whether a process of this computer was started with that word. Those of an engine elsewhere are not seen.
fn runs_here(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes.filter_map(Result::ok).any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())
    })
}

#[tokio::test]
async fn the_policy_holds_from_inside() {
    for runtime in runtimes().await {
        for policy in [
            Policy::default(),
            Policy {
                memory_mib: 700,
                cpus: 0.5,
                processes: 99,
                open_files: 300,
                output_mib: 7,
                work_mib: 9,
                temporary_mib: 11,
                files: 1234,
                ..Policy::default()
            },
        ] {
            let findings = prove(runtime.as_ref(), &policy, &CancellationToken::new()).await.unwrap();
            assert_eq!(findings.len(), 15);
            for finding in findings {
                let said = runtime.unenforced().contains(&finding.limit);
                let as_said = match finding.verdict {
                    Verdict::Holds => !said || runtime.name() == "hosted", // a provider may well hold it
                    Verdict::NotEnforced => said,
                    Verdict::Broken => false,
                };
                assert!(as_said, "{}: {finding:?}", runtime.name());
            }
        }
    }
}

/// A runtime that gives more than it is asked for.
struct Careless(Box<dyn Runtime>);

#[async_trait::async_trait]
impl Runtime for Careless {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        self.0.readiness().await
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        let asked = request.policy;
        let policy = Policy {
            memory_mib: asked.memory_mib + 1,
            cpus: asked.cpus + 0.5,
            processes: asked.processes + 1,
            open_files: asked.open_files + 1,
            output_mib: asked.output_mib + 1,
            work_mib: asked.work_mib + 1,
            temporary_mib: asked.temporary_mib + 1,
            files: asked.files + 1,
            seccomp: Seccomp::EngineDefault,
            ..asked.clone()
        };
        self.0.open(OpenRequest { policy: &policy, ..request }, stop).await
    }

    fn unenforced(&self) -> Vec<Limit> {
        self.0.unenforced()
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        self.0.sweep().await
    }
}

#[tokio::test]
async fn a_runtime_that_gives_more_than_it_was_asked_for_is_found_out() {
    for runtime in runtimes().await {
        let careless = Careless(runtime);
        let policy = Policy { cpus: 1.0, ..Policy::default() };
        let findings = prove(&careless, &policy, &CancellationToken::new()).await.unwrap();
        let broken: Vec<Limit> = findings
            .iter()
            .filter(|found| found.verdict == Verdict::Broken)
            .map(|found| found.limit)
            .collect();
        let mut expected = vec![
            Limit::Seccomp,
            Limit::Memory,
            Limit::Cpus,
            Limit::Processes,
            Limit::OpenFiles,
            Limit::Output,
            Limit::Work,
            Limit::Temporary,
            Limit::Files,
        ];
        expected.retain(|limit| !careless.unenforced().contains(limit));
        // Without an engine there is no wider filter to give.
        expected.retain(|limit| *limit != Limit::Seccomp || careless.name() != "local");
        assert_eq!(broken, expected, "{}: {findings:?}", careless.name());
    }
}
