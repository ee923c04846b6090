//! What an idle window takes of the memory, the processes of its web view included.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::empty;
use crate::stage::{APP, Stage, Started};
use crate::start::READY;
use crate::table::Row;

/// Idle: the start is over, and what it allocated in passing was given back.
const SETTLE: Duration = Duration::from_secs(15);

/// Megabytes of a family of processes.
#[derive(Debug, Clone, Copy)]
struct Memory {
    /// A page that several processes of the computer share counts for each in part (PSS).
    part: f64,
    /// What is in memory because of the family: a page that several of its processes share counts once.
    once: f64,
    /// The sum of what the system shows for each process: such a page counts for each of them.
    each: f64,
}

/// Kilobytes in memory of one mapping.
#[derive(Debug, Default, Clone, Copy)]
struct Mapping {
    resident: u64,
    proportional: u64,
    private: u64,
}

/// The mappings of a process, those of a file by the place in the file.
fn mappings(process: u32) -> Vec<(Option<String>, Mapping)> {
    let smaps = std::fs::read_to_string(format!("/proc/{process}/smaps")).unwrap_or_default();
    let mut found: Vec<(Option<String>, Mapping)> = Vec::new();
    for line in smaps.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // address, rights, offset, device, inode, path
            [address, _, offset, device, inode, ..] if !address.ends_with(':') => {
                let file = (inode != "0").then(|| format!("{device} {inode} {offset}"));
                found.push((file, Mapping::default()));
            }
            [name, size, "kB"] => {
                let (Some((_, mapping)), Ok(size)) = (found.last_mut(), size.parse::<u64>()) else {
                    continue;
                };
                match name {
                    "Rss:" => mapping.resident = size,
                    "Pss:" => mapping.proportional = size,
                    "Private_Clean:" | "Private_Dirty:" => mapping.private += size,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

fn idle(started: Started) -> Memory {
    started.wait_for_line(READY);
    std::thread::sleep(SETTLE);
    let (mut private, mut each, mut part) = (0, 0, 0);
    let mut shared: BTreeMap<String, u64> = BTreeMap::new();
    for process in started.processes() {
        let mappings = mappings(process);
        let resident: u64 = mappings.iter().map(|(_, mapping)| mapping.resident).sum();
        let own: u64 = mappings.iter().map(|(_, mapping)| mapping.private).sum();
        let name = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        println!("  {}: {} MB of its own, {} MB with all it shares", name.trim(), own >> 10, resident >> 10);
        each += resident;
        for (file, Mapping { resident, proportional, private: own }) in mappings {
            private += own;
            part += proportional;
            match file {
                Some(file) => {
                    let most = shared.entry(file).or_default();
                    *most = (*most).max(resident - own);
                }
                None => private += resident - own,
            }
        }
    }
    started.end();
    let megabytes = |kilobytes: u64| kilobytes as f64 / 1024.0;
    Memory {
        part: megabytes(part),
        once: megabytes(private + shared.values().sum::<u64>()),
        each: megabytes(each),
    }
}

/// Opens both windows, one after the other.
pub(crate) fn measure(stage: &Stage) -> Vec<Row> {
    let app = idle(stage.start(Path::new(APP), &[]));
    let empty = idle(stage.start(&std::env::current_exe().unwrap(), &[empty::ARGUMENT]));
    let row = |what: &str, app: f64, empty: f64| {
        Row::new(what, format!("{app:.0} MB"), format!("{empty:.0} MB, an empty window"), app / empty)
    };
    vec![
        row("resident memory when idle", app.part, empty.part),
        row("the same, shared pages counted once", app.once, empty.once),
        row("the same, shared pages counted in each process", app.each, empty.each),
    ]
}
