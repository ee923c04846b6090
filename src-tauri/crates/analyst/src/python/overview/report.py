def escape(text):
    """Text from the file, harmless inside Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", " ".join(str(text).split()))


missing_cells = int(described["missing"].sum())
answer = f"The table has {count(rows, 'row')} and {count(width, 'column')}; each row is {a_row}."
if facts:
    answer += f" {facts[0]}"
elif width > 1 and rows >= 10:
    answer += " No strong pattern stands out between its columns."
lines = ["# Overview of the table", ""]
if APOLOGY:
    lines += [f"**{escape(APOLOGY)}**", ""]
lines += [escape(answer), ""]
for path, caption in charts[:1]:
    lines += [f"![{escape(caption)}]({path})", ""]
if len(facts) > 1:
    lines += ["## What stands out", ""] + [f"- {escape(fact)}" for fact in facts] + [""]
for path, caption in charts[1:]:
    lines += [f"![{escape(caption)}]({path})", ""]

SHOWN = 40
lines += ["## The columns", "", "| Column | Kind | Missing | Different | Range or most common |", "|---|---|---:|---:|---|"]
for name, row in list(zip(names, described.to_dict("records")))[:SHOWN]:
    if name in numbers and row["filled"]:
        content = f"{fmt(row['lowest'])} to {fmt(row['highest'])}, mean {fmt(row['mean'])}"
    elif name in times and row["filled"]:
        content = f"{row['lowest']} to {row['highest']}"
    elif row["filled"]:
        content = f"{row['most_common'][:40]} ({row['most_common_percent']:g} %)"
    else:
        content = ""
    missing = f"{row['missing']:,} ({row['missing_percent']:g} %)" if row["missing"] else "0"
    lines.append(f"| {escape(name)} | {row['kind']} | {missing} | {row['different']:,} | {escape(content)} |")
lines.append("")
if width > SHOWN:
    lines += [f"The first {SHOWN} of {width:,} columns; all are in [columns.csv](columns.csv).", ""]
lines += ["## What to be careful about", ""]
lines += [f"- {escape(caution)}" for caution in cautions] or ["- No missing values, empty columns or repeated rows were found."]
lines += ["- That two columns move together does not say that one causes the other.", ""]
lines += ["## Files", "", "- [columns.csv](columns.csv): every column with its kind, missing values, range and most common value", ""]
if TABLE_NOTE:
    lines += [escape(TABLE_NOTE), ""]
lines += ["---", "", f"*{rows:,} rows of {escape(TABLE)} were read. This report was written by the built-in analyst: fixed rules and statistics, not AI.*", ""]
with open("output/report.md", "w", encoding="utf-8") as target:
    target.write("\n".join(lines))
print("Answer:", f"{APOLOGY} {answer}".strip())
