# Simple ways to forecast, tried on data held back; the best one then looks ahead, with the misses it made as its band.
if not TIMES or not MEASURES:
    raise SystemExit("error: a column of times and one of numbers are needed")
time, measure = list(TIMES)[0], MEASURES[0]
rows = data.dropna(subset=[time, measure])
how = aggregates(measure)[0]
step = rows[time].drop_duplicates().sort_values().diff().median()
asked = next((table[name].dtype.freq.freqstr[0] for name in GROUPS if isinstance(table[name].dtype, pd.PeriodDtype)), None)
covered = rows[time].max() - rows[time].min()
finest = "h" if step <= pd.Timedelta(hours=1) and covered < pd.Timedelta(days=60) else "D" if step <= pd.Timedelta(days=1) and covered < pd.Timedelta(days=800) else "W" if step <= pd.Timedelta(days=7) and covered < pd.Timedelta(days=1500) else "M"
length = {"h": 1 / 24, "D": 1, "W": 7, "M": 30.4, "Q": 91.3, "Y": 365.25}
code = finest if asked is None or length[finest] < length[asked] else asked
word = {"h": "hour", "D": "day", "W": "week", "M": "month", "Q": "quarter", "Y": "year"}[code]
stretch = rows.groupby(rows[time].dt.to_period(code))[measure]
values, sizes = stretch.agg(AGGREGATE[how]), stretch.size()
while len(values) > 3 and how == "total" and sizes.iloc[-1] < 0.6 * sizes.median():
    cautions.append(f"{show(values.index[-1])} is not covered whole and was left out.")
    values, sizes = values.iloc[:-1], sizes.iloc[:-1]
values = values.reindex(pd.period_range(values.index.min(), values.index.max(), freq=code)).astype(float)
filled = values.interpolate()
if len(filled) < 8:
    raise SystemExit(f"error: {count(len(filled), word)} are too few to forecast from")
ahead = int(np.ceil((TOP or 1) * length[asked] / length[code])) if asked else {"h": 48, "D": 28, "W": 13, "M": 12, "Q": 4, "Y": 3}[code]
ahead = max(1, min(ahead, 2 * len(filled), 1000))
seasons = [period for period in {"h": (24, 168), "D": (7, 365), "W": (52,), "M": (12,), "Q": (4,), "Y": ()}[code] if len(filled) >= 2 * period + max(2, period // 4)]


def straight(past, steps, season):
    """A straight line over the last two seasons or the whole, plus the average of each place in the season."""
    at = np.arange(len(past))
    slope, level = np.polyfit(at, past, 1)
    rest = past - (level + slope * at)
    shape = np.array([rest[place::season].mean() for place in range(season)]) if season else np.zeros(1)
    ahead_at = np.arange(len(past), len(past) + steps)
    return level + slope * ahead_at + shape[ahead_at % len(shape)]


def moving(past, steps, season):
    """The level of late, plus the average of each place in the season."""
    window = season or max(3, len(past) // 6)
    shape = np.zeros(1)
    if season:
        smooth = pd.Series(past).rolling(season, center=True, min_periods=season // 2).mean().to_numpy()
        shape = np.array([(past - smooth)[place::season].mean() for place in range(season)])
    level = (past[-window:] - shape[np.arange(len(past) - window, len(past)) % len(shape)]).mean()
    return level + shape[np.arange(len(past), len(past) + steps) % len(shape)]


def as_before(past, steps, season):
    """What was, one season ago; without a season, the last value."""
    return np.resize(past[-(season or 1):], steps)


ways = {"as a season before": as_before, "the level of late with the usual season": moving, "a straight line with the usual season": straight}
held = max(2, min(ahead, len(filled) // 4))
folds = [len(filled) - held * number for number in range(1, 4) if len(filled) - held * number >= max(6, 2 * max(seasons, default=3))]
trials = []
for words, way in ways.items():
    for season in seasons or [0]:
        misses = [(filled.to_numpy()[end : end + held] - way(filled.to_numpy()[:end], held, season)) for end in folds]
        if misses:
            trials.append((float(np.mean(np.abs(misses[1:] or misses))), words, season, way, misses))
if not trials:
    raise SystemExit(f"error: {count(len(filled), word)} are too few to hold some back and check")
# Chosen on the older held-back stretches, reported on the newest, which had no say where there are several.
_, words, season, way, misses = min(trials, key=lambda trial: trial[0])
newest = np.abs(misses[0])
naive = np.abs(filled.to_numpy()[folds[0] : folds[0] + held] - filled.to_numpy()[folds[0] - 1])
forecast = pd.Series(way(filled.to_numpy(), ahead, season), index=pd.period_range(filled.index[-1] + 1, periods=ahead, freq=code))
band = np.quantile(np.abs(np.concatenate(misses)), 0.8)
grow = np.sqrt(1 + np.arange(ahead) / held * 0.5) if ahead > held else np.ones(ahead)
low, high = forecast - band * grow, forecast + band * grow
if (filled >= 0).all():
    forecast, low = forecast.clip(lower=0), low.clip(lower=0)
result = pd.DataFrame({word: [show(at) for at in forecast.index], "forecast": forecast.round(4).to_numpy(), "low": low.round(4).to_numpy(), "high": high.round(4).to_numpy()})
FORMATS = {name: (lambda value: fmt(value, measure)) for name in ("forecast", "low", "high")}
sum_words = f", {fmt(forecast.sum(), measure)} in all" if how == "total" and ahead > 1 else ""
answer = f"For {show(forecast.index[0])}{f' to {show(forecast.index[-1])}' if ahead > 1 else ''} the forecast of {measure} is {fmt(forecast.mean(), measure)} per {word}{' on average' if ahead > 1 else ''}{sum_words}."
answer += f" Four times in five a forecast like this was within {fmt(band, measure)} of what came, when tried on {word}s that were held back."
evidence = [f"The way chosen is {words}{f' of {season} {word}s' if season else ''}: of {len(trials)} simple ways it missed least on held-back {word}s.",
            f"On the last {held} {word}s, which it had not seen, it missed by {fmt(newest.mean(), measure)} on average ({fmt(100 * newest.mean() / max(abs(filled.iloc[-held:].mean()), 1e-9))} % of their level); repeating the last value would have missed by {fmt(naive.mean(), measure)}."]
if newest.mean() > naive.mean():
    cautions.append("Simply repeating the last value would have been nearer of late; take the forecast as rough.")
if values.isna().any():
    cautions.append(f"{count(int(values.isna().sum()), word)} without values were bridged by a straight line.")
if not seasons:
    cautions.append("The data cover too little to learn a season from, so none is in the forecast.")
cautions.append("A forecast carries on what was; what is new, such as a closure or a price, is not in it.")
title = f"Forecast of {measure}"
print(result.head(40).to_string(index=False))
