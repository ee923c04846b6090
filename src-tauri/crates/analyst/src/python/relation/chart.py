drawn = both.sample(4000, random_state=1) if len(both) > 4000 else both
figure, axes = plt.subplots(figsize=(8, 5.2))
axes.scatter(drawn[other], drawn[measure], s=14, color=MAIN, alpha=0.7 if len(drawn) < 400 else 0.25, linewidths=0)
ends = np.array([both[other].min(), both[other].max()])
axes.plot(ends, start + slope * ends, color=SECOND, linewidth=1.5)
axes.annotate(f"correlation {strength:.2f}", (0.99, 0.96), xycoords="axes fraction", ha="right", color=SECOND)
axes.set_xlabel(label(other))
axes.set_ylabel(label(measure))
axes.set_title(cut(answer.split(":")[0].rstrip("."), 85))
save(figure, "together", answer.split(":")[0])
if len(drawn) < len(both):
    cautions.append(f"The chart shows {len(drawn):,} of {len(both):,} rows, chosen at random.")
if len(result) > 2 and not pair:
    shown_rows = result.head(15)
    bars(list(shown_rows["column"]), shown_rows["rank correlation"].to_numpy(), f"How closely each column goes with {measure}", "rank correlation (-1 to 1)", "all_columns")
