def escape(text):
    """Text from the file, harmless inside a Markdown table."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$])", r"\\\1", " ".join(str(text).split()))


def size_words(event):
    if np.isnan(event.difference):
        return ""
    percent = "" if np.isnan(event.percent) else f" ({event.percent:+,.0f} %)"
    return f"{'+' if event.difference >= 0 else ''}{fmt(event.difference, escape(TOTAL_UNIT))}{percent}"


subject = escape(VALUE_WORDS)
KIND_WORDS = {"stuck readings": "of stuck readings", "zero readings": "of zero readings", "day off": "like a day off", "sensor fault": "of faulty sensor readings",
              "left on": "with something left on", "spike": "with a single spike", "dip": "with a single dip"}


def in_a_row(parts):
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


if len(in_value):
    biggest = in_value.iloc[0]
    by_kind = in_value["kind"].value_counts(sort=False)
    periods = "One period" if len(in_value) == 1 else count(len(in_value), "period")
    answer = f"{periods} of unusual {subject} {'stands' if len(in_value) == 1 else 'stand'} out between {date(first)} and {date(last)}"
    answer += f": {in_a_row([f'{number} {KIND_WORDS.get(kind, kind)}' for kind, number in by_kind.items()])}." if len(in_value) > 1 else "."
    answer += f" {'It' if len(in_value) == 1 else 'The most important one'} is {when(biggest['start'], biggest['end'])}: {biggest['description'][0].lower()}{biggest['description'][1:]}"
else:
    answer = f"Nothing unusual was found in {subject} between {date(first)} and {date(last)}. All {int(known.sum()):,} readings lie close to what is usual for their time" + (" and temperature." if has_temperature else ".")

sensor_faults = events[events["column"] != VALUE]
if len(sensor_faults):
    answer += f" The temperature readings were faulty in {count(len(sensor_faults), 'period')} and were not used there."

SHOWN = 25
lines = [f"# Unusual {subject}", "", answer, ""]
lines += ["![The readings over time with the unusual periods marked](charts/unusual_periods.png)", ""]
if len(in_value):
    lines += ["## The events", "", "| No. | When | What | Difference | What was seen |", "|---:|---|---|---:|---|"]
    for event in in_value.head(SHOWN).itertuples():
        lines.append(f"| {event.event} | {when(event.start, event.end)} | {event.kind} | {size_words(event)} | {escape(event.description)} |")
    lines.append("")
    if len(in_value) > SHOWN:
        lines += [f"The {SHOWN} most important are shown; all {len(in_value)} are in [events.csv](events.csv).", ""]
    how = "in all, over the unusual readings" if IS_ADDED_UP else "on average, over the unusual readings"
    lines += [f"Difference is what was read less what was expected, {how}. Events come in the order of how far they were from the expected; days that look like a day off come after the rest.", ""]
for event, path in close_ups:
    lines += [f"![Event {event.event} next to what was expected]({path})", ""]

lines += ["## How the expected value was computed", ""]
same_time = "the same hour of similar days" if SLOTS > 1 else "similar days" if unit_days == 1 else "the readings"
lines.append(f"For each reading, the expected value is what {same_time} showed in the {WEEKS_AROUND} weeks before and after, nearer days counting more and unusual readings counting little or nothing."
             + (f" It is then corrected for the outdoor temperature ({escape(TEMPERATURE)})" + (" of that hour and of the day before" if SLOTS > 1 else "") + ", as far as these readings follow it." if has_temperature else " No temperature was used."))
lines.append(f"Half of all readings lie within {fmt(np.median(np.abs(residual[known])), escape(UNIT))} of it. A reading counts as unusual when the hours around it miss by more than the largest misses of the other days let one expect.")

lines += ["", "## What to be careful about", ""]
notes = []
for event in sensor_faults.itertuples():
    notes.append(f"Temperature sensor, {when(event.start, event.end)} (event {event.event}): {escape(event.description[0].lower() + event.description[1:])}")
if rows_missing:
    notes.append(f"{count(rows_missing, 'reading')} of {escape(VALUE)} {'is' if rows_missing == 1 else 'are'} missing in the file; nothing was filled in.")
if len(gaps):
    longest = gaps.loc[gaps["absent"].idxmax()]
    notes.append(f"{count(len(gaps), 'gap')} in time ({count(readings_absent, 'reading')} absent); the longest is between {when(longest['before'], longest['before'])} and {when(longest['after'], longest['after'])}.")
if parts_joined:
    whole = "average" if HOW_ADDED == "mean" else "sum"
    notes.append(f"Most times occur in several rows (as when several meters share one table); the {whole} of each time's rows was analysed.")
elif rows_repeated:
    notes.append(f"{count(rows_repeated, 'row')} repeat{'s' if rows_repeated == 1 else ''} a time that was already there; the first row of each time was used.")
if rows_without_time:
    notes.append(f"{count(rows_without_time, 'row')} had no readable time and {'was' if rows_without_time == 1 else 'were'} left out.")
if days * unit_days < 21:
    notes.append(f"The file covers only {count(days * unit_days, 'day')}, which is little to learn from: weekdays and weekends can hardly be told apart.")
notes.append("The causes named are what such readings usually mean. Only somebody who knows the place can confirm them.")
lines += [f"- {note}" for note in notes]

lines += ["", "## Files", "",
          f"- [anomalies.csv](anomalies.csv): the {count(len(anomalies), 'unusual reading')}, each with what was expected, a score (how many times the normal miss; stuck and zero readings get at least {fmt(LIMIT_ALONE)}) and the number of its event",
          f"- [events.csv](events.csv): the {count(len(events), 'event')}, one row each", ""]
lines[-1:] = [f"- [{escape(name)}]({name}): the table asked for" for name in TABLES_ASKED_FOR if name not in ("anomalies.csv", "events.csv")] + [""]
if TABLE_NOTE:
    lines += [escape(TABLE_NOTE), ""]
lines += ["---", "", f"*{rows_read:,} rows of {escape(TABLE)} were read. This report was written by the built-in analyst: fixed rules and statistics, not AI.*", ""]
os.makedirs("output", exist_ok=True)
with open("output/report.md", "w", encoding="utf-8") as target:
    target.write("\n".join(lines))
print("Answer:", answer)
