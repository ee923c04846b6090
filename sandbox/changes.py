"""What the kernel says of its tables, as far as it can be believed: its form and its size, not its truth."""

MOST_CHANGES = 50  # of a step
MOST_FROM = 4
NAME_LENGTH = 60
CODE_LENGTH = 200
MOST = 1 << 53  # what every reader of JSON still reads as a whole number
MOST_LINES = 1 << 31
KINDS = ("read", "filter", "drop_missing", "drop_repeats", "fill", "lost", "join", "other")


def number(value):
    return value if type(value) is int and 0 <= value < MOST else None


def line_number(value):
    """A line of code, or `None` where it cannot be one."""
    return value if type(value) is int and 0 < value < MOST_LINES else None


def text(value, length):
    return value[:length] if type(value) is str and value else None


def origins(value):
    found = []
    for each in value[:MOST_FROM] if type(value) is list else ():
        if type(each) is dict and text(each.get("name"), NAME_LENGTH) and number(each.get("rows")) is not None:
            found.append({"name": text(each["name"], NAME_LENGTH), "rows": each["rows"]})
    return found


def believable(said):
    """The changes whose form is right, each cut to its size; the others are left out."""
    found = []
    for change in said[:MOST_CHANGES] if type(said) is list else ():
        if type(change) is not dict or change.get("kind") not in KINDS or number(change.get("rows_after")) is None:
            continue
        counts = {
            f"{what}_{when}": number(change.get(f"{what}_{when}"))
            for what in ("rows", "columns", "missing")
            for when in ("before", "after")
        }
        found.append(
            {
                "kind": change["kind"],
                "line": min(number(change.get("line")) or 0, MOST_LINES),
                "code": text(change.get("code"), CODE_LENGTH) or "",
                "name": text(change.get("name"), NAME_LENGTH),
                "from": origins(change.get("from")),
                **counts,
            }
        )
    return found
