# The change between two times, divided by each column that has groups: who made it?
if not TIMES or not MEASURES:
    raise SystemExit("error: a column of times and one of numbers are needed")
time, measure = list(TIMES)[0], MEASURES[0]
FALLING, RISING = r"drop|fall|fell|declin|decreas|less|lower|down", r"rise|rose|grow|grew|increas|more|higher|up\b"
how = aggregates(measure)[0]
rows = table.dropna(subset=[time, measure])
focus = data.dropna(subset=[time, measure])
narrowed = len(focus) < len(rows)
if not narrowed:
    # No time was named: the month with the largest change from the one before.
    by_month = rows.groupby(rows[time].dt.to_period("M"))[measure]
    monthly = by_month.agg(AGGREGATE[how])[by_month.size() >= 0.6 * by_month.size().median()]
    moved = monthly.diff()[[month - 1 in monthly.index for month in monthly.index]].dropna()
    wanted = moved[moved < 0] if re.search(FALLING, REQUEST.lower()) else moved
    moved = wanted if len(wanted) else moved
    if not len(moved):
        raise SystemExit("error: no two months follow each other, so there is no change to divide")
    month = moved.abs().idxmax()
    focus = rows[rows[time].dt.to_period("M") == month]
start, end = focus[time].min().normalize(), focus[time].max().normalize()
if (end - start).days >= 25 and start.day <= 5:
    start = start.replace(day=1)
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    back = start - pd.DateOffset(months=months)
else:
    back = start - (end - start) - pd.Timedelta(days=1)
before = rows[(rows[time] >= back) & (rows[time] < start)]
if before.empty:
    raise SystemExit(f"error: the data begin with {show(start)}; there is nothing before to compare with")
one, two = before[measure].agg(AGGREGATE[how]), focus[measure].agg(AGGREGATE[how])
change = two - one
now_words, then_words = f"{show(start)} to {show(end)}", f"{show(back)} to {show(start - pd.Timedelta(days=1))}"
columns = [name for name in rows.columns if name not in NUMBERS and name not in TIMES and not isinstance(rows[name].dtype, pd.PeriodDtype) and 2 <= rows[name].nunique() <= 200]
found = []
for name in columns:
    first, second = before.groupby(name, observed=True)[measure].agg(["sum", "size"]), focus.groupby(name, observed=True)[measure].agg(["sum", "size"])
    both = first.join(second, how="outer", lsuffix=" before", rsuffix=" now").fillna(0)
    if how == "total":
        part = both["sum now"] - both["sum before"]
    else:
        # What each group adds to the average, by its level and by its weight.
        part = both["sum now"] / max(len(focus), 1) - both["sum before"] / max(len(before), 1)
        part -= (both["size now"] / max(len(focus), 1) - both["size before"] / max(len(before), 1)) * one
    for value, amount in part.items():
        found.append((name, show(value), both.loc[value, "sum before"], both.loc[value, "sum now"], amount))
result = pd.DataFrame(found, columns=["column", "group", "total before", "total now", "part of the change"])
result["% of the change"] = (100 * result["part of the change"].astype(float) / change).round(1) if change else 0.0
result = result.sort_values("part of the change", key=lambda part: part * (1 if change >= 0 else -1), ascending=False).reset_index(drop=True)
FORMATS = {name: (lambda value: fmt(value, measure)) for name in ("total before", "total now", "part of the change")}
verb = "rose" if change > 0 else "fell"
answer = f"The {how} of {measure} {verb} from {fmt(one, measure)} ({then_words}) to {fmt(two, measure)} ({now_words}), by {fmt(abs(change), measure)}" + (f" or {abs(change / one) * 100:.1f} %." if one else ".")
if re.search(FALLING, REQUEST.lower()) and change > 0 or re.search(RISING, REQUEST.lower()) and change < 0:
    answer = f"It did not, by these rows: {answer[0].lower()}{answer[1:]}"
if len(result) and change:
    lead = result.iloc[0]
    answer += f" {lead['column']} {lead['group']} made the largest part: {fmt(lead['part of the change'], measure)} ({lead['% of the change']:.0f} %)."
else:
    answer += " The table has no groups by which the change could be divided."
evidence = []
sizes = len(focus), len(before)
if how == "total" and sizes[1]:
    evidence.append(f"There were {count(sizes[0])} against {count(sizes[1])} before, of {fmt(focus[measure].mean(), measure)} on average against {fmt(before[measure].mean(), measure)}: {'fewer' if sizes[0] < sizes[1] else 'more'} rows account for {fmt((sizes[0] - sizes[1]) * before[measure].mean(), measure)} of the change, their size for {fmt((focus[measure].mean() - before[measure].mean()) * sizes[0], measure)}.")
year_ago = rows[(rows[time] >= start - pd.DateOffset(years=1)) & (rows[time] <= end + pd.Timedelta(days=1) - pd.DateOffset(years=1))]
if len(year_ago):
    evidence.append(f"A year before, in the same days, it was {fmt(year_ago[measure].agg(AGGREGATE[how]), measure)}.")
for other in [name for name in NUMBERS if name != measure][:12]:
    a, b, spread = before[other].mean(), focus[other].mean(), rows[other].std()
    if spread and abs(b - a) > 0.5 * spread:
        evidence.append(f"{other} differed as well: {fmt(a, other)} on average before, {fmt(b, other)} then.")
cautions.append("This says which rows made the change, not what moved them; the cause may stand in no table.")
title = f"Why {measure} {verb}"
print(result.head(30).to_string(index=False))
