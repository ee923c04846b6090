# The groups, or the rows themselves, in order.
measure = MEASURES[0] if MEASURES else None
shares = False
if GROUPS:
    whole = data.dropna(subset=GROUPS)
    by = whole.groupby(GROUPS, observed=True)
    if measure is None:
        how, values = "count", by.size()
    else:
        how = aggregates(measure, "total" if "share" in AGGREGATES else None)[0]
        values = by[measure].agg(AGGREGATE[how])
    shares = how in ("total", "count") and (values.min() >= 0)
    ranked = pd.DataFrame({how: values, "rows": by.size()}).reset_index().dropna(subset=[how])
    if how == "count":
        ranked = ranked.drop(columns="rows")
    named = GROUPS
else:
    if measure is None:
        raise SystemExit("error: nothing says by what to rank")
    how, named = measure, [name for name in NAMES if name != measure][:3]
    ranked = data[[*named, measure]].dropna(subset=[measure])
if ranked.empty:
    raise SystemExit("error: nothing to rank")
whole_sum = ranked[how].sum()
ranked = ranked.sort_values(how, ascending=LEAST_FIRST, kind="stable").reset_index(drop=True)
if shares and whole_sum > 0:
    ranked["share %"] = (100 * ranked[how] / whole_sum).round(2)
    ranked["with those above %"] = ranked["share %"].cumsum().round(2)
result = ranked.head(TOP or 10)
result.insert(0, "place", np.arange(1, len(result) + 1))
what = "rows" if measure is None else measure
FORMATS = {how: (lambda value: fmt(value, measure))}
name_of = lambda row: ", ".join(show(row[one]) for one in named) or f"row {int(row['place'])}"
first = result.iloc[0]
figure_words = f"{fmt(first[how], measure)}" + (f" ({percent(first['share %'] / 100)} of all)" if "share %" in result else "")
kind = "number of rows" if measure is None else measure if how == measure else f"{how} {measure}"
answer = f"{name_of(first)} has the {'lowest' if LEAST_FIRST else 'highest'} {kind}: {figure_words}."
tied = int((ranked[how] == first[how]).sum())
if tied > 1:
    answer += f" {count(tied, 'entry').replace('entrys', 'entries')} share this place."
elif len(result) > 1:
    last = result.iloc[-1]
    answer += f" Number {len(result)} of the {count(len(ranked), 'entry').replace('entrys', 'entries')}, {name_of(last)}, has {fmt(last[how], measure)}."
    if "share %" in result and not LEAST_FIRST:
        answer += f" Together these {len(result)} make up {percent(result['share %'].sum() / 100)}."
evidence = []
if "share %" in ranked and len(ranked) >= 5:
    half = int((ranked.sort_values(how, ascending=False)[how].cumsum() < whole_sum / 2).sum()) + 1
    evidence.append(f"{count(half, 'entry').replace('entrys', 'entries')} of {len(ranked):,} make up half of the whole, {fmt(whole_sum, measure)}.")
    even = 100 / len(ranked)
    evidence.append(f"If all were alike, each would have {fmt(even)} %.")
if GROUPS and measure is not None and data[measure].notna().any():
    one = data.loc[data[measure].idxmin() if LEAST_FIRST else data[measure].idxmax()]
    evidence.append(f"The single row with the {'lowest' if LEAST_FIRST else 'highest'} {measure}, {fmt(one[measure], measure)}, is of {', '.join(show(one[name]) for name in GROUPS)}.")
if GROUPS and len(data) > len(whole):
    cautions.append(f"{count(len(data) - len(whole))} without a {join_words(GROUPS)} are left out.")
if how == "average" and (result["rows"] < 10).any():
    cautions.append("Some of these averages rest on fewer than 10 rows, where one row more or less changes the place.")
title = f"{'Bottom' if LEAST_FIRST else 'Top'} {len(result)}: {kind}" + (f" by {join_words(GROUPS)}" if GROUPS else "")
print(result.to_string(index=False))
