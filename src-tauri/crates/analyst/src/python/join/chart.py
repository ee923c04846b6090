parts = [("matched", int(matched.sum())), (f"only in {TABLE}", len(missing_left)), (f"only in {other_path}", len(missing_right))]
bars([name for name, _ in parts], [number for _, number in parts], f"{count(int(matched.sum()))} matched by {one} and {two}", "rows", "matches")
