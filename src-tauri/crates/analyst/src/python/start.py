# Words for numbers, used by every step.
WEEKDAY_NAMES = dict(enumerate(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]))
MONTH_NAMES = dict(enumerate(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], start=1))


def fmt(number, of=None):
    """A number with sensible digits, and the unit of its column."""
    number = float(number)
    if not np.isfinite(number):
        return "unknown"
    size = abs(number)
    digits = 0 if number == round(number) or size >= 10_000 else 1 if size >= 1000 else 2 if size >= 0.1 else 4
    text = f"{number:,.{digits}f}" if size < 1e15 and (size >= 1e-4 or size == 0) else f"{number:.3g}"
    unit = UNITS.get(of, "")
    if unit in ("$", "€", "£"):
        return f"{'-' if number < 0 else ''}{unit}{text.lstrip('-')}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}".strip()


def count(number, noun="row"):
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def percent(share):
    return f"{100 * share:.1f} %".replace(".0 %", " %")


def show(value):
    """A value of a group as text: whole numbers without a point, days without a time of day."""
    if isinstance(value, pd.Timestamp):
        return f"{value:%Y-%m-%d}" if value == value.normalize() else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, pd.Period) and value.freqstr.startswith("W"):
        return f"week of {value.start_time:%Y-%m-%d}"
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return "(empty)"
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else " ".join(str(value).split())


def join_words(words):
    words = [str(word) for word in words]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""


def texts(cells):
    return cells.astype(str).str.strip().str.lower()


cautions = []


def keep(rows, chosen, words):
    """The rows for which the condition holds."""
    kept = rows[chosen.fillna(False).astype(bool)]
    print(f"{words}: {len(kept):,} of {len(rows):,} rows")
    if not len(kept):
        raise SystemExit(f"error: no row has {words}")
    return kept


def keep_saying(rows, words, wanted):
    """The rows with these words in a column of text: in the column where a whole cell says them, else within a cell."""
    columns = [name for name in rows.columns if rows[name].dtype == object]
    for found in (lambda cells: texts(cells) == words.lower(), lambda cells: texts(cells).str.contains(words.lower(), regex=False)):
        for name in columns:
            chosen = found(rows[name])
            if chosen.any():
                return keep(rows, chosen if wanted else ~chosen, f"{name} {'with' if wanted else 'without'} {words}")
    raise SystemExit(f"error: no cell of the table says {words!r}")


def without_events(rows):
    """The rows that are not among the unusual readings found before."""
    if not os.path.exists("output/anomalies.csv") or not TIMES:
        raise SystemExit("error: no unusual readings were found before")
    before = pd.to_datetime(pd.read_csv("output/anomalies.csv")["timestamp"])
    return keep(rows, ~rows[list(TIMES)[0]].isin(before), "no unusual reading")


# The table, with numbers as numbers and times as times.
table = read_table()
rows_read = len(table)
for name in NUMBERS:
    before = table[name].notna().sum()
    table[name] = pd.to_numeric(table[name], errors="coerce").astype(float).replace([np.inf, -np.inf], np.nan)
    if table[name].notna().sum() < before:
        cautions.append(f"{count(int(before - table[name].notna().sum()), 'cell')} of {name} could not be read as a number and do not count.")
for name, style in TIMES.items():
    zoned = style is None or "%z" in style
    table[name] = pd.to_datetime(table[name], format=style or "mixed", errors="coerce", utc=zoned)
    if zoned:
        table[name] = table[name].dt.tz_localize(None)

AGGREGATE = {"average": "mean", "median": "median", "total": "sum", "highest": "max", "lowest": "min", "standard deviation": "std", "count": "count", "distinct values": "nunique"}


def aggregates(measure, otherwise=None):
    """What is computed of a measure: what was asked, else its total where totals make sense, else its average."""
    asked = [how for how in AGGREGATES if how in AGGREGATE]
    return asked or [otherwise or ("total" if measure in ADDS_UP else "average")]


