# Each event in plain words, with its size, in the order of how far it was from the expected in all.
IS_ADDED_UP = HOW_ADDED in ("sum", "power")
PER_READING = step_s / 3600 if HOW_ADDED == "power" else 1.0
TOTAL_UNIT = (UNIT + "h" if HOW_ADDED == "power" else UNIT).strip()
STEP_WORD = {60: "minute", 3600: "hour", 86400: "day", 604800: "week"}.get(round(step_s), "reading")


def fmt(number, unit=""):
    number = float(number)
    digits = 0 if abs(number) >= 1000 else 1 if abs(number) >= 10 else 2 if abs(number) >= 1 else 3
    text = f"{number:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{'0' if text == '-0' else text} {unit}".strip()


def count(number, noun):
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def span(numbers_, unit=UNIT):
    low, high = fmt(np.min(numbers_)), fmt(np.max(numbers_))
    return f"{low} {unit}".strip() if low == high else f"{low} to {high} {unit}".strip()


def date(at):
    return f"{at:%a} {at.day} {at:%b %Y}"


def when(start, end):
    if step_s >= day_s:
        return date(start) if start == end else f"{date(start)} to {date(end)}"
    if start == end:
        return f"{date(start)}, {start:%H:%M}"
    if start.normalize() == end.normalize():
        return f"{date(start)}, {start:%H:%M} to {end:%H:%M}"
    return f"{date(start)} {start:%H:%M} to {date(end)} {end:%H:%M}"


def temperature_words(rows):
    """How the temperature compares with the same hours of the weeks around, where it is known."""
    if not has_temperature or temperature_fault[rows].all():
        return ""
    there = np.nanmean(temperature[rows])
    near_days = np.abs(day - day[rows[0]]) * unit_days <= 21
    others = temperature[near_days & np.isin(slot, slot[rows])]
    if np.isfinite(others).sum() < 10 or not np.isfinite(there):
        return ""
    cold, warm = np.nanquantile(others, [0.05, 0.95])
    word = "unusually cold" if there < cold else "unusually warm" if there > warm else "ordinary for the time of year"
    return f" The outdoor temperature was {word} ({fmt(there, TEMPERATURE_UNIT)} on average)."


def describe(kind, rows):
    usual_here, seen = expected[rows], y[rows]
    steps_here = count(len(rows), STEP_WORD)
    if kind == "stuck readings":
        repeats = int((seen == np.median(seen)).sum())
        return f"The same reading, {fmt(np.median(seen), UNIT)}, {repeats} times in a row, where {span(usual_here)} is usual. A meter or its connection that hangs looks like this."
    if kind == "zero readings":
        zeros = int((seen == 0).sum())
        return f"{count(zeros, STEP_WORD)} at zero, where {span(usual_here[seen == 0])} is usual.{temperature_words(rows)} No reading arrived, or the supply was off."
    if kind == "day off":
        working = sum(likeness[quiet_day, weekday[one]] < 0.2 for one in np.unique(day[rows]))
        return f"{count(working, 'day')} on which the readings look like those of a {DAY_NAMES[quiet_day]}. A public holiday or a closed site looks like this."
    if kind == "spike":
        times = f", {fmt(seen[0] / usual_here[0])} times the expected {fmt(usual_here[0], UNIT)}" if usual_here[0] > 0 else f", where {fmt(usual_here[0], UNIT)} is expected"
        return f"One {STEP_WORD} at {fmt(seen[0], UNIT)}{times}; what came before and after was usual.{temperature_words(rows)}"
    if kind == "dip":
        return f"One {STEP_WORD} at {fmt(seen[0], UNIT)}, where {fmt(usual_here[0], UNIT)} is expected; what came before and after was usual.{temperature_words(rows)}"
    if kind == "left on":
        return f"{steps_here} at {span(seen)} at a time that is usually quiet ({span(usual_here)}). Something that is normally off was running.{temperature_words(rows)}"
    direction = "above" if kind == "higher than usual" else "below"
    return f"{steps_here} {direction} what is usual: {span(seen)}, where {span(usual_here)} is expected.{temperature_words(rows)}"


DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def is_usually_quiet(rows):
    """Whether so little is expected as in the quiet hours of the weeks around."""
    near_days = known & (np.abs(day - day[rows[0]]) * unit_days <= 14)
    quiet, busy = np.quantile(expected[near_days], [0.1, 0.95])
    return expected[rows].max() < quiet + 0.35 * (busy - quiet)


def refine(kind, rows):
    """A more telling name for what is merely high or low."""
    if len(rows) == 1 and kind.endswith("than usual"):
        return "spike" if kind.startswith("higher") else "dip"
    if kind == "higher than usual" and IS_USE and SLOTS >= 24 and len(rows) * step_s >= 3 * 3600 and is_usually_quiet(rows):
        return "left on"
    return kind


event_list = []
for kind, rows in found:
    kind = refine(kind, rows)
    start, end = moment[rows[0]], moment[rows[-1]]
    excess = residual[rows].sum() if IS_ADDED_UP else residual[rows].mean()
    base = expected[rows].sum() if IS_ADDED_UP else expected[rows].mean()
    event_list.append({
        "start": start, "end": end, "column": VALUE, "kind": kind, "unusual_readings": len(rows),
        "hours": len(rows) * step_s / 3600,
        "difference": excess * PER_READING, "percent": 100 * excess / base if base > 0 else np.nan,
        "description": describe(kind, rows),
        "rank": (kind == "day off", -np.abs(residual[rows]).sum()), "rows": rows,
    })
for start, end in join(runs_of(temperature_fault), 3 * step_s / 3600) if TEMPERATURE else []:
    shown = readings["temperature"].to_numpy()[start : end + 1]
    event_list.append({
        "start": moment[start], "end": moment[end], "column": TEMPERATURE, "kind": "sensor fault",
        "unusual_readings": int(temperature_fault[start : end + 1].sum()),
        "hours": (moment[end] - moment[start]).total_seconds() / 3600 + step_s / 3600,
        "difference": np.nan, "percent": np.nan,
        "description": f"The temperature reads {span(shown, TEMPERATURE_UNIT)}, which cannot be right next to the readings around it. These temperatures were not used.",
        "rank": (True, np.inf), "rows": np.array([], dtype=int),
    })
event_list.sort(key=lambda event: event["rank"])
events = pd.DataFrame(event_list, columns=["start", "end", "column", "kind", "unusual_readings", "hours", "difference", "percent", "description", "rows"])
events.insert(0, "event", np.arange(1, len(events) + 1))

event_of = np.zeros(len(y), dtype=int)
for event in events.itertuples():
    event_of[event.rows] = event.event
unusual = np.flatnonzero(event_of)
score = np.where(is_fault, np.maximum(np.abs(alone), LIMIT_ALONE), np.abs(alone))
time_style = "%Y-%m-%d" if step_s >= day_s and (moment == moment.dt.normalize()).all() else "%Y-%m-%d %H:%M:%S"
anomalies = pd.DataFrame({
    "timestamp": moment[unusual].dt.strftime(time_style).to_numpy(),
    VALUE: y[unusual], "expected": expected[unusual].round(3), "score": score[unusual].round(2), "event": event_of[unusual],
})
os.makedirs("output/charts", exist_ok=True)
anomalies.to_csv("output/anomalies.csv", index=False)
table_of_events = events.drop(columns="rows").assign(
    start=events["start"].dt.strftime(time_style) if len(events) else [], end=events["end"].dt.strftime(time_style) if len(events) else [],
    difference=events["difference"].astype(float).round(1), percent=events["percent"].astype(float).round(1))
table_of_events.to_csv("output/events.csv", index=False)
for name in TABLES_ASKED_FOR:
    (table_of_events if "event" in name.lower() else anomalies).to_csv(os.path.join("output", name), index=False)
print(f"{len(events)} events, {len(anomalies)} unusual readings.")
for event in events.head(20).itertuples():
    size = "" if np.isnan(event.difference) else f" {event.difference:+,.1f} {TOTAL_UNIT}"
    print(f"{event.event}. {when(event.start, event.end)}: {event.kind}.{size} {event.description}")
