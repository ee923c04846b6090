figure, axes = plt.subplots(figsize=(9, 4.2))
if cells.nunique() <= 15:
    amounts = cells.value_counts().sort_index()
    drawn = axes.bar([show(value) for value in amounts.index], amounts.to_numpy(), color=MAIN)
    axes.bar_label(drawn, color=INK)
else:
    left, right = cells.quantile([0.002, 0.998]) if len(cells) > 500 else (cells.min(), cells.max())
    inside = cells[cells.between(left, right)]
    axes.hist(inside, bins=40, color=MAIN, edgecolor="white", linewidth=0.4)
    axes.axvspan(low, high, color=SECOND, alpha=0.12, linewidth=0)
    axes.axvline(middle, color=SECOND, linewidth=1.4)
    axes.annotate(f"median {fmt(middle, measure)}\n(shaded: the middle half)", (middle, axes.get_ylim()[1]), xytext=(5, -26), textcoords="offset points", color=SECOND)
    if len(inside) < len(cells):
        axes.annotate(f"{count(len(cells) - len(inside), 'value')} beyond the edges not drawn", (0.99, 0.9), xycoords="axes fraction", ha="right", color=QUIET)
axes.set_xlabel(label(measure))
axes.set_ylabel("rows")
axes.set_title(cut(f"{measure}: half lie between {fmt(low, measure)} and {fmt(high, measure)}", 95))
save(figure, "distribution", title)
