measure = result["column"].value_counts().index[0] if len(result) else measures[0]
cells = data[measure].dropna()
out = result.loc[result["column"] == measure, "row"] - 1
drawn = cells.sample(5000, random_state=1) if len(cells) > 5000 else cells
figure, axes = plt.subplots(figsize=(9.5, 4))
axes.scatter(drawn.index + 1, drawn, s=9, color=MAIN, alpha=0.45, linewidths=0)
axes.scatter(out + 1, cells.reindex(out), s=26, color=SECOND, linewidths=0)
for at in out.head(4):
    axes.annotate(cut(", ".join(show(data.loc[at, name]) for name in who[:1]) or f"row {at + 1:,}", 24), (at + 1, cells[at]), xytext=(5, 3), textcoords="offset points", color=SECOND, fontsize=9)
axes.set_xlabel("row of the table")
axes.set_ylabel(label(measure))
axes.set_title(cut(f"{count(len(out), 'value')} of {measure} stand{'s' if len(out) == 1 else ''} out" if len(out) else f"No value of {measure} stands out", 90))
save(figure, "rows", f"{measure} of each row, those that stand out marked")
