"""The kernel: the child of the supervisor in which Python steps run.

Everything here shares its process with code that nobody has checked, so nothing here is relied upon
for safety: the supervisor (runner.py) believes only what it can see for itself. `CHANNEL` (a socket to
the supervisor) and `WORKSPACE` are put into this module's globals.
"""

import ast
import builtins
import difflib
import functools
import importlib.abc
import importlib.util
import inspect
import json
import linecache
import os
import re
import shutil
import signal
import socket
import struct
import sys
import traceback
import types
import warnings

from assay_charts import CHARTS, Figures, dress_altair

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


def run(code, name, namespace):
    """Runs a step's code; the value of a last expression is shown as in a notebook."""
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        value = eval(compile(last, name, "eval"), namespace)
        if value is not None and not is_drawing(value):
            namespace["_"] = value
            print(value if isinstance(value, str) else repr(value))


LIBRARIES = ("numpy", "pandas", "scipy", "sklearn", "statsmodels", "matplotlib", "seaborn", "duckdb")


def called(code, line, namespace):
    """The functions of libraries that are called in a line, with the names by which they are called.

    Nothing of the code's own is looked into: a name leads from a module to what it holds, and a method is
    looked for by its name where tables and columns have it.
    """
    series = getattr(sys.modules.get("pandas"), "Series", None)
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call) or not node.lineno <= line <= node.end_lineno:
            continue
        names, root = [], node.func
        while isinstance(root, ast.Attribute):
            names.insert(0, root.attr)
            root = root.value
        found = namespace.get(root.id) if isinstance(root, ast.Name) else None
        if isinstance(found, types.ModuleType):
            for name in names:
                found = getattr(found, name, None) if isinstance(found, types.ModuleType) else None
        elif names:
            found = series.__dict__.get(names[-1]) if series else None
        if callable(found) and (getattr(found, "__module__", None) or "").startswith(LIBRARIES):
            yield ".".join([root.id, *names]) if isinstance(root, ast.Name) else names[-1], found


def usage(name, function):
    """How a function is called and what it returns, from its own documentation."""
    try:
        text = f"{name}{inspect.signature(function)}"
    except (TypeError, ValueError):
        return None
    lines = inspect.getdoc(function).splitlines() if function.__doc__ else []
    heads = [at for at in range(1, len(lines)) if lines[at].strip("-") == "" and lines[at].strip()]
    for at in heads:
        if lines[at - 1].strip() == "Returns":
            end = next((head - 1 for head in heads if head > at), len(lines))
            returned = " ".join(" ".join(lines[at + 1 : end]).split())
            return f"{text[:200]} returns {returned[:200]}"
    return text[:300]


def nearest(name, known):
    near = difflib.get_close_matches(name or "", known, n=1, cutoff=0.75)
    return near[0] if near else None


def wanted_of(error, line, code, namespace):
    """The attribute that was not there, and those that are."""
    if error.name:
        return error.name, dir(error.obj)
    # Some classes make the error themselves, and leave out whose it is.
    match = re.search(r"has no attribute '(\w+)'", str(error))
    for node in ast.walk(ast.parse(code)) if match else ():
        if isinstance(node, ast.Attribute) and node.attr == match[1] and node.lineno <= (line or 0) <= node.end_lineno:
            if isinstance(node.value, ast.Name):
                return match[1], dir(namespace.get(node.value.id))
    return None, []


def advise(error, line, code, namespace):
    """What Python and the libraries themselves say that would help, or None."""
    if isinstance(error, NameError) and error.name:
        near = nearest(error.name, [*namespace, *dir(builtins)])
    elif isinstance(error, AttributeError):
        near = nearest(*wanted_of(error, line, code, namespace))
    else:
        near = None
    if near:
        return f"Did you mean `{near}`?"
    if line is None or not isinstance(error, (TypeError, ValueError, AttributeError)):
        return None
    if isinstance(error, ValueError) and "unpack" not in str(error):
        return None
    told = [usage(*each) for each in called(code, line, namespace)]
    return " ".join(f"{each}." for each in told[:2] if each) or None


def warn_of_lost_numbers(code, namespace):
    """Says which results of a step are no numbers: what is compared with NaN is silently false."""
    names = [
        target.id
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign)
        for each in node.targets
        for target in (each.elts if isinstance(each, ast.Tuple) else [each])
        if isinstance(target, ast.Name)
    ]
    values = {name: namespace.get(name) for name in names}
    lost = [name for name, value in values.items() if isinstance(value, float) and value != value]
    if lost:
        plural = "are" if len(lost) > 1 else "is"
        print(
            f"{', '.join(lost)} {plural} NaN, no number: most likely missing values went in. Leave them out first, with "
            "column.dropna(), or nan_policy='omit' in the tests of scipy.",
            file=sys.stderr,
        )


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
        "message": str(error)[:4000],
        "traceback": text[-8000:],
        "line": line,
        "advice": advice,
    }


def attempt(code, step, namespace, figures, begun):
    """Runs one step, calling `begun` once it can be interrupted. Returns None, or the error as a dict."""
    name = f"<step {step}>"
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        begun()
        try:
            run(code, name, namespace)
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


def open_streams():
    for number, name in ((1, "stdout"), (2, "stderr")):
        raw = open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
        setattr(sys, name, raw)
        setattr(sys, f"__{name}__", raw)
    sys.stdin = sys.__stdin__ = open(os.devnull)


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
    os.register_at_fork(after_in_child=lambda: os.close(channel.fileno()))
    open_streams()
    figures, main = prepare()
    while True:
        message = receive(channel)
        if message["op"] == "warm":
            warm(message["modules"])
            continue
        step = message["step"]
        figures.begin(step)
        begun = functools.partial(send, channel, {"op": "started", "step": step})
        error = attempt(message["code"], step, main.__dict__, figures, begun)
        flush()
        send(channel, {"op": "done", "step": step, "ok": error is None, "error": error})
