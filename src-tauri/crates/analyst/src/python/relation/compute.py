# How closely columns go together, and whether that still holds when the others are kept equal.
from scipy import stats

numbers = [name for name in NUMBERS if data[name].nunique() > 1]
measure = next((name for name in MEASURES if name in numbers), None) or (numbers[-1] if numbers else None)
if measure is None or len(numbers) < 2 and not GROUPS:
    raise SystemExit("error: two columns of numbers are needed")
others = [name for name in MEASURES if name != measure and name in numbers] or [name for name in numbers if name != measure][:60]
pair = len(MEASURES) > 1


def together(rows, first, second):
    both = rows[[first, second]].dropna()
    if len(both) < 3 or both[first].nunique() < 2 or both[second].nunique() < 2:
        return None
    straight, chance = stats.pearsonr(both[first], both[second])
    return len(both), straight, stats.spearmanr(both[first], both[second])[0], chance


found = [(other, *figures) for other in others for figures in [together(data, measure, other)] if figures]
if not found:
    raise SystemExit(f"error: too few rows have values in both columns")
result = pd.DataFrame(found, columns=["column", "rows", "correlation", "rank correlation", "p-value"])
result = result.sort_values("rank correlation", key=abs, ascending=False).reset_index(drop=True)
result["p-value"] = [f"{value:.3g}" for value in result["p-value"]]
FORMATS = {name: (lambda value: f"{value:.3f}") for name in ("correlation", "rank correlation")}
best = result.iloc[0]
other, strength, ranks, rows_used = best["column"], best["correlation"], best["rank correlation"], int(best["rows"])
chance = next(row[4] for row in found if row[0] == other)


def words(value):
    size = abs(value)
    return "hardly" if size < 0.1 else "weakly" if size < 0.3 else "moderately" if size < 0.5 else "clearly" if size < 0.7 else "closely"


both = data[[measure, other]].dropna()
slope, start = np.polyfit(both[other], both[measure], 1)
direction = "rises with" if strength > 0 else "falls as"
if chance > 0.05 or abs(strength) < 0.05 and abs(ranks) < 0.1:
    answer = f"No link between {measure} and {other} can be seen: the correlation is {strength:.2f} over {count(rows_used)}."
else:
    answer = f"{measure} {words(ranks)} {direction} {other}{'' if strength > 0 else ' rises'}: the correlation is {strength:.2f} over {count(rows_used)} (1 would be a perfect line, 0 none)."
    answer += f" Where {other} is higher by {fmt(1, other) if both[other].std() > 0.5 else fmt(both[other].std(), other)}, {measure} is {'higher' if slope > 0 else 'lower'} by {fmt(abs(slope) * (1 if both[other].std() > 0.5 else both[other].std()), measure)} on average."
evidence = []
if abs(ranks) - abs(strength) > 0.15:
    evidence.append(f"By rank the two go together more closely ({ranks:.2f}): the link is no straight line, or a few extreme values hide it.")

# The usual suspects: other numbers, and the time of day, week and year.
control = pd.DataFrame({name: data[name] for name in numbers if name not in (measure, other)}).iloc[:, :6]
for time in list(TIMES)[:1]:
    for part, period in (("hour", 24), ("weekday", 7), ("month", 12)):
        if getattr(data[time].dt, part).nunique() > 1:
            control = control.join(pd.get_dummies(getattr(data[time].dt, part), prefix=part, drop_first=True, dtype=float))
control = control.loc[:, control.nunique() > 1]
kept = control.dropna().index.intersection(both.index)
if control.shape[1] and len(kept) > 5 * (control.shape[1] + 2):
    standard = lambda frame: (frame.to_numpy(float) - frame.to_numpy(float).mean(axis=0)) / np.maximum(frame.to_numpy(float).std(axis=0), 1e-12)
    design = np.column_stack([np.ones(len(kept)), standard(data.loc[kept, other]), standard(control.loc[kept])])
    weights, *_ = np.linalg.lstsq(design, standard(data.loc[kept, measure]), rcond=None)
    by = [name for name in control.columns if name in NUMBERS]
    calendar = " and the time of day, week and year" if len(by) < control.shape[1] else ""
    holds = "stays" if weights[1] * strength > 0 and abs(weights[1]) > 0.5 * abs(strength) else "turns round" if weights[1] * strength < 0 and abs(weights[1]) > 0.1 else "gets much weaker"
    evidence.append(f"With {join_words(by) or 'the calendar'}{calendar if by else ''} kept equal, the link {holds} (a standardised slope of {weights[1]:.2f}, against {strength:.2f} without).")
for group in [name for name in GROUPS if data[name].nunique() <= 12]:
    for value, part in data.groupby(group, observed=True):
        figures = together(part, measure, other)
        if figures:
            evidence.append(f"For {group} {show(value)}: correlation {figures[1]:.2f} over {count(figures[0])} (p-value {figures[3]:.3g}).")
cautions.append("That two columns go together does not say that one causes the other: both may follow a third, such as the season or the size of what is measured.")
if rows_used < 30:
    cautions.append(f"Only {count(rows_used)} have both values; such a correlation may be chance.")
if len(found) > 10:
    cautions.append(f"{len(found)} columns were tried; among so many, one or two seem to fit by chance.")
title = f"{measure} and {other}" if pair else f"What goes together with {measure}"
print(result.head(30).to_string(index=False))
