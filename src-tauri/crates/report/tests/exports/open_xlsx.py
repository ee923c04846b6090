"""What a spreadsheet would read in a workbook, as JSON: its sheets, with each cell's type, value and format."""

import datetime
import json
import sys
import zipfile

import openpyxl


def shown(cell):
    value = cell.value
    if isinstance(value, (datetime.datetime, datetime.date)):
        value = value.isoformat()
    return [cell.data_type, value, cell.number_format, cell.quotePrefix]


book = openpyxl.load_workbook(sys.argv[1])
with zipfile.ZipFile(sys.argv[1]) as archive:
    parts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    times = sorted({entry.date_time for entry in archive.infolist()})
print(json.dumps({
    "sheets": [
        {
            "name": sheet.title,
            "rows": [[shown(cell) for cell in row] for row in sheet.iter_rows()],
            "bold": all(cell.font.bold for cell in sheet[1] if cell.value is not None),
            "frozen": sheet.freeze_panes,
            "filter": sheet.auto_filter.ref,
            "widths": [sheet.column_dimensions[name].width for name in sorted(sheet.column_dimensions)],
        }
        for sheet in book.worksheets
    ],
    "formulas": [name for name, text in parts.items() if "<f>" in text or "<f " in text],
    "outside": [name for name, text in parts.items() if "TargetMode=\"External\"" in text],
    "times": times,
}))
