"""What lies in an archive, as JSON: names, times and sizes; unpacked beside it."""

import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    broken = archive.testzip()
    entries = [[entry.filename, list(entry.date_time), entry.file_size] for entry in archive.infolist()]
    report = archive.read("report.md").decode()
print(json.dumps({"broken": broken, "entries": entries, "report": report}))
