def _name_columns_as_before(path, as_before):
    """Lets pandas give the columns of one file the names that the steps know."""
    import functools
    import os

    import pandas as pd

    as_in_file = {before: now for now, before in as_before.items()}
    place = os.path.abspath(path)

    def is_meant(source):
        source = getattr(source, "name", source)
        try:
            return os.path.abspath(os.fspath(source)) == place
        except TypeError:
            return False

    def columns(value):
        if callable(value):
            return lambda name: value(as_before.get(name, name))
        if isinstance(value, str):
            return as_in_file.get(value, value)
        if isinstance(value, dict):
            return {columns(name): item for name, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [columns(name) for name in value]
        return value

    def named(result):
        if isinstance(result, dict):
            return {sheet: named(table) for sheet, table in result.items()}
        if isinstance(result, pd.DataFrame):
            return result.rename(columns=as_before).rename_axis(index=as_before)
        return Pieces(result)

    class Pieces:
        """A table that is read in pieces."""

        def __init__(self, reader):
            self._reader = reader

        def __iter__(self):
            return (named(piece) for piece in self._reader)

        def __next__(self):
            return named(next(self._reader))

        def __enter__(self):
            self._reader.__enter__()
            return self

        def __exit__(self, *reason):
            return self._reader.__exit__(*reason)

        def get_chunk(self, size=None):
            return named(self._reader.get_chunk(size))

        def __getattr__(self, name):
            return getattr(self._reader, name)

    def reading(read):
        @functools.wraps(read)
        def read_as_before(source, *more, **how):
            if not is_meant(source):
                return read(source, *more, **how)
            # Names that the code gives itself are its own.
            if how.get("names") is None:
                for argument in ("usecols", "dtype", "converters", "parse_dates", "index_col", "date_format"):
                    if argument in how:
                        how[argument] = columns(how[argument]) if argument != "dtype" or isinstance(how[argument], dict) else how[argument]
                if isinstance(how.get("na_values"), dict):
                    how["na_values"] = columns(how["na_values"])
            return named(read(source, *more, **how))

        return read_as_before

    for name in ("read_csv", "read_table", "read_excel"):
        setattr(pd, name, reading(getattr(pd, name)))


