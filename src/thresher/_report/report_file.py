"""What `th.report` returns: the path of the page, which a notebook shows as the page itself."""

from __future__ import annotations

from html import escape
from pathlib import Path

__all__ = ["ReportFile"]

_TALL = 820


class ReportFile(type(Path())):  # type: ignore[misc]  # the concrete path of this system
    """The file of a report: a path that displays the page in a notebook."""

    __slots__ = ()

    @property
    def path(self) -> Path:
        """The path alone."""
        return Path(self)

    def _repr_html_(self) -> str | None:
        """Return the page in a frame of its own; nothing once the file is gone."""
        if not self.path.is_file():
            return None
        page = escape(self.path.read_text(encoding="utf-8"), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{escape(self.name)}" width="100%" height="{_TALL}" '
            'style="border:0" sandbox="allow-scripts allow-downloads"></iframe>'
        )
