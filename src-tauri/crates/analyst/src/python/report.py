def escape(text):
    """Text from the file, harmless inside Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", " ".join(str(text).split()))


def harmless(cell):
    """Text that a spreadsheet will not take for a formula."""
    return "'" + cell if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def markdown(frame, formats):
    """The first rows of a table; numbers stand to the right."""
    number = [column for column in frame.columns if column in formats or pd.api.types.is_numeric_dtype(frame[column])]
    head = "| " + " | ".join(escape(column) for column in frame.columns) + " |"
    under = "|" + "|".join("---:" if column in number else "---" for column in frame.columns) + "|"
    cell = lambda column, value: formats[column](value) if column in formats and value == value else fmt(value) if column in number and value == value and value is not None else cut(value, 60)
    body = ["| " + " | ".join(escape(cell(column, value)) for column, value in zip(frame.columns, row)) + " |" for row in frame.head(SHOWN).itertuples(index=False)]
    return [head, under, *body, ""]


SHOWN = 25
result.map(harmless).to_csv("output/result.csv", index=False)
for name in TABLES_ASKED_FOR:
    result.map(harmless).to_csv(os.path.join("output", name), index=False)
if NOT_UNDERSTOOD:
    cautions.insert(0, f"Not understood and left aside: {join_words(NOT_UNDERSTOOD)}. If that matters, the answer is to another question than yours; say it in other words, or connect a model.")
report = [f"# {escape(title)}", "", escape(answer), "", f"*Understood as: {escape(UNDERSTOOD)}.*", ""]
shown_charts = [line for path, caption in charts for line in (f"![{escape(caption)}]({path})", "")]
shown_table = markdown(result, FORMATS if "FORMATS" in globals() else {})
if len(result) > SHOWN:
    print(f"Rows in the report: {SHOWN} of {len(result):,}.")
    shown_table += [f"The first {SHOWN} of {len(result):,} rows; all are in [result.csv](result.csv).", ""]
report += shown_table + shown_charts if TABLE_FIRST else shown_charts + shown_table
report += [f"- {escape(fact)}" for fact in evidence] + ([""] if evidence else [])
report += ["## What to be careful about", ""] + [f"- {escape(caution)}" for caution in cautions or ["Nothing in the rows that were used speaks against the figures; whether the file itself is right, they cannot say."]] + [""]
report += ["## Files", "", "- [result.csv](result.csv): the figures above as a table", ""]
if TABLE_NOTE:
    report += [escape(TABLE_NOTE), ""]
report += ["---", "", f"*{rows_read:,} rows of {escape(TABLE)} were read, {len(data):,} of them used. This report was written by the built-in analyst: fixed rules and statistics, not AI.*", ""]
with open("output/report.md", "w", encoding="utf-8") as target:
    target.write("\n".join(report))
print("Answer:", answer)
