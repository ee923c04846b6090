"""The supervisor of a session: the trusted process between the host and the code it sends.

It is the first process of the sandbox and uses nothing but the standard library of Python 3.9 or newer. It
obeys the host's commands and tells it of events, both as frames (frames.py). User code never runs here: it
runs in a child, the kernel (kernel.py), or in a shell. The child's own descriptors 1 and 2 are pipes that
end here, so no print can break a frame, output streams while it is produced and survives a crash of the
child.
"""

import os
import select
import signal
import sys
import time

from assay_changes import believable, line_number
from assay_frames import HOST_IN, HostGone, receive, send
from assay_processes import (
    CHUNK,
    Kernel,
    become_child,
    fork,
    kill_everything,
    oom_kills,
    others,
    pipe,
    reap,
    set_dumpable,
)
from assay_quota import LOOK_AGAIN_S, Quota
from assay_workspace import append_to_file, inventory, look, read_file, tellable, verify, write_file

HEAD_BYTES = 48 << 10  # of a stream of output sent as it comes; what follows is kept as a tail
TAIL_BYTES = 16 << 10
SPILL_BYTES = 8 << 20  # of a step's whole output kept in work/ for the code to read again
SILENCE_LIMIT_S = 600  # without a word from the host for so long the sandbox ends itself
WARM_LIMIT_S = 60  # for the kernel to be ready for its first step
BEGIN_LIMIT_S = 5  # for a kernel that has run a step to begin the next one


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
            self.spilled += append_to_file(self.spill, data[:room])
        except OSError:
            if not self.spilled:
                self.spill = ""
            self.spilled = SPILL_BYTES

    def finish(self):
        skipped = self.total - len(self.head) - len(self.tail)
        report = {"event": "output_end", "step": self.step, "stream": self.name, "skipped": skipped}
        if self.spill:
            report["full_text"] = self.spill
        send(report, self.tail)


class Session:
    """The state between frames: one kernel, at most one step."""

    def __init__(self, kernel_sources, grace_s=2.0):
        self.kernel_sources = kernel_sources
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
        signal.signal(signal.SIGALRM, lambda *_: self.end_for_silence())
        self.silence_limit_s = SILENCE_LIMIT_S
        self.host_was_heard()
        self.step = None
        self.shell = None
        self.known = {}
        self.quota = Quota(os.environ)
        self.start_kernel()
        self.known = look({})[3]

    def start_kernel(self):
        self.kernel = Kernel(self.kernel_sources, self.stdout_writer, self.stderr_writer)

    def restart_kernel(self):
        """Ends every process of the code and starts a fresh kernel; the variables are gone."""
        self.kernel.channel.close()
        kill_everything()
        deadline = time.monotonic() + 5
        while others() and time.monotonic() < deadline:
            self.shell_ended(reap())
            time.sleep(0.002)
        self.start_kernel()

    def host_was_heard(self):
        """A timer of the system ends what waits for a host that does not read, too."""
        self.heard = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, self.silence_limit_s)

    def end_for_silence(self):
        # The code can send this signal, but it cannot turn the clock.
        left = self.heard + self.silence_limit_s - time.monotonic()
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
            return
        kill_everything()
        os._exit(0)

    # -- commands of the host

    def hello(self, command, _body):
        self.grace_s = command.get("grace_s", self.grace_s)
        self.silence_limit_s = command.get("silence_limit_s", self.silence_limit_s)
        self.host_was_heard()
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
            "deadline": now + command["limit_s"],
            "why": None,
            "oom": oom_kills(),
            "begun": command["op"] == "shell",
            "restarted": False,
            "message": None,
        }
        if command["op"] == "shell":
            self.shell = self.start_shell(command["command"])
            return
        self.step["code"] = command["code"]
        try:
            self.ask_kernel()
        except OSError:
            self.ask_fresh_kernel()

    def ask_kernel(self):
        """Gives the step to the kernel. The clock of the code starts when it does, not while the kernel warms up."""
        patience = BEGIN_LIMIT_S if self.kernel.warm else WARM_LIMIT_S + self.step["limit_s"]
        self.step["deadline"] = time.monotonic() + patience
        self.kernel.ask({"op": "run", "step": self.step["number"], "code": self.step["code"]})

    def ask_fresh_kernel(self):
        self.step["restarted"] = True
        self.restart_kernel()
        self.ask_kernel()

    def start_shell(self, text):
        def child():
            become_child(self.stdout_writer, self.stderr_writer)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv("/bin/sh", ["/bin/sh", "-c", text])

        try:
            return fork(child, tries=1)
        except OSError:
            # What earlier steps have started leaves no room for another process.
            self.step["restarted"] = True
            self.restart_kernel()
            return fork(child)

    def interrupt(self, command, _body):
        if self.step and self.step["number"] == command["step"] and not self.step["why"]:
            self.interrupt_step("interrupted")

    def warm(self, command, _body):
        self.kernel.ask({"op": "warm", "modules": command["modules"]})

    def read(self, command, _body):
        """Files, one after the other. A host that takes what it is sent is there, though it says nothing."""
        left = command["max_bytes"]
        for path in command["paths"]:
            left -= read_file(path, left)
            self.host_was_heard()

    def alive(self, _command, _body):
        pass

    def close(self, _command, _body):
        raise HostGone

    COMMANDS = {
        "hello": hello,
        "python": begin,
        "shell": begin,
        "interrupt": interrupt,
        "warm": warm,
        "read": read,
        "alive": alive,
        "close": close,
    }
    PLAIN_COMMANDS = {"verify": verify, "inventory": inventory, "write": write_file}

    def obey(self):
        command, body = receive()
        self.host_was_heard()
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
        if not self.step["begun"] and self.kernel.warm:
            # What an earlier step has left there holds it up: that step had its time.
            self.ask_fresh_kernel()
        elif not self.step["why"]:
            self.interrupt_step("timeout")
        elif self.shell:
            self.signal_step(signal.SIGKILL)
            self.step["deadline"] = time.monotonic() + self.grace_s
        else:
            self.lost_kernel(self.step["why"])

    def check_quota(self):
        """Ends what holds more than the session may."""
        broken = self.quota.broken()
        if broken and self.shell:
            self.step["why"], self.step["message"] = broken
            kill_everything(spare=(self.kernel.pid,))
        elif broken:
            self.lost_kernel(*broken)

    def children_ended(self):
        ended = reap()
        self.kernel.ended = ended.get(self.kernel.pid, self.kernel.ended)
        self.shell_ended(ended)
        # A fresh kernel ends every process of the code, so a shell comes to its end before.
        if self.kernel.ended is not None and not self.shell:
            self.lost_kernel(self.death_of(self.kernel.ended))

    def shell_ended(self, ended):
        if self.shell not in ended:
            return
        code = os.waitstatus_to_exitcode(ended[self.shell])
        self.shell = None
        status = self.step["why"] or ("ok" if code == 0 else "error")
        self.end(status, exit_code=code, message=self.step["message"])

    def death_of(self, status):
        if self.step and self.step["why"]:
            return self.step["why"]
        if self.memory_ran_out():
            return "out_of_memory"
        return "exited" if os.WIFEXITED(status) else "crashed"

    def memory_ran_out(self):
        return bool(self.step) and oom_kills() > self.step["oom"]

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
            if self.memory_ran_out():  # what had much memory takes a while to die
                self.lost_kernel("out_of_memory")
            elif not self.kernel_is_dead():
                message = str(error) if type(error) is ValueError else "the code wrote into its own control channel"
                self.lost_kernel("crashed", message[:200])

    def kernel_is_dead(self):
        """The end of the channel is seen before the end of the process: let the reaping tell why."""
        for _ in range(500):
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
            if self.step["begun"]:
                raise ValueError("the code wrote into its own control channel")
            self.step["begun"] = self.kernel.warm = True
            self.step["deadline"] = time.monotonic() + self.step["limit_s"]
            return
        status = "ok" if message["ok"] is True else "error"
        error = message.get("error")
        if error is not None:
            error = {key: str(error.get(key) or "")[:8000] for key in ("kind", "message", "traceback")} | {
                "line": line_number(error.get("line")),
                "advice": str(error["advice"])[:1000] if error.get("advice") else None,
            }
        if self.step["why"] and status == "error":
            status = self.step["why"]
        self.end(status, error=error, tables=believable(message.get("tables")))

    def end(self, status, error=None, exit_code=None, message=None, tables=()):
        step = self.step
        if step["why"] or exit_code is not None:
            kill_everything(spare=(self.kernel.pid,))
        self.drain()
        for output in self.outputs.values():
            output.finish()
        changed, removed, refused, self.known = look(self.known)
        changed, untold = tellable(changed)
        if untold:
            refused.insert(0, {"path": "", "reason": f"{untold} more files were made than can be told of"})
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
                "changed": changed,
                "removed": tellable(removed)[0],
                "refused": tellable(refused)[0],
                "restarted": step["restarted"],
                "tables": tables,
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
            watched = [HOST_IN, self.stdout, self.stderr, self.wakeup]
            if not self.shell:
                watched.append(self.kernel.channel.fileno())
            waits = [LOOK_AGAIN_S] if self.quota.active else []
            if self.step:
                waits.append(max(0.0, self.step["deadline"] - time.monotonic()))
            ready = select.select(watched, [], [], min(waits, default=None))[0]
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
            self.check_quota()


def main(kernel_sources):
    set_dumpable(0)
    os.umask(0o022)
    try:
        Session(kernel_sources).serve()
    except (HostGone, BrokenPipeError):
        pass
    kill_everything()
    os._exit(0)
