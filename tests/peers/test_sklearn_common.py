"""scikit-learn's tests that every metric inherits, for the metrics that thresher has.

The module is imported from the installed scikit-learn with `thresher.metrics` patched in; cases about other metrics are
deselected in `conftest.py`. Tests of arrays of other libraries need a process of their own, see the end.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.patched import gathered, with_thresher

# Some of these tests provoke warnings without asking for them, with scikit-learn's functions as with thresher's.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

COMMON = with_thresher("sklearn.metrics.tests.test_common")
ALL_METRICS = COMMON.ALL_METRICS

IN_A_PROCESS_OF_THEIR_OWN = os.environ.get("SCIPY_ARRAY_API") == "1"

FOUND = gathered(COMMON)
globals().update({name: test for name, test in FOUND.items() if ("array_api" in name) == IN_A_PROCESS_OF_THEIR_OWN})

if not IN_A_PROCESS_OF_THEIR_OWN:

    @pytest.mark.slow  # an ordinary run compares every array library in tests/common
    def test_arrays_of_other_libraries():
        # SciPy reads the switch when it is imported, so it cannot be turned on in this process.
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", __file__],
            env={**os.environ, "SCIPY_ARRAY_API": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]
        assert " passed" in done.stdout
