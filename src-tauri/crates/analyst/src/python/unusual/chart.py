INK, QUIET, LINE, USUAL, HIGH, LOW, OTHER = "#22303c", "#8a97a3", "#4c78a8", "#9aa5b1", "#d1495b", "#2a7f8e", "#b8860b"
COLOURS = {"higher than usual": HIGH, "spike": HIGH, "left on": HIGH, "lower than usual": LOW, "dip": LOW, "day off": LOW}
plt.rcParams.update({"font.size": 10, "text.parse_math": False, "axes.edgecolor": QUIET, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
                     "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left", "axes.titlesize": 13})
VALUE_LABEL = VALUE_WORDS + (f" ({UNIT})" if UNIT else "")


def colour(kind):
    return COLOURS.get(kind, OTHER)


def readable_dates(axes):
    locator = mdates.AutoDateLocator(minticks=4, maxticks=12)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(mdates.ConciseDateFormatter(locator))


def with_gaps(numbers_):
    """The series with a hole wherever readings are absent, so that no line is drawn across."""
    at, shown = moment.to_numpy(), np.where(known, numbers_, np.nan)
    holes = np.flatnonzero(is_gap)
    return np.insert(at, holes, at[holes] - np.timedelta64(1, "s")), np.insert(shown, holes, np.nan)


def overview_chart(path):
    figure, axes = plt.subplots(figsize=(12, 5.2))
    axes.plot(*with_gaps(y), color=LINE, linewidth=0.7 if len(y) > 2000 else 1.1, zorder=2)
    shown = events[events["column"] == VALUE]
    top, bottom = np.nanmax(y[known]), np.nanmin(y[known])
    height = (top - bottom) or 1.0
    axes.set_ylim(bottom - 0.04 * height if bottom < 0 else min(0, bottom) if bottom < 0.5 * top else bottom - 0.06 * height, top + 0.24 * height)
    axes.set_xlim(first - (last - first) * 0.01, last + (last - first) * 0.01)
    narrow = (last - first) * 0.004
    placed = []
    for event in shown.head(40).sort_values("start").itertuples():
        middle = event.start + (event.end - event.start) / 2
        half = max((event.end - event.start) / 2 + pd.Timedelta(seconds=step_s / 2), narrow / 2)
        axes.axvspan(middle - half, middle + half, color=colour(event.kind), alpha=0.22, linewidth=0, zorder=1)
        level = next(row for row in range(len(placed) + 1) if all(abs(middle - at) > (last - first) * 0.022 for at, used in placed if used == row))
        placed.append((middle, level))
        axes.text(middle, top + (0.05 + 0.06 * min(level, 2)) * height, str(event.event), color=colour(event.kind), ha="center", va="center", fontsize=10, fontweight="bold")
    axes.plot(moment[unusual], y[unusual], linestyle="none", marker=".", markersize=4, color=INK, zorder=3)
    handles = [plt.Line2D([], [], color=LINE, label="reading"), plt.Line2D([], [], linestyle="none", marker=".", color=INK, label="unusual reading")]
    for name, kinds in (("higher than usual", ("higher than usual", "spike", "left on")), ("lower than usual", ("lower than usual", "dip", "day off")), ("stuck or zero", ("stuck readings", "zero readings"))):
        if shown["kind"].isin(kinds).any():
            handles.append(plt.Rectangle((0, 0), 1, 1, color=colour(kinds[0]), alpha=0.3, label=name))
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=len(handles), frameon=False)
    axes.set_title(f"{VALUE_WORDS.capitalize()} and its {count(len(shown), 'unusual period')}" if len(shown) else f"{VALUE_WORDS.capitalize()}: nothing unusual was found")
    axes.set_ylabel(VALUE_LABEL)
    readable_dates(axes)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def close_up_chart(event, path):
    length = event.end - event.start
    margin = max(length * 0.75, pd.Timedelta(seconds=2.5 * max(day_s, 6 * step_s) if SLOTS > 1 else 15 * step_s))
    chosen = ((moment >= event.start - margin) & (moment <= event.end + margin)).to_numpy()
    figure, axes = plt.subplots(figsize=(12, 4.6))
    axes.fill_between(moment[chosen], (expected - 3 * scale)[chosen], (expected + 3 * scale)[chosen], color=USUAL, alpha=0.25, linewidth=0, label="usual range")
    axes.plot(moment[chosen], expected[chosen], color=USUAL, linewidth=1.6, linestyle="--", label="expected")
    axes.plot(moment[chosen], np.where(known, y, np.nan)[chosen], color=LINE, linewidth=1.6, label="reading")
    axes.plot(moment[event.rows], y[event.rows], linestyle="none", marker="o", markersize=4.5, color=colour(event.kind), label=f"unusual (event {event.event})")
    axes.set_title(f"Event {event.event}: {when(event.start, event.end)}")
    axes.set_ylabel(VALUE_LABEL)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=4, frameon=False)
    readable_dates(axes)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


overview_chart("output/charts/unusual_periods.png")
in_value = events[events["column"] == VALUE]
close_ups = []
for event in in_value.head(2).itertuples():
    close_ups.append((event, f"charts/event_{event.event}.png"))
    close_up_chart(event, "output/" + close_ups[-1][1])
print(f"{1 + len(close_ups)} charts drawn.")
