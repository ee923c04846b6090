//! Opening, staging, the policy from inside, files out, and the ends of a sandbox.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use assay_sandbox::{
    DockerRuntime, DockerSettings, Entry, Manifest, Policy, Runtime, SandboxError, Source, Staging,
    StepStatus,
};
use assay_tests::{Bench, docker};
use bollard::Docker;
use bollard::models::{ContainerCreateBody, ContainerSummary};
use bollard::query_parameters::{
    CreateContainerOptions, ListContainersOptionsBuilder, RemoveContainerOptionsBuilder,
    StartContainerOptions,
};

fn entry(destination: &str, source: Source) -> Entry {
    Entry { destination: destination.into(), source }
}

async fn containers(docker: &Docker, label: &str) -> Vec<ContainerSummary> {
    let filters = HashMap::from([("label", vec![label])]);
    let options = ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
    docker.list_containers(Some(options)).await.unwrap()
}

async fn gone_within(docker: &Docker, label: &str, limit: Duration) -> bool {
    let started = std::time::Instant::now();
    while started.elapsed() < limit {
        if containers(docker, label).await.is_empty() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn inputs_are_mounted_without_a_copy_and_cannot_be_changed() {
    let Some(runtime) = docker().await else { return };
    let folder = tempfile::tempdir().unwrap();
    readable(folder.path());
    let file = folder.path().join("söurce #1 %.csv");
    std::fs::write(&file, "a,b\n1,2\n").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/x.txt"), "x").unwrap();
    let manifest = Manifest::new(vec![
        entry("Отчёт за 2025.csv", Source::File(file.clone())),
        entry("more", Source::Folder(folder.path().join("sub"))),
    ])
    .unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    assert_eq!(bench.session.facts().staging, Staging::Mounted);
    let read = bench
        .python("print(open('input/Отчёт за 2025.csv').read(), open('input/more/x.txt').read())")
        .await
        .unwrap();
    assert_eq!(read.stdout.head, "a,b\n1,2\n x\n");
    for code in [
        "open('input/Отчёт за 2025.csv', 'a')",
        "open('input/new.csv', 'w')",
        "import os; os.remove('input/more/x.txt')",
        "import os; os.chmod('input/more/x.txt', 0o777)",
    ] {
        assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a,b\n1,2\n");
    bench.session.close().await.unwrap();
}

#[cfg(unix)]
fn readable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn field_059_061_a_file_that_cannot_be_seen_through_a_mount_is_streamed_in() {
    use std::os::unix::fs::PermissionsExt;
    let Some(runtime) = docker().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("private.csv");
    std::fs::write(&file, "a\n1\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let manifest = Manifest::new(vec![
        entry("private.csv", Source::File(file)),
        entry("notes/made.json", Source::Inline(b"{}".to_vec())),
    ])
    .unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    assert_eq!(bench.session.facts().staging, Staging::Uploaded);
    let read =
        bench.python("print(open('input/private.csv').read(), open('input/notes/made.json').read())").await;
    assert_eq!(read.unwrap().stdout.head, "a\n1\n {}\n");
    for code in [
        "open('input/private.csv', 'a')",
        "open('input/new', 'w')",
        "import os; os.remove('input/private.csv')",
    ] {
        assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
    }
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_large_upload_arrives_whole() {
    let Some(_) = docker().await else { return };
    let runtime = DockerRuntime::new(DockerSettings { upload_inputs: true, ..DockerSettings::default() });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.bin");
    let content: Vec<u8> = (0..30_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(&file, &content).unwrap();
    let mut entries = vec![entry("large.bin", Source::File(file))];
    for i in 0..300 {
        entries.push(entry(&format!("small/{i}.txt"), Source::Inline(format!("{i}").into_bytes())));
    }
    let manifest = Manifest::new(entries).unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    let count = bench
        .python("import os\nprint(len(os.listdir('input/small')), os.path.getsize('input/large.bin'))")
        .await;
    assert_eq!(count.unwrap().stdout.head, "300 30000000\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_closed_or_dropped_session_leaves_no_container() {
    let Some(runtime) = docker().await else { return };
    let engine = Docker::connect_with_defaults().unwrap();
    let manifest = Manifest::default();
    let policy = Policy::default();
    let open = async |run: &'static str| {
        let request = assay_sandbox::OpenRequest { run, manifest: &manifest, policy: &policy };
        runtime.open(request, &tokio_util::sync::CancellationToken::new()).await.unwrap()
    };
    let session = open("closed").await;
    assert_eq!(containers(&engine, "assay.run=closed").await.len(), 1);
    session.close().await.unwrap();
    assert!(gone_within(&engine, "assay.run=closed", Duration::from_secs(2)).await);

    drop(open("dropped").await);
    assert!(gone_within(&engine, "assay.run=dropped", Duration::from_secs(5)).await);

    let mut removed = open("removed").await;
    let id = containers(&engine, "assay.run=removed").await[0].id.clone().unwrap();
    let force = RemoveContainerOptionsBuilder::default().force(true).build();
    engine.remove_container(&id, Some(force)).await.unwrap();
    let step = assay_sandbox::Step {
        number: 1,
        action: assay_sandbox::Action::Python { code: "1".into() },
        limit_s: 5.0,
    };
    let error =
        removed.run(&step, &mut |_| {}, &tokio_util::sync::CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, SandboxError::Vanished(_)), "{error}");
    removed.close().await.unwrap();
}

#[tokio::test]
async fn field_062_063_a_start_sweeps_what_dead_owners_left_and_nothing_else() {
    let Some(runtime) = docker().await else { return };
    let engine = Docker::connect_with_defaults().unwrap();
    let image = runtime.readiness().await.unwrap().image;
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let make = async |owner: String, run: &str| {
        let labels = HashMap::from([
            ("app".to_owned(), "assay".to_owned()),
            ("assay.owner".to_owned(), owner),
            ("assay.run".to_owned(), run.to_owned()),
        ]);
        let body = ContainerCreateBody {
            image: Some(image.clone()),
            entrypoint: Some(vec!["sleep".into(), "60".into()]),
            labels: Some(labels),
            network_disabled: Some(true),
            ..ContainerCreateBody::default()
        };
        let id = engine.create_container(None::<CreateContainerOptions>, body).await.unwrap().id;
        engine.start_container(&id, None::<StartContainerOptions>).await.unwrap();
        id
    };
    // Others may test on the same engine.
    let [dead_run, other_run] =
        ["dead", "elsewhere"].map(|what| format!("sweep-{what}-{}", std::process::id()));
    make(format!("{}/999999/5", host.trim()), &dead_run).await;
    let living = make("another-computer/1/5".into(), &other_run).await;
    let own = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap();
    runtime.sweep().await.unwrap();
    let left_dead = containers(&engine, &format!("assay.run={dead_run}")).await.len();
    let left_elsewhere = containers(&engine, &format!("assay.run={other_run}")).await.len();
    let force = RemoveContainerOptionsBuilder::default().force(true).build();
    engine.remove_container(&living, Some(force)).await.unwrap();
    assert_eq!((left_dead, left_elsewhere), (0, 1));
    let mut own = own;
    assert_eq!(own.python("print('alive')").await.unwrap().stdout.head, "alive\n");
    own.session.close().await.unwrap();
}

#[tokio::test]
async fn an_image_that_is_missing_or_has_no_python_is_told_plainly() {
    let Some(_) = docker().await else { return };
    let runtime = DockerRuntime::new(DockerSettings {
        image: Some("assay-no-such-image:0".into()),
        ..DockerSettings::default()
    });
    assert!(matches!(runtime.readiness().await, Err(SandboxError::ImageMissing(_))));
    let opened = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await;
    assert!(matches!(opened.err(), Some(SandboxError::ImageMissing(_))));
}
