claim = answer.split(". ")[0].rstrip(".")
if not GROUPS:
    bars(list(result["what"]), result["rows"].to_numpy(), claim, "rows", "counts")
elif "of these" in result:
    drawn = result.head(25)
    bars([", ".join(show(row[one]) for one in GROUPS) for _, row in drawn.iterrows()], drawn["share %"].to_numpy(), claim, "share of the group's rows (%)", "counts")
elif len(GROUPS) == 1:
    bars(list(result[GROUPS[0]].head(25)), result["rows"].head(25).to_numpy(), claim, "rows", "counts")
else:
    grid = shown.iloc[:20, :10]
    figure, axes = plt.subplots(figsize=(2.6 + 0.9 * grid.shape[1], 1.6 + 0.34 * len(grid)))
    axes.imshow(grid.to_numpy(float), cmap="Blues", aspect="auto")
    for (y, x), value in np.ndenumerate(grid.to_numpy()):
        axes.text(x, y, f"{value:,}", ha="center", va="center", color="white" if value > 0.6 * grid.to_numpy().max() else INK, fontsize=9)
    axes.set_xticks(range(grid.shape[1]), [cut(name, 14) for name in grid.columns], rotation=30, ha="right")
    axes.set_yticks(range(len(grid)), [cut(name, 30) for name in grid.index])
    axes.set_xlabel(cut(two))
    axes.set_ylabel(cut(one))
    axes.set_title(cut(claim, 70))
    save(figure, "counts", claim)
