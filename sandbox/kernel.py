"""The kernel: the child of the supervisor in which Python steps run.

Everything here shares its process with code that nobody has checked, so nothing here is relied upon
for safety: the supervisor (runner.py) believes only what it can see for itself. `CHANNEL` (a socket to
the supervisor) and `WORKSPACE` are put into this module's globals.
"""

import __future__
import ast
import builtins
import fcntl
import functools
import importlib.abc
import importlib.util
import json
import linecache
import os
import shutil
import signal
import socket
import struct
import sys
import traceback
import types
import warnings

from assay_advice import advise, warn_of_lost_numbers
from assay_charts import CHARTS, Figures, dress_altair
from assay_tables import Watch

SHIPPED_FONTS = "/opt/assay/matplotlib"
OWN = ("<kernel>", "<assay_charts>")  # frames that the code's author has nothing to do with


# ---------------------------------------------------------------- channel


def read_exactly(channel, count):
    parts = b""
    while len(parts) < count:
        part = channel.recv(count - len(parts))
        if not part:
            os._exit(0)
        parts += part
    return parts


def receive(channel):
    length = struct.unpack(">I", read_exactly(channel, 4))[0]
    return json.loads(read_exactly(channel, length))


def send(channel, message):
    data = json.dumps(message).encode("ascii")
    channel.sendall(struct.pack(">I", len(data)) + data)


# ---------------------------------------------------------------- libraries


def set_pandas_display(pandas):
    for option, value in {"display.width": 180, "display.max_columns": 60, "display.max_rows": 60}.items():
        pandas.set_option(option, value)


def careful_cut(pandas):
    """Lets `pandas.cut` say how many values its bins leave out, which it does silently otherwise."""
    cut = pandas.cut

    @functools.wraps(cut)
    def told(x, bins, *args, **kwargs):
        groups = cut(x, bins, *args, **kwargs)
        try:
            values = pandas.Series(x).dropna()
            inside = groups[0] if kwargs.get("retbins") else groups
            left = values[pandas.Series(inside, index=pandas.Series(x).index).loc[values.index].isna()]
            if len(left):
                warnings.warn(
                    f"pandas.cut: {len(left)} values lie in no bin, from {left.min()} to {left.max()}. A bin leaves "
                    "out its lower edge; include_lowest=True takes the lowest one in.",
                    stacklevel=2,
                )
        except Exception:
            pass
        return groups

    pandas.cut = told


def prepare_pandas(pandas):
    set_pandas_display(pandas)
    careful_cut(pandas)


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls a function with a module once it has been imported."""

    def __init__(self, hooks):
        self.hooks = hooks

    def find_spec(self, name, path=None, target=None):
        if name not in self.hooks:
            return None
        hook = self.hooks.pop(name)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            hook(module)

        spec.loader.exec_module = exec_module
        return spec


# ---------------------------------------------------------------- running


def is_drawing(value):
    """Whether a value is a plot object, whose repr tells a reader nothing."""
    if isinstance(value, (list, tuple)) and value:
        return all(is_drawing(item) for item in value)
    if type(value).__module__.startswith(("matplotlib.", "seaborn.", "altair.")):
        return True
    flat = getattr(value, "flat", None)
    if type(value).__module__ == "numpy" and getattr(value, "dtype", None) == object:
        items = list(flat)
        return bool(items) and all(is_drawing(item) for item in items)
    return False


def run(code, name, namespace, watch):
    """Runs a step's code, a statement at a time; the value of a last expression is shown as in a notebook."""
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    tree = ast.parse(code, name)
    flags = future_flags(tree)
    if len(tree.body) > 1:
        compile(tree, name, "exec", dont_inherit=True)  # nothing runs of what cannot run as a whole
    facts = watch.prepare(tree, code)
    for statement in tree.body:
        known = facts.get(id(statement))
        watch.about_to_run(known)
        try:
            if statement is tree.body[-1] and isinstance(statement, ast.Expr):
                show(compile(ast.Expression(statement.value), name, "eval", flags, True), namespace)
            else:
                exec(compile(ast.Module([statement], []), name, "exec", flags, True), namespace)
        finally:
            watch.has_run(known)


def show(last, namespace):
    value = eval(last, namespace)
    if value is not None and not is_drawing(value):
        namespace["_"] = value
        print(value if isinstance(value, str) else repr(value))


def future_flags(tree):
    """What `from __future__ import` asks for holds for all that follows."""
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for each in statement.names:
                flags |= getattr(getattr(__future__, each.name, None), "compiler_flag", 0)
    return flags


def message_of(error):
    try:
        return str(error)
    except Exception:
        return "an exception that cannot be put into words"


def describe(error, name, code="", namespace=None):
    """The error as the code's author should see it: without the frames of this file."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in OWN]
    own = [frame.lineno for frame in frames if frame.filename == name]
    line = own[-1] if own else error.lineno if isinstance(error, SyntaxError) and error.filename == name else None
    text = "".join(traceback.format_list(frames[-12:]) + traceback.format_exception_only(type(error), error))
    try:
        advice = advise(error, line, code, namespace or {})
    except Exception:
        advice = None
    return {
        "kind": type(error).__name__,
        "message": message_of(error)[:4000],
        "traceback": text[-8000:],
        "line": line,
        "advice": advice,
    }


def attempt(code, step, namespace, figures, watch, begun):
    """Runs one step, calling `begun` once it can be interrupted. Returns None, or the error as a dict."""
    name = f"<step {step}>"
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        begun()
        try:
            run(code, name, namespace, watch)
        finally:
            figures.finish()
        warn_of_lost_numbers(code, namespace)
    except SystemExit as error:
        return None if error.code in (None, 0) else describe(error, name)
    except BaseException as error:  # a step may raise anything, and the session lives on
        return describe(error, name, code, namespace)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return None


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


class Streams:
    """Standard output and error. What a step has closed or lost, the next one finds again."""

    def __init__(self):
        self.kept = {number: fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 64) for number in (1, 2)}
        sys.stdin = sys.__stdin__ = open(os.devnull)
        sys.stdout = sys.stderr = None
        self.mend()

    def mend(self):
        for number, name in ((1, "stdout"), (2, "stderr")):
            try:
                os.dup2(self.kept[number], number)
            except OSError:
                pass
            stream = getattr(sys, name, None)
            if stream is None or getattr(stream, "closed", False):
                stream = open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
                setattr(sys, name, stream)
                setattr(sys, f"__{name}__", stream)


def prepare_matplotlib():
    """A writable folder for matplotlib's caches, seeded with the image's own font list."""
    folder = os.environ.setdefault("MPLCONFIGDIR", "/tmp/matplotlib")
    try:
        os.makedirs(folder, exist_ok=True)
        if os.path.isdir(SHIPPED_FONTS):
            for name in os.listdir(SHIPPED_FONTS):
                if name.endswith(".json"):
                    shutil.copy(os.path.join(SHIPPED_FONTS, name), folder)
    except OSError:
        pass
    os.environ["MPLBACKEND"] = "Agg"


def warm(modules):
    """Imports what the code will most likely need while nobody waits for it."""
    for name in modules:
        try:
            __import__(name)
        except Exception:
            continue


def prepare():
    """Makes ready what every step finds. Returns what saves its figures, and the module that it runs in."""
    prepare_matplotlib()
    os.makedirs(CHARTS, exist_ok=True)
    figures = Figures()
    sys.meta_path.insert(
        0,
        AfterImport(
            {
                "matplotlib.pyplot": figures.hook_pyplot,
                "matplotlib.figure": figures.hook_figure,
                "pandas": prepare_pandas,
                "altair": dress_altair,
            }
        ),
    )
    main = types.ModuleType("__main__")
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    return figures, main


def serve():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = socket.socket(fileno=CHANNEL)  # noqa: F821
    os.register_at_fork(after_in_child=channel.close)
    streams = Streams()
    figures, main = prepare()
    watch = Watch(main.__dict__)
    while True:
        message = receive(channel)
        if message["op"] == "warm":
            warm(message["modules"])
            continue
        step = message["step"]
        streams.mend()
        figures.begin(step)
        watch.begin(step)
        begun = functools.partial(send, channel, {"op": "started", "step": step})
        error = attempt(message["code"], step, main.__dict__, figures, watch, begun)
        flush()
        send(channel, {"op": "done", "step": step, "ok": error is None, "error": error, "tables": watch.changes})
