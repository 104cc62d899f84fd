"""scikit-learn's tests of what all displays of curves share, run on thresher's classes.

The module is imported from the installed scikit-learn with `thresher.metrics` patched in; nothing is copied. There is
no expected difference: no test is left out and none is expected to fail.
"""

from support.patched import displays

globals().update(displays("common_curve_display"))
