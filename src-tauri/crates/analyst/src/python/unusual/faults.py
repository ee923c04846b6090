# Readings that no pattern is needed for: stuck values, zeros, and a temperature sensor that cannot be right.
day_s = 86400.0
steps_a_day = max(1.0, day_s / step_s)


def runs_of(flags):
    """Start and end position of each unbroken run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=np.int8), [0]))))
    return list(zip(edges[::2], edges[1::2] - 1))


def stuck_runs(values, shortest):
    """Runs of one repeated value that are longer than anything usual in this series."""
    same = np.concatenate(([False], values[1:] == values[:-1]))
    runs = [(start - 1, end) for start, end in runs_of(same)]
    lengths = np.array([end - start + 1 for start, end in runs])
    if not len(runs):
        return []
    usual_length = np.sort(lengths)[: max(1, int(len(lengths) * 0.98))].max()
    varied = np.mean(same) < 0.5
    needed = max(shortest, 4 * usual_length)
    return [run for run, length in zip(runs, lengths) if length >= needed and varied]


value = readings["value"].to_numpy()
temperature = readings["temperature"].to_numpy().copy()
hours_12 = max(6, int(round(steps_a_day / 2)))

is_stuck = np.zeros(len(value), dtype=bool)
for start, end in stuck_runs(value, max(6, int(round(steps_a_day / 3)))):
    is_stuck[start : end + 1] = True

# Zero is a fault only where the series is otherwise well away from zero.
positive = value[value > 0]
is_zero = value == 0
far_from_zero = len(positive) > 0 and np.nanmin(value) >= 0 and np.quantile(positive, 0.01) > 0.1 * np.median(positive)
if not far_from_zero or is_zero.mean() > 0.2:
    is_zero[:] = False
is_stuck &= ~is_zero

temperature_fault = np.zeros(len(value), dtype=bool)
if TEMPERATURE and np.isfinite(temperature).sum() > 10:
    lowest, highest = (-76, 140) if TEMPERATURE_UNIT == "°F" else (-60, 60)
    temperature_fault |= (temperature < lowest) | (temperature > highest)
    around = pd.Series(np.where(temperature_fault, np.nan, temperature)).interpolate(limit_direction="both")
    week = max(5, int(round(7 * steps_a_day)))
    centre = around.rolling(week, center=True, min_periods=1).median()
    spread = 1.4826 * (around - centre).abs().median()
    temperature_fault |= ((around - centre).abs() > max(8 * spread, 5)).to_numpy()
    for start, end in stuck_runs(temperature, hours_12):
        temperature_fault[start : end + 1] = True
    temperature[temperature_fault] = np.nan

is_fault = is_stuck | is_zero
print(f"Readings stuck at one value: {is_stuck.sum()}. Zero readings: {is_zero.sum()}. Impossible or stuck temperatures: {temperature_fault.sum()}.")
