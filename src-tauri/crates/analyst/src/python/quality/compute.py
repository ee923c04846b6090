# What is wrong, or may be, with the data itself: each finding with how many rows and an example.
found = []


def finding(kind, where, rows, what):
    found.append((kind, where, int(rows), what))


original = read_table()
repeated = original.astype(str).duplicated()
if repeated.any():
    finding("repeated rows", "all columns", repeated.sum(), f"first in row {int(np.flatnonzero(repeated)[0]) + 1} of the data")
for name in original.columns:
    cells = original[name]
    blank = cells.isna() | (cells.astype(str).str.strip() == "")
    if blank.all():
        finding("empty column", name, len(cells), "no value at all")
        continue
    if blank.any():
        finding("missing values", name, blank.sum(), percent(blank.mean()))
    filled = cells[~blank]
    if filled.nunique() == 1 and len(filled) > 1 and not blank.any():
        finding("one value only", name, len(filled), f"always {show(filled.iloc[0])}")
    if name in NUMBERS:
        numbers_ = table[name].dropna()
        unread = int(cells.notna().sum() - len(numbers_))
        if unread:
            finding("not a number", name, unread, f"for example {show(filled[pd.to_numeric(filled, errors='coerce').isna()].iloc[0])}")
        if len(numbers_) > 20 and 0 < (numbers_ < 0).sum() <= 0.02 * len(numbers_) and (numbers_ > 0).mean() > 0.9:
            finding("negative among positive", name, (numbers_ < 0).sum(), f"down to {fmt(numbers_.min(), name)}")
        for code in (-999, -9999, 9999, 99999, -1):
            if 2 <= (numbers_ == code).sum() and numbers_[numbers_ != code].between(-abs(code) / 10, abs(code) / 10).mean() > 0.99 and abs(code) > 1:
                finding("a code for missing?", name, (numbers_ == code).sum(), f"{code} among much smaller numbers")
        middle, width = numbers_.median(), (numbers_.quantile(0.75) - numbers_.quantile(0.25))
        far = (numbers_ - middle).abs() > 20 * width
        if width > 0 and 0 < far.sum() <= 0.01 * len(numbers_):
            finding("far out", name, far.sum(), f"for example {fmt(numbers_[far].iloc[0], name)}, where half lie near {fmt(middle, name)}")
    elif name in TIMES:
        unread = int((~blank).sum() - table[name].notna().sum())
        if unread:
            finding("not a time", name, unread, f"for example {show(filled[table.loc[filled.index, name].isna()].iloc[0])}")
        at = table[name].dropna().sort_values()
        steps = at.diff().dropna()
        if len(steps) > 10 and steps.median() > pd.Timedelta(0) and (steps == steps.median()).mean() > 0.8:
            wide = steps > 1.5 * steps.median()
            if wide.any():
                finding("gaps in time", name, round((steps[wide] / steps.median() - 1).sum()), f"{count(int(wide.sum()), 'gap')}, the longest before {show(at[steps.idxmax()])}")
            if (steps == pd.Timedelta(0)).any():
                finding("repeated times", name, (steps == pd.Timedelta(0)).sum(), f"for example {show(at[steps[steps == pd.Timedelta(0)].index[0]])}")
    else:
        written = filled.astype(str)
        plain = written.str.strip().str.lower().str.replace(r"\s+", " ", regex=True)
        forms = written.groupby(plain).nunique()
        if (forms > 1).any() and plain.nunique() < 0.9 * len(plain):
            example = sorted(written[plain == forms.idxmax()].unique())[:3]
            finding("one value written in several ways", name, written[plain.isin(forms[forms > 1].index)].size, " / ".join(repr(form) for form in example))
        stand_in = plain.isin(["?", "n/a", "na", "none", "unknown", "-", "--", "null", "tbd", "#n/a"])
        if stand_in.any() and stand_in.mean() < 0.9:
            finding("words for missing", name, stand_in.sum(), f"for example {show(written[stand_in].iloc[0])}")

# Contradictions between columns: an end before its start, a whole that is not its parts, a name with two codes.
for one, two in [(a, b) for at, a in enumerate(TIMES) for b in list(TIMES)[at + 1 :]]:
    both = table[[one, two]].dropna()
    backwards = both[two] < both[one]
    if len(both) > 10 and 0 < backwards.mean() < 0.2:
        finding("end before start", f"{one}, {two}", backwards.sum(), f"for example {show(both.loc[backwards, one].iloc[0])} to {show(both.loc[backwards, two].iloc[0])}")
whole = [name for name in NUMBERS if re.search(r"\b(total|sum|all)\b", str(name).lower().replace("_", " "))]
for name in whole[:3]:
    at = list(table.columns).index(name)
    for width in range(2, 7):
        parts = [part for part in list(table.columns)[max(0, at - width) : at] if part in NUMBERS]
        if len(parts) == width:
            rest = (table[name] - table[parts].sum(axis=1, min_count=width)).dropna().abs()
            fits = rest <= 0.006 * np.maximum(1, table.loc[rest.index, name].abs())
            if len(rest) > 10 and 0.7 < fits.mean() < 1:
                finding("a total that is not its parts", f"{name} = {' + '.join(map(str, parts))}", (~fits).sum(), f"off by up to {fmt(rest.max(), name)}")
                break
result = pd.DataFrame(found, columns=["finding", "column", "rows", "what was seen"])
if AGGREGATES == ["missing"]:
    result = result[result["finding"].isin(["missing values", "empty column", "words for missing"])]
serious = {"repeated rows": 0, "end before start": 0, "a total that is not its parts": 0, "repeated times": 1, "gaps in time": 1}
result = result.assign(order=[serious.get(kind, 2) for kind in result["finding"]]).sort_values(["order", "rows"], ascending=[True, False], kind="stable").drop(columns="order").reset_index(drop=True)
missing = int(original.isna().sum().sum())
if result.empty:
    answer = f"No fault was found in the {count(len(original))} and {count(original.shape[1], 'column')}: nothing is missing, repeated, out of order or contradictory, as far as rules can tell."
else:
    worst = result[result["finding"].isin(["missing values", "empty column"])].sort_values("rows", ascending=False)
    answer = f"{count(len(result), 'finding')} in {count(len(original))} and {count(original.shape[1], 'column')}: {join_words(f'{number} of {kind}' for kind, number in result['finding'].value_counts().head(4).items())}."
    answer += f" Most values are missing in {worst.iloc[0]['column']}: {worst.iloc[0]['rows']:,} of {len(original):,}." if len(worst) else " No value is missing."
evidence = [f"{missing:,} of {original.size:,} cells ({percent(missing / max(original.size, 1))}) are empty; {count(int(repeated.sum()))} repeat an earlier one in every cell."]
cautions.append("What looks like a fault may be right: only somebody who knows how the data came about can tell.")
FORMATS = {"rows": lambda value: f"{value:,}"}
title = "The quality of the data"
print(result.head(40).to_string(index=False))
