//! An engine that is started anew in the middle of a step, stays away, or sees another disk.

use std::time::{Duration, Instant};

use assay_sandbox::{
    DockerRuntime, DockerSettings, Entry, Manifest, OpenRequest, Policy, Runtime, Source, Staging,
};
use assay_testkit::ScriptedServer;
use assay_tests::skip;
use tokio_util::sync::CancellationToken;

use crate::endings::{long_work, ready, runtime, sweep};
use crate::engine::{IMAGE, OwnEngine};
use crate::program::Program;

fn own_engine(hidden: Option<&std::path::Path>) -> Option<OwnEngine> {
    if !ready() {
        return None;
    }
    OwnEngine::start(hidden).map_err(|why| skip(&why)).ok()
}

fn begin(engine: &OwnEngine, server: &ScriptedServer, mode: u32) -> Program {
    let mut program = Program::start(&engine.docker, server, &["--image", IMAGE], mode);
    assert!(program.until("output"), "{:?}", program.events);
    program
}

#[test]
fn an_engine_that_ends_in_the_middle_of_a_step_costs_no_run() {
    let Some(mut engine) = own_engine(None) else { return };
    for (signal, mode) in [("-TERM", 0o644), ("-TERM", 0o600), ("-KILL", 0o644), ("-KILL", 0o600)] {
        let server = ScriptedServer::start(long_work(3));
        let mut program = begin(&engine, &server, mode);
        engine.end(signal);
        engine.start_again();
        assert_eq!(program.end(), Some(0), "{signal}: {:?}", program.events.last());
        assert_eq!(program.count("sandbox_restored"), 1, "{signal}");
        engine.docker.is_clean(&program.run, &program.containers, signal);
        assert_eq!(engine.everything(), "", "{signal}");
    }

    let server = ScriptedServer::start(long_work(3));
    let mut program = begin(&engine, &server, 0o600);
    engine.end("-TERM");
    assert_eq!(program.end(), Some(6), "{:?}", program.events.last());
    let ended = program.events.iter().find(|event| event["event"] == "run_ended").unwrap();
    let remark = ended["remarks"][0].as_str().unwrap();
    assert!(remark.starts_with("The sandbox was lost, and its engine does not answer any more."), "{remark}");
    assert_eq!(server.requests().len(), 2, "the model is told nothing of it");
    engine.start_again();
    drop(program);
    sweep(&engine.docker);
    let begun = Instant::now();
    while !engine.everything().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(15), "{}", engine.everything());
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn field_060_061_what_the_engine_cannot_see_or_sees_otherwise_is_streamed_in() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["unseen.csv", "changed.csv"] {
        std::fs::write(folder.path().join(name), "a,b\n1,2\n").unwrap();
    }
    let Some(engine) = own_engine(Some(folder.path())) else { return };
    let settings = DockerSettings {
        address: engine.docker.0.clone(),
        image: Some(IMAGE.into()),
        ..DockerSettings::default()
    };
    runtime().block_on(async {
        for name in ["unseen.csv", "changed.csv"] {
            let source = Source::File(folder.path().join(name));
            let manifest = Manifest::new(vec![Entry { destination: name.into(), source }]).unwrap();
            let (policy, never) = (Policy::default(), CancellationToken::new());
            let request = OpenRequest { run: "life-unseen", manifest: &manifest, policy: &policy };
            let runtime = DockerRuntime::new(settings.clone());
            let mut session = runtime.open(request, &never).await.unwrap();
            assert_eq!(session.facts().staging, Staging::Uploaded, "{name}");
            let step = assay_sandbox::Step {
                number: 1,
                action: assay_sandbox::Action::Python { code: format!("print(open('input/{name}').read())") },
                limit_s: 20.0,
            };
            let outcome = session.run(&step, &mut |_| {}, &never).await.unwrap();
            assert_eq!(outcome.stdout.head, "a,b\n1,2\n\n", "{name}");
            session.close().await.unwrap();
        }
    });
    assert_eq!(engine.everything(), "");
}
