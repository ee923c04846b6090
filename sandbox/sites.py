"""Where in a step's code tables change: the calls that filter, drop, fill or join, found in its syntax tree.

Such a call becomes a *site*: what it is made on goes through one function before it, and what it returns
through another after it. Both hand on what they are given, so that the code does what it did without them,
each frame of a traceback stays as it was, and no library is changed. Loops, comprehensions and lambdas are
left alone, for what runs often must not get slower.
"""

import ast
import re

BEFORE, AFTER = "__assay_before__", "__assay_after__"
CODE_LENGTH = 200
NAME_LENGTH = 60

KINDS = {
    **dict.fromkeys(("dropna",), "drop_missing"),
    **dict.fromkeys(("drop_duplicates",), "drop_repeats"),
    **dict.fromkeys(("query", "drop", "truncate", "between_time", "at_time", "filter"), "filter"),
    **dict.fromkeys(("[mask]",), "filter"),  # what is no call but filters all the same
    **dict.fromkeys(("head", "tail", "nlargest", "nsmallest", "sample"), "filter"),
    **dict.fromkeys(("fillna", "ffill", "bfill", "interpolate", "combine_first"), "fill"),
    **dict.fromkeys(("replace", "where", "mask", "map"), "fill"),
    **dict.fromkeys(("merge", "join", "merge_asof", "merge_ordered", "concat"), "join"),
}
LOOKS = {"head", "tail", "nlargest", "nsmallest", "sample"}  # most often only to show some rows
COUNTED = {"drop_missing", "fill", "lost"}  # kinds that are told by missing values
COERCING = {"to_numeric", "to_datetime", "to_timedelta"}
FITTED = {"fit_transform", "transform"}  # how scikit-learn fills
SUMMARIES = set(
    "agg aggregate sum mean median count size min max std var sem first last nunique describe value_counts pivot "
    "pivot_table unstack stack melt corr cov crosstab resample quantile mode idxmax idxmin unique get_dummies T "
    "transpose wide_to_long nth prod skew kurt memory_usage".split()
)
MASKS = {"isin", "between", "notna", "isna", "notnull", "isnull", "duplicated", "contains", "startswith", "endswith"}
PANDAS = {"pd", "pandas"}
NUMPY = {"np", "numpy"}
# Functions that are carried to another process would not find there what a site calls.
CARRIED = re.compile(r"joblib|multiprocessing|concurrent|pickle|dill|numba|jit\b")


class Site:
    """One place in the code where a table may change."""

    __slots__ = ("kind", "line", "code", "target", "source", "looked_at", "named", "in_place", "rows_only", "local")
    __slots__ += ("step", "times", "was")

    def __init__(self, kind):
        self.kind, self.target, self.source, self.looked_at, self.named = kind, None, None, None, ()
        self.in_place = self.rows_only = self.local = False
        self.step, self.times, self.was = 0, 0, None


def spine(node):
    """The links of a chain of calls, from its end to its beginning."""
    while True:
        yield node
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        else:
            return


def root(node):
    last = None
    for last in spine(node):
        pass
    return last.id if isinstance(last, ast.Name) else None


def attributes(node):
    return [link.attr for link in spine(node) if isinstance(link, ast.Attribute)]


def is_summary(node):
    """Whether what a chain makes is no longer the data but a summary of it."""
    links = attributes(node)
    return any(link in SUMMARIES for link in links) or ("groupby" in links and "apply" in links)


def is_mask(node):
    return any(
        isinstance(part, ast.Compare)
        or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Invert))
        or (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in MASKS)
        for part in ast.walk(node)
    )


def joins_text(node):
    of = node.value
    return isinstance(of, (ast.Constant, ast.JoinedStr)) or isinstance(of, ast.Attribute) and of.attr == "path"


def is_true(call, keyword):
    return any(
        each.arg == keyword and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in call.keywords
    )


def coerces(call):
    return any(
        each.arg == "errors" and isinstance(each.value, ast.Constant) and each.value.value == "coerce"
        for each in call.keywords
    )


def one_line(lines, first, last, length):
    return " ".join(" ".join(lines[first - 1 : last]).split())[:length]


def written(node, lines):
    """A short expression as it is written, a longer one by the name it begins with."""
    if isinstance(node, ast.Name):
        return node.id[:NAME_LENGTH]
    if node.lineno == node.end_lineno:
        line = lines[node.lineno - 1].encode()
        text = line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
        if len(text) <= NAME_LENGTH:
            return text
    name = root(node)
    return f"{name[: NAME_LENGTH - 2]} …" if name and name not in PANDAS else None


class Facts:
    """What a statement at the top of a step says of tables, as a whole."""

    def __init__(self, statement, lines):
        self.line = statement.lineno
        self.code = one_line(lines, statement.lineno, statement.end_lineno, CODE_LENGTH)
        self.compound = hasattr(statement, "body")
        self.attributes, self.names, self.queries = set(), [], []
        self.counted_by_site, self.summary, self.sets_cells = False, False, False
        # Without any of these nothing can happen to a table.
        self.inert = True
        for node in ast.walk(statement):
            if isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
                self.inert = False
            if isinstance(node, ast.Attribute):
                if node.attr != "join" or not joins_text(node):
                    self.attributes.add(node.attr)
            elif isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load) and node.id not in self.names:
                    self.names.append(node.id)
            elif isinstance(node, ast.Subscript):
                if isinstance(node.ctx, ast.Load) and is_mask(node.slice):
                    self.attributes.add("[mask]")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 20_000:
                text = node.value.lower()
                if "select" in text and "from" in text:
                    self.queries.append(node.value)
        if self.inert:
            return
        value = getattr(statement, "value", None)
        self.summary = isinstance(value, ast.AST) and is_summary(value)
        if self.compound:
            self.summary = bool(self.attributes & SUMMARIES)
        if self.queries:
            text = " ".join(self.queries).lower()
            self.summary = self.summary or bool(re.search(r"\bgroup\s+by\b|\b(count|sum|avg|min|max|median)\s*\(", text))
            self.attributes |= {name for word, name in ((" join ", "merge"), (" where ", "query")) if word in text}
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        self.sets_cells = any(
            isinstance(target, ast.Subscript) and ("loc" in (links := attributes(target)) or "iloc" in links)
            for target in targets
        )

    def kinds(self):
        found = {KINDS[name] for name in self.attributes if name in KINDS}
        if self.attributes & COERCING or self.sets_cells:
            found.add("lost")
        if self.attributes & FITTED and "groupby" not in self.attributes:
            found.add("fill")
        return found


class Marking(ast.NodeTransformer):
    """Turns the calls of a statement that may change a table into sites."""

    def __init__(self, lines, add, functions_too):
        self.lines, self.add, self.functions_too = lines, add, functions_too
        self.targets, self.in_function, self.keeps = {}, False, False
        self.statement = None

    def mark(self, statement):
        self.statement = statement
        return self.visit(statement)

    def leave(self, node):
        return node

    visit_For = visit_AsyncFor = visit_While = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = leave
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_JoinedStr = visit_Match = leave
    visit_AsyncWith = visit_Delete = leave

    def visit_FunctionDef(self, node):
        if self.functions_too and not node.decorator_list and not self.in_function:
            self.in_function, outer = True, self.statement
            node.body = [self.visit(each) for each in node.body]
            self.in_function, self.statement = False, outer
        return node

    def assigned(self, node):
        if node.value is None:
            return node
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        pairs = [(targets[0], node.value)]
        if isinstance(targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(targets[0].elts, node.value.elts))
        for target, value in pairs:
            if not isinstance(target, (ast.Tuple, ast.List)) and not is_summary(value):
                for link in spine(value):
                    self.targets[id(link)] = target
                if isinstance(value, ast.Call) and value.args:
                    # As in `pd.to_numeric(…)`: what the chain begins with stands among the arguments.
                    self.targets.setdefault(id(value.args[0]), target)
        outer, self.keeps = self.keeps, True
        node.value = self.visit(node.value)
        self.keeps = outer
        return node

    visit_Assign = visit_AnnAssign = visit_AugAssign = assigned

    def visit_Return(self, node):
        outer, self.keeps = self.keeps, True
        self.generic_visit(node)
        self.keeps = outer
        return node

    def visit_Call(self, node):
        target = self.targets.get(id(node))
        kind, place = self.of_call(node, target)
        source = getattr(place[0], place[1]) if place and place[1] else place[0][0] if place else None
        site = self.site(kind, node, source, target) if kind else None
        if site:
            site.in_place = is_true(node, "inplace")
            if node.func.attr in LOOKS:
                site.looked_at = root(source)
            if kind == "join":
                site.named = tuple({part.id for part in ast.walk(node) if isinstance(part, ast.Name)})
        node.func = self.visit(node.func)
        outer, self.keeps = self.keeps, self.keeps and kind != "filter"
        node.args = [self.visit(each) for each in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        self.keeps = outer
        if not site:
            return node
        number = self.add(site)
        if number is None:
            return node
        if place and place[1]:
            setattr(place[0], place[1], self.call(BEFORE, number, getattr(place[0], place[1])))
        elif place:
            node.args[0] = self.call(BEFORE, number, node.args[0])
        return self.call(AFTER, number, node)

    def of_call(self, node, target):
        """The kind of a call, and where what it is made on stands: (object, attribute), or (args, None)."""
        func = node.func
        if not isinstance(func, ast.Attribute):
            return None, None
        name, of_pandas = func.attr, isinstance(func.value, ast.Name) and func.value.id in PANDAS
        first = (node.args, None) if node.args and not isinstance(node.args[0], ast.Starred) else None
        if of_pandas:
            if name.startswith("read_"):
                return "read", None
            if name == "concat":
                return "join", None
            if name in KINDS and KINDS[name] == "join":
                return ("join", first) if first else (None, None)
            return ("lost", first) if name in COERCING and coerces(node) and first else (None, None)
        on = (func, "value")
        if name == "apply" and coerces(node) and any(
            isinstance(each, ast.Attribute) and each.attr in COERCING for each in node.args
        ):
            return "lost", on
        kind = KINDS.get(name)
        if kind is None or isinstance(func.value, (ast.Constant, ast.JoinedStr, ast.List, ast.Dict)):
            return None, None
        if isinstance(func.value, ast.Name) and func.value.id in NUMPY:
            return None, None
        if is_true(node, "inplace") and not isinstance(func.value, ast.Name):
            return None, None  # what it is made on is gone when it has ended
        if is_summary(func.value) or (name in LOOKS and target is None):
            return None, None
        if kind == "filter" and not self.keeps and not is_true(node, "inplace"):
            return None, None  # only looked at
        return kind, on

    def visit_Subscript(self, node):
        site = self.of_subscript(node)
        node.value = self.visit(node.value)
        # What is looked up to know which rows are meant is no data of its own.
        outer, self.keeps = self.keeps, False
        node.slice = self.visit(node.slice)
        self.keeps = outer
        number = self.add(site) if site else None
        if number is None:
            return node
        holder = node.value if self.is_locator(node.value) else node
        holder.value = self.call(BEFORE, number, holder.value)
        return self.call(AFTER, number, node)

    @staticmethod
    def is_locator(node):
        return isinstance(node, ast.Attribute) and node.attr in ("loc", "iloc")

    def of_subscript(self, node):
        located, part = self.is_locator(node.value), node.slice
        pair = isinstance(part, ast.Tuple)
        if pair and not located or not isinstance(node.ctx, ast.Load) or not self.keeps:
            return None
        rows = part.elts[0] if pair and part.elts else part
        if isinstance(rows, (ast.Constant, ast.List, ast.JoinedStr)) or (self.in_function and not is_mask(rows)):
            return None
        source = node.value.value if located else node.value
        if isinstance(source, (ast.Constant, ast.List, ast.Dict, ast.Tuple)) or is_summary(source):
            return None
        site = self.site("filter", node, source, self.targets.get(id(node)))
        # A single row comes as a column; it is no filtered table.
        site.rows_only = located and not (pair and len(part.elts) > 1 and not isinstance(part.elts[1], ast.Slice))
        return site

    def site(self, kind, node, source, target):
        site = Site(kind)
        site.local = self.in_function
        end = node.func.end_lineno if isinstance(node, ast.Call) else node.end_lineno
        statement = self.statement
        single = statement.lineno == statement.end_lineno and not self.in_function
        first, last = (statement.lineno,) * 2 if single else (end, node.end_lineno)
        site.line, site.code = end, one_line(self.lines, first, last, CODE_LENGTH)
        site.target = (written(target, self.lines), root(target)) if target is not None else None
        site.source = written(source, self.lines) if source is not None else None
        return site

    @staticmethod
    def call(name, number, inner):
        place = ast.copy_location
        func = place(ast.Name(name, ast.Load()), inner)
        return place(ast.Call(func, [place(ast.Constant(number), inner), inner], []), inner)
