"""How docstrings become pages.

Single backquotes are a link where they name something public, and plain code where they name an argument. Roles that
are written out, such as :class:`...`, must still find what they name (`nitpicky`).
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def _plain(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element) -> nodes.Element | None:
    return content if node.get("refdomain") == "py" and node.get("reftype") == "obj" else None


def _skip(app: Sphinx, what: str, name: str, found: object, skip: bool, options: Any) -> bool | None:
    """Leave out the methods that scikit-learn adds to every estimator for metadata routing."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("missing-reference", _plain)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
