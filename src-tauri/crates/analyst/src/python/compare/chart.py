claim = answer.split(". ")[0].rstrip(".")
if len(GROUPS) > 1 and used[GROUPS[1]].nunique() <= 6 and result[GROUPS[0]].nunique() <= 20:
    wide = result.pivot_table(index=GROUPS[0], columns=GROUPS[1], values=how, sort=False, observed=True)
    figure, axes = plt.subplots(figsize=(9.5, 1.8 + 0.28 * wide.size))
    height = 0.8 / len(wide.columns)
    for number, column in enumerate(wide.columns):
        drawn = axes.barh(np.arange(len(wide)) + number * height, wide[column], height=height * 0.92, color=COLOURS[number], label=cut(column, 25))
        axes.bar_label(drawn, [fmt(value, measure) if value == value else "" for value in wide[column]], padding=3, fontsize=8, color=INK)
    axes.set_yticks(np.arange(len(wide)) + 0.4 - height / 2, [cut(one) for one in wide.index])
    axes.invert_yaxis()
    axes.margins(x=0.14)
    axes.set_xlabel(f"{how} of {label(measure)}")
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=len(wide.columns))
    axes.set_title(cut(claim, 100), pad=26)
    save(figure, "groups", claim)
else:
    drawn = result if len(result) <= 25 else pd.concat([ranked.head(12), ranked.tail(12)])
    bars([name_of(row) for _, row in drawn.iterrows()], drawn[how].to_numpy(), claim, f"{how} of {label(measure)}", "groups", measure, marked=(name_of(top),))
