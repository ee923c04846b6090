# What a newcomer would want to know first. Each fact is a sentence with its computed figures.
facts = []
TIME_WORDS = {"year", "month", "day", "hour", "minute", "week", "weekday"}
NAME_WORDS = {"id", "ids", "index", "no", "nr", "number", "code", "zip", "rank", "fips", "key", "row"}
PLACE_WORDS = {"lat", "latitude", "lon", "lng", "longitude", "unnamed"}


def is_measure(name):
    """Numbers that measure something, and do not merely count, name or place rows."""
    filled = numbers[name].dropna()
    named = [word.lower() for word in re.findall(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+", name)] or [""]
    names_rows = named[0] in TIME_WORDS or named[-1] in NAME_WORDS or bool(PLACE_WORDS & set(named))
    counts_rows = rows > 20 and len(filled) == rows and (filled.diff().dropna() == 1).all()
    return kinds[name] != "identifier" and filled.nunique() > 1 and not names_rows and not counts_rows


def shorten(text, length=38):
    text = str(text)
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


measures = [name for name in numbers if is_measure(name)]
groups = [name for name in texts if texts[name].count() >= 5 and 2 <= texts[name].nunique() <= min(30, max(2, texts[name].count() / 3))]
time = max(times, key=lambda name: times[name].nunique(), default=None)
time = time if time and times[time].nunique() > 2 else None

# What a row is.
identifier = next((name for name in names if kinds[name] == "identifier" and table[name].is_unique), None)
if time and times[time].is_unique and rows > 2:
    steps = times[time].sort_values().diff().dropna()
    step = steps.median()
    regular = (steps == step).mean() > 0.8
    every = {pd.Timedelta(hours=1): "hour", pd.Timedelta(days=1): "day", pd.Timedelta(days=7): "week", pd.Timedelta(minutes=1): "minute"}.get(step)
    a_row = f"one {every}" if every and regular else f"one moment in time ({shorten(time)})"
elif identifier:
    a_row = f"one {shorten(identifier)}"
else:
    a_row = "one record, described by " + (", ".join(shorten(name) for name in names[:3]) + (" and others" if width > 3 else ""))
repeated = int(table.duplicated().sum()) if rows * width <= 5_000_000 else 0


def correlations():
    """Pairs of measures by the strength of their rank correlation, without those that chance explains."""
    chosen = [name for name in measures[:60] if numbers[name].nunique() > 2]
    if len(chosen) < 2:
        return []
    ranks = pd.DataFrame({name: numbers[name].rank() for name in chosen})
    matrix, filled = ranks.corr(min_periods=10).to_numpy(), ranks.notna().to_numpy().astype(float)
    together, pairs = filled.T @ filled, len(chosen) * (len(chosen) - 1) / 2
    needed = (np.sqrt(2 * np.log(pairs)) + 1.5) / np.sqrt(np.maximum(together, 1))
    found = []
    for one, first in enumerate(chosen):
        for two in range(one + 1, len(chosen)):
            strength = matrix[one, two]
            if np.isfinite(strength) and abs(strength) > max(0.4, needed[one, two]):
                found.append((abs(strength), strength, first, chosen[two]))
    return sorted(found, reverse=True)


def group_differences():
    """How much of the spread of each measure lies between groups."""
    found = []
    for group in groups[:20]:
        for measure in measures[:40]:
            both = pd.DataFrame({"group": texts[group], "value": numbers[measure]}).dropna()
            sizes = both["group"].value_counts()
            both = both[both["group"].isin(sizes[sizes >= 5].index)]
            spread = ((both["value"] - both["value"].mean()) ** 2).sum()
            if both["group"].nunique() >= 2 and spread > 0:
                means = both.groupby("group")["value"].agg(["mean", "size"])
                between = (means["size"] * (means["mean"] - both["value"].mean()) ** 2).sum()
                share = between / spread
                if share * len(both) / (len(means) - 1) > 8:
                    found.append((share, group, measure, means.sort_values("mean")))
    return sorted(found, key=lambda one: -one[0])


# Two columns that say nearly the same are less telling than two that are merely related.
related = sorted(correlations(), key=lambda one: one[0] > 0.97)
for _, strength, first, second in related[:3]:
    direction = "rise and fall together" if strength > 0 else "move in opposite directions"
    closely = "almost exactly" if abs(strength) > 0.97 else "closely" if abs(strength) >= 0.8 else "clearly" if abs(strength) >= 0.6 else "loosely"
    facts.append(f"{first} and {second} {closely} {direction} (rank correlation {strength:.2f}).")

# A number that a text decides altogether is a code for it, not a measure.
differing = [one for one in group_differences() if 0.05 <= one[0] < 0.98]
for share, group, measure, means in differing[:2]:
    facts.append(f"{measure} differs by {group}: on average {fmt(means['mean'].iloc[-1])} for {means.index[-1]} and {fmt(means['mean'].iloc[0])} for {means.index[0]} ({share * 100:.0f} % of its spread).")

trends = []
if time:
    for measure in measures[:20]:
        series = pd.DataFrame({"at": times[time], "value": numbers[measure]}).dropna().sort_values("at")
        if len(series) >= 12 and series["at"].nunique() > 3:
            strength = np.corrcoef(series["at"].rank(), series["value"].rank())[0, 1]
            part = max(1, len(series) // 4)
            if np.isfinite(strength) and abs(strength) * np.sqrt(len(series)) > 3:
                trends.append((abs(strength), measure, series["value"].iloc[:part].mean(), series["value"].iloc[-part:].mean()))
    trends.sort(key=lambda trend: -trend[0])
    for strength, measure, before, after in trends[:2]:
        if strength >= 0.3:
            facts.append(f"{measure} {'rose' if after > before else 'fell'} over time: on average {fmt(before)} in the first quarter of the rows and {fmt(after)} in the last.")

mostly = [(name, texts[name].value_counts(normalize=True)) for name in groups[:40]]
for name, top in mostly:
    if top.iloc[0] >= 0.6 and sum(" is mostly " in fact for fact in facts) < 3:
        facts.append(f"{name} is mostly {top.index[0]} ({top.iloc[0] * 100:.0f} % of the filled cells).")
for measure in measures[:20]:
    filled = numbers[measure].dropna().sort_values()
    if len(filled) >= 30 and filled.iloc[0] >= 0 and filled.sum() > 0:
        share = filled.iloc[-max(1, len(filled) // 10) :].sum() / filled.sum()
        if share >= 0.5:
            facts.append(f"A tenth of the rows make up {share * 100:.0f} % of all {measure}.")
facts = facts[:8]

cautions = []
empty = [name for name in names if kinds[name] == "empty" or described["filled"][names.index(name)] == 0]
if empty:
    cautions.append(f"{count(len(empty), 'column')} without any value: {', '.join(empty[:8])}{' and more' if len(empty) > 8 else ''}.")
partly = described[(described["missing"] > 0) & (described["filled"] > 0)].sort_values("missing", ascending=False)
if len(partly):
    worst = partly.iloc[0]
    cautions.append(f"{count(len(partly), 'column')} with missing values; most in {worst['column']} ({int(worst['missing']):,} of {rows:,}, {worst['missing_percent']:g} %).")
constant = [name for name in names if described["different"][names.index(name)] == 1 and rows > 1 and name not in empty]
if constant:
    cautions.append(f"{count(len(constant), 'column')} with the same value in every filled row: {', '.join(constant[:8])}{' and more' if len(constant) > 8 else ''}.")
if repeated:
    cautions.append(f"{count(repeated, 'row')} repeat{'s' if repeated == 1 else ''} an earlier row exactly.")
for name, cells in numbers.items():
    unread = int((table[name].notna() & cells.isna()).sum())
    if unread:
        cautions.append(f"{count(unread, 'cell')} of {name} could not be read as a number and count as missing.")
if 0 < rows < 30:
    cautions.append(f"With only {count(rows, 'row')} any pattern may be chance.")
print("\n".join(facts) or "No pattern stands out.")
