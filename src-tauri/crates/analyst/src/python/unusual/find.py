# A reading is unusual when the mean miss of the five hours around it, or of its hour alone, is far larger than
# the largest misses of the other days let one expect. Neighbouring ones become one event.
def against_usual(numbers_):
    centred = numbers_ - np.median(numbers_[known])
    return centred / max(1.4826 * np.median(np.abs(centred[known])), 1e-9)


def mean_miss(hours):
    readings_ = max(1, int(round(hours * 3600 / step_s)))
    return against_usual(pd.Series(surprise).rolling(readings_, center=True, min_periods=1).mean().to_numpy())


def limit(misses, days_expected):
    """The miss that chance lets the largest of a stretch exceed in so many stretches of the file: the largest of many
    follow Gumbel's law, whose two numbers come from the quartiles, which unusual stretches cannot move."""
    # A stretch is a day, or 12 readings where a day has fewer: the law is one of the largest of several.
    stretch = (moment - first.normalize()).dt.total_seconds().to_numpy()[known] // max(day_s, 12 * step_s)
    largest = pd.Series(np.abs(misses)[known]).groupby(stretch).max()
    low, middle, high = largest.quantile([0.25, 0.5, 0.75])
    width = (high - low) / 1.573
    share = min(0.5, days_expected / len(largest))
    return max(LIMIT_LEAST, middle - 0.3665 * width - width * np.log(-np.log(1 - share)))


# A steep rise an hour early or late is a matter of timing, so an alarm needs a miss against the
# expectations of the hour around as well.
hour_around = 2 * int(np.ceil(3600 / step_s)) + 1 if SLOTS >= 24 else 1
nearby = pd.Series(expected).rolling(hour_around, center=True, min_periods=1)
lower, upper = np.minimum(nearby.min().to_numpy(), expected), np.maximum(nearby.max().to_numpy(), expected)
beyond = np.where(known, (y - np.clip(y, lower, upper)) / scale, 0.0)

LIMIT_LEAST, LIMIT_TIMING, HOURS_TOGETHER = 3.5, 3.0, 5
alone, together, in_an_hour = against_usual(surprise), mean_miss(HOURS_TOGETHER), mean_miss(1)
beyond = beyond * np.divide(alone, surprise, out=np.ones_like(alone), where=np.abs(surprise) > 1)
LIMIT_TOGETHER, LIMIT_ALONE = limit(together, 0.3), limit(in_an_hour, 0.001)
spread = np.quantile(y[known], 0.95) - np.quantile(y[known], 0.05)
matters = np.abs(residual) > 0.08 * spread

seed = known & matters & (np.abs(in_an_hour) > LIMIT_ALONE) & (np.abs(beyond) > LIMIT_TIMING)
seed |= known & (np.abs(together) > LIMIT_TOGETHER) & (np.sign(alone) == np.sign(together))
flag = np.where(seed, np.sign(alone), 0).astype(int)
flag[is_stuck | is_zero] = 0


def join(runs, hours):
    """Joins runs that are at most so many hours apart."""
    joined = []
    for start, end in sorted(runs):
        if joined and (moment[start] - moment[joined[-1][1]]).total_seconds() <= hours * 3600 + step_s:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


# What the weekday with the lowest readings would show instead: the measure of a day off.
day_level = [expected[weekday[day] == one].mean() if (weekday[day] == one).any() else np.inf for one in range(7)]
quiet_day = int(np.argmin(day_level))
near = nearness(np.full(days, quiet_day))
expected_quiet = usual(y)
is_day_off = np.zeros(len(y), dtype=bool)
if SLOTS >= 4 and likeness[quiet_day].min() < 0.2:
    for one in np.unique(day[flag < 0]):
        there = (day == one) & known
        away = likeness[quiet_day, weekday[one]] < 0.2
        if away and np.abs(y - expected_quiet)[there].sum() < 0.8 * np.abs(y - expected)[there].sum():
            is_day_off |= there
    # A weekend next to a day off that is quieter than usual belongs to it.
    for _ in range(2):
        off_days = np.unique(day[is_day_off])
        for one in np.unique(day[(flag < 0) & ~is_day_off]):
            if likeness[quiet_day, weekday[one]] >= 0.2 and np.isin([one - 1, one + 1], off_days).any():
                is_day_off |= (day == one) & known


def rows_of(runs, chosen):
    return [np.arange(start, end + 1)[chosen[start : end + 1]] for start, end in runs]


def only_rest_between(before, after):
    return all(likeness[quiet_day, weekday[one]] >= 0.2 for one in range(day[before] + 1, day[after]))


few_steps_h = 2.5 * step_s / 3600
found = []
for name, chosen in (("stuck readings", is_stuck), ("zero readings", is_zero)):
    for start, end in join(runs_of(chosen), few_steps_h):
        # A reading next to the run that is unusual too is the same fault, cut by the clock.
        for edge in (start - 1, end + 1):
            if 0 <= edge < len(y) and flag[edge] and not is_fault[edge]:
                chosen[edge], flag[edge] = True, 0
                start, end = min(start, edge), max(end, edge)
        found += [(name, rows) for rows in rows_of([(start, end)], chosen)]
off = (flag < 0) & is_day_off
days_off = []
for start, end in join(runs_of(off), 24):
    if days_off and only_rest_between(days_off[-1][1], start):
        days_off[-1] = (days_off[-1][0], end)
    else:
        days_off.append((start, end))
found += [("day off", rows) for rows in rows_of(days_off, off)]
for name, direction in (("higher than usual", 1), ("lower than usual", -1)):
    chosen = (flag == direction) & ~off
    found += [(name, rows) for rows in rows_of(join(runs_of(chosen), max(few_steps_h, 24)), chosen)]
unusual = np.unique(np.concatenate([rows for _, rows in found])) if found else np.array([], dtype=int)
print(f"{len(found)} events with {len(unusual)} unusual readings out of {int(known.sum()):,}.")
