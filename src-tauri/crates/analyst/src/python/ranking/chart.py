drawn = (result if len(result) > 1 else ranked.head(10)).head(25)
claim = answer.split(". ")[0].rstrip(".")
bars([", ".join(show(row[one]) for one in named) or str(number + 1) for number, (_, row) in enumerate(drawn.iterrows())], drawn[how].to_numpy(), claim,
     "rows" if measure is None else label(measure) if how == measure else f"{how} of {label(measure)}", "ranking", measure, marked=(name_of(first),))
