# Rows far from the others: each number against the middle of its column, or of its group, by the width of the middle half.
measures = [name for name in MEASURES if name in NUMBERS] or [name for name in NUMBERS if data[name].nunique() > 10][:60]
if not measures:
    raise SystemExit("error: the table has no column of numbers in which rows could stand out")
parts = [name for name in GROUPS if data[name].nunique() <= 50]
found = []
for measure in measures:
    cells = data[measure].dropna()
    if len(cells) < 8:
        continue
    # Amounts that lean to high values are judged by their logarithm: twice as much counts like half as much.
    leans = cells.min() > 0 and cells.skew() > 2
    scaled = np.log(cells) if leans else cells
    groups = [data.loc[cells.index, name] for name in parts]
    middle = scaled.groupby(groups).transform("median") if groups else scaled.median()
    low, high = scaled.quantile([0.25, 0.75])
    width = (high - low) / 1.349 or scaled.std()
    if not width > 0:
        continue
    score = (scaled - middle) / width
    limit = max(5.0, np.sqrt(2 * np.log(len(cells))) + 1)
    for at in score[score.abs() > limit].index:
        usual = np.exp([low, high]) if leans else (low, high)
        found.append((at, measure, cells[at], float(score[at]), f"{fmt(cells[at], measure)}, where half of all lie between {fmt(usual[0], measure)} and {fmt(usual[1], measure)}"))
result = pd.DataFrame(found, columns=["_row", "column", "value", "times the usual distance", "what was seen"])
result["times the usual distance"] = result["times the usual distance"].astype(float).round(1)
result = result.sort_values("times the usual distance", key=abs, ascending=False, kind="stable").reset_index(drop=True)
for number, name in enumerate([name for name in NAMES if name not in measures][:2]):
    result.insert(number, name, data.loc[result["_row"], name].map(show).to_numpy())
who = [name for name in result.columns[:2] if name in NAMES]
result.insert(0, "row", result.pop("_row") + 1)
FORMATS = {"value": lambda value: fmt(value), "row": lambda value: f"{value:,}"}
rows_found = result["row"].nunique()
if len(result):
    first = result.iloc[0]
    name = ", ".join(f"{one} {first[one]}" for one in who)
    answer = f"{count(rows_found)} of {len(data):,} stand{'s' if rows_found == 1 else ''} out, by {join_words(result['column'].unique()[:4])}{' and others' if result['column'].nunique() > 4 else ''}. The farthest is row {first['row']:,}{f' ({name})' if name else ''}: {first['column']} is {first['what was seen']}."
else:
    answer = f"No row stands out: all {count(len(data))} lie within the usual distance of the middle in {join_words(measures[:6])}{' and others' if len(measures) > 6 else ''}."
evidence = ["A value stands out when it is more than 5 times as far from the middle of its column as is usual (measured by the middle half, which extreme values cannot widen; for amounts that lean to high values, by ratio)."]
if rows_found > 0.02 * len(data):
    cautions.append(f"{percent(rows_found / len(data))} of all rows is much: perhaps the table holds several kinds of rows that should be judged apart.")
cautions.append("Unusual is not wrong: such rows may be mistakes, or the most interesting ones.")
title = "Rows that stand out"
print(result.head(30).to_string(index=False))
