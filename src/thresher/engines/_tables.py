"""Tables that live in an engine."""

from __future__ import annotations

from typing import Any

from thresher.exceptions import InvalidTypeError

__all__ = ["scan_table"]


def scan_table(cls: type, table: Any, **options: Any) -> Any:
    """Refuse such a table: nothing here counts it yet."""
    raise InvalidTypeError(
        f"`source` must be files, batches or a frame here; got a {type(table).__module__} {type(table).__name__}. "
        "Hint: export it to Parquet, or pass its record batches."
    )
