"""The list of commands."""

from __future__ import annotations

from cyclopts import App

import thresher
from thresher.cli._auc import auc
from thresher.cli._auccalculator import auccalculator
from thresher.cli._calibration import calibration
from thresher.cli._compare import compare
from thresher.cli._count import count
from thresher.cli._curve import curve
from thresher.cli._decision_curve import decision_curve
from thresher.cli._demo import demo
from thresher.cli._from_errors import from_errors
from thresher.cli._gate import gate
from thresher.cli._groups import groups
from thresher.cli._merge import merge
from thresher.cli._population import population
from thresher.cli._readers import readers
from thresher.cli._report import report
from thresher.cli._threshold import threshold

app = App(
    name="thresher",
    help="ROC and precision-recall curves done right.",
    version=thresher.__version__,
    help_format="plaintext",
    # Ctrl-C is answered in one place, with what it leaves behind.
    suppress_keyboard_interrupt=False,
)
for command in (
    demo,
    report,
    auc,
    curve,
    compare,
    gate,
    groups,
    readers,
    threshold,
    calibration,
    decision_curve,
    count,
    merge,
    from_errors,
    population,
    auccalculator,
):
    app.command(command)
app.register_install_completion_command(help="Install completion of commands and options for bash, zsh or fish.")
