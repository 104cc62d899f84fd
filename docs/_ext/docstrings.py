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


# What a `Distribution` answers to the curves: for those who write a new one, and explained where it is written.
_LAW_PROTOCOL = {
    "atoms", "breaks", "cdf_at", "draw", "end_mass", "ge_at", "isf_points", "leaves", "map", "mass_at", "pdf_at",
    "ppf_points", "rough_points", "sf_at", "tail",
}  # fmt: skip


def _skip(app: Sphinx, what: str, name: str, found: object, skip: bool, options: Any) -> bool | None:
    """Leave out scikit-learn's methods of metadata routing, and the methods that only new distributions need."""
    if re.fullmatch(r"set_\w+_request", name):
        return True
    of_laws = (getattr(found, "__module__", None) or "").startswith("thresher.population")
    return True if of_laws and name in _LAW_PROTOCOL else None


def _shorten(app: Sphinx, name: str, source: list[str]) -> None:
    """Take away the empty line before the end of a block of examples, which only doctest needs."""
    source[0] = re.sub(r"(^```python\n>>> (?:(?!^```).*\n)*?)\n+```$", r"\1```", source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("missing-reference", _plain)
    app.connect("autodoc-skip-member", _skip)
    app.connect("source-read", _shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
