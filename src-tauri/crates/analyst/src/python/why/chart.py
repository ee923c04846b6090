claim = answer.split(". ")[0]
if len(result):
    drawn = pd.concat([result.head(8), result.tail(4)]).drop_duplicates() if len(result) > 12 else result
    bars([f"{row['column']}: {row['group']}" for _, row in drawn.iterrows()], drawn["part of the change"].to_numpy(), f"What made {measure} {'rise' if change > 0 else 'fall'} by {fmt(abs(change), measure)}", f"part of the change ({UNITS.get(measure, measure)})", "parts", measure)
else:
    daily = rows[rows[time] >= back].set_index(time)[measure].resample("D").agg(AGGREGATE[how])
    lines(daily.to_frame(measure), f"{measure} per day, before and in the time asked about", label(measure), "parts")
