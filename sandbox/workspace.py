"""The files of a session, as the supervisor sees them: no link is ever followed."""

import errno
import hashlib
import json
import os
import stat
import sys

from assay_frames import send

WORKSPACE = os.environ.get("ASSAY_WORKSPACE", "/workspace")
MEMORY_LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
MAX_ENTRIES = 20_000  # files looked at after a step
MOST_TOLD = 2000  # entries of one list that the host is told
MOST_TOLD_BYTES = 1 << 20  # their paths together


def look(known):
    """What changed under output/ and work/ since the last look: (changed, removed, refused, now)."""
    now, refused, seen = {}, [], 0
    stack = ["output", "work"]
    while stack and seen < MAX_ENTRIES:
        folder = stack.pop()
        try:
            entries = list(os.scandir(os.path.join(WORKSPACE, folder)))
        except OSError:
            continue
        for entry in entries:
            seen += 1
            name = f"{folder}/{entry.name}"
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(info.st_mode):
                stack.append(name)
            elif stat.S_ISREG(info.st_mode):
                now[name] = (info.st_size, info.st_mtime_ns, info.st_ino)
            else:
                now[name] = None
    changed = []
    for name, mark in sorted(now.items()):
        if known.get(name, ()) == mark:
            continue
        shown = os.fsencode(name).decode("utf-8", "backslashreplace")
        if mark is None:
            refused.append({"path": shown, "reason": "it is not an ordinary file"})
        elif shown != name:
            refused.append({"path": shown, "reason": "its name is not valid UTF-8"})
        else:
            changed.append({"path": name, "size": mark[0], "new": name not in known})
    if seen >= MAX_ENTRIES:
        refused.append({"path": "", "reason": f"there are more than {MAX_ENTRIES} files"})
    removed = [name for name in known if name not in now and known[name] is not None]
    return changed, [n for n in removed if n.isprintable()], refused, now


def tellable(entries):
    """As many entries as fit into a message, and how many do not."""
    room, told = MOST_TOLD_BYTES, 0
    for entry in entries[:MOST_TOLD]:
        room -= len(json.dumps(entry))
        if room < 0:
            break
        told += 1
    return entries[:told], len(entries) - told


def append_to_file(path, data):
    """Adds to an ordinary file below the workspace; returns how many bytes were written."""
    fd = open_inside(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file")
        return os.write(fd, data)
    finally:
        os.close(fd)


def open_inside(path, flags):
    """Opens a path below the workspace without following any link."""
    parts = [part for part in path.split("/") if part]
    if not parts or ".." in parts or path.startswith("/"):
        raise OSError(errno.EINVAL, "not a path below the workspace")
    folder = os.open(WORKSPACE, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            if flags & os.O_CREAT:
                try:
                    os.mkdir(part, dir_fd=folder)
                except FileExistsError:
                    pass
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        return os.open(parts[-1], flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644, dir_fd=folder)
    finally:
        os.close(folder)


def read_file(path, max_bytes):
    """Streams one ordinary file to the host: chunks, then read_end with its last bytes. Returns how many it read."""
    count, last = 0, b""
    try:
        fd = open_inside(path, os.O_RDONLY)
        try:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.EINVAL, "it is not an ordinary file")
            if info.st_size > max_bytes:
                raise OSError(errno.EFBIG, "it is too large")
            while count < max_bytes:
                part = os.read(fd, min(max_bytes - count, 1 << 18))
                if not part:
                    break
                if last:
                    send({"event": "chunk"}, last)
                count, last = count + len(part), part
        finally:
            os.close(fd)
        send({"event": "read_end"}, last)
    except OSError as error:
        send({"event": "read_end", "error": error.strerror or str(error)})
    return count


def write_file(command, body):
    try:
        fd = open_inside(command["path"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            data = memoryview(body)
            while data:
                data = data[os.write(fd, data) :]
        finally:
            os.close(fd)
        send({"event": "written"})
    except OSError as error:
        send({"event": "written", "error": error.strerror or str(error)})


def verify(command, _body):
    """Compares what is in input/ with what the host staged: size always, SHA-256 where it is given."""
    failures = []
    for entry in command["entries"]:
        path = os.path.join(WORKSPACE, "input", entry["path"])
        try:
            size = os.stat(path).st_size
            if size != entry["size"]:
                raise ValueError(f"{size} bytes instead of {entry['size']}")
            with open(path, "rb") as file:
                if entry.get("sha256"):
                    digest = hashlib.sha256()
                    for part in iter(lambda: file.read(1 << 20), b""):
                        digest.update(part)
                    if digest.hexdigest() != entry["sha256"]:
                        raise ValueError("other content than on the host")
        except (OSError, ValueError) as error:
            failures.append({"path": entry["path"], "reason": str(error)})
    send({"event": "verified", "failures": failures})


def inventory(command, _body):
    """The versions of the packages asked for that are really installed."""
    from importlib import metadata

    found = {}
    for name in command["packages"]:
        try:
            found[name] = metadata.version(name)
        except Exception:
            continue
    python = sys.version.split()[0]
    send({"event": "inventory", "python": python, "packages": found, "memory_limit_bytes": memory_limit()})


def memory_limit():
    """The memory that this sandbox may use, in bytes, as the system counts it; None where that cannot be known."""
    for name in MEMORY_LIMIT_FILES:
        try:
            with open(name) as file:
                limit = file.read().strip()
            return sys.maxsize if limit == "max" else int(limit)
        except (OSError, ValueError):
            continue
    return None
