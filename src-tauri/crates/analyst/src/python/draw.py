# Charts: one ink, one main colour, and others that colour-blind people can tell apart.
INK, QUIET, MAIN, SECOND = "#22303c", "#8a97a3", "#2f6f9f", "#c8553d"
COLOURS = [MAIN, SECOND, "#3a8f7b", "#b8860b", "#7a5195", "#8a97a3"]
plt.rcParams.update({"font.size": 10, "text.parse_math": False, "axes.edgecolor": QUIET, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
                     "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left", "axes.titlesize": 12})
os.makedirs("output/charts", exist_ok=True)
charts = []


def cut(text, length=40):
    text = show(text)
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def label(measure):
    return cut(measure, 50) + (f" ({UNITS[measure]})" if measure in UNITS and UNITS[measure] not in str(measure) else "")


def save(figure, name, title):
    figure.tight_layout()
    figure.savefig(f"output/charts/{name}.png", dpi=130)
    plt.close(figure)
    charts.append((f"charts/{name}.png", title))


def bars(names, values, title, axis, name, of=None, marked=()):
    """Bars from the left, each with its number."""
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.36 * len(values)))
    drawn = axes.barh(range(len(values)), values, color=[SECOND if one in marked else MAIN for one in names], height=0.72)
    axes.bar_label(drawn, [fmt(value, of) for value in values], padding=4, color=INK)
    axes.set_yticks(range(len(values)), [cut(one) for one in names])
    axes.invert_yaxis()
    axes.margins(x=0.16)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_xlabel(axis)
    axes.set_title(cut(title, 95))
    save(figure, name, title)


def lines(frame, title, axis, name, band=None, dotted=()):
    """A line for each column over the times of the index, named where it ends."""
    figure, axes = plt.subplots(figsize=(10.5, 4.8))
    for number, column in enumerate(frame.columns):
        drawn = frame[column].dropna()
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(drawn.index, drawn.to_numpy(), color=colour, linewidth=1.6, linestyle=":" if column in dotted else "-", marker="o" if len(drawn) < 30 else None, markersize=3.5)
        if len(frame.columns) > 1 and len(drawn):
            axes.annotate(cut(column, 22), (drawn.index[-1], drawn.iloc[-1]), xytext=(5, 0), textcoords="offset points", color=colour, va="center")
    if band is not None:
        axes.fill_between(band.index, band["low"].to_numpy(float), band["high"].to_numpy(float), color=COLOURS[(len(frame.columns) - 1) % len(COLOURS)], alpha=0.18, linewidth=0)
    if isinstance(frame.index, pd.DatetimeIndex):
        locator = mdates.AutoDateLocator(minticks=4, maxticks=12)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(mdates.ConciseDateFormatter(locator))
    axes.margins(x=0.08 if len(frame.columns) > 1 else 0.02)
    axes.set_ylabel(axis)
    axes.set_title(cut(title, 110))
    save(figure, name, title)
