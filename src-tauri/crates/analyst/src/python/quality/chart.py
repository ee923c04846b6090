blank = original.isna().mean().mul(100)
if blank.any():
    drawn = blank.sort_values(ascending=False).head(20)
    bars(list(drawn.index), drawn.to_numpy().round(2), f"Missing values in each column{'' if len(blank) <= 20 else ', the 20 with most'}", "rows without a value (%)", "missing")
else:
    amounts = result["finding"].value_counts()
    bars(list(amounts.index) or ["any fault"], amounts.to_numpy() if len(amounts) else [0], "What was found" if len(amounts) else "No fault was found", "findings", "findings")
