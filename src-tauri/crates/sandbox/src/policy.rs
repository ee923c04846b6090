//! What a sandbox may do. Data, not code: it is shown to the person and kept with the run.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The limits of one session. [`Policy::default`] is the safe one that every run starts from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Which network the code sees.
    pub network: Network,
    /// Memory of all processes together, the in-memory writable folders included, in MiB.
    pub memory_mib: u64,
    /// Processors, in whole or part.
    pub cpus: f64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u32,
    /// Wall time of one step, in seconds.
    pub step_limit_s: u64,
    /// Wall time of a whole run, in seconds.
    pub run_limit_s: u64,
    /// How long an interrupted step may take to end by itself before it is killed, in seconds.
    pub interrupt_grace_s: f64,
    /// How long the sandbox lives on without a word from the app, which sends one ten times as often, in seconds.
    pub silence_limit_s: f64,
    /// Size of `output/`, in MiB.
    pub output_mib: u64,
    /// Size of `work/`, in MiB.
    pub work_mib: u64,
    /// Size of `/tmp` and of `/dev/shm` each, in MiB.
    pub temporary_mib: u64,
    /// Files and folders in each writable place.
    pub files: u64,
    /// Whether the system's own files can be changed.
    pub root: RootFileSystem,
    /// Linux capabilities that are kept: none.
    pub capabilities: Vec<String>,
    /// Whether a program can gain rights by `setuid` files.
    pub new_privileges: NewPrivileges,
    /// The system-call filter.
    pub seccomp: Seccomp,
}

/// Which network the code sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// None at all, not even a loopback to the host.
    None,
}

/// Whether the system's own files can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RootFileSystem {
    /// Everything but `output/`, `work/` and `/tmp` is read-only.
    ReadOnly,
}

/// Whether a program can gain rights by `setuid` files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NewPrivileges {
    /// It cannot (`no-new-privileges`).
    Forbidden,
}

/// The system-call filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Seccomp {
    /// The engine's own default profile.
    EngineDefault,
    /// What Python and the libraries of data analysis use, and nothing else: `sandbox/seccomp.json`.
    Analysis,
}

impl Seccomp {
    /// The profile in the form that engines read; `None` leaves the engine its own.
    pub(crate) fn profile(self) -> Option<&'static str> {
        match self {
            Self::EngineDefault => None,
            Self::Analysis => Some(include_str!("../../../../sandbox/seccomp.json")),
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            network: Network::None,
            memory_mib: 2048,
            cpus: 2.0,
            processes: 256,
            open_files: 4096,
            step_limit_s: 120,
            run_limit_s: 1800,
            interrupt_grace_s: 1.5,
            silence_limit_s: 600.0,
            output_mib: 512,
            // Together with `/dev/shm` three quarters of the memory, so that full folders leave room to empty them.
            work_mib: 768,
            temporary_mib: 128,
            files: 100_000,
            root: RootFileSystem::ReadOnly,
            capabilities: Vec::new(),
            new_privileges: NewPrivileges::Forbidden,
            seccomp: Seccomp::Analysis,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reaches beyond the processes and files of a sandbox, or has often been the way out of one.
    const NEVER: &str = "add_key bpf chroot delete_module fanotify_init finit_module fsconfig fsmount fsopen init_module \
        io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl mount \
        mount_setattr move_mount name_to_handle_at open_by_handle_at open_tree perf_event_open personality pidfd_getfd \
        pivot_root process_madvise process_vm_readv process_vm_writev ptrace reboot request_key setns settimeofday \
        swapoff swapon syslog umount umount2 unshare userfaultfd";

    #[test]
    fn folders_that_are_full_leave_memory_to_the_processes() {
        let policy = Policy::default();
        let folders_mib = policy.output_mib + policy.work_mib + 2 * policy.temporary_mib;
        assert!(folders_mib * 4 <= policy.memory_mib * 3, "{folders_mib} of {} MiB", policy.memory_mib);
    }

    #[test]
    fn the_profile_of_analysis_denies_all_that_it_does_not_name() {
        let profile: serde_json::Value = serde_json::from_str(Seccomp::Analysis.profile().unwrap()).unwrap();
        assert_eq!(profile["defaultAction"], "SCMP_ACT_ERRNO");
        let rules = profile["syscalls"].as_array().unwrap();
        let named: Vec<&str> = rules
            .iter()
            .filter(|rule| rule["action"] == "SCMP_ACT_ALLOW")
            .flat_map(|rule| rule["names"].as_array().unwrap())
            .filter_map(serde_json::Value::as_str)
            .collect();
        let never: Vec<&str> = NEVER.split_whitespace().filter(|name| named.contains(name)).collect();
        assert_eq!(never, [""; 0]);
        // What is allowed for some arguments only must not be allowed for all by another rule.
        for rule in rules.iter().filter(|rule| rule["args"].is_null()) {
            for name in ["clone", "mknod", "mknodat", "socket", "socketpair"] {
                assert!(!rule["names"].as_array().unwrap().iter().any(|named| named == name), "{name}");
            }
        }
    }
}
