//! The sandbox against the plain engine API, as ratios within one run. `cargo bench -p assay-tests`.
//!
//! The machine may be busy: each number is a median, and each pair is measured in turns. Where the Python agents SDK
//! is installed (`pip install 'openai-agents[docker]'`) and `ASSAY_BENCH_PYTHON` names that Python, its session is
//! measured in the same run.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod plain;
mod whole_run;

use std::path::Path;
use std::time::{Duration, Instant};

use assay_sandbox::{
    Action, DockerRuntime, DockerSettings, Entry, Manifest, OpenRequest, Policy, Runtime, SandboxError,
    Session, Source, Step, StepStatus, Wanted,
};
use plain::{Plain, RUN, pack};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 9;
const STEPS: usize = 200;
const FILES: usize = 1000;
const LARGE_BYTES: usize = 100 << 20;
/// The large file is moved this often.
const LARGE_ROUNDS: usize = 5;

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
    let docker = bollard::Docker::connect_with_defaults().expect("the engine answered just now");
    let bench = Bench {
        runtime,
        uploading: DockerRuntime::new(DockerSettings { upload_inputs: true, ..DockerSettings::default() }),
        plain: Plain { docker, image: readiness.image.clone() },
    };
    println!("{} with {}", readiness.engine, readiness.image);
    bench.open_and_close().await;
    bench.trivial_steps().await;
    bench.small_files().await;
    bench.large_file().await;
    whole_run::ahead().await;
    whole_run::ten_turns().await;
    agents_sdk(&readiness.image);
}

struct Bench {
    runtime: DockerRuntime,
    uploading: DockerRuntime,
    plain: Plain,
}

impl Bench {
    async fn open_and_close(&self) {
        let (mut ready, mut plain) = (vec![], vec![]);
        let (mut closed, mut removed, mut forced) = (vec![], vec![], vec![]);
        for _ in 0..ROUNDS {
            let (session, time) = timed(self.open(&self.runtime, &Manifest::default())).await;
            ready.push(time);
            closed.push(timed(session.close()).await.1);

            let (id, time) = timed(async {
                let id = self.plain.create(false).await;
                self.plain.start(&id).await;
                id
            })
            .await;
            plain.push(time);
            removed.push(timed(self.plain.remove(&id)).await.1);

            let session = self.open(&self.runtime, &Manifest::default()).await;
            let id = self.plain.session().await;
            forced.push(timed(self.plain.remove(&id)).await.1);
            drop(session);
        }
        compare("session ready", ready, "plain create + start", plain, None);
        compare("session deleted", closed.clone(), "forced remove of a plain container", removed, Some(1.1));
        compare("session deleted", closed, "forced remove of the session's own container", forced, Some(1.1));
    }

    async fn trivial_steps(&self) {
        let mut session = self.open(&self.runtime, &Manifest::default()).await;
        let mut times = Vec::new();
        for number in 0..=STEPS {
            times.push(timed(python(&mut *session, number, "1 + 1")).await.1);
        }
        // The first step waits for the imports that warm the kernel.
        let times = times.split_off(1);
        println!("trivial step: {:.2} ms median of {STEPS}; aim 2 ms", median(times).as_secs_f64() * 1000.0);
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
        let (mut out, mut plain_out) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            let (mut session, time) = timed(self.open(&self.uploading, &manifest)).await;
            ours.push(time);
            let copy = "import shutil; shutil.copytree('input/data', 'output/data')";
            python(&mut *session, 0, copy).await;
            let ((), time) = timed(async {
                // As after a step: each to a file beside its place, then to its place.
                let partial = folder.path().join("partial");
                let wanted: Vec<Wanted> = (0..FILES)
                    .map(|i| Wanted { path: format!("output/data/{i}.csv"), to: partial.clone() })
                    .collect();
                let mut keep = |at: usize, size: Result<u64, SandboxError>| {
                    size.expect("a file");
                    std::fs::rename(&partial, folder.path().join(format!("{at}.out"))).expect("its place");
                };
                session.fetch_all(&wanted, 512 << 20, &mut keep).await.expect("the files");
            })
            .await;
            out.push(time);
            session.close().await.expect("the session closes");

            let (id, time) = timed(async {
                let id = self.plain.create(true).await;
                self.plain.upload(&id, archive.clone()).await;
                self.plain.start(&id).await;
                id
            })
            .await;
            plain.push(time);
            let place = folder.path().join("plain");
            plain_out.push(timed(self.plain.download(&id, "/workspace/input/data", &place)).await.1);
            self.plain.remove(&id).await;
        }
        let name = format!("session with {FILES} small files in, verified");
        compare(&name, ours, "plain create + one tar upload + start", plain, Some(1.5));
        compare(&format!("{FILES} small files out"), out, "one tar download, unpacked", plain_out, Some(1.5));
    }

    async fn large_file(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.bin");
        let noise: Vec<u8> =
            (0..LARGE_BYTES).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
        std::fs::write(&path, noise).expect("a file");
        let entry = Entry { destination: "large.bin".into(), source: Source::File(path) };
        let manifest = Manifest::new(vec![entry]).expect("a good manifest");
        let before = peak_mib();
        let (mut mounted, mut ours, mut out) = (vec![], vec![], vec![]);
        let to = folder.path().join("large.out");
        for _ in 0..LARGE_ROUNDS {
            let (session, time) = timed(self.open(&self.runtime, &manifest)).await;
            mounted.push(time);
            session.close().await.expect("the session closes");
            let (mut session, time) = timed(self.open(&self.uploading, &manifest)).await;
            ours.push(time);
            python(&mut *session, 0, "import shutil; shutil.copy('input/large.bin', 'output/large.bin')")
                .await;
            let fetched = timed(session.fetch("output/large.bin", &to, u64::MAX)).await;
            assert_eq!(fetched.0.expect("the file"), LARGE_BYTES as u64);
            out.push(fetched.1);
            session.close().await.expect("the session closes");
        }
        let grown = peak_mib().saturating_sub(before);
        // The peer holds the archive in memory, so its turns come after ours were weighed.
        let archive = pack(&manifest);
        let (mut plain, mut plain_out) = (vec![], vec![]);
        for _ in 0..LARGE_ROUNDS {
            let (id, time) = timed(async {
                let id = self.plain.create(true).await;
                self.plain.upload(&id, archive.clone()).await;
                self.plain.start(&id).await;
                id
            })
            .await;
            plain.push(time);
            let place = folder.path().join("plain");
            plain_out.push(timed(self.plain.download(&id, "/workspace/input/large.bin", &place)).await.1);
            self.plain.remove(&id).await;
        }
        let peer = "plain create + one tar upload + start";
        compare("session with 100 MB mounted", mounted, peer, plain.clone(), Some(1.3));
        compare("session with 100 MB streamed in", ours, peer, plain, Some(1.3));
        compare("100 MB out", out, "one tar download, unpacked", plain_out, Some(1.3));
        println!("memory for 100 MB in and out: {grown} MiB more than before");
    }

    async fn open(&self, runtime: &DockerRuntime, manifest: &Manifest) -> Box<dyn Session> {
        let policy = Policy::default();
        let request = OpenRequest { run: RUN, manifest, policy: &policy };
        runtime.open(request, &CancellationToken::new()).await.expect("a session")
    }
}

async fn python(session: &mut dyn Session, number: usize, code: &str) {
    let number = u32::try_from(number).expect("few") + 1;
    let step = Step { number, action: Action::Python { code: code.into() }, limit_s: 60.0 };
    let outcome = session.run(&step, &mut |_| {}, &CancellationToken::new()).await.expect("a step");
    assert_eq!(outcome.status, StepStatus::Ok, "{outcome:?}");
}

/// Measures another product's session on the same engine, where it is installed.
fn agents_sdk(image: &str) {
    let Some(python) = std::env::var_os("ASSAY_BENCH_PYTHON") else {
        println!("the Python agents SDK is not measured: ASSAY_BENCH_PYTHON names no Python that has it");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/sandbox/agents_sdk.py");
    let status = std::process::Command::new(python).arg(script).arg(image).status().expect("a Python");
    assert!(status.success(), "the Python agents SDK could not be measured");
}

pub(crate) async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let begun = Instant::now();
    let done = work.await;
    (done, begun.elapsed())
}

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn compare(name: &str, ours: Vec<Duration>, other: &str, theirs: Vec<Duration>, aim: Option<f64>) {
    let (ours, theirs) = (median(ours).as_secs_f64(), median(theirs).as_secs_f64());
    let aim = aim.map(|aim| format!("; aim {aim}")).unwrap_or_default();
    println!(
        "{name}: {:.0} ms; {other}: {:.0} ms; ratio {:.2}{aim}",
        ours * 1000.0,
        theirs * 1000.0,
        ours / theirs
    );
}

/// The most memory that this process has held, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() >> 10
}
