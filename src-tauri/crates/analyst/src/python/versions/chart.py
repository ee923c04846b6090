parts = [("unchanged", len(kept) - rows_changed), ("changed", rows_changed), ("added", len(added)), ("removed", len(removed))]
bars([name for name, _ in parts], [number for _, number in parts], answer.split(";")[0], "rows", "versions", marked=("changed", "added", "removed"))
