//! Whole sessions on the engines that people have, and what is said of those that cannot be used.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a test ends where its own set-up fails"
)]

mod log_in;
mod queue;
mod started;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use assay_sandbox::{
    DockerRuntime, DockerSettings, EngineSeen, EngineState, Entry, Manifest, Policy, Runtime, SandboxError,
    Source, Staging, StepStatus,
};
use assay_tests::{Bench, skip};
use log_in::LogIn;
use started::{Started, certificates, free_port, has, image, is_root};

/// More memory than any computer has: a policy that asks for no limit.
const NO_LIMIT_MIB: u64 = 1 << 43;

/// Opens a session with a file, runs a step, takes a file out and closes it.
async fn whole_session(runtime: &DockerRuntime, policy: &Policy, staging: Staging) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let table = folder.path().join("sales.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let source = Entry { destination: "north/sales.csv".into(), source: Source::File(table.clone()) };
    let manifest = Manifest::new(vec![source]).unwrap();
    let mut bench = Bench::open(runtime, &manifest, policy).await.unwrap();
    assert_eq!(bench.session.facts().staging, staging);
    let code =
        "text = open('input/north/sales.csv').read()\nopen('output/copy.csv', 'w').write(text)\nprint(text)";
    let outcome = bench.python(code).await.unwrap();
    assert_eq!((outcome.status, outcome.stdout.head.as_str()), (StepStatus::Ok, "a,b\n1,2\n\n"));
    for code in [
        "open('input/new', 'w')",
        "open('input/north/sales.csv', 'a')",
        "import os; os.remove('input/north/sales.csv')",
        "import os; os.rename('input/north', 'input/south')",
        "import os; os.chmod('input', 0o777)",
        "open('/etc/x', 'w')",
    ] {
        assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
    }
    let inside = "import os\nstatus = open('/proc/self/status').read()\nwords = [line.split()[1] for line in \
                  status.splitlines() if line.startswith(('CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp:'))]\n\
                  print(words, sorted(os.listdir('/sys/class/net')), os.getuid() != 0, os.getpid() != 1)\n\
                  print([os.statvfs(place).f_blocks * os.statvfs(place).f_frsize >> 20 for place in \
                  ('output', 'work', '/tmp', '/dev/shm')])";
    let sizes = [policy.output_mib, policy.work_mib, policy.temporary_mib, policy.temporary_mib];
    assert_eq!(
        bench.python(inside).await.unwrap().stdout.head,
        format!("['0000000000000000', '0000000000000000', '1', '2'] ['lo'] True True\n{sizes:?}\n")
    );
    let copy = folder.path().join("copy.csv");
    assert_eq!(bench.session.fetch("output/copy.csv", &copy, 1000).await.unwrap(), 8);
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), std::fs::read_to_string(&table).unwrap());
    bench.session.close().await.unwrap();
}

/// The one that is chosen.
fn chosen(engines: &[EngineSeen]) -> &EngineSeen {
    let chosen: Vec<&EngineSeen> = engines.iter().filter(|one| one.state == EngineState::Chosen).collect();
    assert_eq!(chosen.len(), 1, "{engines:?}");
    chosen[0]
}

/// What is in the way of using an engine.
async fn obstacle(runtime: &DockerRuntime) -> String {
    match runtime.readiness().await {
        Err(SandboxError::EngineUnusable { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Loses the connection to an open session as the end of a process does: nothing is said on the way out.
fn lose_the_connection(runtime: DockerRuntime) {
    std::thread::spawn(move || {
        let tasks = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let bench = tasks.block_on(Bench::open(&runtime, &Manifest::default(), &Policy::default())).unwrap();
        tasks.shutdown_background();
        drop(bench);
    })
    .join()
    .unwrap();
}

#[tokio::test]
async fn a_whole_session_on_podman() {
    let Some(engine) = Started::podman() else { return };
    let runtime = engine.runtime(&engine.socket());
    let ready = runtime.readiness().await.unwrap();
    assert!(ready.engine.starts_with("Podman "), "{ready:?}");
    whole_session(&runtime, &Policy::default(), Staging::Mounted).await;
    assert!(engine.is_empty_within(Duration::from_secs(10)), "{:?}", engine.holds());

    let uploading = DockerRuntime::new(DockerSettings {
        address: Some(engine.socket()),
        image: Some(engine.image.clone()),
        upload_inputs: true,
        ..DockerSettings::default()
    });
    whole_session(&uploading, &Policy::default(), Staging::Uploaded).await;
    assert!(engine.is_empty_within(Duration::from_secs(10)), "{:?}", engine.holds());

    let policy = Policy { memory_mib: 256, processes: 64, ..Policy::default() };
    let mut bench = Bench::open(&runtime, &Manifest::default(), &policy).await.unwrap();
    let memory = bench.python("x = bytearray(600 << 20)").await.unwrap();
    assert_eq!(memory.status, StepStatus::OutOfMemory, "{memory:?}");
    let forks = "import os, time\nn = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\nexcept OSError as e: print(n < 64)";
    assert_eq!(bench.python(forks).await.unwrap().stdout.head, "True\n");
    bench.session.close().await.unwrap();

    lose_the_connection(engine.runtime(&engine.socket()));
    assert!(engine.is_empty_within(Duration::from_secs(20)), "{:?}", engine.holds());
}

#[tokio::test]
async fn an_engine_that_cannot_take_the_filter_of_system_calls_says_so() {
    let Some(engine) = Started::far_podman() else { return };
    let runtime = engine.runtime(&engine.socket());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sales.csv"), "a,b\n1,2\n").unwrap();
    let source = Source::File(folder.path().join("sales.csv"));
    let manifest = Manifest::new(vec![Entry { destination: "sales.csv".into(), source }]).unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    let facts = bench.session.facts();
    assert_eq!(facts.staging, Staging::Uploaded);
    assert!(matches!(&facts.gaps[..], [gap] if gap.contains("filter of system calls")), "{:?}", facts.gaps);
    let code = "print(open('input/sales.csv').read())\nprint([line for line in open('/proc/self/status') if 'Seccomp:' in line])";
    let outcome = bench.python(code).await.unwrap();
    // The engine's own filter is in force.
    assert_eq!(outcome.stdout.head, "a,b\n1,2\n\n['Seccomp:\\t2\\n']\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_whole_session_on_rootless_podman() {
    let Some(engine) = Started::rootless_podman() else { return };
    without_root(&engine).await;
}

#[tokio::test]
async fn a_whole_session_on_rootless_docker() {
    let Some(engine) = Started::rootless_docker() else { return };
    without_root(&engine).await;
}

async fn without_root(engine: &Started) {
    let runtime = engine.runtime(&engine.socket());
    // Without root only cgroups of version 2 can limit memory. Where they do not, the engine is not used.
    let policy = match Bench::open(&runtime, &Manifest::default(), &Policy::default()).await {
        Ok(bench) => {
            bench.session.close().await.unwrap();
            Policy::default()
        }
        Err(SandboxError::EngineUnusable { reason, .. }) => {
            assert!(reason.contains("does not limit the memory"), "{reason}");
            Policy { memory_mib: NO_LIMIT_MIB, ..Policy::default() }
        }
        Err(other) => panic!("{other}"),
    };
    whole_session(&runtime, &policy, Staging::Mounted).await;
    assert!(engine.is_empty_within(Duration::from_secs(10)), "{:?}", engine.holds());
}

#[tokio::test]
async fn a_whole_session_on_a_remote_engine_with_certificates() {
    let port = free_port();
    let Some(engine) = Started::docker(port) else { return };
    let address = format!("tcp://127.0.0.1:{port}");
    let own = engine.folder.path().join("tls");
    let runtime = engine.secure_runtime(&address, Some(own));
    whole_session(&runtime, &Policy::default(), Staging::Uploaded).await;
    assert!(engine.is_empty_within(Duration::from_secs(5)), "{:?}", engine.holds());

    let engines = runtime.engines().await;
    let first = chosen(&engines);
    assert_eq!((first.origin.as_str(), first.address.as_str()), ("the setting", address.as_str()));
    let facts = first.facts.as_ref().unwrap();
    assert!(facts.cpus > 0 && facts.memory_mib > 0 && !facts.architecture.is_empty(), "{facts:?}");

    let plain = obstacle(&engine.runtime(&address)).await;
    assert!(plain.contains("HTTPS"), "{plain}");
    let stranger = engine.folder.path().join("stranger");
    certificates(&stranger, "another authority");
    let reason = obstacle(&engine.secure_runtime(&address, Some(stranger))).await;
    assert!(reason.contains("could not be made secure"), "{reason}");
    let nowhere = obstacle(&engine.secure_runtime(&address, Some("/nowhere".into()))).await;
    assert!(nowhere.contains("/nowhere/ca.pem"), "{nowhere}");

    lose_the_connection(engine.secure_runtime(&address, Some(engine.folder.path().join("tls"))));
    assert!(engine.is_empty_within(Duration::from_secs(20)), "{:?}", engine.holds());
}

#[tokio::test]
async fn a_whole_session_on_an_engine_behind_ssh() {
    if image().is_empty() {
        return skip("no image with Python is there");
    }
    let Some(login) = LogIn::start() else { return };
    let on = |path: &str| {
        let address = Some(format!("ssh://{}{path}", login.host));
        DockerRuntime::new(DockerSettings { address, image: Some(image()), ..DockerSettings::default() })
    };
    whole_session(&on(""), &Policy::default(), Staging::Uploaded).await;
    whole_session(&on("/var/run/docker.sock"), &Policy::default(), Staging::Uploaded).await;

    let reason = obstacle(&on("/tmp/no-such-engine.sock")).await;
    assert!(reason.contains("no-such-engine.sock"), "{reason}");
    login.use_key("other", "known_hosts");
    let reason = obstacle(&on("")).await;
    assert!(reason.contains("Permission denied"), "{reason}");
    login.use_key("key", "known_by_nobody");
    let reason = obstacle(&on("")).await;
    assert!(reason.contains("Host key verification failed"), "{reason}");
}

#[tokio::test]
async fn field_053_a_socket_that_another_user_may_not_use_is_told_as_such() {
    if !is_root() || !has("runuser") {
        return skip("trying a socket as another user needs root and runuser");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let socket = folder.path().join("engine.sock");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600)).unwrap();
    let program = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let output = Command::new("runuser")
        .args(["-u", "nobody", "--"])
        .arg(&program)
        .args(["--exact", "asked_by_nobody", "--ignored", "--nocapture"])
        .env(FORBIDDEN, &socket)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
}

/// The socket that [`asked_by_nobody`] tries.
const FORBIDDEN: &str = "ASSAY_TEST_FORBIDDEN_SOCKET";

#[tokio::test]
#[ignore = "run by the test above as a user who may not"]
async fn asked_by_nobody() {
    let socket = std::env::var(FORBIDDEN).unwrap();
    assert!(Path::new(&socket).exists());
    let address = Some(format!("unix://{socket}"));
    let runtime = DockerRuntime::new(DockerSettings { address, ..DockerSettings::default() });
    let error = runtime.readiness().await.unwrap_err();
    assert!(matches!(error, SandboxError::EngineForbidden { .. }), "{error}");
    let engines = runtime.engines().await;
    assert_eq!(
        (engines[0].state, engines[0].reason.as_str()),
        (EngineState::Forbidden, "this user may not use it")
    );
}
