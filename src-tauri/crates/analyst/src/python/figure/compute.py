# One figure for each thing asked, with how many values it rests on.
FORMATS = {}
rows = []
for measure in MEASURES:
    cells = data[measure]
    filled = cells.dropna()
    if "missing" in AGGREGATES:
        blank = cells.isna() | (texts(cells) == "")
        rows.append((measure, "missing", int(blank.sum()), len(cells)))
    is_number = measure in NUMBERS
    asked = [how for how in AGGREGATES if how in AGGREGATE and (is_number or how in ("count", "distinct values"))]
    if not asked and "missing" not in AGGREGATES:
        asked = ["average", "median", "lowest", "highest"] + (["total"] if measure in ADDS_UP else []) if is_number else ["distinct values", "count"]
    rows += [(measure, how, getattr(filled, AGGREGATE[how])(), len(filled)) for how in asked]
    if len(filled) < len(cells) and "missing" not in AGGREGATES:
        cautions.append(f"{count(len(cells) - len(filled))} without a value in {measure} do not count.")
result = pd.DataFrame(rows, columns=["column", "figure", "value", "values used"])


def said(row):
    unit = row["column"] if row["figure"] not in ("count", "distinct values", "missing") else None
    if row["figure"] == "missing":
        return f"{count(int(row['value']))} of {row['values used']:,} ({percent(row['value'] / max(row['values used'], 1))}) have no value in {row['column']}"
    if row["figure"] in ("count", "distinct values"):
        return f"{row['column']} has {row['value']:,} {'filled cells' if row['figure'] == 'count' else 'different values'}"
    return f"the {row['figure']} {row['column']} is {fmt(row['value'], unit)}"


answer = join_words([said(row) for row in result.to_dict("records")]) + "."
answer = answer[:1].upper() + answer[1:]
evidence = []
for measure, how, value, used in rows:
    if how in ("highest", "lowest"):
        at = data.index[data[measure] == value]
        named = [name for name in NAMES if name != measure]
        if len(at) and named:
            who = ", ".join(f"{name} {show(data.loc[at[0], name])}" for name in named[:3])
            answer += f" The {how} {measure} belongs to {who}" + (f", the first of {count(len(at))} with this value." if len(at) > 1 else ".")
first = MEASURES[0]
if first in NUMBERS and data[first].notna().sum() > 1:
    spread = data[first].quantile([0.25, 0.75])
    evidence.append(f"Half of the values of {first} lie between {fmt(spread.iloc[0], first)} and {fmt(spread.iloc[1], first)}; {count(int(data[first].notna().sum()), 'value')} count.")
    if abs(data[first].skew()) > 2 and "average" in list(result["figure"]):
        cautions.append(f"A few very large or small values pull the average of {first}; its median, {fmt(data[first].median(), first)}, is closer to a usual value.")
title = join_words(list(dict.fromkeys(f"{how} {measure}" for measure, how, *_ in rows)))[:90].capitalize()
print(result.to_string(index=False))
