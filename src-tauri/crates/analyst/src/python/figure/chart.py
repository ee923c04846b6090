cells = data[first].dropna()
if first in NUMBERS and cells.nunique() > 12:
    figure, axes = plt.subplots(figsize=(9, 4))
    low, high = cells.quantile([0.005, 0.995])
    axes.hist(cells.clip(low, high), bins=40, color=MAIN, edgecolor="white", linewidth=0.4)
    for measure, how, value, _ in rows:
        if measure == first and how in ("average", "median", "highest", "lowest") and low <= value <= high:
            axes.axvline(value, color=SECOND, linewidth=1.4)
            axes.annotate(f"{how} {fmt(value, first)}", (value, axes.get_ylim()[1] * (0.96 if how == "average" else 0.88)), xytext=(4, 0), textcoords="offset points", color=SECOND)
    axes.set_xlabel(label(first))
    axes.set_ylabel("rows")
    axes.set_title(cut(answer.split(". ")[0].rstrip("."), 95))
    save(figure, "values", answer.split(". ")[0])
else:
    top = data[first].map(show).value_counts().head(15)
    bars(list(top.index), top.to_numpy(), f"How often each {first} occurs", "rows", "values")
