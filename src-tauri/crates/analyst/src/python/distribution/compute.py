# How the values lie: the middle, the spread, the ends, and what lies far outside.
measure = MEASURES[0] if MEASURES else GROUPS[0] if GROUPS else None
if measure is None:
    raise SystemExit("error: no column of numbers to look at")
cells = data[measure].dropna()
if measure not in NUMBERS or len(cells) < 3:
    raise SystemExit(f"error: {measure} has too few numbers to speak of a distribution")
low, middle, high = cells.quantile([0.25, 0.5, 0.75])
reach = 1.5 * (high - low)
far = cells[(cells < low - reach) | (cells > high + reach)] if high > low else cells.iloc[:0]
away = (cells - cells.mean()).abs() > 3 * cells.std()
figures = [("values", len(cells)), ("without a value", len(data) - len(cells)), ("different values", cells.nunique()), ("lowest", cells.min()), ("a tenth lie below", cells.quantile(0.1)),
           ("a quarter lie below", low), ("median", middle), ("average", cells.mean()), ("a quarter lie above", high), ("a tenth lie above", cells.quantile(0.9)), ("highest", cells.max()),
           ("standard deviation", cells.std()), ("skewness (0 is even)", cells.skew()), ("far from the rest", len(far)), ("beyond 3 standard deviations", int(away.sum()))]
result = pd.DataFrame(figures, columns=["figure", measure])
FORMATS = {}
lean = cells.skew() if cells.nunique() > 2 else 0.0
shape = "lean to high values: a few are much larger than the rest" if lean > 1 else "lean to low values: a few are much smaller than the rest" if lean < -1 else "lie about evenly on both sides of the middle"
answer = f"Half of the values of {measure} lie between {fmt(low, measure)} and {fmt(high, measure)}, with the median at {fmt(middle, measure)}; all lie between {fmt(cells.min(), measure)} and {fmt(cells.max(), measure)}. They {shape}."
if cells.nunique() == 1:
    answer = f"Every value of {measure} is the same: {fmt(middle, measure)}."
evidence = []
if len(far):
    evidence.append(f"{count(len(far), 'value')} ({percent(len(far) / len(cells))}) lie far from the rest: below {fmt(low - reach, measure)} or above {fmt(high + reach, measure)} (one and a half times the width of the middle half away from it).")
    evidence.append(f"{count(int(away.sum()), 'value')} lie more than 3 standard deviations from the average.")
repeated = cells.value_counts()
if len(cells) > 20 and repeated.iloc[0] > 0.1 * len(cells) and cells.nunique() > 10:
    evidence.append(f"{fmt(repeated.index[0], measure)} stands out: {count(int(repeated.iloc[0]), 'row')} have exactly this value.")
if len(cells) < len(data):
    cautions.append(f"{count(len(data) - len(cells))} without a value do not count.")
if len(cells) < 30:
    cautions.append(f"With only {count(len(cells), 'value')}, the shape may be chance.")
title = f"How {measure} is spread"
print(result.to_string(index=False))
