//! Who a sandbox belongs to: one process of one computer, so that others can tell whether it still lives.

use std::fmt;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Start times are read from a clock that may be set; two readings of one start differ by less than this.
const CLOCK_TOLERANCE_S: u64 = 5;

/// A process, told apart from a later one with the same number by its start time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    host: String,
    pid: u32,
    started_s: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn current() -> Self {
        let pid = std::process::id();
        Self { host: host_name(), pid, started_s: start_time(pid).unwrap_or_default() }
    }

    /// Reads a label written by [`fmt::Display`].
    pub(crate) fn parse(label: &str) -> Option<Self> {
        let mut parts = label.rsplitn(3, '/');
        let started_s = parts.next()?.parse().ok()?;
        let pid = parts.next()?.parse().ok()?;
        Some(Self { host: parts.next()?.to_owned(), pid, started_s })
    }

    /// Whether the process is surely gone. One of another computer may live, so it is left alone.
    pub(crate) fn is_dead(&self) -> bool {
        self.host == host_name()
            && start_time(self.pid).is_none_or(|started| started.abs_diff(self.started_s) > CLOCK_TOLERANCE_S)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.host, self.pid, self.started_s)
    }
}

fn host_name() -> String {
    System::host_name().unwrap_or_else(|_| "unknown".into())
}

/// Seconds since 1970 at which the process began; `None` when there is none, or only its remains.
fn start_time(pid: u32) -> Option<u64> {
    let pid = Pid::from_u32(pid);
    let mut system = System::new().ok()?;
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, ProcessRefreshKind::nothing());
    let process = system.process(pid)?;
    (process.status() != sysinfo::ProcessStatus::Zombie).then(|| process.start_time())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_this_process_as_alive_and_its_predecessor_as_dead() {
        let own = Owner::current();
        assert_eq!(Owner::parse(&own.to_string()), Some(own.clone()));
        assert!(!own.is_dead());
        assert!(Owner { started_s: own.started_s - 60, ..own.clone() }.is_dead());
        assert!(!Owner { host: "elsewhere".into(), started_s: 0, ..own }.is_dead());
        assert_eq!(Owner::parse("nonsense"), None);
    }

    #[test]
    fn an_ended_process_is_dead() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let owner = Owner { host: host_name(), pid: child.id(), started_s: start_time(child.id()).unwrap() };
        assert!(!owner.is_dead());
        child.kill().unwrap();
        let begun = std::time::Instant::now();
        while !owner.is_dead() {
            assert!(begun.elapsed().as_secs() < 5, "killed, not yet collected");
        }
        child.wait().unwrap();
        assert!(owner.is_dead(), "killed and collected");
    }
}
