"""scikit-learn's tests of its display of precision-recall curves, run on thresher's classes.

The module is imported from the installed scikit-learn with `thresher.metrics` patched in; nothing is copied. There is
no expected difference: no test is left out and none is expected to fail.
"""

from support.patched import displays

globals().update(displays("precision_recall_display"))
