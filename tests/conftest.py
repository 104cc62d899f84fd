"""Settings of the test run."""

import atexit
import os
import shutil
import tempfile

from hypothesis import settings

# One process a core (pytest-xdist): threads of linear algebra beside them would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Hundreds of processes that tests start would each compile the library where no bytecode may be written beside it.
if "PYTHONPYCACHEPREFIX" not in os.environ:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = folder = tempfile.mkdtemp(prefix="thresher-bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

# Timing is the benchmarks' business; a loaded machine must not fail a property. In CI the examples are the same in
# every run, so that a change is judged by what it changed; elsewhere they are new each time, so that more is tried.
# THRESHER_EXAMPLES=thorough tries many more, as the weekly run does.
settings.register_profile("thresher", deadline=None, max_examples=15)
settings.register_profile("ci", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("THRESHER_EXAMPLES") or ("ci" if os.environ.get("CI") else "thresher"))

# Helpers, not tests: `--doctest-modules` would import them, and some import what no extra installs. The folder, and its
# files too, for when the folder is named on the command line.
collect_ignore = ["support"]
collect_ignore_glob = ["support/*"]
