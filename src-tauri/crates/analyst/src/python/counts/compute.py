# How many rows, in all or in each group, and their share.
FORMATS = {"share %": lambda value: fmt(value)}
evidence = []
if not GROUPS:
    result = pd.DataFrame([("rows that count", len(data), round(100 * len(data) / max(len(table), 1), 2)), ("other rows", len(table) - len(data), round(100 - 100 * len(data) / max(len(table), 1), 2))], columns=["what", "rows", "share %"])
    answer = f"{count(len(data))} of {len(table):,} ({percent(len(data) / max(len(table), 1))}) are what was asked for." if len(data) < len(table) else f"The table has {count(len(table))}."
elif "share" in AGGREGATES and len(data) < len(table):
    # The share of the rows that count within each group.
    whole, part = table.groupby(GROUPS, observed=True).size(), data.groupby(GROUPS, observed=True).size()
    result = pd.DataFrame({"rows": whole, "of these": part}).fillna(0).astype(int).reset_index()
    result["share %"] = (100 * result["of these"] / result["rows"]).round(2)
    result = result.sort_values("share %", ascending=False)
    top, low = result.iloc[0], result.iloc[-1]
    name_of = lambda row: ", ".join(show(row[one]) for one in GROUPS)
    answer = f"The share is highest for {name_of(top)}, {percent(top['share %'] / 100)}, and lowest for {name_of(low)}, {percent(low['share %'] / 100)}; in all it is {percent(len(data) / len(table))}."
    if (result["rows"] < 20).any():
        cautions.append("Shares of groups with fewer than 20 rows are rough.")
elif len(GROUPS) == 1:
    cells = data[GROUPS[0]].map(show)
    blank = cells.isin(["(empty)", ""])
    result = cells.mask(blank, "(empty)").value_counts().rename_axis(GROUPS[0]).reset_index(name="rows")
    result["share %"] = (100 * result["rows"] / len(data)).round(2)
    first = result.iloc[0]
    answer = f"{first[GROUPS[0]]} is the most common {GROUPS[0]}: {count(int(first['rows']))} of {len(data):,} ({percent(first['rows'] / len(data))})."
    if len(result) > 1:
        answer += f" There are {len(result):,} different ones; {result.iloc[1][GROUPS[0]]} comes second with {result.iloc[1]['rows']:,}."
    if blank.any():
        cautions.append(f"{count(int(blank.sum()))} have no value in {GROUPS[0]}; they are counted as (empty).")
else:
    one, two = GROUPS[:2]
    cross = pd.crosstab(data[one].map(show), data[two].map(show))
    shown = cross.loc[cross.sum(axis=1).sort_values(ascending=False).index[:40], cross.sum().sort_values(ascending=False).index[:12]]
    result = shown.reset_index().rename_axis(columns=None)
    result["all"] = cross.sum(axis=1).reindex(shown.index).to_numpy()
    most = cross.stack().idxmax()
    answer = f"The most common pair is {most[0]} with {most[1]}: {count(int(cross.loc[most[0], most[1]]))} of {len(data):,}."
    from scipy import stats

    if min(cross.shape) > 1 and cross.size < 200_000:
        chance = stats.chi2_contingency(cross).pvalue
        answer += f" {one} and {two} go together more than chance would make them." if chance < 0.01 else f" Nothing says that {one} and {two} go together."
        evidence.append(f"Were the two independent, counts this uneven would come up in {'fewer than 0.1' if chance < 0.001 else fmt(100 * chance)} of 100 cases.")
title = f"Number of rows{' by ' + join_words(GROUPS) if GROUPS else ''}"
print(result.head(40).to_string(index=False))
