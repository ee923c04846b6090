# Which columns of the two tables fit each other, judged by the values they share; then the join and what is left over.
if not OTHER_TABLES:
    raise SystemExit("error: a join needs two tables, and only one was given")
other_path, read_other = next(iter(OTHER_TABLES.items()))
other = read_other()
left = read_table()


def keys(cells):
    """Values that can be compared across tables: numbers, days and texts in one form."""
    filled = cells.dropna()
    as_number = pd.to_numeric(filled, errors="coerce")
    if len(filled) and as_number.notna().mean() > 0.95:
        return as_number.map(lambda number: f"{number:g}")
    as_time = pd.to_datetime(filled, errors="coerce", format="mixed", utc=True) if filled.dtype == object and filled.astype(str).str.contains(r"\d").mean() > 0.9 else pd.Series(dtype=object)
    if len(as_time) and as_time.notna().mean() > 0.95:
        return as_time.astype(str)
    return filled.astype(str).str.strip().str.lower()


forms = [{name: keys(frame[name]) for name in frame.columns[:200]} for frame in (left, other)]
found = []
for one, first in forms[0].items():
    values = set(first)
    for two, second in forms[1].items():
        shared = values & set(second)
        if len(shared) > 1 or len(shared) == 1 and len(values) == 1:
            unique = max(first.nunique() / max(len(first), 1), second.nunique() / max(len(second), 1))
            named = str(one).lower() == str(two).lower()
            decimals = first.astype(str).str.contains(r"\.\d").mean() > 0.3
            found.append((len(shared) / min(len(values), second.nunique()) * unique * (1.5 if named else 1) * (0.3 if decimals else 1), one, two, len(shared), unique))
if not found:
    raise SystemExit("error: no column of one table shares values with a column of the other")
fit, one, two, shared, unique = max(found, key=lambda pair: pair[0])
if fit < 0.2:
    raise SystemExit(f"error: no pair of columns fits well enough to join on; the nearest is {one} with {two}")
left_key, right_key = keys(left[one]).reindex(left.index), keys(other[two]).reindex(other.index)
repeats = int(right_key.dropna().duplicated().sum())
if repeats and not left_key.dropna().duplicated().any():
    left, other, left_key, right_key, one, two = other, left, right_key, left_key, two, one
    TABLE, other_path = other_path, TABLE
    repeats = 0
right = other.assign(_key=right_key).dropna(subset=["_key"])
if repeats:
    cautions.append(f"{count(repeats)} of {other_path} repeat a key; rows that match several appear once for each.")
joined = left.assign(_key=left_key).merge(right, how="left", on="_key", suffixes=("", " (other)"), indicator=True)
matched = joined["_merge"] == "both"
missing_left = left_key[~left_key.isin(set(right["_key"]))]
missing_right = right["_key"][~right["_key"].isin(set(left_key.dropna()))]
data = joined.drop(columns=["_key", "_merge"])
os.makedirs("output", exist_ok=True)
data.to_csv("output/joined.csv", index=False)
left[~left_key.isin(set(right["_key"]))].to_csv("output/not_matched.csv", index=False)
result = pd.DataFrame([(f"rows of {TABLE}", len(left)), (f"rows of {other_path}", len(other)), ("rows matched", int(matched.sum())), (f"rows of {TABLE} without a match", len(missing_left)), (f"rows of {other_path} without a match", len(missing_right)), ("rows of the joined table", len(data)), ("columns of the joined table", data.shape[1])], columns=["what", "number"])
FORMATS = {"number": lambda value: f"{value:,}"}
answer = f"The tables fit by {one} of {TABLE} and {two} of {other_path}: {count(int(matched.sum()))} of {len(data):,} in the joined table have a match."
answer += " Every row matched." if not len(missing_left) and not len(missing_right) else f" {count(len(missing_left))} of {TABLE} and {count(len(missing_right))} of {other_path} found none."
evidence = ["The joined table is joined.csv; rows of the first table without a match are in not_matched.csv."]
for words_, missing in ((TABLE, missing_left), (other_path, missing_right)):
    if len(missing):
        evidence.append(f"Without a match in {words_}, for example: {', '.join(show(value) for value in missing.dropna().unique()[:5]) or 'rows with no key'}.")
numbers_ = data.select_dtypes("number")
across = numbers_.corr().loc[[name for name in left.columns if name in numbers_], [name for name in numbers_ if name not in left.columns]] if len(numbers_) > 10 else pd.DataFrame()
across = across.stack() if across.size else across
if len(across):
    pair = across.abs().idxmax()
    evidence.append(f"Across the two, {pair[0]} and {pair[1]} go together most closely (correlation {across[pair]:.2f}).")
cautions.append("The columns were matched by the values they share; if they mean different things, the join is wrong.")
title = "The two tables joined"
print(result.to_string(index=False))
