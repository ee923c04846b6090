//! Control groups: limits that hold for all processes of a session together, made by the system's manager of
//! services, or by root as folders of the kernel's own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::owner::Owner;
use crate::policy::Policy;

const ROOT: &str = "/sys/fs/cgroup";
/// How a group of a session is named, before its owner.
const PREFIX: &str = "assay-";
/// In which a group has its share of processor time, in microseconds.
const PERIOD_US: u32 = 100_000;
/// The processes of a group that was left are gone within this time.
const LEAVING: Duration = Duration::from_secs(2);
/// Shows the limits that a process really has.
const ASK: &str = "cd /sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup) && cat memory.max && cat pids.max && cat cpu.max";

/// What is shown inside of a group that is one for each limit.
const SHOWN: [&str; 5] = [
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "/sys/fs/cgroup/memory/memory.oom_control",
    "/sys/fs/cgroup/pids/pids.max",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
];

/// Which limits a group holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) memory: bool,
    pub(super) processes: bool,
    pub(super) processors: bool,
}

/// Who makes groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// The manager of this person's services.
    PersonsManager,
    /// The manager of the system's services.
    SystemsManager,
    /// Root, as folders: one for all limits.
    Unified,
    /// Root, as folders: one for each limit, as older systems have it.
    Apart,
}

/// The group of one session. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct Group {
    maker: Maker,
    pub(super) held: Held,
    name: String,
    folders: Vec<PathBuf>,
}

impl Group {
    /// A group with the policy's limits, where this computer makes any.
    pub(super) fn new(policy: &Policy) -> Option<Self> {
        static MAKER: OnceLock<Option<(Maker, Held)>> = OnceLock::new();
        let (maker, held) = (*MAKER.get_or_init(|| find(policy)))?;
        let mut group = Self::made_by(maker, policy)?;
        group.held = held;
        Some(group)
    }

    fn made_by(maker: Maker, policy: &Policy) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let owner = Owner::current().to_string().replace('/', ":");
        let name = format!("{PREFIX}{owner}:{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut group = Self { maker, held: Held::default(), name, folders: Vec::new() };
        match maker {
            Maker::PersonsManager | Maker::SystemsManager => {}
            Maker::Unified => group.make_unified(policy)?,
            Maker::Apart => group.make_apart(policy)?,
        }
        Some(group)
    }

    fn make_unified(&mut self, policy: &Policy) -> Option<()> {
        let root = Path::new(ROOT);
        let _ = std::fs::write(root.join("cgroup.subtree_control"), "+memory +pids +cpu");
        let folder = self.folder(root)?;
        let set = |file: &str, value: String| std::fs::write(folder.join(file), value).is_ok();
        self.held = Held {
            memory: set("memory.max", bytes(policy).to_string()),
            processes: set("pids.max", policy.processes.to_string()),
            processors: set("cpu.max", format!("{} {PERIOD_US}", quota_us(policy))),
        };
        // Where nothing is swapped there is no such limit.
        let _ = std::fs::write(folder.join("memory.swap.max"), "0");
        Some(())
    }

    fn make_apart(&mut self, policy: &Policy) -> Option<()> {
        let root = Path::new(ROOT);
        let memory = self.folder(&root.join("memory"))?;
        let set = |folder: &Path, file: &str, value: String| std::fs::write(folder.join(file), value).is_ok();
        self.held.memory = set(&memory, "memory.limit_in_bytes", bytes(policy).to_string());
        set(&memory, "memory.memsw.limit_in_bytes", bytes(policy).to_string());
        if let Some(pids) = self.folder(&root.join("pids")) {
            self.held.processes = set(&pids, "pids.max", policy.processes.to_string());
        }
        if let Some(cpu) = self.folder(&root.join("cpu")) {
            self.held.processors = set(&cpu, "cpu.cfs_period_us", PERIOD_US.to_string())
                && set(&cpu, "cpu.cfs_quota_us", quota_us(policy).to_string());
        }
        Some(())
    }

    fn folder(&mut self, parent: &Path) -> Option<PathBuf> {
        let folder = parent.join(&self.name);
        std::fs::create_dir(&folder).ok()?;
        self.folders.push(folder.clone());
        Some(folder)
    }

    /// The files through which a process joins.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// The files with its limits and with the count of what was killed for want of memory, and where they are looked
    /// for inside. Those of one folder for all are found by the process that joins it.
    pub(super) fn shown_inside(&self) -> Vec<(PathBuf, &'static str)> {
        if self.maker != Maker::Apart {
            return Vec::new();
        }
        let place = |inside: &'static str| {
            let mut parts = Path::new(inside).strip_prefix(ROOT).ok()?.iter();
            let outside = Path::new(ROOT).join(parts.next()?).join(&self.name).join(parts.next()?);
            outside.exists().then_some((outside, inside))
        };
        SHOWN.into_iter().filter_map(place).collect()
    }

    /// The command that starts another one within the group.
    pub(super) fn command(&self, policy: &Policy) -> Vec<String> {
        let whose: &[&str] = match self.maker {
            Maker::PersonsManager => &["--user"],
            Maker::SystemsManager => &[],
            Maker::Unified | Maker::Apart => return Vec::new(),
        };
        let properties = [
            // A group that is handed over is not ended as a whole when one of its processes wants memory.
            "Delegate=yes".to_owned(),
            format!("MemoryMax={}", bytes(policy)),
            "MemorySwapMax=0".to_owned(),
            format!("TasksMax={}", policy.processes),
            format!("CPUQuota={}%", quota_us(policy) / (PERIOD_US / 100)),
        ];
        let unit = format!("--unit={}.scope", self.name);
        ["systemd-run", "--scope", "--quiet", "--collect", &unit]
            .iter()
            .chain(whose)
            .map(|word| (*word).to_owned())
            .chain(properties.into_iter().map(|property| format!("--property={property}")))
            .chain(["--".to_owned()])
            .collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let begun = Instant::now();
        for folder in &self.folders {
            // It can be removed when the last process is gone, which takes a moment after a kill.
            while std::fs::remove_dir(folder).is_err() && folder.exists() && begun.elapsed() < LEAVING {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// The first maker that holds at least the memory, and what it holds.
fn find(policy: &Policy) -> Option<(Maker, Held)> {
    use std::os::unix::fs::MetadataExt;
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let is_unified = Path::new(ROOT).join("cgroup.controllers").exists();
    let has_manager = Path::new("/run/systemd/system").exists();
    let makers: &[Maker] = match (is_root, is_unified, has_manager) {
        (false, true, true) => &[Maker::PersonsManager],
        (true, true, true) => &[Maker::SystemsManager, Maker::Unified],
        (true, true, false) => &[Maker::Unified],
        (true, false, _) => &[Maker::Apart],
        (false, _, _) => &[],
    };
    makers.iter().find_map(|maker| {
        let group = Group::made_by(*maker, policy)?;
        let held = match maker {
            Maker::PersonsManager | Maker::SystemsManager => ask(&group.command(policy)),
            Maker::Unified | Maker::Apart => group.held,
        };
        held.memory.then_some((*maker, held))
    })
}

/// The limits that a process really gets: a manager leaves out in silence what it may not set.
fn ask(command: &[String]) -> Held {
    let Some((program, words)) = command.split_first() else { return Held::default() };
    let told = Command::new(program).args(words).args(["/bin/sh", "-c", ASK]).output();
    let told = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default();
    let mut limits = told.lines().map(|line| !line.starts_with("max"));
    let mut next = || limits.next().unwrap_or(false);
    Held { memory: next(), processes: next(), processors: next() }
}

/// Removes the groups of owners that no longer live; returns how many there were.
pub(super) fn sweep() -> usize {
    let parents = ["", "memory", "pids", "cpu"].map(|name| Path::new(ROOT).join(name));
    let entries = parents.iter().filter_map(|parent| std::fs::read_dir(parent).ok()).flatten().flatten();
    let is_left = |name: &str| -> Option<bool> {
        let (owner, _number) = name.strip_prefix(PREFIX)?.rsplit_once(':')?;
        Some(Owner::parse(&owner.replace(':', "/"))?.is_dead())
    };
    entries
        .filter(|entry| entry.file_name().to_str().and_then(is_left) == Some(true))
        .filter(|entry| std::fs::remove_dir(entry.path()).is_ok())
        .count()
}

fn bytes(policy: &Policy) -> u64 {
    policy.memory_mib << 20
}

fn quota_us(policy: &Policy) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of processors fits"
    )]
    let quota = (policy.cpus.max(0.01) * f64::from(PERIOD_US)) as u32;
    quota
}
