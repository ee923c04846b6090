table = read_table()
if not isinstance(table, pd.DataFrame):
    table = pd.DataFrame(table)
original_names = [str(name) for name in table.columns]
names = []
for position, name in enumerate(original_names, start=1):
    name = " ".join(name.split()) or f"column {position}"
    while name in names:
        name = f"{name} (again)"
    names.append(name)
table.columns = names
rows, width = table.shape
if width == 0:
    raise SystemExit("error: the table has no column.")

# Each column as what it holds: numbers, times or text.
known_kinds = KINDS if len(KINDS) == width else [""] * width
formats = dict(TIME_FORMATS)
numbers, times, texts, kinds = {}, {}, {}, {}
for name, original, kind in zip(names, original_names, known_kinds):
    cells = table[name]
    present = cells.notna() & (cells.astype(str).str.strip() != "")
    if kind in ("timestamp", "date"):
        at = pd.to_datetime(cells, format=formats.get(original, "mixed"), errors="coerce", utc=True)
        if present.any() and at.notna().sum() >= present.sum() / 2:
            times[name], kinds[name] = at.dt.tz_localize(None), kind
            continue
    if kind in ("integer", "decimal", "") and cells.dtype != bool:
        as_number = pd.to_numeric(cells, errors="coerce").astype(float).replace([np.inf, -np.inf], np.nan)
        if present.any() and as_number.notna().sum() >= present.sum() / 2:
            numbers[name], kinds[name] = as_number, kind or "number"
            continue
    texts[name] = cells.where(present).astype(object).map(lambda cell: " ".join(str(cell).split()), na_action="ignore")
    kinds[name] = kind or "text"
    if not present.any():
        kinds[name] = "empty"

print(f"{rows:,} rows, {width:,} columns: {len(numbers)} with numbers, {len(times)} with times, {len(texts)} with text.")
