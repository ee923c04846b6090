"""The supervisor of a session: the trusted process between the host and the code it sends.

It is the first process of the sandbox and uses nothing but the standard library of Python 3.9 or
newer. Commands come in on file descriptor 0 and events go out on file descriptor 1, both as frames:
two big-endian 32-bit lengths, that many bytes of JSON, that many bytes of raw body. User code never
runs here: it runs in a child, the kernel (kernel.py), or in a shell. The child's own descriptors 1 and
2 are pipes that end here, so no print can break a frame, output streams while it is produced and
survives a crash of the child.

`KERNEL_SOURCE` is put into this module's globals by the bootstrap.
"""

import errno
import fcntl
import hashlib
import json
import os
import select
import signal
import socket
import stat
import struct
import sys
import time

HOST_IN, HOST_OUT = 0, 1
WORKSPACE = os.environ.get("ASSAY_WORKSPACE", "/workspace")
HEADER = struct.Struct(">II")
CHUNK = 1 << 16
HEAD_BYTES = 48 << 10  # of a stream of output sent as it comes; what follows is kept as a tail
TAIL_BYTES = 16 << 10
SPILL_BYTES = 8 << 20  # of a step's whole output kept in work/ for the code to read again
WATCHDOG_S = 600  # without a word from the host the sandbox ends itself
WARM_LIMIT_S = 60  # for the kernel to be ready for its first step
MAX_ENTRIES = 20_000  # files looked at after a step
MAX_KERNEL_MESSAGE = 1 << 20
MEMORY_EVENT_FILES = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


# ---------------------------------------------------------------- frames


class HostGone(Exception):
    """The host closed the connection."""


def read_exactly(fd, count):
    parts = []
    while count:
        part = os.read(fd, min(count, 1 << 20))
        if not part:
            raise HostGone
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive():
    json_length, body_length = HEADER.unpack(read_exactly(HOST_IN, HEADER.size))
    return json.loads(read_exactly(HOST_IN, json_length)), read_exactly(HOST_IN, body_length)


def send(event, body=b""):
    text = json.dumps(event, ensure_ascii=True).encode("ascii")
    data = memoryview(HEADER.pack(len(text), len(body)) + text + body)
    while data:
        data = data[os.write(HOST_OUT, data) :]


# ---------------------------------------------------------------- processes


def set_dumpable(value):
    """With 0, no process of the same user may open this one's descriptors, memory or trace it."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(4, value, 0, 0, 0)
    except (ImportError, AttributeError, OSError):
        pass


def oom_kills():
    """How many processes of this sandbox the kernel has killed for want of memory."""
    for name in MEMORY_EVENT_FILES:
        try:
            with open(name) as file:
                for line in file:
                    key, _, value = line.partition(" ")
                    if key == "oom_kill":
                        return int(value)
        except (OSError, ValueError):
            continue
    return 0


def memory_dies_first():
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


def others(spare=()):
    """The process numbers of what the code has started, its remains included."""
    keep = {os.getpid(), *spare}
    numbers = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [pid for pid in numbers if pid not in keep and descends_from_us(pid)]


def kill_everything(spare=()):
    """Kills every other process of the sandbox but those in `spare`."""
    if os.getpid() == 1 and not spare:
        victims = [-1]  # all at once, so that a fork bomb cannot outrun it
    else:
        victims = others(spare)
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def descends_from_us(pid):
    if os.getpid() == 1:
        return True
    for _ in range(64):
        try:
            with open(f"/proc/{pid}/stat") as file:
                pid = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return False
        if pid == os.getpid():
            return True
    return False


def pipe():
    """A pipe with room for a burst, its read end non-blocking."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    try:
        fcntl.fcntl(writer, 1031, 1 << 20)
    except OSError:
        pass
    return reader, writer


def fork(child, tries=50):
    """Forks and runs `child` there; tries again while the process limit is reached."""
    for attempt in range(tries):
        try:
            pid = os.fork()
        except OSError:
            if attempt == tries - 1:
                raise
            kill_everything()
            reap()
            time.sleep(0.02)
            continue
        if pid:
            return pid
        try:
            child()
        finally:
            os._exit(127)


def reap():
    """Collects ended children: {pid: wait status}."""
    ended = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def become_child(stdout, stderr, keep=()):
    """In a fork: own session, no host descriptors, output into the given pipes."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    first = 3
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, 1 << 16)
    memory_dies_first()
    set_dumpable(1)
    os.chdir(WORKSPACE)


class Kernel:
    """The child that runs Python; variables live in it from step to step."""

    def __init__(self, stdout, stderr):
        ours, theirs = socket.socketpair()
        theirs_fd = theirs.fileno()

        def child():
            become_child(stdout, stderr, keep=(theirs_fd,))
            scope = {"__name__": "assay_kernel", "CHANNEL": theirs_fd, "WORKSPACE": WORKSPACE}
            exec(compile(KERNEL_SOURCE, "<kernel>", "exec"), scope)  # noqa: F821
            scope["serve"]()

        self.pid = fork(child)
        self.status = None
        theirs.close()
        ours.setblocking(False)
        self.channel = ours
        self.buffer = b""

    def ask(self, message):
        data = json.dumps(message).encode()
        self.channel.setblocking(True)
        self.channel.settimeout(5)
        try:
            self.channel.sendall(struct.pack(">I", len(data)) + data)
        finally:
            self.channel.setblocking(False)

    def answers(self):
        """The messages that have arrived. Raises ValueError where the child broke the protocol."""
        while True:
            try:
                part = self.channel.recv(CHUNK)
            except BlockingIOError:
                break
            except OSError:
                part = b""
            if not part:
                raise ValueError("the code closed its own control channel")
            self.buffer += part
            if len(self.buffer) > MAX_KERNEL_MESSAGE:
                raise ValueError("the code wrote into its own control channel")
        found = []
        while len(self.buffer) >= 4:
            length = struct.unpack(">I", self.buffer[:4])[0]
            if length > MAX_KERNEL_MESSAGE:
                raise ValueError("the code wrote into its own control channel")
            if len(self.buffer) < 4 + length:
                break
            message = json.loads(self.buffer[4 : 4 + length])
            if not isinstance(message, dict):
                raise ValueError("the code wrote into its own control channel")
            found.append(message)
            self.buffer = self.buffer[4 + length :]
        return found


# ---------------------------------------------------------------- output


class Output:
    """One stream of a step's output: a head sent at once, a tail sent at the end, a full copy on disk."""

    def __init__(self, name):
        self.name = name
        self.start(0)

    def start(self, step):
        self.step, self.head, self.total, self.tail = step, b"", 0, b""
        self.spill, self.spilled = None, 0

    def take(self, data):
        self.total += len(data)
        room = HEAD_BYTES - len(self.head)
        head, rest = data[:room], data[room:]
        if head:
            self.head += head
            send({"event": "output", "step": self.step, "stream": self.name}, head)
        if rest:
            self.tail = (self.tail + rest)[-TAIL_BYTES:]
            if self.spill is None:
                self.spill = f"work/step_{self.step:02d}_{self.name}.txt"
                self.save(self.head)
            self.save(rest)

    def save(self, data):
        """Keeps the whole text of a long output in a file, so that the code can read it again."""
        room = SPILL_BYTES - self.spilled
        if room <= 0:
            return
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
            fd = os.open(os.path.join(WORKSPACE, self.spill), flags, 0o644)
            try:
                self.spilled += os.write(fd, data[:room])
            finally:
                os.close(fd)
        except OSError:
            self.spilled = SPILL_BYTES

    def finish(self):
        skipped = self.total - len(self.head) - len(self.tail)
        report = {"event": "output_end", "step": self.step, "stream": self.name, "skipped": skipped}
        if self.spill:
            report["full_text"] = self.spill
        send(report, self.tail)


# ---------------------------------------------------------------- files


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


def read_file(command, _body):
    """Streams one ordinary file to the host: chunks, then read_end with its size."""
    try:
        fd = open_inside(command["path"], os.O_RDONLY)
        try:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.EINVAL, "it is not an ordinary file")
            if info.st_size > command["max_bytes"]:
                raise OSError(errno.EFBIG, "it is too large")
            left = command["max_bytes"]
            while left > 0:
                part = os.read(fd, min(left, 1 << 18))
                if not part:
                    break
                left -= len(part)
                send({"event": "chunk"}, part)
        finally:
            os.close(fd)
        send({"event": "read_end"})
    except OSError as error:
        send({"event": "read_end", "error": error.strerror or str(error)})


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
    send({"event": "inventory", "python": sys.version.split()[0], "packages": found})


# ---------------------------------------------------------------- steps


class Session:
    """The state between frames: one kernel, at most one step."""

    def __init__(self, grace_s=2.0):
        self.grace_s = grace_s
        self.stdout, self.stdout_writer = pipe()
        self.stderr, self.stderr_writer = pipe()
        self.outputs = {self.stdout: Output("stdout"), self.stderr: Output("stderr")}
        self.wakeup, wakeup_writer = os.pipe()
        for fd in (self.wakeup, wakeup_writer):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.step = None
        self.shell = None
        self.known = {}
        self.heard = time.monotonic()
        self.start_kernel()
        self.known = look({})[3]

    def start_kernel(self):
        self.kernel = Kernel(self.stdout_writer, self.stderr_writer)

    def restart_kernel(self):
        """Ends every process of the code and starts a fresh kernel; the variables are gone."""
        self.kernel.channel.close()
        kill_everything()
        deadline = time.monotonic() + 5
        while others() and time.monotonic() < deadline:
            self.shell_ended(reap())
            time.sleep(0.002)
        self.start_kernel()

    # -- commands of the host

    def hello(self, command, _body):
        self.grace_s = command.get("grace_s", self.grace_s)
        send({"event": "ready", "python": sys.version.split()[0], "pid": os.getpid(), "uid": os.getuid()})

    def begin(self, command, _body):
        number, now = command["step"], time.monotonic()
        for output in self.outputs.values():
            output.start(number)
        self.drain(discard=True)
        self.step = {
            "number": number,
            "started": now,
            "limit_s": command["limit_s"],
            # The clock of the code starts when it does, not while the kernel still warms up.
            "deadline": now + command["limit_s"] + (0 if command["op"] == "shell" else WARM_LIMIT_S),
            "why": None,
            "oom": oom_kills(),
            "begun": command["op"] == "shell",
            "restarted": False,
        }
        if command["op"] == "shell":
            self.shell = self.start_shell(command["command"])
            return
        try:
            self.kernel.ask({"op": "run", "step": number, "code": command["code"]})
        except OSError:
            self.step["restarted"] = True
            self.restart_kernel()
            self.kernel.ask({"op": "run", "step": number, "code": command["code"]})

    def start_shell(self, text):
        def child():
            become_child(self.stdout_writer, self.stderr_writer)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv("/bin/sh", ["/bin/sh", "-c", text])

        return fork(child)

    def interrupt(self, command, _body):
        if self.step and self.step["number"] == command["step"] and not self.step["why"]:
            self.interrupt_step("interrupted")

    def warm(self, command, _body):
        self.kernel.ask({"op": "warm", "modules": command["modules"]})

    def alive(self, _command, _body):
        pass

    COMMANDS = {
        "hello": hello,
        "python": begin,
        "shell": begin,
        "interrupt": interrupt,
        "warm": warm,
        "alive": alive,
    }
    PLAIN_COMMANDS = {"verify": verify, "inventory": inventory, "read": read_file, "write": write_file}

    def obey(self):
        command, body = receive()
        self.heard = time.monotonic()
        plain = self.PLAIN_COMMANDS.get(command["op"])
        if plain:
            plain(command, body)
        else:
            self.COMMANDS[command["op"]](self, command, body)

    # -- the life of a step

    def interrupt_step(self, why):
        self.step["why"] = why
        if not self.step["begun"]:
            # The kernel still imports what it was warmed with: there are no variables to lose yet.
            self.lost_kernel(why)
            return
        self.step["deadline"] = time.monotonic() + self.grace_s
        self.signal_step(signal.SIGINT)

    def signal_step(self, number):
        try:
            if self.shell:
                os.killpg(self.shell, number)
            else:
                os.kill(self.kernel.pid, number)
        except ProcessLookupError:
            pass

    def tick(self):
        """Acts on the time limit."""
        if not self.step or time.monotonic() < self.step["deadline"]:
            return
        if not self.step["why"]:
            self.interrupt_step("timeout")
        elif self.shell:
            self.signal_step(signal.SIGKILL)
            self.step["deadline"] = time.monotonic() + self.grace_s
        else:
            self.lost_kernel(self.step["why"])

    def children_ended(self):
        ended = reap()
        if self.kernel.pid in ended:
            self.lost_kernel(self.death_of(ended[self.kernel.pid]))
        self.shell_ended(ended)

    def shell_ended(self, ended):
        if self.shell not in ended:
            return
        code = os.waitstatus_to_exitcode(ended[self.shell])
        self.shell = None
        self.end(self.step["why"] or ("ok" if code == 0 else "error"), exit_code=code)

    def death_of(self, status):
        if self.step and self.step["why"]:
            return self.step["why"]
        if self.step and oom_kills() > self.step["oom"]:
            return "out_of_memory"
        return "exited" if os.WIFEXITED(status) else "crashed"

    def lost_kernel(self, status, message=None):
        self.drain()
        self.restart_kernel()
        if self.step and not self.shell:
            self.step["restarted"] = True
            self.end(status, message=message)
        else:
            send({"event": "kernel_lost"})

    def kernel_answered(self):
        try:
            messages = self.kernel.answers()
            for message in messages:
                self.take_result(message)
        except Exception as error:  # whatever the code wrote there must not end the supervisor
            if not self.kernel_is_dead():
                message = str(error) if type(error) is ValueError else "the code wrote into its own control channel"
                self.lost_kernel("crashed", message=message[:200])

    def kernel_is_dead(self):
        """The end of the channel is seen before the end of the process: let the reaping tell why."""
        for _ in range(50):
            try:
                pid, status = os.waitpid(self.kernel.pid, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid:
                self.lost_kernel(self.death_of(status))
                return True
            time.sleep(0.002)
        return False

    def take_result(self, message):
        if message["op"] not in ("started", "done"):
            raise ValueError("the code wrote into its own control channel")
        if not self.step or self.shell or message["step"] != self.step["number"]:
            raise ValueError("the code answered for another step")
        if message["op"] == "started":
            self.step["begun"] = True
            self.step["deadline"] = time.monotonic() + self.step["limit_s"]
            return
        status = "ok" if message["ok"] is True else "error"
        error = message.get("error")
        if error is not None:
            error = {key: str(error.get(key) or "")[:8000] for key in ("kind", "message", "traceback")} | {
                "line": int(error["line"]) if error.get("line") else None
            }
        if self.step["why"] and status == "error":
            status = self.step["why"]
        self.end(status, error=error)

    def end(self, status, error=None, exit_code=None, message=None):
        step = self.step
        if step["why"] or exit_code is not None:
            kill_everything(spare=(self.kernel.pid,))
        self.drain()
        for output in self.outputs.values():
            output.finish()
        changed, removed, refused, self.known = look(self.known)
        self.step = None
        send(
            {
                "event": "done",
                "step": step["number"],
                "status": status,
                "duration_ms": round((time.monotonic() - step["started"]) * 1000, 3),
                "error": error,
                "exit_code": exit_code,
                "message": message,
                "changed": changed[:2000],
                "removed": removed[:2000],
                "refused": refused[:200],
                "restarted": step["restarted"],
            }
        )

    # -- output

    def drain(self, discard=False, limit=1 << 26):
        """Takes what is in the pipes now."""
        for fd, output in self.outputs.items():
            left = limit
            while left > 0:
                try:
                    data = os.read(fd, CHUNK)
                except BlockingIOError:
                    break
                left -= len(data)
                if not discard:
                    output.take(data)

    def serve(self):
        while True:
            watched = [HOST_IN, self.kernel.channel.fileno(), self.stdout, self.stderr, self.wakeup]
            waiting = WATCHDOG_S if not self.step else max(0.0, self.step["deadline"] - time.monotonic())
            ready = select.select(watched, [], [], min(waiting, 30))[0]
            for fd in (self.stdout, self.stderr):
                if fd in ready:
                    data = os.read(fd, CHUNK)
                    if self.step:
                        self.outputs[fd].take(data)
            if self.wakeup in ready:
                os.read(self.wakeup, 4096)
            if self.kernel.channel.fileno() in ready:
                self.kernel_answered()
            if self.wakeup in ready:
                self.children_ended()
            if HOST_IN in ready:
                self.obey()
            self.tick()
            if not self.step and time.monotonic() - self.heard > WATCHDOG_S:
                return


def main():
    set_dumpable(0)
    os.umask(0o022)
    try:
        Session().serve()
    except (HostGone, BrokenPipeError):
        pass
    kill_everything()
    os._exit(0)
