//! The walls of a sandbox: what a program sees and may do, in the words of bubblewrap.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::limits::Limits;
use super::means::{Means, User};
use crate::docker::environment;
use crate::policy::Policy;

/// Where the environment is seen inside: as in the image.
pub(super) const ENVIRONMENT: &str = "/opt/assay";
/// The environment's Python, as seen inside.
pub(super) const PYTHON: &str = "/opt/assay/venv/bin/python3";
const WORKSPACE: &str = "/workspace";
/// What stands beside `/usr`, as a link into it or as a folder of its own.
const BESIDE_USR: [&str; 6] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];
/// What programs need of `/etc`: where libraries and fonts are, and which of several programs is meant.
const OF_ETC: [&str; 4] = ["/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/mime.types"];
/// What a download needs besides: names of computers, certificates, the package index.
const OF_ETC_FOR_DOWNLOADS: [&str; 8] = [
    "/etc/ca-certificates",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/pip.conf",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
];
/// Opens the files with the system-call filter and bubblewrap's arguments, joins the control groups, and becomes
/// bubblewrap. Arguments in a file do not show a run's file names to other users. The group's own limits and
/// its count of what was killed for want of memory go in.
const ENTER: &str = r#"
exec 3<"$1" 4<"$2" || exit 1
for door in $3; do echo $$ >"$door" || exit 1; done
bubblewrap=$4
shift 4
group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
for name in memory.events memory.max pids.max cpu.max; do
    [ -r "$group/$name" ] || continue
    set -- --dir /sys --dir /sys/fs --dir /sys/fs/cgroup --ro-bind "$group/$name" "/sys/fs/cgroup/$name" "$@"
done
exec "$bubblewrap" "$@"
"#;
/// What finding programs and asking the manager of services takes.
const KEPT: [&str; 3] = ["PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];
/// The capabilities with which root becomes an ordinary user inside and gives up all of them.
const TO_BECOME_ORDINARY: [&str; 3] = ["CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID"];

/// The walls while they are described.
#[derive(Debug)]
pub(super) struct Walls<'a> {
    means: &'a Means,
    arguments: Vec<OsString>,
    /// The folders that were made for places within them.
    folders: BTreeSet<PathBuf>,
    /// What changes the user and sets limits, from the inside.
    stage: Vec<String>,
}

impl<'a> Walls<'a> {
    /// Around a session: no network, nothing writable but folders in memory.
    pub(super) fn of_session(
        means: &'a Means,
        environment_folder: &Path,
        policy: &Policy,
        limits: &Limits,
    ) -> Self {
        let mut walls = Self::new(means);
        walls.option(&["--unshare-net"]).variables(environment(policy));
        walls.shown(environment_folder, ENVIRONMENT);
        for (place, size_mib, mode) in [
            ("/dev/shm", policy.temporary_mib, "1777"),
            ("/tmp", policy.temporary_mib, "1777"),
            ("/workspace/output", policy.output_mib, "0777"),
            ("/workspace/work", policy.work_mib, "0777"),
        ] {
            walls.folders_above(place);
            let bytes = (size_mib << 20).to_string();
            walls.option(&["--size", &bytes, "--perms", mode, "--tmpfs", place]);
        }
        walls.option(&["--dir", "/workspace/input", "--chdir", WORKSPACE]);
        for (file, place) in limits.shown_inside() {
            walls.shown(&file, place);
        }
        walls.variables(limits.variables());
        walls.become_ordinary();
        walls.stage.extend(limits.stage());
        walls
    }

    /// Around the making of an environment: the same view, with a network and `folder` as the environment.
    pub(super) fn of_making(means: &'a Means, folder: &Path) -> Self {
        let mut walls = Self::new(means);
        for place in OF_ETC_FOR_DOWNLOADS {
            walls.shown_where_there(place);
        }
        walls.option(&["--bind"]).path(folder).option(&[
            ENVIRONMENT,
            "--tmpfs",
            "/tmp",
            "--tmpfs",
            "/dev/shm",
        ]);
        walls.option(&["--tmpfs", "/workspace", "--chdir", WORKSPACE]);
        walls
    }

    fn new(means: &'a Means) -> Self {
        let mut walls = Self { means, arguments: Vec::new(), folders: BTreeSet::new(), stage: Vec::new() };
        walls.option(&["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]);
        walls.option(&["--hostname", "sandbox", "--die-with-parent", "--new-session", "--as-pid-1"]);
        walls.option(&["--clearenv", "--cap-drop", "ALL", "--seccomp", "3"]);
        if let User::Own { uid, gid } = means.user {
            let (uid, gid) = (uid.to_string(), gid.to_string());
            walls.option(&["--unshare-user", "--uid", &uid, "--gid", &gid]);
        }
        walls.shown(Path::new("/usr"), "/usr");
        for name in BESIDE_USR {
            let place = Path::new("/").join(name);
            match place.read_link() {
                Ok(target) => {
                    walls.option(&["--symlink"]).path(&target).path(&place);
                }
                Err(_) if place.is_dir() => {
                    walls.option(&["--ro-bind"]).path(&place).path(&place);
                }
                Err(_) => {}
            }
        }
        for place in OF_ETC {
            walls.shown_where_there(place);
        }
        walls.option(&["--proc", "/proc", "--dev", "/dev"]);
        walls.variables([format!("PATH={ENVIRONMENT}/venv/bin:/usr/local/bin:/usr/bin:/bin")]);
        walls.variables(["LC_ALL=C.UTF-8", "PYTHONUTF8=1", "MATPLOTLIBRC=/opt/assay/matplotlibrc"]);
        walls
    }

    /// Shows a file or folder of this computer, read-only.
    pub(super) fn shown(&mut self, source: &Path, place: &str) -> &mut Self {
        self.folders_above(place).option(&["--ro-bind"]).path(source).option(&[place])
    }

    /// Makes the folders that a place lies in, for everybody to pass: bubblewrap by itself makes them for root.
    fn folders_above(&mut self, place: &str) -> &mut Self {
        let above: Vec<&Path> = Path::new(place).ancestors().skip(1).collect();
        for folder in above.into_iter().rev().filter(|folder| *folder != Path::new("/")) {
            if self.folders.insert(folder.to_owned()) {
                self.option(&["--dir"]).path(folder);
            }
        }
        self
    }

    fn shown_where_there(&mut self, place: &str) {
        if let Ok(source) = Path::new(place).canonicalize() {
            self.shown(&source, place);
        }
    }

    /// Sets variables, each as `NAME=value`.
    pub(super) fn variables(&mut self, variables: impl IntoIterator<Item = impl AsRef<str>>) -> &mut Self {
        for variable in variables {
            if let Some((name, value)) = variable.as_ref().split_once('=') {
                self.option(&["--setenv", name, value]);
            }
        }
        self
    }

    fn option(&mut self, words: &[&str]) -> &mut Self {
        self.arguments.extend(words.iter().map(OsString::from));
        self
    }

    fn path(&mut self, path: &Path) -> &mut Self {
        self.arguments.push(path.into());
        self
    }

    /// Root outside becomes an ordinary user inside. One who is ordinary outside stays so.
    fn become_ordinary(&mut self) {
        let User::Fresh { uid } = self.means.user else { return };
        for capability in TO_BECOME_ORDINARY {
            self.option(&["--cap-add", capability]);
        }
        let uid = uid.to_string();
        let words = ["setpriv", "--reuid", &uid, "--regid", &uid, "--clear-groups", "--inh-caps=-all"];
        self.stage.extend(words.map(str::to_owned));
        // A change of user makes the kernel forget that this process ends with its parent.
        self.stage.extend(["--bounding-set=-all".to_owned(), "--pdeathsig=KILL".to_owned()]);
    }

    /// The command that runs `program` within these walls, and within the limits where there are any. Its files for the start are written to `folder`, which
    /// may be removed as soon as the program runs.
    pub(super) fn command(
        mut self,
        folder: &Path,
        filter: &[u8],
        limits: Option<&Limits>,
        program: &[&str],
    ) -> std::io::Result<Command> {
        // Last, for mounts are made below these places before.
        self.option(&["--remount-ro", "/dev", "--remount-ro", "/"]);
        let [filter_file, arguments_file] = ["filter", "arguments"].map(|name| folder.join(name));
        std::fs::write(&filter_file, filter)?;
        std::fs::write(&arguments_file, zero_ended(&self.arguments))?;
        let doors = limits.map(Limits::doors).unwrap_or_default();
        let doors: Vec<&OsStr> = doors.iter().map(|door| door.as_os_str()).collect();
        let mut words = limits.map(Limits::command).unwrap_or_default();
        words.extend(["/bin/sh", "-c", ENTER, "assay"].map(str::to_owned));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(filter_file).arg(arguments_file);
        command.arg(doors.join(OsStr::new(" "))).arg(&self.means.bubblewrap).args(["--args", "4", "--"]);
        command.args(self.stage).args(program);
        // Nothing of the app's own variables, keys among them, and no part in what a terminal sends to the app.
        let kept = KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        command.env_clear().envs(kept).process_group(0);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }
}

fn zero_ended(arguments: &[OsString]) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    arguments.iter().flat_map(|argument| argument.as_bytes().iter().copied().chain([0])).collect()
}
