"""Runs code as a provider's interpreter does: one process, its variables kept, what is printed told at the end."""

import contextlib
import io
import json
import os
import sys
import traceback

channel = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
variables = {"__name__": "__main__"}
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), variables)
        except BaseException:
            printed.write(traceback.format_exc())
    channel.write(json.dumps(printed.getvalue()) + "\n")
    channel.flush()
