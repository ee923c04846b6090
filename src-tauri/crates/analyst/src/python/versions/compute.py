# Two tables as an old and a new version of one: rows added, removed and changed, cell by cell.
if not OTHER_TABLES:
    raise SystemExit("error: two versions are needed, and only one table was given")
other_path, read_other = next(iter(OTHER_TABLES.items()))
old, new = read_table(), read_other()
old_path, new_path = TABLE, other_path
if re.search(r"old|before|v1|previous|prior", new_path.lower()) or re.search(r"new|after|v2|current", old_path.lower()):
    old, new, old_path, new_path = new, old, new_path, old_path
same = [name for name in old.columns if name in new.columns]
if not same:
    raise SystemExit("error: the two tables have no column in common, so they are no versions of one")
unique = lambda names: all(not frame.duplicated(names).any() and frame[names].notna().all().all() for frame in (old, new))
key = next(([name] for name in same if unique([name])), None) or next(([one, two] for at, one in enumerate(same[:12]) for two in same[at + 1 : 12] if unique([one, two])), None)
if key is None:
    key = ["place"]
    old, new = old.assign(place=np.arange(1, len(old) + 1)), new.assign(place=np.arange(1, len(new) + 1))
    cautions.append("No column tells the rows apart, so rows were matched by their place; a row put in between makes all later ones look changed.")
before, after = old.set_index(key), new.set_index(key)
kept = before.index.intersection(after.index)
added, removed = after.index.difference(before.index), before.index.difference(after.index)
changes = []
for name in [name for name in same if name not in key]:
    one, two = before.loc[kept, name], after.loc[kept, name]
    differs = ~((one == two) | (one.isna() & two.isna()))
    if pd.api.types.is_numeric_dtype(one) and pd.api.types.is_numeric_dtype(two):
        differs &= ~np.isclose(one.astype(float), two.astype(float), rtol=1e-9, atol=0, equal_nan=True)
    for at in kept[differs.to_numpy()][:20000]:
        changes.append((show(at) if len(key) == 1 else ", ".join(map(show, at)), name, one[at], two[at]))
key_words = " and ".join(key)
result = pd.DataFrame(changes, columns=[key_words, "column", "before", "after"])
result[["before", "after"]] = result[["before", "after"]].map(show)
data = new
rows_changed = result[key_words].nunique()
os.makedirs("output", exist_ok=True)
new[new.set_index(key).index.isin(added)].to_csv("output/added.csv", index=False)
old[old.set_index(key).index.isin(removed)].to_csv("output/removed.csv", index=False)
FORMATS = {}
answer = f"From {old_path} to {new_path}, {count(len(added))} were added, {count(len(removed))} removed and {count(rows_changed)} changed; {count(len(kept) - rows_changed)} stayed as they were."
by_column = result["column"].value_counts()
answer += f" Most changes are in {by_column.index[0]}: {count(int(by_column.iloc[0]), 'cell')}." if len(by_column) else " No cell differs in the rows that both have."
evidence = [f"Rows were matched by {key_words}. Added rows are in added.csv, removed ones in removed.csv."]
for words_, names in (("only in the old version", [name for name in old.columns if name not in new.columns]), ("only in the new version", [name for name in new.columns if name not in old.columns])):
    if names:
        evidence.append(f"{count(len(names), 'column')} {words_}: {join_words(names[:8])}.")
for name in [name for name in same if pd.api.types.is_numeric_dtype(old[name]) and pd.api.types.is_numeric_dtype(new[name]) and name not in key][:8]:
    one, two = old[name].sum(), new[name].sum()
    if not np.isclose(one, two):
        evidence.append(f"{name} adds up to {fmt(two)} now and {fmt(one)} before ({fmt(two - one)}).")
title = "What changed between the versions"
print(answer)
print(result.head(30).to_string(index=False))
