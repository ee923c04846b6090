"""What a session may hold, for computers where nothing else counts it for all of its processes together.

The supervisor looks again and again. What grows faster than that is stopped by the limits of each process and
of each folder.
"""

import os

LOOK_AGAIN_S = 0.25
PLACES = ("/workspace/output", "/workspace/work", "/tmp", "/dev/shm")


class Quota:
    def __init__(self, environ):
        """Takes its limits out of the variables; without them nothing is looked at."""
        self.memory = int(environ.pop("ASSAY_MEMORY_BYTES", 0))
        self.files = int(environ.pop("ASSAY_FILES", 0))
        self.most_files = 0
        self.active = bool(self.memory or self.files)

    def broken(self):
        """How a step ends that is over a limit now, as (status, message), or None."""
        if not self.active:
            return None
        in_files, files = held_by_folders()
        grown, self.most_files = files > self.most_files, files
        if self.files and files > self.files and grown:
            return "crashed", f"it made more than {self.files} files"
        if self.memory and sum(held_by_processes(resident)) + in_files > self.memory:
            own, shared = held_by_processes(proportional)
            if own + max(shared, in_files) > self.memory:
                return "out_of_memory", None
        return None


def held_by_folders():
    """Bytes in all folders in memory, and the number of files in the one with the most."""
    held, files = 0, 0
    for place in PLACES:
        try:
            found = os.statvfs(place)
        except OSError:
            continue
        held += (found.f_blocks - found.f_bfree) * found.f_frsize
        files = max(files, found.f_files - found.f_ffree)
    return held, files


def held_by_processes(measure):
    """Bytes that the processes hold for themselves, and bytes that they share."""
    own, shared = 0, 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            held = measure(name)
            own, shared = own + held[0], shared + held[1]
    return own, shared


def resident(pid):
    """Quick, but what several processes have in common counts for each."""
    return amounts(f"/proc/{pid}/status", "RssAnon:", "RssShmem:") or (0, 0)


def proportional(pid):
    """What several processes have in common counts once. A process that hides is measured the other way."""
    return amounts(f"/proc/{pid}/smaps_rollup", "Pss_Anon:", "Pss_Shmem:") or resident(pid)


def amounts(place, *names):
    found = {}
    try:
        with open(place) as file:
            for line in file:
                name, *rest = line.split()
                if name in names:
                    found[name] = int(rest[0]) << 10
    except (OSError, ValueError):
        return None
    return tuple(found.get(name, 0) for name in names) if found else None
