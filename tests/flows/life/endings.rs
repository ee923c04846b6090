//! Runs of the command that end in every way, one after the other.

use std::time::Duration;

use assay_sandbox::{DockerRuntime, DockerSettings, Runtime};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;
use serde_json::json;

use crate::leftovers::Docker;
use crate::program::{Program, can_be_deleted, signal_process};

pub(crate) fn ready() -> bool {
    runtime().block_on(docker()).is_some()
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

pub(crate) fn python(code: &str) -> Reply {
    Reply::call("run_python", json!({"title": "Working", "code": code})).saying("I look at it.")
}

/// A step that leaves a file, and one that takes its time.
pub(crate) fn long_work(seconds: u32) -> Vec<Reply> {
    vec![
        python("kept = 40\nwith open('output/a.csv', 'w') as file: file.write('a')"),
        python(&format!("import time\nprint('on', flush=True)\ntime.sleep({seconds})\nprint(kept + 2)")),
        Reply::text("42"),
    ]
}

/// Removes what owners that were killed have left before anything of theirs ran, as the next start does.
pub(crate) fn sweep(engine: &Docker) {
    let settings = DockerSettings { address: engine.0.clone(), ..DockerSettings::default() };
    runtime().block_on(DockerRuntime::new(settings).sweep()).unwrap();
}

/// A program at the moment of an event, or a while after it.
fn at(stage: &str, wait_ms: u64, mode: u32) -> (ScriptedServer, Program) {
    let server = ScriptedServer::start(long_work(600));
    let mut program = Program::start(&Docker::default(), &server, &[], mode);
    assert!(program.until(stage), "{stage}: {:?}", program.events);
    std::thread::sleep(Duration::from_millis(wait_ms));
    (server, program)
}

/// The stages of a run; while the sandbox is opened nothing is told, so a while tells them apart.
const STAGES: [(&str, u64); 11] = [
    ("run_started", 0),
    ("opening_sandbox", 0),
    ("opening_sandbox", 60),
    ("opening_sandbox", 200),
    ("opening_sandbox", 450),
    ("sandbox_ready", 0),
    ("turn_started", 0),
    ("text", 0),
    ("step_started", 0),
    ("artifact_saved", 0),
    ("output", 0),
];

#[test]
fn a_stop_at_any_stage_leaves_nothing() {
    if !ready() {
        return;
    }
    for (number, (stage, wait_ms)) in STAGES.into_iter().enumerate() {
        let (signal, mode) = if number % 2 == 0 { ("-INT", 0o644) } else { ("-TERM", 0o600) };
        let (_server, mut program) = at(stage, wait_ms, mode);
        program.signal(signal);
        assert_eq!(program.end(), Some(130), "{signal} at {stage}: {:?}", program.events.last());
        let what = format!("{signal} at {stage} after {wait_ms} ms");
        Docker::default().is_clean(&program.run, &program.containers, &what);
        assert_eq!(program.temporary_files(), [""; 0], "{what}");
    }
}

#[test]
fn field_063_a_kill_at_any_stage_leaves_nothing() {
    if !ready() {
        return;
    }
    let mut programs = Vec::new();
    for (number, (stage, wait_ms)) in STAGES.into_iter().enumerate() {
        let mode = if number % 2 == 0 { 0o600 } else { 0o644 };
        let (_server, mut program) = at(stage, wait_ms, mode);
        let has_run = !matches!(stage, "run_started" | "opening_sandbox");
        program.signal("-KILL");
        assert_eq!(program.end(), None, "{stage}");
        if has_run {
            let what = format!("killed at {stage}, without a sweep");
            Docker::default().is_clean(&program.run, &program.containers, &what);
        }
        assert_eq!(program.temporary_files(), [""; 0], "{stage}");
        programs.push((program, format!("killed at {stage} after {wait_ms} ms")));
    }
    // What was made and not yet started when its owner was killed.
    sweep(&Docker::default());
    for (program, what) in programs {
        Docker::default().is_clean(&program.run, &program.containers, &what);
    }
}

#[test]
fn every_end_of_a_run_leaves_nothing() {
    if !ready() {
        return;
    }
    let text = || Reply::text("Done.");
    let hungry = "b = b'x' * (3 << 30)";
    let wrong_key = Reply::status(401, &[], r#"{"error":{"message":"bad key"}}"#);
    let slow_down = Reply::status(429, &[("retry-after", "4000")], "{}");
    let ends: Vec<(&str, i32, Vec<Reply>, &[&str])> = vec![
        ("done", 0, vec![python("print(1)"), text()], &[]),
        ("no code", 4, vec![text(), text(), text()], &[]),
        ("failed", 1, vec![python("print(1)"), wrong_key], &[]),
        ("paused", 6, vec![python("print(1)"), slow_down], &[]),
        (
            "a step over its time",
            0,
            vec![python("while True: pass"), python("1"), text()],
            &["--step-limit", "1"],
        ),
        ("a run over its time", 5, vec![python("while True: pass")], &["--run-limit", "3"]),
        ("too many steps", 5, vec![python("1"), python("2")], &["--max-steps", "1"]),
        ("out of memory", 0, vec![python(hungry), python("1"), text()], &[]),
        ("crashed", 0, vec![python("import os; os.kill(os.getpid(), 11)"), python("1"), text()], &[]),
        ("left", 0, vec![python("import os; os._exit(3)"), python("1"), text()], &[]),
        ("stuck", 4, (0..9).map(|_| python("print(1)")).collect(), &[]),
    ];
    for (number, (what, code, script, arguments)) in ends.into_iter().enumerate() {
        let server = ScriptedServer::start(script);
        let mode = if number % 2 == 0 { 0o644 } else { 0o600 };
        let mut program = Program::start(&Docker::default(), &server, arguments, mode);
        assert!(program.until("sandbox_ready"), "{what}");
        let ended = program.end();
        // A refused key counts as a model that is not ready.
        let is_as_expected = ended == Some(code) || (what == "failed" && ended == Some(3));
        assert!(is_as_expected, "{what}: {ended:?}, {:?}", program.events.last());
        Docker::default().is_clean(&program.run, &program.containers, what);
        assert_eq!(program.temporary_files(), [""; 0], "{what}");
    }
}

/// What it is called, what it does to a container, and the mode of the table.
type Way<'a> = (&'a str, &'a dyn Fn(&str), u32);

#[test]
fn field_066_whoever_ends_the_container_from_outside_the_run_goes_on_and_nothing_is_left() {
    if !ready() {
        return;
    }
    let engine = Docker::default();
    let removed = |container: &str| drop(engine.says(&["rm", "-f", container]));
    let killed = |container: &str| drop(engine.says(&["kill", container]));
    let stopped = |container: &str| drop(engine.says(&["stop", "-t", "1", container]));
    let supervisor = |container: &str| signal_process(engine.process_of(container), "-KILL");
    let ways: [Way<'_>; 5] = [
        ("docker rm -f", &removed, 0o644),
        ("docker rm -f with a volume", &removed, 0o600),
        ("docker kill", &killed, 0o600),
        ("docker stop", &stopped, 0o644),
        ("the supervisor killed", &supervisor, 0o644),
    ];
    for (what, end, mode) in ways {
        let server = ScriptedServer::start(long_work(3));
        let mut program = Program::start(&engine, &server, &[], mode);
        assert!(program.until("output"), "{what}");
        end(&program.container());
        assert_eq!(program.end(), Some(0), "{what}: {:?}", program.events.last());
        let restored: Vec<_> =
            program.events.iter().filter(|event| event["event"] == "sandbox_restored").collect();
        assert_eq!(restored.len(), 1, "{what}");
        assert_eq!((&restored[0]["steps"], &restored[0]["different"]), (&json!(1), &json!([])), "{what}");
        let told = server.requests()[2].body.to_string();
        assert!(told.contains("on\\\\n42") || told.contains("on\\n42"), "{what}: {told}");
        assert!(!told.contains("sandbox was") && !told.contains("docker"), "{what}: {told}");
        engine.is_clean(&program.run, &program.containers, what);
    }
}

#[test]
fn a_container_that_stands_still_is_left_at_a_stop() {
    if !ready() {
        return;
    }
    let (_server, mut program) = at("output", 0, 0o644);
    let engine = Docker::default();
    engine.says(&["pause", &program.container()]);
    program.signal("-INT");
    assert_eq!(program.end(), Some(130));
    engine.is_clean(&program.run, &program.containers, "docker pause, then a stop");
}

#[test]
fn a_container_that_stands_still_is_given_up_after_its_time_and_set_up_again() {
    if !ready() {
        return;
    }
    let engine = Docker::default();
    let server = ScriptedServer::start(long_work(2));
    let mut program = Program::start(&engine, &server, &["--step-limit", "5"], 0o644);
    assert!(program.until("output"));
    engine.says(&["pause", &program.container()]);
    assert_eq!(program.end(), Some(0), "{:?}", program.events.last());
    assert_eq!(program.count("sandbox_restored"), 1);
    engine.is_clean(&program.run, &program.containers, "docker pause");
}

#[test]
fn field_058_artifacts_belong_to_whoever_runs_the_app() {
    use std::os::unix::fs::MetadataExt;
    if !ready() {
        return;
    }
    let code = "import os\nos.makedirs('output/deep/er')\nopen('output/deep/er/a.csv', 'w').write('a')\nos.chmod('output/deep/er/a.csv', 0o444)\nos.chmod('output/deep', 0o555)";
    let server = ScriptedServer::start(vec![python(code), Reply::text("Done.")]);
    let mut program = Program::start(&Docker::default(), &server, &[], 0o644);
    assert_eq!(program.end(), Some(0));
    let file = program.output().join("deep/er/a.csv");
    let kept = std::fs::metadata(&file).unwrap();
    let own = std::fs::metadata("/proc/self").unwrap();
    assert_eq!((kept.uid(), kept.gid()), (own.uid(), own.gid()));
    assert_eq!(kept.mode() & 0o600, 0o600, "{:o}", kept.mode());
    std::fs::write(&file, "edited").unwrap();
    assert!(can_be_deleted(&program.output()));
}
