# One row for each column: what it holds, what is missing, and its range.
def fmt(number):
    number = float(number)
    if not np.isfinite(number):
        return "unknown"
    if number == round(number) and abs(number) < 1e15:
        return f"{number:,.0f}"
    if abs(number) >= 1e15 or abs(number) < 1e-3:
        return f"{number:.3g}"
    digits = 0 if abs(number) >= 1000 else 1 if abs(number) >= 100 else 2 if abs(number) >= 1 else 3
    text = f"{number:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(number, noun):
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def harmless(text):
    """Text that a spreadsheet will not take for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def moment(at):
    return f"{at:%Y-%m-%d}" if at == at.normalize() else f"{at:%Y-%m-%d %H:%M}"


described = []
for name in names:
    cells = numbers.get(name, times.get(name, texts.get(name)))
    filled = cells.dropna()
    row = {"column": harmless(name), "kind": kinds[name], "filled": len(filled), "missing": rows - len(filled),
           "missing_percent": round(100 * (rows - len(filled)) / rows, 1) if rows else 0.0, "different": filled.nunique(),
           "lowest": "", "highest": "", "mean": "", "median": "", "most_common": "", "most_common_percent": ""}
    if len(filled) and name in numbers:
        row.update(lowest=float(filled.min()), highest=float(filled.max()), mean=round(float(filled.mean()), 6), median=float(filled.median()))
    elif len(filled) and name in times:
        row.update(lowest=moment(filled.min()), highest=moment(filled.max()))
    elif len(filled):
        top = filled.value_counts()
        row.update(most_common=harmless(str(top.index[0])[:80]), most_common_percent=round(100 * top.iloc[0] / len(filled), 1))
    described.append(row)
described = pd.DataFrame(described)
os.makedirs("output/charts", exist_ok=True)
described.to_csv("output/columns.csv", index=False)
print(described.head(40).to_string(index=False, max_colwidth=30))
