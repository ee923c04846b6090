"""Proves, while the image is built, that a sealed session can use it: run as an ordinary user.

Warnings are errors here, so a glyph that no font has fails the build.
"""

import io
import os
import pathlib
import shutil
import tempfile
import warnings

warnings.simplefilter("error")

# A session's root is read-only, so it works with a copy of the font cache in a folder of its own.
config = pathlib.Path(tempfile.mkdtemp())
for cache in pathlib.Path("/opt/assay/matplotlib").glob("*.json"):
    shutil.copy(cache, config)
os.environ["MPLCONFIGDIR"] = str(config)
before = {file.name: file.stat().st_mtime_ns for file in config.iterdir()}

import altair
import duckdb
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import openpyxl
import pandas as pd
import pyarrow
import scipy.stats
import seaborn as sns
import sklearn.ensemble
import statsmodels.api as sm
import vl_convert

SCRIPTS = {
    "Latin, Greek, Cyrillic": "Énergie à Łódź · Ενέργεια · Энергия",
    "Chinese, Japanese, Korean": "销售额 北京 東京 サンプル 서울",
    "Arabic, Hebrew": "استهلاك الطاقة · צריכת אנרגיה",
    "Indic": "ऊर्जा খরচ ਊਰਜਾ ઊર્જા ଶକ୍ତି ஆற்றல் శక్తి ಶಕ್ತಿ ഊർജ്ജം බලශක්ති",
    "South-East Asian": "พลังงาน ພະລັງງານ ថាមពល စွမ်းအင်",
    "Armenian, Georgian, Ethiopic": "Էներգիա ენერგია ኃይል",
    "Symbols": "€ £ ¥ ₹ ₩ ₿ ° ± × ÷ − ≤ ≥ ≠ ≈ ∑ √ ∞ µ Ω ² ₂ → ↑ ↓ ▲ ▼ ● ■ ★ ✓ ✔ ✗ ⚠ ⚡ ☀ ℃ № ™ … “ ”",
    "Pictographs": "✅ ❌ 📈 📉 🔥 💡 🏭 🙂",
}


def draw(title):
    """Draws every script in title, ticks and legend, and returns the picture's size in bytes."""
    figure, axes = plt.subplots()
    for step, (name, text) in enumerate(SCRIPTS.items()):
        axes.plot([0, 1, 2], np.array([1, 2, 1]) * step, label=text)
        axes.text(1, step, name, fontweight="bold", fontstyle="italic")
    axes.set_title(" ".join(SCRIPTS.values()))
    axes.set_yticks(range(len(SCRIPTS)), list(SCRIPTS.values()), family="monospace")
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture)
    plt.close(figure)
    return picture.tell()


assert matplotlib.get_backend().lower() == "agg", matplotlib.get_backend()
assert draw("the image's own look") > 20_000
sns.set_theme(font="A font that is not here")
assert draw("a theme that names a font of its own") > 20_000
after = {file.name: file.stat().st_mtime_ns for file in config.glob("*.json")}
assert before and before == after, f"the font cache was made anew: {before} {after}"

readings = pd.DataFrame({"hour": np.arange(48) % 24, "kwh": np.arange(48) / 4 + 1})
for suffix, write, read in [
    ("parquet", readings.to_parquet, pd.read_parquet),
    ("xlsx", lambda path: readings.to_excel(path, index=False), pd.read_excel),
]:
    path = config / f"table.{suffix}"
    write(path)
    assert read(path).equals(readings), suffix
assert duckdb.sql("SELECT count(*) FROM readings").fetchone()[0] == 48
assert sm.OLS(readings["kwh"], sm.add_constant(readings["hour"])).fit().nobs == 48
assert len(sklearn.ensemble.IsolationForest(random_state=0).fit_predict(readings.to_numpy())) == 48
assert scipy.stats.median_abs_deviation(readings["kwh"]) > 0

titled = altair.Chart(readings, title=" ".join(SCRIPTS.values())).mark_line().encode(x="hour", y="kwh")
assert len(vl_convert.vegalite_to_png(titled.to_dict(), scale=2)) > 20_000

shutil.rmtree(config)
print("Self-test passed: charts draw every script, and every package works.")
