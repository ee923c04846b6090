//! The local runtime: what it seals, how it ends, and that it refuses where it cannot seal.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assay_engine::{Code, Desk, RuntimeChoice, Settings};
use assay_sandbox::{
    Action, Entry, LocalRuntime, Manifest, Policy, Runtime, SandboxError, Source, Staging, StepStatus,
};
use assay_tests::{Bench, local, local_home};
use tokio_util::sync::CancellationToken;

fn entry(destination: &str, source: Source) -> Entry {
    Entry { destination: destination.into(), source }
}

async fn bench() -> Option<Bench> {
    bench_with(&Policy::default()).await
}

async fn bench_with(policy: &Policy) -> Option<Bench> {
    let runtime = local().await?;
    Some(Bench::open(&runtime, &Manifest::default(), policy).await.unwrap())
}

/// What the policy looks like from inside.
const FACTS: &str = r#"
import ctypes, json, os, resource, socket
status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
def tries(call):
    try:
        call()
        return "worked"
    except OSError as error:
        return os.strerror(error.errno)
def connects(family, address):
    s = socket.socket(family, socket.SOCK_STREAM)
    s.settimeout(1)
    s.connect(address)
def calls(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)
mib = lambda place: (lambda v: v.f_blocks * v.f_frsize >> 20)(os.statvfs(place))
print(json.dumps({
    "root": os.getuid() == 0 or os.getgid() == 0 or 0 in os.getgroups(),
    "capabilities": [status[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
    "no_new_privileges": status["NoNewPrivs"], "seccomp": status["Seccomp"],
    "interfaces": [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]],
    "outside": tries(lambda: connects(socket.AF_INET, ("93.184.216.34", 80))),
    "metadata": tries(lambda: connects(socket.AF_INET, ("169.254.169.254", 80))),
    "root_file": tries(lambda: open("/x", "w")), "etc_file": tries(lambda: open("/etc/x", "w")),
    "device": tries(lambda: open("/dev/x", "w")), "workspace_file": tries(lambda: open("/workspace/x", "w")),
    "environment_file": tries(lambda: open("/opt/assay/x", "w")), "usr_file": tries(lambda: open("/usr/x", "w")),
    "output_mib": mib("/workspace/output"), "work_mib": mib("/workspace/work"), "tmp_mib": mib("/tmp"),
    "shm_mib": mib("/dev/shm"),
    "open_files": resource.getrlimit(resource.RLIMIT_NOFILE), "core": resource.getrlimit(resource.RLIMIT_CORE),
    "hostname": socket.gethostname(),
    "top": sorted(name for name in os.listdir("/") if not name.startswith("lib") and name not in ("bin", "sbin", "sys")),
    "passwords": os.path.exists("/etc/passwd") or os.path.exists("/etc/shadow"),
    "variables": sorted(name for name in os.environ if "ASSAY_CANARY" in name or "KEY" in name),
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "packet": tries(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    "vsock": tries(lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)),
    "unshare": tries(lambda: calls("unshare", 0x10000000)),
    "mount": tries(lambda: calls("mount", b"none", b"/tmp", b"tmpfs", 0, None)),
    "ptrace": tries(lambda: calls("ptrace", 16, 1, 0, 0)),
    "keyctl": tries(lambda: calls("syscall", 250, 0, 0, 0)),
}))
"#;

async fn check_facts(bench: &mut Bench) {
    let policy = Policy::default();
    let outcome = bench.python(FACTS).await.unwrap();
    let facts: serde_json::Value =
        serde_json::from_str(&outcome.stdout.head).unwrap_or_else(|_| panic!("{outcome:?}"));
    let expected = serde_json::json!({
        "root": false, "capabilities": ["", "", "", "", ""],
        "no_new_privileges": "1", "seccomp": "2", "interfaces": ["lo"],
        "outside": "Network is unreachable", "metadata": "Network is unreachable",
        "root_file": "Read-only file system", "etc_file": "Read-only file system",
        "device": "Read-only file system", "workspace_file": "Read-only file system",
        "environment_file": "Read-only file system", "usr_file": "Read-only file system",
        "output_mib": policy.output_mib, "work_mib": policy.work_mib, "tmp_mib": policy.temporary_mib, "shm_mib": policy.temporary_mib,
        "open_files": [4096, 4096], "core": [0, 0], "hostname": "sandbox",
        "top": ["dev", "etc", "opt", "proc", "tmp", "usr", "workspace"],
        "passwords": false, "variables": [], "processes": 2,
        "packet": "Function not implemented", "vsock": "Function not implemented",
        "unshare": "Function not implemented", "mount": "Function not implemented",
        "ptrace": "Function not implemented", "keyctl": "Function not implemented",
    });
    assert_eq!(facts, expected);
}

#[tokio::test]
async fn the_policy_holds_from_inside() {
    let Some(mut bench) = bench().await else { return };
    check_facts(&mut bench).await;
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn inputs_are_mounted_without_a_copy_and_cannot_be_changed() {
    let Some(runtime) = local().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("söurce #1 %.csv");
    std::fs::write(&file, "a,b\n1,2\n").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/x.txt"), "x").unwrap();
    let manifest = Manifest::new(vec![
        entry("Отчёт за 2025.csv", Source::File(file.clone())),
        entry("more", Source::Folder(folder.path().join("sub"))),
        entry("notes/made.json", Source::Inline(b"{}".to_vec())),
    ])
    .unwrap();
    // Another user inside has to be let in.
    open_to_all(folder.path());
    open_to_all(&folder.path().join("sub"));
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    assert_eq!(bench.session.facts().staging, Staging::Mounted);
    assert_eq!(bench.session.facts().runtime, "local");
    let read = bench
        .python("print(*(open('input/' + name).read() for name in ('Отчёт за 2025.csv', 'more/x.txt', 'notes/made.json')))")
        .await
        .unwrap();
    assert_eq!(read.stdout.head, "a,b\n1,2\n x {}\n", "{read:?}");
    for code in [
        "open('input/Отчёт за 2025.csv', 'a')",
        "open('input/new.csv', 'w')",
        "import os; os.remove('input/more/x.txt')",
        "import os; os.chmod('input/more/x.txt', 0o777)",
        "open('input/notes/made.json', 'a')",
        "import os; os.rename('input/more', 'output/more')",
    ] {
        assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a,b\n1,2\n");
    bench.session.close().await.unwrap();
}

fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_file_that_only_its_owner_may_read_is_read_all_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let Some(runtime) = local().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("private.csv");
    std::fs::write(&file, "a\n1\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let manifest = Manifest::new(vec![
        entry("deep/er/private.csv", Source::File(file)),
        entry("made.json", Source::Inline(b"{}".to_vec())),
    ])
    .unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    let read =
        bench.python("print(open('input/deep/er/private.csv').read(), open('input/made.json').read())").await;
    assert_eq!(read.unwrap().stdout.head, "a\n1\n {}\n");
    for code in
        ["open('input/deep/er/private.csv', 'a')", "import os; os.remove('input/deep/er/private.csv')"]
    {
        assert_eq!(bench.python(code).await.unwrap().status, StepStatus::Error, "{code}");
    }
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn variables_live_on_charts_are_drawn_and_files_come_out() {
    let Some(mut bench) = bench().await else { return };
    bench.python("import pandas as pd\ntable = pd.DataFrame({'a': [1, 2, 3]})").await.unwrap();
    let code = "import matplotlib.pyplot as plt\ntable.plot(title='Ä 売上')\nprint(table.a.sum())";
    let drawn = bench.python(code).await.unwrap();
    assert_eq!(drawn.status, StepStatus::Ok, "{drawn:?}");
    assert!(drawn.stdout.head.starts_with("6\nChart saved: output/charts/step_02_figure_1.png"), "{drawn:?}");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("chart.png");
    bench.session.fetch("output/charts/step_02_figure_1.png", &to, 1 << 20).await.unwrap();
    assert!(std::fs::read(&to).unwrap().starts_with(b"\x89PNG"));
    let chart =
        "import altair as alt\nalt.Chart(table).mark_bar().encode(x='a:O', y='a:Q').save('output/a.vl.json')";
    let interactive = bench.python(chart).await.unwrap();
    let made: Vec<&str> = interactive.changed.iter().map(|file| file.path.as_str()).collect();
    assert!(made.contains(&"output/a.png"), "{interactive:?}");
    let wheels = "import pyarrow, duckdb, sklearn.ensemble, statsmodels.api\nprint(duckdb.sql('select sum(a) from \"table\"').fetchone(), len(pyarrow.table({'a': range(9)})))";
    let used = bench.python(wheels).await.unwrap();
    assert_eq!(used.stdout.head, "(6,) 9\n", "{used:?}");
    let shell = bench.shell("ls output/charts; id -u").await.unwrap();
    assert!(shell.stdout.head.starts_with("step_02_figure_1.png\n"), "{shell:?}");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_step_is_interrupted_at_its_limit_and_by_a_stop() {
    let Some(mut bench) = bench().await else { return };
    bench.python("kept = 7").await.unwrap();
    let endless = Action::Python { code: "while True: pass".into() };
    let late = bench.act(endless.clone(), 1.0, &CancellationToken::new()).await.unwrap();
    assert_eq!(late.status, StepStatus::Timeout);
    let stop = CancellationToken::new();
    let soon = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        soon.cancel();
    });
    let stopped = bench.act(endless, 20.0, &stop).await.unwrap();
    assert_eq!((stopped.status, stopped.restarted), (StepStatus::Interrupted, false));
    assert_eq!(bench.python("print(kept)").await.unwrap().stdout.head, "7\n");
    let deaf = "import signal, os\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nif os.fork() == 0:\n    while True: pass\nwhile True: pass";
    let killed =
        bench.act(Action::Python { code: deaf.into() }, 1.0, &CancellationToken::new()).await.unwrap();
    assert_eq!((killed.status, killed.restarted), (StepStatus::Timeout, true));
    let left = bench.python("import os\nprint(len([n for n in os.listdir('/proc') if n.isdigit()]))").await;
    assert_eq!(left.unwrap().stdout.head, "2\n");
    bench.session.close().await.unwrap();
}

/// Each of these would take all of the computer.
async fn check_bombs(bench: &mut Bench) {
    let fork = "import os, time\nn = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\nexcept OSError as e: print(n < 256, e.strerror)";
    let outcome = bench.python(fork).await.unwrap();
    assert_eq!(outcome.stdout.head, "True Resource temporarily unavailable\n", "{outcome:?}");
    let disk = "try:\n    f = open('output/big', 'wb')\n    while True: f.write(b'x' * (1 << 20))\nexcept OSError as e: print(e.strerror)";
    let outcome = bench.python(disk).await.unwrap();
    assert_eq!(outcome.stdout.head, "No space left on device\n", "{outcome:?}");
    let memory = bench.python("held = []\nwhile True: held.append(bytearray(64 << 20))").await.unwrap();
    let kind = memory.error.as_ref().map(|error| error.kind.as_str());
    assert!(memory.status == StepStatus::OutOfMemory || kind == Some("MemoryError"), "{memory:?}");
    bench.python("held = None").await.unwrap();
    // Each of these processes holds less than it may.
    let together = "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        held = b'x' * (200 << 20)\n        time.sleep(60)\ntime.sleep(15)";
    let memory = bench.python(together).await.unwrap();
    let survivors =
        "import glob\nprint(sum(') Z ' not in open(stat).read() for stat in glob.glob('/proc/[0-9]*/stat')))";
    let left: u32 = bench.python(survivors).await.unwrap().stdout.head.trim().parse().unwrap();
    assert!(memory.status == StepStatus::OutOfMemory || left < 10, "{left} {memory:?}");
    let shared = "import mmap\nm = mmap.mmap(-1, 3 << 30)\nfor at in range(0, 3 << 30, 4096): m[at] = 1";
    let memory = bench.python(shared).await.unwrap();
    assert_eq!(memory.status, StepStatus::OutOfMemory, "{memory:?}");
    let files = "import time\nfor n in range(60_000):\n    open(f'work/{n}', 'w').close()\n    if n % 1000 == 0: time.sleep(0.1)";
    let many = bench.python(files).await.unwrap();
    assert_eq!(
        (many.status, many.message.as_deref()),
        (StepStatus::Crashed, Some("it made more than 5000 files"))
    );
    let cleared =
        bench.python("import os\nfor name in os.listdir('work'): os.remove('work/' + name)").await.unwrap();
    assert_eq!(cleared.status, StepStatus::Ok, "{cleared:?}");
    let shell = bench.shell("i=0; while true; do i=$((i+1)); : > work/$i; done").await.unwrap();
    assert_eq!(
        (shell.status, shell.message.as_deref()),
        (StepStatus::Crashed, Some("it made more than 5000 files"))
    );
    assert_eq!(bench.python("print('alive')").await.unwrap().stdout.head, "alive\n");
}

#[tokio::test]
async fn bombs_stay_inside() {
    let policy = Policy { output_mib: 16, memory_mib: 1024, files: 5000, ..Policy::default() };
    let Some(mut bench) = bench_with(&policy).await else { return };
    check_bombs(&mut bench).await;
    bench.session.close().await.unwrap();
}

/// A home of one test, with the packages of all.
fn own_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    open_to_all(home.path());
    std::os::unix::fs::symlink(local_home().join("environments"), home.path().join("environments")).unwrap();
    home
}

/// Runs a test of this file in a process of its own.
fn part(name: &str, around: &[&str], home: &Path) -> Command {
    let own = std::env::current_exe().unwrap();
    let own = own.to_str().unwrap();
    let mut words = around.iter().copied().chain([own, "--ignored", "--exact", "--nocapture", name]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).env("ASSAY_PART_HOME", home);
    command
}

fn part_home() -> PathBuf {
    std::env::var_os("ASSAY_PART_HOME").expect("this is a part of another test").into()
}

/// The processes that a process has started, and those that they have.
fn descendants(of: u32) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let all: Vec<u32> = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let descends = |mut pid: u32| {
        while let Some(above) = parent(pid) {
            if above == of {
                return true;
            }
            pid = above;
        }
        false
    };
    all.into_iter().filter(|pid| descends(*pid)).collect()
}

/// How many processes sleep for this time.
fn running(mark: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| *command == format!("sleep\0{mark}\0").into_bytes()).count()
}

fn lives(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[tokio::test]
#[ignore = "a part of another test"]
async fn part_that_is_killed() {
    let runtime = LocalRuntime::new(part_home());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    std::fs::write(&file, "a\n").unwrap();
    let manifest = Manifest::new(vec![entry("a.csv", Source::File(file))]).unwrap();
    let mut bench = Bench::open(&runtime, &manifest, &Policy::default()).await.unwrap();
    println!("opened");
    // The supervisor is busy with the files of this step when its host dies.
    bench.shell("setsid sleep 300 & while true; do :; done").await.unwrap();
}

#[tokio::test]
async fn an_owner_that_is_killed_leaves_no_process_and_no_folder() {
    use std::io::BufRead;
    let Some(_) = local().await else { return };
    let home = own_home();
    let mut owner = part("part_that_is_killed", &[], home.path()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = std::io::BufReader::new(owner.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains("opened")));
    std::thread::sleep(Duration::from_millis(500));
    let inside = descendants(owner.id());
    assert!(inside.len() >= 4, "bubblewrap, the supervisor, the kernel, the shell: {inside:?}");
    owner.kill().unwrap();
    owner.wait().unwrap();
    let begun = Instant::now();
    while inside.iter().any(|pid| lives(*pid)) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{inside:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let left: Vec<_> = std::fs::read_dir(home.path().join("sessions")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    LocalRuntime::new(home.path().to_owned()).sweep().await.unwrap();
    let groups = format!(":{}:", owner.id());
    for place in ["", "memory", "pids", "cpu"] {
        let entries =
            std::fs::read_dir(Path::new("/sys/fs/cgroup").join(place)).into_iter().flatten().flatten();
        assert!(entries.into_iter().all(|entry| !entry.file_name().to_string_lossy().contains(&groups)));
    }
}

#[tokio::test]
async fn a_closed_or_dropped_session_leaves_nothing_and_a_sweep_takes_what_dead_owners_left() {
    let Some(_) = local().await else { return };
    let home = own_home();
    let runtime = LocalRuntime::new(home.path().to_owned());
    for (close, mark) in [(true, "86301"), (false, "86302")] {
        let mut bench = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap();
        bench.python(&format!("import subprocess\nsubprocess.Popen(['sleep', '{mark}'])")).await.unwrap();
        // The system shows a program's arguments a moment after it has begun.
        let begun = Instant::now();
        while running(mark) != 1 {
            assert!(begun.elapsed() < Duration::from_secs(10), "it did not begin");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if close {
            bench.session.close().await.unwrap();
        } else {
            drop(bench);
        }
        let begun = Instant::now();
        while running(mark) > 0 {
            assert!(begun.elapsed() < Duration::from_secs(10));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let left = |place: &str| std::fs::read_dir(home.path().join(place)).unwrap().count();
    assert_eq!(left("sessions"), 0);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    for (name, owner) in
        [("dead", format!("{}/999999/5", host.trim())), ("elsewhere", "other/1/5".to_owned())]
    {
        let folder = home.path().join("sessions").join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join(".owner"), owner).unwrap();
    }
    assert!(runtime.sweep().await.unwrap() >= 1);
    assert!(!home.path().join("sessions/dead").exists());
    assert!(home.path().join("sessions/elsewhere").exists());
}

#[tokio::test]
#[ignore = "a part of another test"]
async fn part_of_an_ordinary_user() {
    let runtime = LocalRuntime::new(part_home());
    let policy = Policy::default();
    let mut bench = Bench::open(&runtime, &Manifest::default(), &policy).await.unwrap();
    check_facts(&mut bench).await;
    bench.session.close().await.unwrap();
    let policy = Policy { output_mib: 16, memory_mib: 1024, files: 5000, ..policy };
    let mut bench = Bench::open(&runtime, &Manifest::default(), &policy).await.unwrap();
    check_bombs(&mut bench).await;
    bench.session.close().await.unwrap();
    println!("an ordinary user is sealed too");
}

#[tokio::test]
async fn an_ordinary_user_needs_no_rights() {
    let Some(_) = local().await else { return };
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if !root {
        // Then every other test here is one of an ordinary user.
        return;
    }
    let home = own_home();
    let program = home.path().join("program");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let sessions = home.path().join("sessions");
    std::fs::create_dir(&sessions).unwrap();
    assert!(Command::new("chown").arg("daemon").arg(&sessions).status().unwrap().success());
    let ran = Command::new("runuser")
        .args(["-u", "daemon", "--", program.to_str().unwrap()])
        .args(["--ignored", "--exact", "--nocapture", "part_of_an_ordinary_user"])
        .current_dir("/")
        .env("ASSAY_PART_HOME", home.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(
        told.contains("an ordinary user is sealed too"),
        "{told}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[tokio::test]
#[ignore = "a part of another test"]
async fn part_that_is_refused() {
    let runtime = LocalRuntime::new(part_home());
    let Err(error) = runtime.readiness().await else { panic!("it is ready") };
    let opened = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await;
    println!("readiness: {error:?}; opened: {:?}", opened.err());
}

#[tokio::test]
async fn without_the_means_nothing_runs() {
    let Some(_) = local().await else { return };
    let home = own_home();
    let everything = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev"];
    let told = |around: &[&str]| {
        let around: Vec<&str> = everything.iter().chain(around).copied().collect();
        let ran = part("part_that_is_refused", &around, home.path()).output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
    };
    let missing = told(&["--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"]);
    assert!(
        missing.contains("readiness: Local(NoBubblewrap); opened: Some(Local(NoBubblewrap))"),
        "{missing}"
    );
    let forbidden = told(&["--unshare-user", "--uid", "1", "--gid", "1", "--disable-userns", "--"]);
    assert!(forbidden.contains("readiness: Local(Forbidden("), "{forbidden}");
    assert!(forbidden.contains("opened: Some("), "{forbidden}");
}

#[tokio::test]
async fn before_its_packages_are_made_it_is_not_ready_and_a_stopped_making_leaves_nothing() {
    let Some(_) = local().await else { return };
    let home = tempfile::tempdir().unwrap();
    let runtime = LocalRuntime::new(home.path().to_owned());
    assert!(matches!(runtime.readiness().await, Err(SandboxError::EnvironmentMissing)));
    let opened = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await;
    assert!(matches!(opened.err(), Some(SandboxError::EnvironmentMissing)));
    let stop = CancellationToken::new();
    let mut lines = Vec::new();
    let mut hear = |progress: assay_sandbox::ImageProgress| {
        lines.push(progress.line);
        if lines.len() == 2 {
            stop.cancel();
        }
    };
    let ended = runtime.make(&mut hear, &stop).await;
    assert!(matches!(ended, Err(SandboxError::Stopped)), "{ended:?}");
    assert!(lines[0].starts_with("Making an environment with /usr/"), "{lines:?}");
    assert_eq!(std::fs::read_dir(home.path().join("environments")).unwrap().count(), 0);
    assert!(matches!(runtime.readiness().await, Err(SandboxError::EnvironmentMissing)));
}

#[tokio::test]
async fn the_window_is_told_what_is_used_and_what_is_missing() {
    let Some(_) = local().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let desk = Desk::new(Some(home.clone()));
    assert_eq!(desk.settings().unwrap().runtime, RuntimeChoice::Auto);
    desk.save_settings(Settings { runtime: RuntimeChoice::Local, ..Settings::default() }).unwrap();
    let [engine, image, _] =
        desk.diagnose(&assay_engine::EngineChoice::Usual).await.unwrap().checks.try_into().unwrap();
    assert_eq!((engine.ready.as_deref(), engine.problem), (Some("this computer itself"), None));
    assert_eq!(image.problem.map(|problem| problem.code), Some(Code::Image));
    std::fs::create_dir_all(home.join("local")).unwrap();
    std::os::unix::fs::symlink(local_home().join("environments"), home.join("local/environments")).unwrap();
    let diagnosis = desk.diagnose(&assay_engine::EngineChoice::Usual).await.unwrap();
    assert!(diagnosis.is_ready(), "{diagnosis:?}");
    let engine = diagnosis.checks[0].ready.clone().unwrap();
    assert!(engine.starts_with("this computer itself, by bubblewrap"), "{engine}");
    assert!(diagnosis.checks[1].ready.clone().unwrap().starts_with("python3."), "{diagnosis:?}");
}
