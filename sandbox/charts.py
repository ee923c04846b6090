"""The charts of a step: saved where the code left them open, drawn where it left their data.

A part of the kernel: like it, relied upon by nothing.
"""

import os
import sys

import assay_draw
from assay_workspace import WORKSPACE

CHARTS = "output/charts"
MAX_CHART_PIXELS = 4000
DRAWING_LIMIT_S = 60  # for all interactive charts of a step


class Figures:
    """Saves what was drawn: on plt.show(), and at the end of a step whatever is still open."""

    def __init__(self):
        self.step = 0
        self.count = 0
        self.tried = {}

    def begin(self, step):
        self.step, self.count = step, 0

    def finish(self):
        """The end of a step: what is open is saved, and what was saved as interactive gets its picture."""
        self.save_open()
        try:
            self.draw_interactive()
        except Exception as error:
            print(f"No picture of the interactive charts could be made: {error}.")

    def save_open(self):
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if figure.axes and not getattr(figure, "_assay_saved", False):
                self.save(figure)
        pyplot.close("all")

    def save(self, figure):
        os.makedirs(CHARTS, exist_ok=True)  # the code may have removed it
        self.count += 1
        path = f"{CHARTS}/step_{self.step:02d}_figure_{self.count}.png"
        figure.savefig(path, dpi=figure.dpi, bbox_inches="tight", facecolor=figure.get_facecolor())
        print(f"Chart saved: {path}")

    def hook_pyplot(self, pyplot):
        def show(*_args, **_kwargs):
            self.save_open()

        pyplot.show = show

    def hook_figure(self, module):
        original = module.Figure.savefig

        def savefig(figure, fname, *args, **kwargs):
            result = original(figure, fname, *args, **printable(figure, kwargs))
            if isinstance(fname, (str, os.PathLike)):
                place = os.path.realpath(os.fspath(fname))
                if place.startswith(os.path.join(WORKSPACE, "output") + os.sep):
                    figure._assay_saved = True
            return result

        module.Figure.savefig = savefig

    def draw_interactive(self):
        """Draws the interactive charts that are newer than their picture, each once."""
        waiting = []
        for place in interactive():
            changed = age(place)
            if self.tried.get(place) != changed and age(assay_draw.picture_of(place)) < changed:
                self.tried[place] = changed
                waiting.append(os.path.relpath(place, WORKSPACE))
        if waiting:
            draw(waiting)


def printable(figure, options):
    """How a figure is saved so that a page can hold it: not too large, and on a ground of its own.

    A ground that was made transparent by name stays so.
    """
    try:
        from matplotlib import colors, rcParams

        options = dict(options)
        dpi = options.get("dpi") or rcParams["savefig.dpi"]
        dpi = figure.dpi if dpi == "figure" else dpi
        most = MAX_CHART_PIXELS / max(figure.get_size_inches())
        if dpi > most:
            options["dpi"] = most
        ground = options.get("facecolor") or rcParams["savefig.facecolor"]
        ground = figure.get_facecolor() if isinstance(ground, str) and ground == "auto" else ground
        if not options.get("transparent", rcParams["savefig.transparent"]) and colors.to_rgba(ground)[3] == 0:
            options["facecolor"] = "white"
    except Exception:
        pass  # what is wrong with the options is told by savefig itself
    return options


def interactive():
    """Every interactive chart in output/."""
    for folder, _, names in os.walk(os.path.join(WORKSPACE, "output")):
        for name in sorted(names):
            if name.endswith(assay_draw.SPEC):
                yield os.path.join(folder, name)


def age(place):
    """When a file was last changed, in nanoseconds; before everything else where it is not there."""
    try:
        return os.stat(place).st_mtime_ns
    except OSError:
        return -1


def draw(paths):
    import subprocess

    command = [sys.executable, "-c", assay_draw.__source__, *paths]
    # A thread for each processor of the host would meet the limit on processes.
    few = {"RAYON_NUM_THREADS": "2", "TOKIO_WORKER_THREADS": "2"}
    try:
        ended = subprocess.run(
            command,
            cwd=WORKSPACE,
            env={**os.environ, **few},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=DRAWING_LIMIT_S,
        )
        said, why = ended.stdout, "what draws it broke off"
    except subprocess.TimeoutExpired as late:
        said, why = late.stdout or b"", f"it took more than {DRAWING_LIMIT_S} seconds"
    lines = said.decode("utf-8", "replace").splitlines()
    for line in lines:
        print(line)
    for path in paths[len(lines) :]:
        print(f"No picture of {path} could be made: {why}.")


def dress_altair(altair):
    """Gives charts made with altair the look of the others."""
    altair.theme.register("assay", enable=True)(lambda: {"config": assay_draw.LOOK})
