# Makes the environment of the local runtime, in /opt/assay: what the image's recipe does, but for the system's
# part. The app runs this within a session's walls, with a network; $1 is the system's Python.
set -eu
exec 2>&1
cd /opt/assay
echo "Making an environment with $1"
"$1" -m venv venv
PATH=/opt/assay/venv/bin:$PATH
pip install --no-input --disable-pip-version-check --no-cache-dir --no-compile --retries 5 --timeout 60 \
    --progress-bar off --require-hashes --only-binary :all: --requirement build/requirements.txt
pip uninstall --quiet --yes setuptools
find venv -type d -name tests -prune -exec rm -rf {} +
echo "Compiling the packages"
python3 -m compileall -q -j 0 venv
site="$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
cp build/font_fallback.py "$site/assay_font_fallback.py"
echo 'import assay_font_fallback' > "$site/assay_font_fallback.pth"
cp build/matplotlibrc .
echo "Listing the fonts"
MPLCONFIGDIR=/opt/assay/matplotlib python3 -c 'import matplotlib.font_manager'
echo "Trying the packages"
python3 -c 'import altair, duckdb, matplotlib.pyplot, openpyxl, pandas, pyarrow, python_calamine, seaborn, vl_convert
import scipy.stats, sklearn.ensemble, statsmodels.api'
rm -rf build
chmod -R a+rX,go-w .
