past = filled.iloc[-max(5 * ahead, 60):]
past.index = past.index.to_timestamp()
future = forecast.copy()
future.index = future.index.to_timestamp()
frame = pd.DataFrame({"seen": past, "forecast": future})
edges = pd.DataFrame({"low": low.to_numpy(), "high": high.to_numpy()}, index=future.index)
lines(frame, f"{measure} per {word}: seen, forecast and its likely range", f"{how} of {label(measure)}", "forecast", band=edges, dotted=("forecast",))
