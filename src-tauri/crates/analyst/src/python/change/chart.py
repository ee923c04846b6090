drawn = values.copy()
drawn.index = drawn.index.to_timestamp()
claim = answer.split(". ")[0].rstrip(".")
if parts and data[parts[0]].nunique() > 1:
    largest = data[parts[0]].value_counts().index[:5]
    frame = pd.DataFrame({show(value): by_stretch(data[data[parts[0]] == value])[0] for value in largest})
    frame.index = frame.index.to_timestamp()
    lines(frame, f"{kind.capitalize()} per {word} by {parts[0]}", f"{how} of {label(measure)}" if measure else "rows", "over_time")
    result = result.merge(frame.set_axis([show(at) for at in frame.index.to_period(code)]).rename_axis(word).reset_index(), on=word, how="left")
else:
    lines(drawn.to_frame(kind), claim, f"{how} of {label(measure)}" if measure else "rows", "over_time")
