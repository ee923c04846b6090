"""What Python and the libraries themselves say that would help after an error, or before one."""

import ast
import builtins
import difflib
import inspect
import re
import sys
import types

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
