INK, QUIET, LINE = "#22303c", "#8a97a3", "#4c78a8"
plt.rcParams.update({"font.size": 10, "axes.edgecolor": QUIET, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "text.parse_math": False,
                     "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left", "axes.titlesize": 13})
charts = []


def save(figure, name, caption):
    figure.tight_layout()
    figure.savefig(f"output/charts/{name}.png", dpi=120)
    plt.close(figure)
    charts.append((f"charts/{name}.png", caption))


def bars(values, labels, title, axis_label, name, caption):
    figure, axes = plt.subplots(figsize=(10, 1.4 + 0.38 * len(values)))
    drawn = axes.barh(range(len(values)), values, color=LINE, height=0.7)
    axes.bar_label(drawn, [fmt(value) for value in values], padding=4, color=INK)
    axes.set_yticks(range(len(values)), [shorten(label) for label in labels])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    if axis_label in ("rows", "filled cells"):
        axes.xaxis.set_major_locator(plt.MaxNLocator(integer=True))
    if not np.any(values):
        axes.set_xlim(0, 1)
    axes.set_xlabel(shorten(axis_label, 70))
    axes.set_title(shorten(title, 80))
    save(figure, name, caption)


def over_time():
    chosen = [name for _, name, _, _ in trends][:3] if trends else measures[:3]
    figure, panels = plt.subplots(len(chosen), 1, figsize=(11, 1.6 + 2.3 * len(chosen)), sharex=True, squeeze=False)
    covered = times[time].max() - times[time].min()
    every = next((word for word, length in (("h", 10), ("D", 300), ("W", 2000), ("MS", 10_000)) if covered <= pd.Timedelta(days=length)), "YS")
    for axes, measure in zip(panels[:, 0], chosen):
        series = pd.Series(numbers[measure].to_numpy(), index=times[time].to_numpy())
        series = series[series.index.notna()].sort_index()
        if len(series) > 400:
            parts = series.resample(every)
            enough = parts.count() >= 0.2 * parts.count().median()
            averaged = parts.mean().where(enough)
        else:
            averaged = series.groupby(level=0).mean()
        axes.plot(averaged.index, averaged.to_numpy(), color=LINE, linewidth=1.2, marker="o" if averaged.count() < 40 else None, markersize=3)
        axes.set_ylabel(shorten(measure, 26))
        locator = mdates.AutoDateLocator(minticks=4, maxticks=12)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(mdates.ConciseDateFormatter(locator))
    averaging = {"h": "hourly averages", "D": "daily averages", "W": "weekly averages", "MS": "monthly averages", "YS": "yearly averages"}[every]
    title = ", ".join(chosen) + " over time"
    panels[0, 0].set_title(shorten(title, 80) + (f" ({averaging})" if rows > 400 else ""))
    save(figure, "over_time", title)


def by_group():
    _, group, measure, means = differing[0]
    shown = means.sort_values("mean", ascending=False)
    shown = shown if len(shown) <= 14 else pd.concat([shown.head(7), shown.tail(7)])
    title = f"Average {measure} by {group}"
    bars(shown["mean"].to_numpy(), shown.index, title, f"average {measure}", "by_group", title)


def together():
    _, _, first, second = related[0]
    both = pd.DataFrame({"x": numbers[first], "y": numbers[second]}).dropna()
    both = both.sample(4000, random_state=1) if len(both) > 4000 else both
    figure, axes = plt.subplots(figsize=(7.5, 5.5))
    axes.scatter(both["x"], both["y"], s=14, color=LINE, alpha=0.7 if len(both) < 400 else 0.25, linewidths=0)
    axes.set_xlabel(shorten(first, 60))
    axes.set_ylabel(shorten(second, 50))
    axes.set_title(shorten(f"{second} against {first}", 70))
    save(figure, "together", f"{second} against {first}")


def spread():
    chosen = measures[:6]
    across = min(3, len(chosen))
    down = -(-len(chosen) // across)
    figure, panels = plt.subplots(down, across, figsize=(4 * across if across > 1 else 8, 3.2 * down), squeeze=False)
    for axes, measure in zip(panels.flat, chosen):
        filled = numbers[measure].dropna()
        if filled.nunique() <= 12:
            amounts = filled.value_counts().sort_index()
            axes.bar(range(len(amounts)), amounts.to_numpy(), color=LINE)
            axes.set_xticks(range(len(amounts)), [fmt(value) for value in amounts.index])
        else:
            axes.hist(filled, bins=30, color=LINE, edgecolor="white", linewidth=0.4)
            axes.xaxis.set_major_locator(plt.MaxNLocator(4))
        axes.set_xlabel(shorten(measure, 32))
        axes.set_ylabel("rows")
    for axes in panels.flat[len(chosen) :]:
        axes.set_visible(False)
    figure.suptitle("How the values are spread", x=0.01, ha="left", fontsize=13)
    save(figure, "spread", "How the values are spread")


def how_often():
    name = max(groups, key=lambda group: (texts[group].value_counts(normalize=True).iloc[0] < 0.95, texts[group].count()))
    top = texts[name].value_counts().head(14)
    bars(top.to_numpy(), top.index, f"How often each {name} occurs", "rows", "how_often", f"How often each {name} occurs")


def filled_cells():
    shown = described.sort_values("filled", ascending=False, kind="stable").head(20)
    bars(shown["filled"].to_numpy(), [names[position] for position in shown.index], f"Filled cells in each column, of {count(rows, 'row')}", "filled cells", "filled_cells", "Filled cells in each column")


if time and measures and rows >= 5:
    over_time()
if differing:
    by_group()
if related and len(charts) < 3:
    together()
if measures and rows >= 10 and len(charts) < 3:
    spread()
if groups and len(charts) < 2:
    how_often()
if not charts:
    filled_cells()
print(f"{len(charts)} charts: {', '.join(caption for _, caption in charts)}.")
