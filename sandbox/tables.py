"""What a step does to the tables of the kernel: their rows and missing values before and after.

Two things are looked at: the sites of a step's code (sites.py), and the names of the session before and after
each statement at the top of the step, which shows what no site does: what happens in loops, in place, and in
functions of others. Only tables of pandas itself are measured, so no code of anybody else's is called; no
table is held; and whatever goes wrong here is nothing to the step.
"""

import builtins
import re
import sys
import time
import weakref

from assay_sites import AFTER, BEFORE, CARRIED, COUNTED, KINDS, LOOKS, NAME_LENGTH, SUMMARIES, Facts, Marking

MOST_CHANGES = 50  # of a step
MOST_SITES = 5_000  # of a session
MOST_HELPERS = 200
MOST_TIMES = 3  # that one site is measured in a step
# In which missing values are counted: of a call that takes its own time over all of them, and otherwise, as
# where a statement sets one cell.
MOST_CELLS = 4_000_000
MOST_CELLS_ASIDE = 1_000_000
COUNTING_S = 0.3  # spent on counting them in a step, about
MOST_FROM = 4
# Which of the kinds that a statement names has made the rows fewer.
FEWER = ("drop_missing", "drop_repeats", "filter")


class Watch:
    """Follows the tables of one session from step to step."""

    def __init__(self, namespace):
        self.namespace = namespace
        self.sites, self.helpers, self.summaries = [], {}, set()
        self.frame = self.series = None
        self.begin(0)
        setattr(builtins, BEFORE, self.before)
        setattr(builtins, AFTER, self.after)

    def begin(self, step):
        self.step, self.changes, self.pending, self.seen, self.counts = step, [], [], {}, {}
        self.spent = 0.0

    # -- a step

    def prepare(self, tree, code):
        """Marks the sites of a step. Returns what is known of each statement."""
        try:
            lines = code.split("\n")
            facts = {id(statement): Facts(statement, lines) for statement in tree.body}
            marking = Marking(lines, self.add, not CARRIED.search(code))
            for statement in tree.body:
                sites, own = len(self.sites), facts[id(statement)]
                if own.inert:
                    continue
                marking.mark(statement)
                own.counted_by_site = any(site.kind in COUNTED for site in self.sites[sites:])
                helper = getattr(statement, "name", None)
                if helper and len(self.helpers) < MOST_HELPERS:
                    self.helpers[helper] = own.attributes & (KINDS.keys() | SUMMARIES)
            for own in facts.values():
                for name in own.names:
                    own.attributes |= self.helpers.get(name, set())
            if any(not own.inert for own in facts.values()):
                self.seen = self.look()
            return facts
        except Exception:
            return {}

    def add(self, site):
        if len(self.sites) >= MOST_SITES:
            return None
        self.sites.append(site)
        return len(self.sites) - 1

    def about_to_run(self, facts):
        """Counts what a statement is about to fill or drop, where no site does that."""
        self.counts = {}
        try:
            if facts and self.seen and not facts.inert and not facts.counted_by_site and facts.kinds() & COUNTED:
                for name in facts.names:
                    if name in self.seen:
                        self.counts[name] = self.missing(self.namespace[name], MOST_CELLS_ASIDE)
        except Exception:
            pass

    def has_run(self, facts):
        """Notes what a statement has done."""
        if facts is None or facts.inert:
            return
        try:
            now = self.look()
            if (self.pending or self.counts or now != self.seen):
                self.conclude(facts, now)
            self.seen = now
        except Exception:
            pass
        self.pending = []

    # -- sites

    def before(self, number, value):
        site = self.sites[number]
        site.was = None
        kind = type(value)
        if kind is self.frame or kind is self.series:
            try:
                if site.step != self.step:
                    site.step, site.times = self.step, 0
                if site.times < MOST_TIMES:
                    rows, columns, missing = self.measure(value, site.kind in COUNTED)
                    reference = weakref.ref(value) if site.in_place else None
                    site.was = rows, columns, missing, reference
            except Exception:
                site.was = None
        return value

    def after(self, number, value):
        site = self.sites[number]
        kind = type(value)
        if site.was is not None or kind is self.frame or kind is self.series:
            try:
                self.note(site, value)
            except Exception:
                pass
            site.was = None
        return value

    def note(self, site, value):
        was, made, target = site.was, value, site.target
        if was is None:
            if site.source is not None:
                return
            # Nothing comes before it: a file is read, or tables are put together.
            if site.step != self.step:
                site.step, site.times = self.step, 0
            if site.times >= MOST_TIMES:
                return
            was = None, None, None, None
        elif was[3] is not None and value is None:
            made, target = was[3](), (site.source, site.source)
        if type(made) is not self.frame and type(made) is not self.series:
            return
        if site.looked_at in self.summaries:
            return
        if site.rows_only and was[1] is not None and type(made) is self.series:
            return
        rows, columns, missing = self.measure(made, site.kind in COUNTED)
        kind = judged(site.kind, was, (rows, columns, missing))
        if kind is None:
            return
        site.times += 1
        own = site.step == self.step
        origin = [{"name": site.source, "rows": was[0]}] if site.source and was[0] is not None else []
        for name in site.named:
            if name in self.seen and name != site.source and len(origin) < MOST_FROM:
                origin.append({"name": name, "rows": self.seen[name][1]})
        change = record(kind, site.line if own else 0, site.code, origin, was, (rows, columns, missing))
        if site.local and target:
            change["name"] = target[0]
        self.keep(change, target)

    def keep(self, change, target):
        if len(self.pending) + len(self.changes) < MOST_CHANGES:
            self.pending.append((change, target))

    # -- names

    def conclude(self, facts, now):
        """Gives the changes of a statement their names, and adds those that only the names show."""
        for change, target in self.pending:
            if target and target[0] and target[1] in now:
                change["name"] = target[0]
            change["line"] = change["line"] or facts.line
        changes = []
        for change, _ in self.pending:
            # The same look at the same rows twice in one statement is told of once.
            if change["name"] or change not in changes:
                changes.append(change)
        roots = {target[1] for _, target in self.pending if target}
        for name, (_, rows, columns) in now.items():
            was = self.seen.get(name)
            if was == now[name] and name not in self.counts:
                continue
            new = was is None or was[0] != now[name][0]
            if facts.summary and new and (was is None or not facts.compound):
                self.summaries.add(name)
                continue
            if new:
                self.summaries.discard(name)
            told = [change for change in changes if change["rows_after"] == rows]
            if told and (name in roots or not told[-1]["name"]):
                told[-1]["name"] = told[-1]["name"] or name
                continue
            change = self.by_name(facts, name, was, rows, columns)
            if change and len(changes) + len(self.changes) < MOST_CHANGES:
                changes.append(change)
        self.changes += changes

    def by_name(self, facts, name, was, rows, columns):
        origins = [each for each in facts.names if each in self.seen]
        if facts.queries:
            text = " ".join(facts.queries)
            origins += [each for each in self.seen if re.search(rf"\b{re.escape(each)}\b", text)]
        first = name if name in origins else (origins or [None])[0]
        source = self.seen.get(first)
        reads = any(each.startswith("read_") for each in facts.attributes) or (facts.queries and not origins)
        kinds = facts.kinds()
        if source is None:
            if not reads or was is not None and rows == was[1]:
                return None
            return {**record("read", facts.line, facts.code, [], (None,) * 3, (rows, columns, None)), "name": name}
        if name in self.summaries and facts.attributes & LOOKS or first in self.summaries and first != name:
            return None
        counted = self.counts and (was or rows == source[1])
        missing = self.missing(self.namespace[name], MOST_CELLS_ASIDE) if counted else None
        before, after = (source[1], source[2], self.counts.get(first)), (rows, columns, missing)
        if "join" in kinds and (was is None or was[1:] != (rows, columns)):
            kind = "join"
        elif rows < before[0]:
            kind = next((each for each in FEWER if each in kinds), "other" if first == name else None)
        elif rows > before[0]:
            kind = "other" if first == name else None
        elif columns == before[1] or kinds & {"fill"} and first == name:
            kind = judged("fill", before, after)
        else:
            kind = None
        if kind is None:
            return None
        origin = [{"name": each[:NAME_LENGTH], "rows": self.seen[each][1]} for each in origins[:MOST_FROM]]
        return {**record(kind, facts.line, facts.code, origin, before, after), "name": name[:NAME_LENGTH]}

    # -- measuring

    def look(self):
        """Name -> (identity, rows, columns) of every table that has a name."""
        pandas = sys.modules.get("pandas")
        self.frame, self.series = getattr(pandas, "DataFrame", None), getattr(pandas, "Series", None)
        frame, series, found = self.frame, self.series, {}
        if frame is None or series is None:
            self.frame = self.series = Watch  # no value is of this type
            return found
        for name, value in list(self.namespace.items()):
            kind = type(value)
            if kind is frame and not name.startswith("_"):
                found[name] = id(value), len(value.index), len(value.columns)
            elif kind is series and not name.startswith("_"):
                found[name] = id(value), len(value.index), None
        return found

    def measure(self, value, counted):
        columns = len(value.columns) if type(value) is self.frame else None
        return len(value.index), columns, self.missing(value, MOST_CELLS) if counted else None

    def missing(self, value, most):
        """How many values are missing, or None where counting takes too long or is not pandas' own matter."""
        if value.size > most or self.spent > COUNTING_S:
            return None
        types = value.dtypes if type(value) is self.frame else [value.dtype]
        if value.size > MOST_CELLS_ASIDE and any(each == object for each in types):
            return None  # in objects it takes ten times as long
        if not all(type(each).__module__.startswith(("numpy", "pandas")) for each in types):
            return None
        begun = time.perf_counter()
        count = int(value.isna().to_numpy().sum())
        self.spent += time.perf_counter() - begun
        return count


def judged(kind, was, now):
    """What a change turned out to be, or None where it changed nothing that counts."""
    if kind in ("read", "join"):
        return kind
    if was[0] != now[0]:
        return kind if now[0] < was[0] and kind not in ("fill", "lost") else "other"
    if kind == "drop_missing":
        return kind if was[1] is not None and now[1] is not None and now[1] < was[1] else None
    if kind not in COUNTED or was[2] is None or now[2] is None or was[2] == now[2]:
        return None
    return "fill" if now[2] < was[2] else "lost"


def record(kind, line, code, origin, was, now):
    return {
        "kind": kind,
        "line": line,
        "code": code,
        "name": None,
        "from": origin,
        "rows_before": was[0],
        "rows_after": now[0],
        "columns_before": was[1],
        "columns_after": now[1],
        "missing_before": was[2],
        "missing_after": now[2],
    }
