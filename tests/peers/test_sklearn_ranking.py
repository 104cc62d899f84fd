"""scikit-learn's tests of its ranking metrics, run on thresher's functions.

The module is imported from the installed scikit-learn with `thresher.metrics` patched in; nothing is copied. There is
no expected difference: no test is left out and none is expected to fail.
"""

import pytest

from support.patched import gathered, with_thresher

# Some of these tests provoke warnings without asking for them, with scikit-learn's functions as with thresher's.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

globals().update(gathered(with_thresher("sklearn.metrics.tests.test_ranking")))
