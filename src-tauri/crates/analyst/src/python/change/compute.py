# The measure over time: by stretches that the data fill, first against last, trend, season, steps, year on year.
if not TIMES:
    raise SystemExit("error: the table has no column of times")
time = next((name for name in TIMES if f"“{name}”" in UNDERSTOOD), list(TIMES)[0])
measure = MEASURES[0] if MEASURES else None
data = data.dropna(subset=[time])
if data.empty:
    raise SystemExit(f"error: no row has a time in {time}")
covered = data[time].max() - data[time].min()
code = next((table[name].dtype.freq.freqstr[0] for name in GROUPS if isinstance(table[name].dtype, pd.PeriodDtype)), None)
if code is None:
    code = next(code for code, days in (("h", 3), ("D", 92), ("W", 400), ("M", 4000), ("Y", np.inf)) if covered <= pd.Timedelta(days=days)) if np.isfinite(covered.days) else "Y"
word = {"h": "hour", "D": "day", "W": "week", "M": "month", "Q": "quarter", "Y": "year"}[code]
how = "count" if measure is None else aggregates(measure)[0]
parts = [name for name in GROUPS if not isinstance(table[name].dtype, pd.PeriodDtype)]


def by_stretch(rows):
    stretch = rows.groupby(rows[time].dt.to_period(code))
    amounts = stretch.size() if measure is None else stretch[measure].agg(AGGREGATE[how]) if how != "total" else stretch[measure].sum(min_count=1)
    every = pd.period_range(amounts.index.min(), amounts.index.max(), freq=code) if len(amounts) else amounts.index
    return amounts.reindex(every), stretch.size().reindex(every).fillna(0)


values, sizes = by_stretch(data)
# A first or last stretch with few of its rows is no fair part of a total.
whole = sizes >= 0.6 * sizes.median()
fair = values.where(whole) if how in ("total", "count") else values
cut_off = [show(values.index[at]) for at in (0, -1) if len(values) > 2 and not whole.iloc[at] and how in ("total", "count")]
result = values.rename(how).rename_axis(word).reset_index()
result["rows"] = sizes.to_numpy().astype(int)
result["change"] = result[how].diff()
FORMATS = {one: (lambda value: fmt(value, measure)) for one in (how, "change")}
result[word] = result[word].map(show)
known = fair.dropna()
kind = "number of rows" if measure is None else f"{how} {measure}"
if len(known) < 2:
    raise SystemExit(f"error: only one {word} has values, which is no change over time")
quarter = max(1, len(known) // 4) if len(known) >= 8 else 1
before, after = known.iloc[:quarter].mean(), known.iloc[-quarter:].mean()
strength = known.reset_index(drop=True).corr(pd.Series(np.arange(len(known)), index=range(len(known))), method="spearman") if known.nunique() > 1 else 0.0
rising = "rose" if after > before else "fell"
relative = f" ({(after - before) / abs(before) * 100:+.1f} %)" if before else ""
stretch_words = f"the first {quarter} {word}s" if quarter > 1 else f"the first {word}"
last_words = f"the last {quarter}" if quarter > 1 else "the last"
steady = abs(strength) * np.sqrt(len(known)) > 2.6
answer = f"The {kind} per {word} {rising} from {fmt(before, measure)} in {stretch_words} to {fmt(after, measure)} in {last_words}{relative}."
answer += f" It {'went ' + ('up' if strength > 0 else 'down') + ' steadily enough to call it a trend' if steady else 'went up and down without a clear trend'}; the highest {word} was {show(known.idxmax())} ({fmt(known.max(), measure)}), the lowest {show(known.idxmin())} ({fmt(known.min(), measure)})."
evidence = []
# The step: where one level before and one after explain the most.
if len(known) >= 12 and known.var() > 0:
    numbers_ = known.to_numpy(float)
    places = np.arange(3, len(known) - 2)
    gains = np.array([at * (numbers_[:at].mean() - numbers_.mean()) ** 2 + (len(numbers_) - at) * (numbers_[at:].mean() - numbers_.mean()) ** 2 for at in places]) / ((numbers_ - numbers_.mean()) ** 2).sum()
    at = places[gains.argmax()]
    if gains.max() > 0.5:
        evidence.append(f"The clearest step is at {show(known.index[at])}: {fmt(numbers_[:at].mean(), measure)} per {word} on average before, {fmt(numbers_[at:].mean(), measure)} from then on.")
days = data[time]
for name, part, names, needed in (("month", days.dt.month, MONTH_NAMES, 540), ("weekday", days.dt.weekday, WEEKDAY_NAMES, 28), ("hour", days.dt.hour, None, 4)):
    if covered >= pd.Timedelta(days=needed) and part.nunique() > 2:
        level = data.groupby(part)[measure].mean() if measure else data.groupby(part).size()
        if level.max() > 1.1 * level.min() and level.min() >= 0:
            spoken = (lambda at: names[at]) if names else (lambda at: f"{at}:00")
            evidence.append(f"By {name}, {'the average of ' + measure if measure else 'the number of rows'} is highest in {spoken(level.idxmax())} ({fmt(level.max(), measure)}) and lowest in {spoken(level.idxmin())} ({fmt(level.min(), measure)})." if name == "month" else f"By {name}, {'the average of ' + measure if measure else 'the number of rows'} is highest at {spoken(level.idxmax())} ({fmt(level.max(), measure)}) and lowest at {spoken(level.idxmin())} ({fmt(level.min(), measure)}).")
years = data.groupby(days.dt.year)[measure].agg(AGGREGATE[how]) if measure else data.groupby(days.dt.year).size()
full = [year for year in years.index if (days[days.dt.year == year].dt.dayofyear.max() - days[days.dt.year == year].dt.dayofyear.min()) > 340]
for one, two in zip(full, full[1:]):
    if two == one + 1 and years[one] and len(full) < 12:
        evidence.append(f"{two} against {one}: {fmt(years[two], measure)} against {fmt(years[one], measure)} ({(years[two] / years[one] - 1) * 100:+.1f} %).")
absent = int(values.isna().sum())
if absent:
    cautions.append(f"{count(absent, word)} within the time covered {'has' if absent == 1 else 'have'} no value.")
if cut_off:
    cautions.append(f"{join_words(cut_off)} {'is' if len(cut_off) == 1 else 'are'} not covered whole and left out of the comparison.")
if not steady and len(known) < 12:
    cautions.append(f"{count(len(known), word)} are few to speak of a trend.")
title = f"{kind.capitalize()} per {word}"
print(result.tail(40).to_string(index=False))
