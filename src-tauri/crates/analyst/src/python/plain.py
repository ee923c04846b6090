# The simplest look at a table: which cells are filled.
table = read_table()
names = [" ".join(str(name).split()) for name in table.columns]
lines_read = table.astype(str).where(table.notna(), "").to_numpy().tolist()
if not names:
    raise SystemExit("error: nothing could be read from the table.")

filled = [sum(1 for line in lines_read if position < len(line) and line[position].strip()) for position in range(len(names))]
os.makedirs("output/charts", exist_ok=True)
with open("output/columns.csv", "w", encoding="utf-8", newline="") as target:
    csv.writer(target).writerows([("column", "filled")] + [("'" + name if name[:1] in "=+-@" else name, number) for name, number in zip(names, filled)])

plt.rcParams["text.parse_math"] = False
shown = min(20, len(names))
figure, axes = plt.subplots(figsize=(10, 1.4 + 0.38 * shown))
drawn = axes.barh(range(shown), filled[:shown], color="#4c78a8")
axes.bar_label(drawn, padding=4)
axes.set_yticks(range(shown), [name[:38] for name in names[:shown]])
axes.invert_yaxis()
axes.set_xlabel("filled cells")
axes.set_title(f"Filled cells in each column, of {len(lines_read):,} rows", loc="left")
figure.tight_layout()
figure.savefig("output/charts/filled_cells.png", dpi=120)
plt.close(figure)

answer = f"The table has {len(lines_read):,} rows and {len(names):,} columns. It could only be looked at roughly, because the full overview failed."
with open("output/report.md", "w", encoding="utf-8") as target:
    target.write("\n".join(["# A rough look at the table", "", answer, "", "![Filled cells in each column](charts/filled_cells.png)", "",
                            "Each column and its filled cells are in [columns.csv](columns.csv).", "", "---", "",
                            "*This report was written by the built-in analyst: fixed rules and statistics, not AI.*", ""]))
print("Answer:", answer)
