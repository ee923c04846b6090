"""The far end of a hosted session: it hands files to a supervisor as commands and its events back as files.

A provider's interpreter runs one line of code at a time, the same line each time, which reads this file. Commands
arrive in the files assay-ask-NUMBER of `ROOT`, each taken once, so a line that is run twice does nothing twice. What
comes of them is left in the file assay-answer-NUMBER. A line that waits longer than `SLICE_S` answers with what
there is, and the next one goes on. Before this text stand `BOOTSTRAP`, `SOURCES` and `GRACE_S`, with which a
supervisor is started.
"""

import glob
import json
import os
import queue
import re
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import threading
import time

ROOT = os.environ.get("ASSAY_HOSTED_ROOT", "/mnt/data")
WORKSPACE = os.path.join(ROOT, "workspace")
SLICE_S = float(os.environ.get("ASSAY_HOSTED_SLICE_S", "30"))
HEARTBEAT_S = 60
MAX_TRIES = 3  # to start a supervisor
MAX_PUBLISHED = 1000  # files of one answer
MAX_PUBLISHED_BYTES = 1 << 30  # a larger file is not taken over anyway
HEADER = struct.Struct(">II")
ASK = re.compile(r"(?:^|-)assay-ask-(\d+)$")
ENDS = {
    "verify": "verified",
    "inventory": "inventory",
    "python": "done",
    "shell": "done",
    "read": "read_end",
    "write": "written",
}


def frame(message, body=b""):
    text = json.dumps(message).encode("ascii")
    return HEADER.pack(len(text), len(body)) + text + body


def frames(data):
    """The messages in some bytes, each with its own; None where the last one is not whole."""
    found = []
    while data:
        if len(data) < HEADER.size:
            return None
        text, body = HEADER.unpack(data[: HEADER.size])
        end = HEADER.size + text + body
        if len(data) < end:
            return None
        found.append((json.loads(data[HEADER.size : HEADER.size + text]), data[:end]))
        data = data[end:]
    return found


def can_be_taken(path):
    about = os.lstat(path)
    return stat.S_ISREG(about.st_mode) and about.st_size <= MAX_PUBLISHED_BYTES


def link_or_copy(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target, follow_symlinks=False)


def keep_from_change(path):
    try:
        os.chmod(path, 0o444)
    except OSError:
        pass  # a guard against mistakes, which not every file system has


def stage(parts):
    """Unpacks the files of `input/`; they came as one archive in `parts` pieces."""
    whole = os.path.join(ROOT, "assay-files.tar")
    with open(whole, "wb") as archive:
        for number in range(parts):
            copies = glob.glob(os.path.join(ROOT, f"*assay-files-{number}"))
            with open(max(copies, key=os.path.getsize), "rb") as file:  # one may have broken off and come again
                shutil.copyfileobj(file, archive, 1 << 20)
            for copy in copies:
                os.remove(copy)
    with tarfile.open(whole) as archive:
        for member in archive:
            place = os.path.join(WORKSPACE, "input", member.name)
            if member.isdir():
                os.makedirs(place, exist_ok=True)
                continue
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                shutil.copyfileobj(archive.extractfile(member), file, 1 << 20)
            keep_from_change(place)
    os.remove(whole)


class Supervisor:
    """The process that runs the steps, its events in a queue. At its end the queue holds None."""

    def __init__(self):
        if ROOT == "/mnt/data":
            try:  # where the code expects its folder
                os.symlink(WORKSPACE, "/workspace")
            except OSError:
                pass
        own = {"ASSAY_WORKSPACE": WORKSPACE, "HOME": os.path.join(WORKSPACE, "work"), "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable or "python3", "-u", "-c", BOOTSTRAP],  # noqa: F821
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=WORKSPACE,
            env={**os.environ, **own, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )
        self.events = queue.Queue()
        self.writing = threading.Lock()
        sources = SOURCES.encode()  # noqa: F821
        self.write(b"%08x" % len(sources) + sources)
        for task in (self.read, self.beat):
            threading.Thread(target=task, daemon=True).start()

    def write(self, data):
        try:
            with self.writing:
                self.process.stdin.write(data)
                self.process.stdin.flush()
        except OSError:
            pass  # its end is told by its output

    def read(self):
        source = self.process.stdout
        try:
            while True:
                header = source.read(HEADER.size)
                text, body = HEADER.unpack(header)
                data = source.read(text + body)
                self.events.put((json.loads(data[:text]), header + data))
        except Exception:
            self.events.put(None)

    def beat(self):
        while self.process.poll() is None:
            time.sleep(HEARTBEAT_S)
            self.write(frame({"op": "alive"}))


class Session:
    """One supervisor after the other, and what is under way in the present one."""

    def __init__(self):
        self.supervisor = None
        self.waiting = []  # the events that end what was asked for
        self.taken = set()
        self.repeat = False  # whether the last answer is asked for again
        self.told = [], {}  # its events and what it published
        self.published = {}
        self.last = None
        for name in ("input", "output", "work"):
            os.makedirs(os.path.join(WORKSPACE, name), exist_ok=True)

    def start(self):
        self.supervisor = Supervisor()
        self.supervisor.write(frame({"op": "hello", "grace_s": GRACE_S}))  # noqa: F821
        self.waiting = ["ready"]

    def take(self):
        """Passes on what has been asked for since; the number of the last ask, or None."""
        asks = [(int(match[1]), match.string) for match in map(ASK.search, os.listdir(ROOT)) if match]
        last = None
        for number, name in sorted(asks):
            path = os.path.join(ROOT, name)
            with open(path, "rb") as file:
                commands = frames(file.read())
            if number in self.taken:
                os.remove(path)  # it was uploaded twice
                continue
            if not commands:
                continue  # it is still being written, or broke off and comes again
            os.remove(path)
            self.taken.add(number)
            if commands[-1][0]["op"] != "interrupt":  # which is answered by the end of the step
                last = number
            for command, data in commands:
                self.obey(command, data)
        return last

    def obey(self, command, data):
        if command["op"] == "stage":
            stage(command["parts"])
            return
        if self.supervisor is None:
            self.start()
        if command["op"] == "repeat":
            self.repeat = True
            return
        if command["op"] in ENDS:
            self.waiting.append(ENDS[command["op"]])
        self.supervisor.write(data)

    def answer(self):
        number = self.take()
        if number is None:
            return  # the line was run twice
        end = time.monotonic() + SLICE_S
        answer, published = self.told if self.repeat else ([], {})
        self.repeat, tries = False, 1
        while self.waiting and time.monotonic() < end:
            try:
                event = self.supervisor.events.get(timeout=0.1)
            except queue.Empty:
                self.take()  # a stop may come meanwhile
                continue
            if event is None:
                tries += 1
                if tries > MAX_TRIES:
                    raise RuntimeError("the supervisor does not start")
                self.start()
                continue
            message, data = event
            answer.append(data)
            if message["event"] in self.waiting:
                self.waiting.remove(message["event"])
            if message["event"] == "done":
                published.update(self.publish(number, [each["path"] for each in message["changed"]]))
        state = {"event": "answered", "ask": number, "busy": bool(self.waiting), "published": published}
        self.told = answer, published
        self.leave(number, b"".join(answer) + frame(state))

    def publish(self, number, paths):
        """Gives changed artifacts a name where the provider lists files, without a copy where that can be."""
        named = {}
        for index, path in enumerate(paths[:MAX_PUBLISHED]):
            source, name = os.path.join(WORKSPACE, path), f"assay-file-{number}-{index}"
            try:
                if path.startswith("output/") and can_be_taken(source):
                    link_or_copy(source, os.path.join(ROOT, name))
                    named[path] = name
                    if path in self.published:
                        os.remove(os.path.join(ROOT, self.published[path]))
                    self.published[path] = name
            except OSError:
                continue
        return named

    def leave(self, number, data):
        """Writes an answer; the one before has been read."""
        path = os.path.join(ROOT, f"assay-answer-{number}")
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.replace(path + ".part", path)
        if self.last:
            try:
                os.remove(self.last)
            except OSError:
                pass
        self.last = path


if "assay_session" not in globals():
    assay_session = Session()
assay_session.answer()
