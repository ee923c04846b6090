//! Code that does its worst, in every runtime whose walls are its own: the host is as before, the session lives on, and the person reads
//! what happened.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod attack;
mod bombs;
mod files;
mod frames;
mod host;
mod network;
mod outputs;
mod privileges;
mod python;

use std::path::Path;

use assay_sandbox::{Action, Entry, Limit, Manifest, Policy, SandboxError, Source, StepOutcome, StepStatus};
use assay_tests::{Bench, sealing_runtimes};
use attack::Attack;
use host::Canary;
use tokio_util::sync::CancellationToken;

/// No attack leaves anything running that goes on longer.
const LINGERS: std::time::Duration = std::time::Duration::from_secs(10);

/// Between two attempts.
const CLEAR: &str = "chmod -R u+rwx output work; rm -rf output/* output/.[!.]* output/...* work/*";

/// Small, so that nothing takes long to fill.
fn policy() -> Policy {
    Policy {
        memory_mib: 512,
        processes: 64,
        open_files: 512,
        output_mib: 128,
        work_mib: 192,
        temporary_mib: 32,
        files: 2000,
        ..Policy::default()
    }
}

fn manifest() -> Manifest {
    let table = Source::Inline(b"a,b\n1,2\n".to_vec());
    Manifest::new(vec![Entry { destination: "table.csv".into(), source: table }]).unwrap()
}

/// Tries one after the other in one session of each runtime, and tells of all that did not end as it must.
async fn withstand(attacks: &[Attack]) {
    let mut failures = Vec::new();
    for runtime in sealing_runtimes().await {
        let mut canary = Canary::new();
        let mut bench = Bench::open(runtime.as_ref(), &manifest(), &policy()).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        for attack in attacks {
            let name = format!("{}: {}", runtime.name(), attack.name);
            if let Some(limit) = attack.against.iter().find(|limit| runtime.unenforced().contains(limit)) {
                eprintln!("NOT TRIED: {name}: this runtime says that it does not enforce {limit:?}");
                continue;
            }
            let begun = std::time::Instant::now();
            match attempt(&mut bench, attack, &canary).await {
                Ok(outcome) if attack.end.is(&outcome) => {
                    take_out(&mut bench, &outcome, folder.path()).await;
                }
                Ok(outcome) => failures.push(format!("{name}: {outcome:?}")),
                Err(error) => {
                    failures.push(format!("{name}: the session was lost: {error}"));
                    bench = Bench::open(runtime.as_ref(), &manifest(), &policy()).await.unwrap();
                }
            }
            failures.extend(canary.harm().map(|harm| format!("{name}: {harm}")));
            let mut cleared = bench.shell(CLEAR).await;
            // What an attack has left running may put back for a while what is taken away.
            while !is_clear(&cleared) && cleared.is_ok() && begun.elapsed() < LINGERS {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                cleared = bench.shell(CLEAR).await;
            }
            if !is_clear(&cleared) {
                failures.push(format!("{name}: the folders are not cleared: {cleared:?}"));
            }
            match bench.python("print(6 * 7)").await {
                Ok(next) if next.stdout.head.lines().any(|line| line == "42") => {}
                next => failures.push(format!("{name}: the next step: {next:?}")),
            }
            let took = begun.elapsed();
            eprintln!("{:>6} ms  {name}", took.as_millis());
        }
        bench.session.close().await.unwrap();
        failures.extend(canary.harm());
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn is_clear(cleared: &Result<StepOutcome, SandboxError>) -> bool {
    cleared.as_ref().is_ok_and(|cleared| cleared.status == StepStatus::Ok)
}

async fn attempt(bench: &mut Bench, attack: &Attack, canary: &Canary) -> Result<StepOutcome, SandboxError> {
    let code = [include_str!("prelude.py"), &canary.aim(attack.code)].concat();
    let code = code.replace("STEP", &(bench.step + 1).to_string());
    bench.act(Action::Python { code }, attack.limit_s, &CancellationToken::new()).await
}

/// Takes out all that the step has left, as the app does: what comes is an ordinary file in the folder, of at most
/// the size that was asked for, and what does not come is refused and breaks nothing.
async fn take_out(bench: &mut Bench, outcome: &StepOutcome, folder: &Path) {
    const MOST: u64 = 1 << 20;
    let paths = outcome.changed.iter().map(|file| file.path.as_str());
    for path in paths.chain(outcome.refused.iter().map(|file| file.path.as_str())).take(40) {
        let to = folder.join("taken");
        match bench.session.fetch(path, &to, MOST).await {
            Ok(size) => {
                let about = std::fs::symlink_metadata(&to).unwrap();
                assert!(about.is_file() && about.len() == size && size <= MOST, "{path}");
                assert!(outcome.changed.iter().any(|file| file.path == path), "{path} was refused before");
            }
            Err(SandboxError::File { .. } | SandboxError::Manifest(_)) => {}
            Err(error) => panic!("{path}: {error}"),
        }
        let _ = std::fs::remove_file(&to);
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "{path}");
    }
}

#[tokio::test]
async fn files_of_others_are_out_of_reach() {
    withstand(files::ATTACKS).await;
}

#[tokio::test]
async fn no_network_is_reached() {
    withstand(network::ATTACKS).await;
}

#[tokio::test]
async fn nobody_becomes_more_than_an_ordinary_user() {
    withstand(privileges::ATTACKS).await;
}

#[tokio::test]
async fn field_071_073_bombs_stay_inside() {
    withstand(bombs::ATTACKS).await;
}

#[tokio::test]
async fn what_is_left_in_output_harms_nobody() {
    withstand(outputs::ATTACKS).await;
}

#[tokio::test]
async fn code_cannot_forge_or_break_a_frame() {
    withstand(frames::ATTACKS).await;
}

#[tokio::test]
async fn tricks_on_python_end_with_the_step() {
    withstand(python::ATTACKS).await;
}

#[tokio::test]
async fn folders_that_are_full_leave_room_to_empty_them() {
    const FOLDERS: &str = "output work /tmp /dev/shm";
    for runtime in sealing_runtimes().await {
        let limits = [Limit::Memory, Limit::Output, Limit::Work, Limit::Temporary];
        if let Some(limit) = limits.into_iter().find(|limit| runtime.unenforced().contains(limit)) {
            eprintln!("NOT TRIED: {}: this runtime says that it does not enforce {limit:?}", runtime.name());
            continue;
        }
        let mut bench = Bench::open(runtime.as_ref(), &manifest(), &policy()).await.unwrap();
        let fill =
            format!("for place in {FOLDERS}; do for n in 1 2 3; do cat /dev/zero >> $place/big; done; done");
        let filled = bench.shell(&fill).await.unwrap();
        assert!(filled.stderr.head.contains("No space left on device"), "{}: {filled:?}", runtime.name());
        let emptied =
            bench.shell(&format!("for place in {FOLDERS}; do rm $place/big; done; echo empty")).await;
        assert_eq!(emptied.unwrap().stdout.head, "empty\n", "{}", runtime.name());
        assert_eq!(bench.python("print(6 * 7)").await.unwrap().stdout.head, "42\n");
        bench.session.close().await.unwrap();
    }
}

#[tokio::test]
async fn one_run_sees_nothing_of_another() {
    for runtime in sealing_runtimes().await {
        let mut first = Bench::open(runtime.as_ref(), &manifest(), &policy()).await.unwrap();
        let mut second = Bench::open(runtime.as_ref(), &manifest(), &policy()).await.unwrap();
        let hide = "import socket, subprocess\nfor folder in ('work', 'output', '/tmp', '/dev/shm'): open(folder + '/hidden-4711', 'w').write('x')\nserver = socket.socket(socket.AF_UNIX); server.bind('\\0hidden-4711'); server.listen()\ntcp = socket.create_server(('127.0.0.1', 4711))\nchild = subprocess.Popen(['sleep', '4711'])\nprint('hidden')";
        assert_eq!(first.python(hide).await.unwrap().stdout.head, "hidden\n");
        let seek = r"
import os, socket
found = []
for folder, folders, files in os.walk('/'):
    if folder in ('/proc', '/sys', '/usr', '/opt'): folders[:] = []
    found += [name for name in files if 'hidden-4711' in name]
for pid in filter(str.isdigit, os.listdir('/proc')):
    try: found += [pid] * (b'4711' in open(f'/proc/{pid}/cmdline', 'rb').read())
    except OSError: pass
for family, address in ((socket.AF_UNIX, '\0hidden-4711'), (socket.AF_INET, ('127.0.0.1', 4711))):
    try:
        socket.socket(family).connect(address)
        found.append(address)
    except OSError: pass
print(found)";
        assert_eq!(second.python(seek).await.unwrap().stdout.head, "[]\n", "{}", runtime.name());
        first.session.close().await.unwrap();
        second.session.close().await.unwrap();
    }
}
