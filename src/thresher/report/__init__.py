"""One self-contained HTML file: linked curves, areas, findings and the text for a paper.

The module can be called, so that `th.report(...)` writes a report and `th.report.notebook_html(...)` shows one.
"""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Any

from thresher.report._findings import CODES
from thresher.report._notebook import notebook_html
from thresher.report._report import report

__all__ = ["CODES", "notebook_html", "report"]


class _Callable(ModuleType):
    """A module that writes a report when called; otherwise `th.report` would change its meaning on import."""

    __call__: Any = staticmethod(report)


sys.modules[__name__].__class__ = _Callable
__signature__ = inspect.signature(report)
