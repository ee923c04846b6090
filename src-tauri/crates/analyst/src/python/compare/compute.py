# Each group's size, figure and spread; then whether the groups differ by more than chance would make them.
from scipy import stats

if PERIODS:
    time = list(TIMES)[0]
    period = pd.Series(pd.NA, index=data.index, dtype=object)
    for words, start, end in PERIODS:
        inside = data[time].notna() & (data[time] >= start if start else True) & (data[time] < end if end else True)
        period[inside] = words
    data = data.assign(period=period)
    data = keep(data, data["period"].notna(), "one of the periods")
    GROUPS = ["period", *GROUPS]
if not GROUPS:
    raise SystemExit("error: nothing says which groups to compare")
group, measure = GROUPS[0], MEASURES[0]
if measure not in NUMBERS:
    raise SystemExit(f"error: {measure} holds no numbers to compare")
used = data[[*GROUPS, measure]].dropna(subset=[measure])
empty = used[GROUPS].isna().any(axis=1)
if empty.any():
    cautions.append(f"{count(int(empty.sum()))} without a {join_words(GROUPS)} are left out.")
    used = used[~empty]
if used.empty:
    raise SystemExit(f"error: no row has both {measure} and {join_words(GROUPS)}")
hows = aggregates(measure, "total" if PERIODS and measure in ADDS_UP else "average")
how = hows[0]
by = used.groupby(GROUPS, observed=True)[measure]
result = pd.DataFrame({"rows": by.size(), **{one: by.agg(AGGREGATE[one]) for one in dict.fromkeys([*hows, "average", "median", "standard deviation"])}}).reset_index()
in_order = group in ("weekday", "month of the year", "hour of the day", "period", "year", "month", "quarter", "week", "day", "hour")
calendar = list(WEEKDAY_NAMES.values()) + list(MONTH_NAMES.values())
if in_order:
    result = result.sort_values(group, key=lambda cells: cells.map(lambda cell: calendar.index(cell) if cell in calendar else cell)) if group != "period" else result
else:
    result = result.sort_values(how, ascending=False)
for extra in MEASURES[1:3]:
    if extra in NUMBERS:
        other = data.groupby(GROUPS, observed=True)[extra].agg(AGGREGATE[aggregates(extra, "average")[0]])
        result = result.merge(other.rename(f"{aggregates(extra, 'average')[0]} of {extra}").reset_index(), on=GROUPS, how="left")
ranked = result.sort_values(how, ascending=False, kind="stable").reset_index(drop=True)
name_of = lambda row: ", ".join(show(row[one]) for one in GROUPS)
top, bottom = ranked.iloc[0], ranked.iloc[-1]
FORMATS = {one: (lambda value: fmt(value, measure)) for one in {*hows, "average", "median", "standard deviation"}}

samples = [cells.to_numpy() for _, cells in by if len(cells) >= 3]
chance = None
if 2 <= len(samples) <= 2000 and used[measure].nunique() > 1:
    chance = stats.kruskal(*samples).pvalue if len(samples) > 2 else stats.mannwhitneyu(*samples).pvalue
if len(ranked) == 1:
    answer = f"There is only one group, {name_of(top)}: its {how} of {measure} is {fmt(top[how], measure)}."
elif len(ranked) == 2 or PERIODS and len(ranked) == 2:
    gap = top[how] - bottom[how]
    more = f", {percent(gap / abs(bottom[how]))} more" if bottom[how] > 0 else ""
    answer = f"The {how} of {measure} is higher for {name_of(top)}, {fmt(top[how], measure)}, than for {name_of(bottom)}, {fmt(bottom[how], measure)}: a difference of {fmt(gap, measure)}{more}."
else:
    answer = f"The {how} of {measure} is highest for {name_of(top)}, {fmt(top[how], measure)}, and lowest for {name_of(bottom)}, {fmt(bottom[how], measure)}, of {count(len(ranked), 'group')}."
if chance is not None and len(ranked) > 1:
    answer += " The groups differ by more than chance alone would make them." if chance < 0.01 else " The difference may be chance." if chance > 0.05 else " The difference is only just more than chance would make."
share = 0.0
if used[measure].var() > 0 and len(ranked) > 1:
    centre = by.transform("mean") - used[measure].mean()
    share = float((centre**2).sum() / ((used[measure] - used[measure].mean()) ** 2).sum())
evidence = [f"Knowing the {join_words(GROUPS)} accounts for {percent(share)} of how much {measure} varies from row to row."] if len(ranked) > 1 else []
if chance is not None:
    evidence.append(f"If the groups were alike, differences this large would come up in {'fewer than 0.1' if chance < 0.001 else fmt(100 * chance)} of 100 cases (a rank test, which a few extreme values cannot sway).")
small = ranked[ranked["rows"] < 10]
if len(small):
    cautions.append(f"{count(len(small), 'group')} with fewer than 10 rows ({join_words(name_of(row) for _, row in small.head(5).iterrows())}{' and others' if len(small) > 5 else ''}): one row more or less would change them.")
cautions.append("That groups differ does not say why: they may differ in other things as well.")
title = f"{how.capitalize()} {measure} by {join_words(GROUPS)}"
print(result.head(40).to_string(index=False))
