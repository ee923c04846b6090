"""Draws a picture of each interactive chart that it is told of, in a process of its own.

What draws brings a whole JavaScript engine along. Here its memory is given back, the clock of a step holds
for it, and its end is not the end of the kernel. Run as `python3 -c SOURCE CHART...`; says a sentence on
each chart.
"""

import json
import os
import re
import sys

SPEC = ".vl.json"
MAX_SPEC_BYTES = 2 << 20  # the app draws nothing larger
MAX_PIXELS = 4000  # on the longest side
SCALE = 2  # pixels for each unit of a chart, so that it is sharp in print
PAGE_WIDTH = 640  # in units, where a chart takes the width of its page
NOTO = "Noto Sans, Noto Sans CJK SC, sans-serif"

# The look of matplotlibrc in the words of Vega-Lite; the app draws with the same.
LOOK = {
    "background": "white",
    "font": NOTO,
    "mark": {"color": "#0072B2", "tooltip": True},
    "line": {"strokeWidth": 2},
    "view": {
        "continuousWidth": PAGE_WIDTH,
        "continuousHeight": 360,
        "discreteWidth": PAGE_WIDTH,
        "discreteHeight": {"step": 26},
        "stroke": None,
    },
    "title": {"anchor": "start", "color": "#1F2733", "fontSize": 16, "subtitleColor": "#4A5361", "offset": 10},
    "axis": {
        "domainColor": "#9AA1AB",
        "tickColor": "#9AA1AB",
        "gridColor": "#E7EAEE",
        "labelColor": "#4A5361",
        "labelFontSize": 12,
        "labelLimit": 240,
        "titleColor": "#2B3440",
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    },
    "legend": {
        "labelColor": "#4A5361",
        "labelFontSize": 12,
        "labelLimit": 240,
        "titleColor": "#2B3440",
        "titleFontSize": 12,
    },
    "header": {"labelColor": "#4A5361", "labelFontSize": 12, "titleColor": "#2B3440", "titleFontSize": 13},
    "range": {
        "category": ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B7280"],
        "heatmap": {"scheme": "viridis"},
        "ramp": {"scheme": "viridis"},
    },
}


def picture_of(place):
    """Where the picture of a chart belongs."""
    return place[: -len(SPEC)] + ".png"


def no_number(name):
    raise ValueError(f"it holds {name}, which is no JSON: write null in its place")


def read(place):
    """The chart as it was saved. Raises ValueError with what is wrong with it."""
    size = os.path.getsize(place)
    if size > MAX_SPEC_BYTES:
        raise ValueError(
            f"it takes {size / 1e6:.1f} MB, and the app shows at most {MAX_SPEC_BYTES >> 20} MB. "
            "Aggregate its rows first, or take a sample of them"
        )
    with open(place, encoding="utf-8") as file:
        chart = json.load(file, parse_constant=no_number)
    if not isinstance(chart, dict) or "/vega/" in str(chart.get("$schema")):
        raise ValueError("it is no Vega-Lite chart")
    address = remote(chart)
    if address:
        raise ValueError(f"it would fetch {address[:100]}, and nothing is fetched. Save its rows within the chart")
    return chart


def remote(part):
    """An address from which the chart would fetch something, or None. Rows of data hold what they like."""
    if isinstance(part, list):
        return next(filter(None, map(remote, part)), None)
    if not isinstance(part, dict):
        return None
    if isinstance(part.get("url"), str):
        return part["url"]
    return next(filter(None, (remote(part[key]) for key in part if key not in ("values", "datasets"))), None)


def draw(place):
    import vl_convert

    chart = read(place)
    if chart.get("background") in ("transparent", "none"):
        chart["background"] = "white"
    if chart.get("width") == "container":
        chart["width"] = PAGE_WIDTH
    if chart.get("height") == "container":
        chart["height"] = LOOK["view"]["continuousHeight"]
    svg = vl_convert.vegalite_to_svg(chart, config=LOOK)
    sides = re.match(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    longest = max(map(float, sides.groups()), default=1) if sides else MAX_PIXELS
    picture = vl_convert.svg_to_png(svg, scale=min(SCALE, MAX_PIXELS / max(longest, 1)))
    with open(picture_of(place), "wb") as file:
        file.write(picture)


def told(place):
    """Draws one chart; the sentence to be said of it."""
    try:
        draw(place)
        return f"Chart saved: {picture_of(place)} (interactive: {place})"
    except ModuleNotFoundError:
        reason = "the package vl-convert-python is not there. Save a picture of it yourself"
    except Exception as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
    return f"No picture of {place} could be made: {reason}."


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(told(path), flush=True)
