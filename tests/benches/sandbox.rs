//! The sandbox against the plain engine API, as ratios within one run. `cargo bench -p assay-tests`.
//!
//! The machine may be busy: each number is a median, and each pair is measured in turns.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use assay_sandbox::{
    Action, DockerRuntime, DockerSettings, Entry, Manifest, OpenRequest, Policy, Runtime, Session, Source,
    Step,
};
use bollard::Docker;
use bollard::models::{ContainerCreateBody, HostConfig, Mount, MountType};
use bollard::query_parameters::{
    CreateContainerOptions, ListContainersOptionsBuilder, RemoveContainerOptionsBuilder,
    StartContainerOptions, UploadToContainerOptionsBuilder,
};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 9;
const STEPS: usize = 200;
const FILES: usize = 1000;

#[tokio::main]
async fn main() {
    let runtime = DockerRuntime::new(DockerSettings::default());
    let readiness = match runtime.readiness().await {
        Ok(readiness) => readiness,
        Err(error) => {
            eprintln!("The sandbox is not ready ({error}); run `make image` first.");
            std::process::exit(1);
        }
    };
    let bench = Bench {
        runtime,
        uploading: DockerRuntime::new(DockerSettings { upload_inputs: true, ..DockerSettings::default() }),
        docker: Docker::connect_with_defaults().expect("the engine answered just now"),
        image: readiness.image,
    };
    println!("{} with {}", readiness.engine, bench.image);
    bench.open_and_close().await;
    bench.trivial_steps().await;
    bench.small_files().await;
}

struct Bench {
    runtime: DockerRuntime,
    uploading: DockerRuntime,
    docker: Docker,
    image: String,
}

impl Bench {
    async fn open_and_close(&self) {
        let (mut ready, mut plain) = (vec![], vec![]);
        let (mut closed, mut removed, mut forced) = (vec![], vec![], vec![]);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let session = self.open(&self.runtime, &Manifest::default()).await;
            ready.push(begun.elapsed());
            let begun = Instant::now();
            session.close().await.expect("the session closes");
            closed.push(begun.elapsed());

            let begun = Instant::now();
            let id = self.create_plain(false).await;
            self.docker.start_container(&id, None::<StartContainerOptions>).await.expect("it starts");
            plain.push(begun.elapsed());
            let begun = Instant::now();
            self.remove(&id).await;
            removed.push(begun.elapsed());

            let session = self.open(&self.runtime, &Manifest::default()).await;
            let id = self.find().await;
            let begun = Instant::now();
            self.remove(&id).await;
            forced.push(begun.elapsed());
            drop(session);
        }
        compare("session ready", ready, "plain create + start", plain);
        compare("session deleted", closed.clone(), "forced remove of a plain container", removed);
        compare("session deleted", closed, "forced remove of the session's own container", forced);
    }

    async fn trivial_steps(&self) {
        let mut session = self.open(&self.runtime, &Manifest::default()).await;
        let stop = CancellationToken::new();
        let mut times = Vec::new();
        for number in 0..=STEPS {
            let number = u32::try_from(number).expect("few") + 1;
            let step = Step { number, action: Action::Python { code: "1 + 1".into() }, limit_s: 30.0 };
            let begun = Instant::now();
            session.run(&step, &mut |_| {}, &stop).await.expect("a step");
            times.push(begun.elapsed());
        }
        // The first step waits for the imports that warm the kernel.
        let times = times.split_off(1);
        println!("trivial step: {:.2} ms median of {STEPS}", median(times).as_secs_f64() * 1000.0);
        session.close().await.expect("the session closes");
    }

    async fn small_files(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let entries = (0..FILES)
            .map(|i| {
                let path = folder.path().join(format!("{i}.csv"));
                std::fs::write(&path, format!("a,b\n{i},{i}\n").repeat(20)).expect("a file");
                Entry { destination: format!("data/{i}.csv"), source: Source::File(path) }
            })
            .collect();
        let manifest = Manifest::new(entries).expect("a good manifest");
        let archive = pack(&manifest);
        let (mut ours, mut plain) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let session = self.open(&self.uploading, &manifest).await;
            ours.push(begun.elapsed());
            session.close().await.expect("the session closes");

            let begun = Instant::now();
            let id = self.create_plain(true).await;
            let options = UploadToContainerOptionsBuilder::default().path("/workspace/input").build();
            let body = bollard::body_full(archive.clone().into());
            self.docker.upload_to_container(&id, Some(options), body).await.expect("it uploads");
            self.docker.start_container(&id, None::<StartContainerOptions>).await.expect("it starts");
            plain.push(begun.elapsed());
            self.remove(&id).await;
        }
        compare(
            &format!("session with {FILES} small files, verified"),
            ours,
            "plain create + one tar upload + start",
            plain,
        );
    }

    async fn open(&self, runtime: &DockerRuntime, manifest: &Manifest) -> Box<dyn Session> {
        let policy = Policy::default();
        let request = OpenRequest { run: "bench", manifest, policy: &policy };
        runtime.open(request, &CancellationToken::new()).await.expect("a session")
    }

    /// The same image with nothing asked of it but to wait.
    async fn create_plain(&self, with_volume: bool) -> String {
        let volume = Mount {
            typ: Some(MountType::VOLUME),
            target: Some("/workspace/input".into()),
            ..Mount::default()
        };
        let body = ContainerCreateBody {
            image: Some(self.image.clone()),
            entrypoint: Some(vec!["sleep".into(), "600".into()]),
            labels: Some(HashMap::from([
                ("app".into(), "assay".into()),
                ("assay.run".into(), "bench".into()),
            ])),
            host_config: Some(HostConfig {
                network_mode: Some("none".into()),
                mounts: with_volume.then(|| vec![volume]),
                ..HostConfig::default()
            }),
            ..ContainerCreateBody::default()
        };
        self.docker.create_container(None::<CreateContainerOptions>, body).await.expect("a container").id
    }

    /// The container of the open session.
    async fn find(&self) -> String {
        let filters = [("label", vec!["assay.run=bench"])].into();
        let options = ListContainersOptionsBuilder::default().filters(&filters).build();
        let found = self.docker.list_containers(Some(options)).await.expect("a list");
        found.into_iter().find_map(|container| container.id).expect("the session's container")
    }

    async fn remove(&self, id: &str) {
        let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        self.docker.remove_container(id, Some(options)).await.expect("it is removed");
    }
}

fn pack(manifest: &Manifest) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for file in manifest.files() {
        let path = file.source.as_ref().expect("a file on disk");
        archive.append_path_with_name(path, &file.destination).expect("it packs");
    }
    archive.into_inner().expect("it ends")
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn compare(name: &str, ours: Vec<Duration>, other: &str, theirs: Vec<Duration>) {
    let (ours, theirs) = (median(ours).as_secs_f64(), median(theirs).as_secs_f64());
    println!(
        "{name}: {:.0} ms; {other}: {:.0} ms; ratio {:.2}",
        ours * 1000.0,
        theirs * 1000.0,
        ours / theirs
    );
}
