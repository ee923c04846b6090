//! What holds for a session in any sandbox.

use std::time::{Duration, Instant};

use assay_sandbox::{
    Action, Consent, Entry, HostedError, HostedRuntime, HostedSettings, Manifest, OpenRequest, Policy,
    Runtime, SandboxError, Source, Staging, Step, StepStatus,
};
use assay_testkit::HostedServer;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::{Bench, manifest, runtime};

#[tokio::test]
async fn nothing_is_sent_before_the_person_has_agreed() {
    let server = HostedServer::start(30.0);
    let settings = HostedSettings { base_url: server.url(), ..HostedSettings::default() };
    assert_eq!(settings.consent, Consent::Missing);
    let runtime = HostedRuntime::new(settings, assay_sandbox::HostedKey::new(HostedServer::KEY));
    let manifest = manifest(&[("a.csv", "a\n1\n")]);
    let request = OpenRequest { run: "r", manifest: &manifest, policy: &Policy::default() };
    let errors = [
        runtime.open(request, &CancellationToken::new()).await.err(),
        runtime.readiness().await.err(),
        runtime.sweep().await.err(),
    ];
    for error in errors {
        let Some(SandboxError::Hosted(HostedError::ConsentMissing { host })) = error else {
            panic!("{error:?}")
        };
        assert!(server.url().contains(&host), "{host}");
    }
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn a_whole_session_stages_runs_keeps_variables_and_brings_files_back() {
    let server = HostedServer::start(30.0);
    let manifest = manifest(&[("sales 2025.csv", "a,b\n1,2\n"), ("more/Отчёт.txt", "x")]);
    let mut bench = Bench::open(&server, &manifest).await.unwrap();
    let facts = bench.session.facts();
    assert_eq!((facts.runtime.as_str(), facts.staging), ("hosted", Staging::Uploaded));
    assert!(facts.inventory.python.starts_with("3."), "{facts:?}");
    assert_eq!(facts.input_hashes.len(), 2);

    let read = bench
        .python("import sys\nrows = open('input/sales 2025.csv').read()\nprint(rows, open('input/more/Отчёт.txt').read())\nprint('note', file=sys.stderr)\nlen(rows)")
        .await;
    assert_eq!((read.status, read.stdout.head.as_str()), (StepStatus::Ok, "a,b\n1,2\n x\n8\n"), "{read:?}");
    assert_eq!(read.stderr.head, "note\n");
    assert!(!read.restarted);
    assert_eq!(bench.streamed.concat().matches("a,b\n1,2").count(), 1);

    let wrote = bench
        .python("import os\nos.makedirs('output/tables')\nopen('output/tables/t.csv', 'w').write(rows)\nopen('work/n.txt', 'w').write('n')")
        .await;
    let changed: Vec<_> =
        wrote.changed.iter().map(|file| (file.path.as_str(), file.size, file.new)).collect();
    assert_eq!(changed, [("output/tables/t.csv", 8, true), ("work/n.txt", 1, true)]);
    let runs = server.runs();
    assert_eq!(bench.fetched("output/tables/t.csv").await.unwrap(), "a,b\n1,2\n");
    assert_eq!(server.runs(), runs, "an artifact comes without the model");
    assert_eq!(bench.fetched("work/n.txt").await.unwrap(), "n");

    let again =
        bench.python("open('output/tables/t.csv', 'a').write('3,4\\n'); os.remove('work/n.txt')").await;
    assert_eq!((again.changed.len(), again.removed.as_slice()), (1, ["work/n.txt".to_owned()].as_slice()));
    assert!(!again.changed[0].new);
    assert_eq!(bench.fetched("output/tables/t.csv").await.unwrap(), "a,b\n1,2\n3,4\n");

    bench.session.write("output/by host.md", b"# hi").await.unwrap();
    assert_eq!(bench.python("print(open('output/by host.md').read())").await.stdout.head, "# hi\n");
    for path in ["input/x", "x", "output/../input/x"] {
        assert!(bench.session.write(path, b"x").await.is_err(), "{path}");
    }

    assert_eq!(server.names().len(), 1);
    bench.session.close().await.unwrap();
    assert_eq!(server.names(), [""; 0], "closed, and nothing is left");
}

#[tokio::test]
async fn a_large_upload_arrives_whole_in_more_than_one_piece() {
    let server = HostedServer::start(30.0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.bin");
    let content: Vec<u8> = (0..70_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(&file, &content).unwrap();
    let mut entries = vec![Entry { destination: "large.bin".into(), source: Source::File(file) }];
    for i in 0..300 {
        let source = Source::Inline(format!("{i}").into_bytes());
        entries.push(Entry { destination: format!("small/{i}.txt"), source });
    }
    let mut bench = Bench::open(&server, &Manifest::new(entries).unwrap()).await.unwrap();
    let sha256 = "import hashlib, os\nprint(len(os.listdir('input/small')), hashlib.sha256(open('input/large.bin', 'rb').read()).hexdigest())";
    let inside = bench.python(sha256).await.stdout.head;
    assert_eq!(inside, format!("300 {}\n", hex(&Sha256::digest(&content))));
    bench.session.close().await.unwrap();
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[tokio::test]
async fn an_error_names_the_line_and_the_session_lives_on() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    let failed = bench.python("x = 5\ny = {}\ny['rate']").await;
    let error = failed.error.unwrap();
    assert_eq!((failed.status, error.kind.as_str(), error.line), (StepStatus::Error, "KeyError", Some(3)));
    assert!(!error.traceback.contains("assay"), "{}", error.traceback);
    assert_eq!(bench.python("print(x)").await.stdout.head, "5\n");

    let ended = bench.python("import os\nprint('before', flush=True)\nos._exit(3)").await;
    assert_eq!((ended.status, ended.restarted), (StepStatus::Exited, true));
    assert_eq!(ended.stdout.head, "before\n");
    assert_eq!(bench.python("print(x)").await.error.unwrap().kind, "NameError");

    let shell = Step { number: 90, action: Action::Shell { command: "ls; exit 3".into() }, limit_s: 10.0 };
    let shell = bench.session.run(&shell, &mut |_| {}, &CancellationToken::new()).await.unwrap();
    assert_eq!((shell.exit_code, shell.stdout.head.as_str()), (Some(3), "input\noutput\nwork\n"));
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_long_step_is_followed_in_slices_and_ended_at_its_limit() {
    let server = HostedServer::start(1.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    let runs = server.runs();
    let slow = bench
        .python("import time\nfor i in range(4):\n    print(i, flush=True)\n    time.sleep(0.8)\nkept = 7")
        .await;
    assert_eq!((slow.status, slow.stdout.head.as_str()), (StepStatus::Ok, "0\n1\n2\n3\n"));
    assert!(server.runs() > runs + 1, "asked more than once");
    assert!(bench.streamed.len() > 1, "shown before its end: {:?}", bench.streamed);

    let endless = bench.act("while True: pass", 1.5, &CancellationToken::new()).await.unwrap();
    assert_eq!((endless.status, endless.restarted), (StepStatus::Timeout, false));
    let stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass";
    let stubborn = bench.act(stubborn, 1.0, &CancellationToken::new()).await.unwrap();
    assert_eq!((stubborn.status, stubborn.restarted), (StepStatus::Timeout, true));
    assert_eq!(bench.python("print('kept' in globals())").await.stdout.head, "False\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_stop_reaches_the_running_step() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    bench.python("x = 1").await;
    let stop = CancellationToken::new();
    let later = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        later.cancel();
    });
    let started = Instant::now();
    let stopped = bench.act("while True: pass", 60.0, &stop).await.unwrap();
    assert_eq!((stopped.status, stopped.restarted), (StepStatus::Interrupted, false));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(bench.python("print(x)").await.stdout.head, "1\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_step_that_does_not_hear_the_stop_is_given_up_with_its_container() {
    let server = HostedServer::start(100.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    server.be_deaf_while_code_runs();
    let stop = CancellationToken::new();
    let later = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        later.cancel();
    });
    let started = Instant::now();
    let stopped = bench.act("while True: pass", 90.0, &stop).await.unwrap();
    assert_eq!((stopped.status, stopped.restarted), (StepStatus::Interrupted, false));
    assert!(started.elapsed() < Duration::from_secs(80), "{:?}", started.elapsed());
    assert_eq!(server.names(), [""; 0], "deleted at once, for what it runs costs");
    let next = bench.act("print('on')", 20.0, &CancellationToken::new()).await;
    assert!(matches!(next, Err(SandboxError::Vanished(_))), "{next:?}");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_051_052_093_a_flood_of_output_is_bounded_and_holds_no_control_characters() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &Manifest::default()).await.unwrap();
    let flood = bench.python("for i in range(400_000): print('line', i)\nprint('\\x1b[31mend\\x00')").await;
    assert_eq!(flood.status, StepStatus::Ok);
    assert!(flood.stdout.head.len() <= 48 << 10 && flood.stdout.tail.len() <= 16 << 10);
    assert!(flood.stdout.skipped_bytes > 1 << 20, "{}", flood.stdout.skipped_bytes);
    assert!(flood.stdout.tail.ends_with("line 399999\nend\u{fffd}\n"));
    let full = flood.stdout.full_text.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let size = bench.session.fetch(&full, &folder.path().join("full"), 16 << 20).await.unwrap();
    assert!(size > 4 << 20, "{size}");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn what_is_asked_of_the_provider_is_what_the_policy_says_and_can_be_read_later() {
    let server = HostedServer::start(30.0);
    let mut bench = Bench::open(&server, &manifest(&[("a.csv", "a\n1\n")])).await.unwrap();
    bench.python("print('secret of the step')").await;
    let requests = server.requests();
    let made = &requests[0];
    assert_eq!(made.line, "POST /v1/containers");
    assert_eq!(made.body["memory_limit"], "4g");
    assert_eq!(made.body["network_policy"], json!({"type": "disabled"}));
    assert_eq!(made.body["expires_after"], json!({"anchor": "last_active_at", "minutes": 20}));
    assert!(made.body["name"].as_str().unwrap().ends_with("/r-1"), "{}", made.body["name"]);
    let asked: Vec<_> = requests.iter().filter(|request| request.line == "POST /v1/responses").collect();
    assert_eq!(asked.len(), 2, "one to open, one for the step");
    assert_eq!(asked[0].body["tool_choice"], json!({"type": "code_interpreter"}));
    assert_eq!(asked[0].body["store"], json!(false));
    assert_eq!(asked[0].body, asked[1].body, "the line says nothing of the step");

    let sent = bench.runtime.take_sent();
    let uploads: Vec<_> = sent.iter().filter(|sent| sent.text.contains("/files\n\n")).collect();
    assert_eq!(uploads.len(), 4, "the program, the inputs, and two asks: {sent:#?}");
    for upload in uploads {
        assert!(upload.text.ends_with(&format!(", {} bytes", upload.bytes)), "{upload:?}");
    }
    assert!(
        sent.iter().all(|sent| server.url().contains(&sent.host) && !sent.text.contains(HostedServer::KEY))
    );
    assert_eq!(bench.runtime.take_sent(), []);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_dropped_session_leaves_nothing_and_a_start_sweeps_what_the_dead_left() {
    let server = HostedServer::start(30.0);
    drop(Bench::open(&server, &Manifest::default()).await.unwrap());
    let started = Instant::now();
    while !server.names().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", server.names());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let living = Bench::open(&server, &Manifest::default()).await.unwrap();
    let name = server.names()[0].clone();
    let parts: Vec<&str> = name.split('/').collect();
    let [app, host, _, _, run] = parts[..] else { panic!("{name}") };
    let dead = format!("{app}/{host}/999999999/5/{run}");
    for other in [dead.as_str(), "assay/000000000000/1/5/elsewhere", "somebody's own"] {
        server.make(other);
    }
    for number in 0..130 {
        server.make(&format!("other {number}"));
    }
    assert_eq!(runtime(&server).sweep().await.unwrap(), 1);
    assert!(!server.names().contains(&dead));
    assert_eq!(server.names().len(), 133);
    living.session.close().await.unwrap();
}
