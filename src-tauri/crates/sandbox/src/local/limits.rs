//! What keeps a session from using up the computer, and what this computer cannot hold.

use std::path::PathBuf;

use super::filter::Counting;
use super::groups::{Group, Held};
use crate::policy::Policy;
use crate::proof::Limit;

/// The first Linux that counts processes for each user namespace; before, the person's own count too.
const COUNTED_APART: (u32, u32) = (5, 14);
/// Signals that wait, and bytes in queues of messages: the system counts both for a user, inside and outside together.
const COUNTED_FOR_A_USER: [(&str, u64); 2] = [("sigpending", 1024), ("msgqueue", 0)];

/// The limits of one session: a control group's where one can be made, each process's own besides.
#[derive(Debug)]
pub(super) struct Limits {
    policy: Policy,
    group: Option<Group>,
    counts_processes: bool,
}

impl Limits {
    /// The best that this computer has for a policy.
    pub(super) fn new(policy: &Policy) -> Self {
        let group = Group::new(policy);
        Self { policy: policy.clone(), group, counts_processes: kernel() >= COUNTED_APART }
    }

    fn held(&self) -> Held {
        self.group.as_ref().map(|group| group.held).unwrap_or_default()
    }

    /// How memory is counted.
    pub(super) fn counting(&self) -> Counting {
        if self.held().memory { Counting::Whole } else { Counting::Seen }
    }

    /// The files through which the sandbox's first process joins its group.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.group.as_ref().map(Group::doors).unwrap_or_default()
    }

    /// The command that starts another one within its group.
    pub(super) fn command(&self) -> Vec<String> {
        self.group.as_ref().map(|group| group.command(&self.policy)).unwrap_or_default()
    }

    /// Files of this computer that tell of the group, and where they are looked for inside.
    pub(super) fn shown_inside(&self) -> Vec<(PathBuf, &'static str)> {
        self.group.as_ref().map(Group::shown_inside).unwrap_or_default()
    }

    /// Limits that the supervisor looks after itself.
    pub(super) fn variables(&self) -> Vec<String> {
        let mut variables = vec![format!("ASSAY_FILES={}", self.policy.files)];
        if !self.held().memory {
            variables.push(format!("ASSAY_MEMORY_BYTES={}", self.policy.memory_mib << 20));
        }
        variables
    }

    /// The command that sets the limits of each process and then becomes the one after it.
    pub(super) fn stage(&self) -> Vec<String> {
        let hard = |name: &str, value: u64| format!("--{name}={value}:{value}");
        let open_files = hard("nofile", self.policy.open_files.into());
        let mut words = vec!["prlimit".into(), hard("core", 0), open_files];
        words.extend(COUNTED_FOR_A_USER.map(|(name, value)| hard(name, value)));
        if self.counts_processes {
            words.push(hard("nproc", self.policy.processes.into()));
        }
        if !self.held().memory {
            words.push(hard("data", self.policy.memory_mib << 20));
        }
        words.push("--".into());
        words
    }

    /// What the policy asks for and nothing here holds, with what is done instead in plain words.
    fn missing(&self) -> impl Iterator<Item = (Limit, &'static str)> {
        let held = self.held();
        let missing = [
            (
                !held.memory,
                Limit::Memory,
                "The memory of all processes together is watched: for a moment it can be more.",
            ),
            (!held.processors, Limit::Cpus, "Processor time is not limited."),
            (
                !held.processes && !self.counts_processes,
                Limit::Processes,
                "The number of processes is not limited.",
            ),
            (
                true,
                Limit::Mounts,
                "Programs that the code writes can be run, with no more rights than it has.",
            ),
            (true, Limit::Files, "The number of files is watched: for a moment it can be more."),
        ];
        missing.into_iter().filter(|(is_missing, ..)| *is_missing).map(|(_, limit, words)| (limit, words))
    }

    pub(super) fn unenforced(&self) -> Vec<Limit> {
        self.missing().map(|(limit, _)| limit).collect()
    }

    /// The same in plain words.
    pub(super) fn gaps(&self) -> Vec<String> {
        self.missing().map(|(_, words)| words.to_owned()).collect()
    }
}

/// The version of Linux.
fn kernel() -> (u32, u32) {
    let told = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = told.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}
