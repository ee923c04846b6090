"""Lets every chart draw every script, whatever font its code asks for.

A list of families in matplotlibrc would only help until code sets a font of its own, which
`seaborn.set_theme()` and many style sheets do. This module, loaded by a `.pth` file when Python starts,
appends the image's fonts to each search for fonts. It imports nothing until matplotlib is imported.
"""

import sys

# In the order in which matplotlib looks for a glyph.
FALLBACK = [
    "Noto Sans",
    *(
        f"Noto Sans {script}"
        for script in (
            "Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam "
            "Sinhala Thai Lao Khmer Myanmar Armenian Georgian Ethiopic"
        ).split()
    ),
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Symbola",
]


def extend(font_manager):
    """Makes each search for fonts end in the families of `FALLBACK`."""
    import functools
    import logging

    # With every script covered, a font that is not here or has no bold face changes the look only. A word
    # about it for each label would drown what the code itself prints.
    logging.getLogger(font_manager.__name__).setLevel(logging.ERROR)
    search = font_manager.FontManager._find_fonts_by_props

    @functools.lru_cache
    def fallback_faces(manager, style, variant, weight, stretch):
        wanted = font_manager.FontProperties(
            family=FALLBACK, style=style, variant=variant, weight=weight, stretch=stretch
        )
        return search(manager, wanted)

    def search_with_fallback(self, prop, fontext="ttf", *args, **kwargs):
        found = search(self, prop, fontext, *args, **kwargs)
        if fontext != "ttf":
            return found
        prop = font_manager.FontProperties._from_any(prop)
        faces = fallback_faces(
            self, prop.get_style(), prop.get_variant(), prop.get_weight(), prop.get_stretch()
        )
        return [*found, *(face for face in faces if face not in found)]

    font_manager.FontManager._find_fonts_by_props = search_with_fallback


class FontManagerWatch:
    """Calls `extend` once, right after matplotlib's font manager was loaded."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "matplotlib.font_manager":
            return None
        from importlib.machinery import PathFinder

        sys.meta_path.remove(cls)
        spec = PathFinder.find_spec(name, path, target)
        if spec is None:
            return None
        load = spec.loader.exec_module

        def load_and_extend(module):
            load(module)
            extend(module)

        spec.loader.exec_module = load_and_extend
        return spec


sys.meta_path.insert(0, FontManagerWatch)
