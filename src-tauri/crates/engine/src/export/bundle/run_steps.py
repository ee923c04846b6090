"""Runs the steps of analysis.py as the sandbox does, then compares what they made with what was delivered."""

import os
import re
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = "/delivered"


def steps():
    """The steps of the script: their numbers, the exceptions that they end with, their code."""
    with open(os.path.join(HERE, "analysis.py"), encoding="utf-8", newline="") as file:
        parts = re.split(r"^# %% Step (\d+)(?: \(ends with (\w+)\))?: .*\n", file.read(), flags=re.MULTILINE)
    return zip(map(int, parts[1::3]), parts[2::3], parts[3::3])


def load_kernel():
    """Loads the sandbox's own modules, and returns the last of them."""
    with open(os.path.join(HERE, "sandbox", "order.txt"), encoding="utf-8") as file:
        names = file.read().split()
    for name in names:
        with open(os.path.join(HERE, "sandbox", f"{name}.py"), encoding="utf-8") as file:
            source = file.read()
        module = sys.modules[name] = types.ModuleType(name)
        module.__source__ = source
        label = "<kernel>" if name == names[-1] else f"<{name}>"
        exec(compile(source, label, "exec"), module.__dict__)
    return module


def run_all():
    kernel = load_kernel()
    figures, main = kernel.prepare()
    watch = kernel.Watch(main.__dict__)
    for number, expected, code in steps():
        print(f"== step {number}", flush=True)
        figures.begin(number)
        watch.begin(number)
        error = kernel.attempt(code[:-1], number, main.__dict__, figures, watch, lambda: None)
        kind = error["kind"] if error else None
        if kind != expected:
            sys.exit(f"Step {number} ended differently: {error['traceback'] if error else 'without an error'}")


def files(folder):
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): path for path in found}


def pixels(path):
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size, picture.convert("RGBA").tobytes()


def is_same(one, other):
    with open(one, "rb") as left, open(other, "rb") as right:
        if left.read() == right.read():
            return True
    return one.endswith(".png") and pixels(one) == pixels(other)


def compare():
    made, delivered = files("output"), files(EXPECTED)
    different = 0
    for name in sorted(made.keys() | delivered.keys()):
        if name not in made or name not in delivered:
            verdict = "missing" if name in delivered else "new"
        else:
            verdict = "the same" if is_same(made[name], delivered[name]) else "different"
        different += verdict != "the same"
        print(f"{verdict:<10}{name}")
    print(f"{len(delivered)} files were delivered; {'all are the same' if not different else f'{different} differ'}.")
    return different


if __name__ == "__main__":
    run_all()
    sys.exit(1 if compare() else 0)
