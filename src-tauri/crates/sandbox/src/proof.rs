//! What a sandbox is like from inside, held against its policy.

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::error::SandboxError;
use crate::manifest::Manifest;
use crate::policy::{Policy, Seccomp};
use crate::runtime::{Action, OpenRequest, Runtime, Session, Step};

/// Reports what a process of the code finds, as one line of JSON.
const PROBE: &str = include_str!("../../../../sandbox/probe.py");
/// The probe takes some milliseconds; before it the kernel imports its libraries.
const LIMIT_S: f64 = 60.0;

/// One thing that a policy asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The code is not root.
    User,
    /// No network.
    Network,
    /// The system's files cannot be changed, and nothing else that the policy does not name.
    Root,
    /// Linux capabilities.
    Capabilities,
    /// No rights by `setuid` files.
    NewPrivileges,
    /// The system-call filter.
    Seccomp,
    /// Memory of all processes together.
    Memory,
    /// Processors.
    Cpus,
    /// Processes and threads at one time.
    Processes,
    /// Open files of one process.
    OpenFiles,
    /// Size of `output/`.
    Output,
    /// Size of `work/`.
    Work,
    /// Size of `/tmp` and `/dev/shm`.
    Temporary,
    /// Files and folders in each writable place.
    Files,
    /// What is written cannot be a program, a device or a `setuid` file.
    Mounts,
}

impl Limit {
    /// All of them, in order.
    pub const ALL: [Self; 15] = [
        Self::User,
        Self::Network,
        Self::Root,
        Self::Capabilities,
        Self::NewPrivileges,
        Self::Seccomp,
        Self::Memory,
        Self::Cpus,
        Self::Processes,
        Self::OpenFiles,
        Self::Output,
        Self::Work,
        Self::Temporary,
        Self::Files,
        Self::Mounts,
    ];

    /// What it is called, in plain words.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Network => "Network",
            Self::Root => "Files that can be changed",
            Self::Capabilities => "Capabilities",
            Self::NewPrivileges => "More rights by setuid programs",
            Self::Seccomp => "System calls",
            Self::Memory => "Memory",
            Self::Cpus => "Processors",
            Self::Processes => "Processes",
            Self::OpenFiles => "Open files",
            Self::Output => "Size of output",
            Self::Work => "Size of work",
            Self::Temporary => "Size of temporary folders",
            Self::Files => "Number of files",
            Self::Mounts => "Programs in writable folders",
        }
    }
}

/// Whether a limit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "LimitVerdict")]
pub enum Verdict {
    /// It does, or what is in force is stricter.
    Holds,
    /// It does not, and the runtime has said so beforehand.
    NotEnforced,
    /// It does not.
    Broken,
}

/// One limit as it was asked for and as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding {
    /// The limit.
    pub limit: Limit,
    /// What the policy asks for, in plain words.
    pub asked: String,
    /// What was found inside, in plain words.
    pub found: String,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Opens a sandbox, looks at it from inside and closes it: a finding for each limit, in the order of [`Limit`].
///
/// # Errors
/// What keeps a sandbox from being opened, and [`SandboxError::Protocol`] where the probe cannot be read.
pub async fn prove(
    runtime: &dyn Runtime,
    policy: &Policy,
    stop: &CancellationToken,
) -> Result<Vec<Finding>, SandboxError> {
    let manifest = Manifest::default();
    let request = OpenRequest { run: "proof", manifest: &manifest, policy };
    let mut session = runtime.open(request, stop).await?;
    let seen = look(session.as_mut(), stop).await;
    session.close().await?;
    Ok(compare(policy, &seen?, &runtime.unenforced()))
}

async fn look(session: &mut dyn Session, stop: &CancellationToken) -> Result<Seen, SandboxError> {
    let step = Step { number: 1, action: Action::Python { code: PROBE.into() }, limit_s: LIMIT_S };
    let outcome = session.run(&step, &mut |_| {}, stop).await?;
    if stop.is_cancelled() {
        return Err(SandboxError::Stopped);
    }
    serde_json::from_str(&outcome.stdout.head)
        .map_err(|error| SandboxError::Protocol(format!("the probe could not be read: {error}")))
}

/// What the probe says. A number that cannot be found out is `None`, which no limit is held by.
#[derive(Debug, Clone, Deserialize)]
struct Seen {
    uid: u32,
    gid: u32,
    groups: Vec<u32>,
    /// The five sets of capabilities that are not empty, as the system writes them.
    capabilities: Vec<String>,
    no_new_privileges: bool,
    /// 2 is a filter.
    seccomp: u8,
    /// System calls and sockets that [`Seccomp::Analysis`] denies and that went through.
    allowed: Vec<String>,
    interfaces: Vec<String>,
    routes: u32,
    root_read_only: bool,
    /// Mounts in which a file could be made.
    writable: Vec<String>,
    places: Vec<Place>,
    memory_bytes: Option<u64>,
    cpus: Option<f64>,
    processes: Option<u64>,
    open_files: Option<u64>,
}

/// One writable place.
#[derive(Debug, Clone, Deserialize)]
struct Place {
    path: String,
    bytes: u64,
    files: u64,
    /// Which of `nosuid`, `nodev`, `noexec` are missing.
    lacks: Vec<String>,
}

fn compare(policy: &Policy, seen: &Seen, unenforced: &[Limit]) -> Vec<Finding> {
    let finding = |limit, asked: String, found: String, holds: bool| {
        let verdict = match holds {
            true => Verdict::Holds,
            false if unenforced.contains(&limit) => Verdict::NotEnforced,
            false => Verdict::Broken,
        };
        Finding { limit, asked, found, verdict }
    };
    let at_most = |limit, most: u64, found: Option<u64>, unit: &str| {
        let found_words = found.map_or_else(|| "no limit was found".into(), |count| format!("{count}{unit}"));
        finding(limit, format!("at most {most}{unit}"), found_words, found.is_some_and(|count| count <= most))
    };
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let size = |paths: &[&str]| {
        let places = seen.places.iter().filter(|place| paths.contains(&place.path.as_str()));
        largest(places.map(|place| mib(place.bytes)))
    };
    let files = largest(seen.places.iter().map(|place| place.files));
    let lacking: Vec<String> = seen
        .places
        .iter()
        .filter(|place| !place.lacks.is_empty())
        .map(|place| format!("{} is not {}", place.path, place.lacks.join(", ")))
        .collect();
    let elsewhere: Vec<&str> = seen
        .writable
        .iter()
        .map(String::as_str)
        .filter(|path| !seen.places.iter().any(|place| place.path == *path))
        .collect();
    let said =
        |items: &[String], none: &str| if items.is_empty() { none.to_owned() } else { items.join("; ") };
    let groups_of_root = seen.groups.contains(&0) || seen.gid == 0;
    let filter = match policy.seccomp {
        Seccomp::EngineDefault => ("a filter".to_owned(), String::new(), true),
        Seccomp::Analysis => (
            "only the calls that data analysis uses".to_owned(),
            said(
                &seen.allowed.iter().map(|name| format!("{name} gets through")).collect::<Vec<_>>(),
                "nothing else gets through",
            ),
            seen.allowed.is_empty(),
        ),
    };
    let in_force = if seen.seccomp == 2 { "a filter is in force" } else { "no filter" };
    let filter_found = [in_force, &filter.1].join(", ").trim_end_matches(", ").to_owned();
    let cpus_found = seen.cpus.map_or_else(|| "no limit was found".into(), |count| format!("{count}"));
    vec![
        finding(
            Limit::User,
            "not root".into(),
            format!("user {}, group {}", seen.uid, seen.gid),
            seen.uid != 0 && !groups_of_root,
        ),
        finding(
            Limit::Network,
            "none".into(),
            match (seen.routes, seen.interfaces.join(", ")) {
                (0, names) if names.is_empty() => "none".into(),
                (0, names) => format!("{names}, and no way out"),
                (routes, names) => format!("{names}, and {routes} ways out"),
            },
            seen.routes == 0,
        ),
        finding(
            Limit::Root,
            "only output, work and temporary folders can be written".into(),
            match (seen.root_read_only, elsewhere.join(", ")) {
                (true, others) if others.is_empty() => "only these".into(),
                (true, others) => format!("also {others}"),
                (false, _) => "the system's files can be written".into(),
            },
            seen.root_read_only && elsewhere.is_empty(),
        ),
        finding(
            Limit::Capabilities,
            said(&policy.capabilities, "none"),
            said(&seen.capabilities, "none"),
            !policy.capabilities.is_empty() || seen.capabilities.is_empty(),
        ),
        finding(
            Limit::NewPrivileges,
            "forbidden".into(),
            if seen.no_new_privileges { "forbidden" } else { "possible" }.into(),
            seen.no_new_privileges,
        ),
        finding(Limit::Seccomp, filter.0, filter_found, seen.seccomp == 2 && filter.2),
        at_most(Limit::Memory, policy.memory_mib, seen.memory_bytes.map(mib), " MiB"),
        finding(
            Limit::Cpus,
            format!("at most {}", policy.cpus),
            cpus_found,
            seen.cpus.is_some_and(|count| count <= policy.cpus + 1e-6),
        ),
        at_most(Limit::Processes, policy.processes.into(), seen.processes, ""),
        at_most(Limit::OpenFiles, policy.open_files.into(), seen.open_files, ""),
        at_most(Limit::Output, policy.output_mib, size(&["/workspace/output"]), " MiB"),
        at_most(Limit::Work, policy.work_mib, size(&["/workspace/work"]), " MiB"),
        at_most(Limit::Temporary, policy.temporary_mib, size(&["/tmp", "/dev/shm"]), " MiB"),
        at_most(Limit::Files, policy.files, files, " in each place"),
        finding(
            Limit::Mounts,
            "no programs, devices or setuid files in what can be written".into(),
            said(&lacking, "none"),
            lacking.is_empty(),
        ),
    ]
}

/// The largest of what file systems report, where 0 stands for no limit.
fn largest(mut reported: impl Iterator<Item = u64> + Clone) -> Option<u64> {
    let most = reported.clone().max();
    if reported.any(|count| count == 0) { None } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sandbox in which every limit of the default policy holds.
    fn sound() -> serde_json::Value {
        let place = |path: &str, mib: u64| serde_json::json!({ "path": path, "bytes": mib << 20, "files": 100_000, "lacks": [] });
        serde_json::json!({
            "uid": 65532, "gid": 65532, "groups": [65532], "capabilities": [], "no_new_privileges": true,
            "seccomp": 2, "allowed": [], "interfaces": ["lo"], "routes": 0, "root_read_only": true,
            "writable": ["/workspace/output", "/workspace/work", "/tmp", "/dev/shm"],
            "places": [
                place("/workspace/output", 512), place("/workspace/work", 768), place("/tmp", 128), place("/dev/shm", 128),
            ],
            "memory_bytes": 2048_u64 << 20, "cpus": 2.0, "processes": 256, "open_files": 4096,
        })
    }

    fn broken(seen: serde_json::Value) -> Vec<Limit> {
        let findings = compare(&Policy::default(), &serde_json::from_value(seen).unwrap(), &[]);
        let broken = findings.into_iter().filter(|finding| finding.verdict == Verdict::Broken);
        broken.map(|finding| finding.limit).collect()
    }

    #[test]
    fn a_sound_sandbox_holds_and_each_fault_is_found_alone() {
        assert_eq!(broken(sound()), []);
        let findings = compare(&Policy::default(), &serde_json::from_value(sound()).unwrap(), &[]);
        assert!(findings.iter().map(|finding| finding.limit).eq(Limit::ALL));
        let places = |index: usize, field: &str, value: serde_json::Value| {
            let mut seen = sound();
            seen["places"][index][field] = value;
            seen["places"].clone()
        };
        for (field, value, limit) in [
            ("uid", 0.into(), Limit::User),
            ("gid", 0.into(), Limit::User),
            ("groups", serde_json::json!([65532, 0]), Limit::User),
            ("routes", 1.into(), Limit::Network),
            ("root_read_only", false.into(), Limit::Root),
            ("writable", serde_json::json!(["/dev/mqueue"]), Limit::Root),
            ("capabilities", serde_json::json!(["CapBnd 000001ffffffffff"]), Limit::Capabilities),
            ("no_new_privileges", false.into(), Limit::NewPrivileges),
            ("seccomp", 0.into(), Limit::Seccomp),
            ("allowed", serde_json::json!(["keyctl"]), Limit::Seccomp),
            ("memory_bytes", ((2048_u64 << 20) + 1).into(), Limit::Memory),
            ("memory_bytes", serde_json::Value::Null, Limit::Memory),
            ("cpus", 4.0.into(), Limit::Cpus),
            ("cpus", serde_json::Value::Null, Limit::Cpus),
            ("processes", serde_json::Value::Null, Limit::Processes),
            ("open_files", 1_048_576.into(), Limit::OpenFiles),
            ("places", places(0, "bytes", 0.into()), Limit::Output),
            ("places", places(1, "bytes", (1025_u64 << 20).into()), Limit::Work),
            ("places", places(3, "bytes", (64_u64 << 30).into()), Limit::Temporary),
            ("places", places(3, "files", 0.into()), Limit::Files),
            ("places", places(2, "lacks", serde_json::json!(["noexec"])), Limit::Mounts),
        ] {
            let mut seen = sound();
            seen[field] = value;
            assert_eq!(broken(seen), [limit], "{field}");
        }
    }

    #[test]
    fn what_a_runtime_says_that_it_does_not_enforce_is_no_fault() {
        let mut seen = sound();
        seen["cpus"] = serde_json::Value::Null;
        let findings = compare(&Policy::default(), &serde_json::from_value(seen).unwrap(), &[Limit::Cpus]);
        let cpus = findings.iter().find(|finding| finding.limit == Limit::Cpus).unwrap();
        assert_eq!((cpus.verdict, cpus.found.as_str()), (Verdict::NotEnforced, "no limit was found"));
        assert!(findings.iter().all(|finding| finding.verdict != Verdict::Broken));
    }
}
