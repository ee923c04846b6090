"""A window to drag files from: the test's stand-in for a file manager.

Needs Debian's python3-gi and gir1.2-gtk-3.0. Usage: drag_source.py FILE...
"""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

TEXT_URI_LIST = [Gtk.TargetEntry.new("text/uri-list", 0, 0)]


def give(_widget, _context, selection, _info, _time):
    selection.set_uris([pathlib.Path(name).resolve().as_uri() for name in sys.argv[1:]])


handle = Gtk.Button(label="Files")
handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, TEXT_URI_LIST, Gdk.DragAction.COPY)
handle.connect("drag-data-get", give)
window = Gtk.Window(title="assay drag source", default_width=180, default_height=90)
window.set_keep_above(True)
window.add(handle)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
