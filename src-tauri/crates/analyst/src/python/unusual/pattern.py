# The expected value of each reading: what is usual for that hour and that kind of day in the weeks
# around it, corrected for the temperature. A reading never takes part in its own expectation, and
# unusual readings lose their weight from round to round.
SLOTS = next((n for n in (288, 144, 96, 48, 24, 12, 8, 6, 4, 3, 2) if n <= steps_a_day * 1.01), 1)
WEEKS_AROUND = 5
ROUNDS = 6

moment = readings["time"]
unit_days = max(1, int(round(step_s / day_s)))
day = ((moment - first.normalize()).dt.days // unit_days).to_numpy()
days = int(day.max()) + 1
slot = (((moment - moment.dt.normalize()).dt.total_seconds() * SLOTS) // day_s).astype(int).to_numpy()
weekday = (first.weekday() + np.arange(days)) % 7 if unit_days == 1 else np.zeros(days, dtype=int)
cell = day * SLOTS + slot
known = np.isfinite(value)
y = np.where(known, value, 0.0)


def by_cell(numbers_):
    return np.bincount(cell, numbers_, minlength=days * SLOTS).reshape(days, SLOTS)


def weekday_likeness(residual_size):
    """How alike the kinds of day are: 1 for the same profile, near 0 for another one."""
    profile = np.full((7, SLOTS), np.nan)
    grid = by_cell(np.where(weight > 0, y, 0)) / np.maximum(by_cell(weight > 0), 1e-9)
    grid[by_cell(weight > 0) == 0] = np.nan
    level = pd.Series(np.nanmean(np.where(np.isnan(grid), np.nanmedian(grid), grid), axis=1)).rolling(7, center=True, min_periods=1).median()
    grid = grid - level.to_numpy()[:, None]
    for one in range(7):
        rows = grid[weekday == one]
        if len(rows) and np.isfinite(rows).any():
            profile[one] = pd.DataFrame(rows).median().to_numpy()
    apart = np.nan_to_num(np.abs(profile[:, None, :] - profile[None, :, :])).mean(axis=2)
    return np.maximum(np.exp(-((apart / max(0.6 * residual_size, 1e-9)) ** 2)), 1e-4)


def nearness(kind_of_day):
    """Weight of the days around in the expectation of each day, as if that were a day of this kind.
    Kept in blocks of days, so that many years fit into memory."""
    reach, blocks = 7 * WEEKS_AROUND, []
    for start in range(0, days, 256):
        these = np.arange(start, min(start + 256, days))
        around = np.arange(max(0, start - reach), min(these[-1] + reach + 1, days))
        apart = np.abs(these[:, None] - around[None, :]) / reach
        weights = np.clip(1 - apart**3, 0, 1) ** 3 * likeness[kind_of_day[these, None], weekday[around]]
        weights[apart == 0] = 0
        blocks.append((these, around, weights))
    return blocks, likeness[kind_of_day]


def over_days(grid):
    blocks, alike = near
    # Where all days around are empty, the whole series decides.
    result = 1e-7 * (alike @ np.stack([grid[weekday == one].sum(axis=0) for one in range(7)]))
    for these, around, weights in blocks:
        result[these] += weights @ grid[around]
    return result


def usual(numbers_):
    total, weights = over_days(by_cell(weight * numbers_)), over_days(by_cell(weight))
    return (total / np.maximum(weights, 1e-12)).ravel()[cell]


def hinges(numbers_, pieces=4):
    knots = np.nanquantile(numbers_, np.linspace(0, 1, pieces + 1)[1:-1])
    return [numbers_] + [np.maximum(numbers_ - knot, 0) for knot in knots]


has_temperature = bool(TEMPERATURE) and np.isfinite(temperature).sum() > 0.5 * len(value) and np.nanstd(temperature) > 0
if has_temperature:
    filled = pd.Series(temperature).interpolate(limit_direction="both")
    day_mean = filled.rolling(max(1, int(steps_a_day)), min_periods=1).mean()
    drivers = hinges(filled.to_numpy()) + (hinges(day_mean.to_numpy()) if SLOTS > 1 else [])
    part_of_day = slot * 6 // SLOTS

weight = (known & ~is_fault).astype(float)
size = np.nanmedian(np.abs(y[weight > 0] - np.median(y[weight > 0])))
likeness = np.where(np.eye(7), 1.0, 0.02)
near = nearness(weekday)
expected = usual(y)
for round_ in range(ROUNDS):
    if round_ == 1:
        likeness = weekday_likeness(size)
        near = nearness(weekday)
    expected = usual(y)
    residual = y - expected
    if has_temperature:
        shifted = [driver - usual(driver) for driver in drivers]
        busy_day = np.isin(weekday[day], np.flatnonzero(likeness[2] > 0.2))
        effect = np.zeros(len(y))
        for part in np.unique(part_of_day):
            for kind in (True, False):
                chosen = (part_of_day == part) & (busy_day == kind)
                design = np.column_stack([one[chosen] for one in shifted])
                design_w = design * weight[chosen, None]
                left = design_w.T @ design
                left += np.eye(len(left)) * (1e-3 * np.trace(left) / len(left) + 1e-9)
                effect[chosen] = design @ np.linalg.solve(left, design_w.T @ residual[chosen])
        expected = expected + effect
        residual = y - expected
    # The usual size of a miss, by hour and season: quiet nights and busy days are judged fairly.
    size = 1.4826 * np.median(np.abs(residual[weight > 0]))
    scale = 1.25 * usual(np.minimum(np.abs(residual), 4 * size))
    scale = np.maximum(scale, max(0.3 * size, 1e-9)) * np.where(temperature_fault, 2.0, 1.0)
    surprise = np.where(known, residual / scale, 0.0)
    weight = np.where(known & ~is_fault, np.clip(1 - (surprise / 6) ** 2, 0, 1) ** 2, 0.0)
if y[known].min() >= 0:
    expected = np.maximum(expected, 0)
    residual = y - expected
print(f"Usual miss: {size:.2f} {UNIT}")
