"""The processes of a session: the kernel, what it and shells start, and how all of them end."""

import fcntl
import json
import os
import signal
import socket
import struct
import sys
import time
import types

from assay_workspace import WORKSPACE

CHUNK = 1 << 16
MAX_KERNEL_MESSAGE = 1 << 20
MEMORY_EVENT_FILES = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


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
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
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

    def __init__(self, sources, stdout, stderr):
        """`sources` are the names and texts of its modules, each after those that it imports."""
        ours, theirs = socket.socketpair()
        theirs_fd = theirs.fileno()

        def child():
            become_child(stdout, stderr, keep=(theirs_fd,))
            for name, source in sources:
                module = sys.modules[name] = types.ModuleType(name)
                module.CHANNEL, module.WORKSPACE = theirs_fd, WORKSPACE
                exec(compile(source, "<kernel>", "exec"), module.__dict__)
            module.serve()

        self.pid = fork(child)
        self.warm = False  # until it has begun a step
        self.ended = None  # its wait status, once it has one
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
