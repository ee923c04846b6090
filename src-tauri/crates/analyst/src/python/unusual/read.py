table = read_table()
raw_time = table[TIME]
# The clock on the wall is what a daily pattern follows, so an offset from UTC is left aside.
if TIME_HAS_ZONE:
    raw_time = raw_time.astype(str).str.strip().str.replace(r" ?(Z|[+-]\d\d:?\d\d)$", "", regex=True)
time = pd.to_datetime(raw_time, format=TIME_FORMAT or "mixed", errors="coerce")
if time.notna().sum() < raw_time.notna().sum() / 2:
    time = pd.to_datetime(raw_time, format="mixed", errors="coerce", utc=True).dt.tz_localize(None)
elif getattr(time.dt, "tz", None) is not None:
    time = time.dt.tz_localize(None)


def numbers(column):
    values = table[column]
    if isinstance(values, pd.DataFrame):
        values = values.iloc[:, 0]
    return pd.to_numeric(values, errors="coerce").astype(float).replace([np.inf, -np.inf], np.nan)


readings = pd.DataFrame({"time": time.to_numpy().astype("datetime64[ns]"), "value": numbers(VALUE).to_numpy()})
readings["temperature"] = numbers(TEMPERATURE).to_numpy() if TEMPERATURE else np.nan
rows_read = len(readings)
rows_without_time = int(readings["time"].isna().sum())
readings = readings.dropna(subset=["time"]).sort_values("time", kind="stable")
rows_repeated = int(readings["time"].duplicated().sum())
# Many rows for one time are parts of a whole; a few are accidents, and the first one counts.
parts_joined = rows_repeated > 0.2 * len(readings)
if parts_joined:
    by_time = readings.groupby("time")
    whole = by_time["value"].mean() if HOW_ADDED == "mean" else by_time["value"].sum(min_count=1)
    readings = pd.DataFrame({"value": whole, "temperature": by_time["temperature"].mean()}).reset_index()
else:
    readings = readings[~readings["time"].duplicated()].reset_index(drop=True)
missing = readings["value"].isna()
rows_missing = int(missing.sum())
if len(readings) - rows_missing < 10:
    raise SystemExit(f"error: only {len(readings) - rows_missing} readings of {VALUE} can be used; at least 10 are needed.")

steps = readings["time"].diff().dt.total_seconds()
step_s = max(float(steps.median()), 1e-3)
is_gap = (steps > 1.5 * step_s).to_numpy()
gaps = pd.DataFrame({"before": readings["time"].shift(1)[is_gap], "after": readings["time"][is_gap], "absent": (steps[is_gap] / step_s - 1).round()})
readings_absent = int(gaps["absent"].sum())

first, last = readings["time"].iloc[0], readings["time"].iloc[-1]
print(f"{rows_read:,} rows from {first} to {last}, one every {step_s / 60:g} minutes.")
print(f"{VALUE}: {readings['value'].min():,.4g} to {readings['value'].max():,.4g} {UNIT}, median {readings['value'].median():,.4g}.")
print(f"Missing values: {rows_missing}. Gaps in time: {len(gaps)} ({readings_absent} readings). Repeated times: {rows_repeated}. Rows without a time: {rows_without_time}.")
