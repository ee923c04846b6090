"""What a sandbox is like from inside, as one line of JSON; proof.rs of the sandbox crate holds it against the policy.

It is run as the first step of a session, so it sees what code sees. It only looks, and tries what must fail.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import socket

PLACES = ("/workspace/output", "/workspace/work", "/tmp", "/dev/shm")
MARKS = ("nosuid", "nodev", "noexec")
# On x86-64 and on aarch64. What they are called with has no effect where they are allowed.
CALLS = {
    "ptrace": (101, 117, (-1, -1)),
    "keyctl": (250, 219, (-1,)),
    "bpf": (321, 280, (-1,)),
    "unshare": (272, 97, (0,)),
    "setns": (308, 268, (-1,)),
    "io_uring_setup": (425, 425, (0,)),
    "process_vm_readv": (310, 270, (-1,)),
    "kcmp": (312, 272, (-1,)),
    "personality": (135, 92, (0xFFFFFFFF,)),
    "mount": (165, 40, (0,)),
    "perf_event_open": (298, 241, (0,)),
    "userfaultfd": (323, 282, (-1,)),
    "name_to_handle_at": (303, 264, (-1,)),
    "inotify_init1": (294, 26, (0,)),
}
SOCKETS = {
    "netlink": (16, 3),
    "packet": (17, 3),
    "raw": (2, 3),
    "vsock": (40, 1),
    "AF_ALG": (38, 5),
    "Bluetooth": (31, 3),
}


def lines(path):
    try:
        with open(path) as file:
            return file.read().splitlines()
    except OSError:
        return []


def first(*paths):
    """The words of the first of these files that is there."""
    return next((found[0].split() for found in map(lines, paths) if found), [])


def lowest(*numbers):
    """The strictest of several limits; a limit of nearly 2^63 is none."""
    return min((number for number in numbers if number is not None and 0 <= number < 1 << 60), default=None)


def whole(words):
    return int(words[0]) if words and words[0].isdigit() else None


def rlimit(name):
    """The hard limit: what the code cannot raise."""
    return resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1]


def mounts():
    """Mount point -> options; the last one of a place is the one that is seen."""
    found = {}
    for line in lines("/proc/self/mountinfo"):
        words = line.split(" ")
        found[words[4].encode().decode("unicode_escape")] = set(words[5].split(","))
    return found


def can_be_written(folder):
    name = os.path.join(folder, ".assay-probe")
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.unlink(name)
    except OSError:
        return False
    return True


def place(path, seen):
    try:
        about = os.statvfs(path)
    except OSError:
        return None
    lacks = [mark for mark in MARKS if mark not in seen.get(path, ())]
    return {"path": path, "bytes": about.f_blocks * about.f_frsize, "files": about.f_files, "lacks": lacks}


def allowed():
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    for name, (x86_64, aarch64, arguments) in CALLS.items():
        number = {"x86_64": x86_64, "aarch64": aarch64}.get(platform.machine())
        if number is None:
            continue
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(value) for value in arguments + (0,) * 4])
        if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            found.append(name)
    for name, (family, kind) in SOCKETS.items():
        try:
            socket.socket(family, kind).close()
            found.append(f"a {name} socket")
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT):
                found.append(f"a {name} socket")
    return found


def routes():
    """Ways to anywhere but this sandbox itself."""
    own = [line for line in lines("/proc/net/ipv6_route") if line.split()[-1] != "lo"]
    return len(lines("/proc/net/route")[1:]) + len(own)


def report():
    status = dict(line.split(":\t", 1) for line in lines("/proc/self/status") if ":\t" in line)
    quota = first("/sys/fs/cgroup/cpu.max") or (
        first("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")
        + first("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us")
    )
    memory = whole(first("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"))
    processes = whole(first("/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"))
    seen = mounts()
    return {
        "uid": os.getuid(),
        "gid": os.getgid(),
        "groups": os.getgroups(),
        "capabilities": [
            f"{name} {status[name]}"
            for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
            if int(status.get(name, "1"), 16)
        ],
        "no_new_privileges": status.get("NoNewPrivs") == "1",
        "seccomp": int(status.get("Seccomp", 0)),
        "allowed": allowed(),
        "interfaces": [line.split(":")[0].strip() for line in lines("/proc/net/dev")[2:]],
        "routes": routes(),
        "root_read_only": "ro" in seen.get("/", ()) or not can_be_written("/usr"),
        "writable": [path for path in seen if can_be_written(path)],
        "places": [found for found in (place(path, seen) for path in PLACES) if found],
        "memory_bytes": lowest(memory),
        "cpus": int(quota[0]) / int(quota[1]) if len(quota) > 1 and quota[0].isdigit() else None,
        "processes": lowest(processes, rlimit("NPROC")),
        "open_files": lowest(rlimit("NOFILE")),
    }


print(json.dumps(report()))
