"""Tables of an engine that runs in this very process: their rows are at hand, and are counted here."""

from __future__ import annotations

from typing import Any

from thresher._core.checks import require

__all__ = ["local_rows"]


def local_rows(table: Any, names: dict[str, str]) -> Any:
    """Return an Ibis table as a relation of DuckDB where that is the quicker way; None where it is not.

    DuckDB runs here: to hand over its rows costs less than the queries that would count them inside it. Decimals and
    the like stay there, which the engine compares as they are.
    """
    if type(table).__module__.partition(".")[0] != "ibis" or table.get_backend().name != "duckdb":
        return None
    operations = require("ibis.expr.operations", extra="engines", purpose="Counting a table")
    wanted = list(dict.fromkeys(names.values()))
    known = set(wanted) <= set(table.columns) and not table.op().find(operations.InMemoryTable)
    if not known or not all(_plain(table[name].type()) for name in wanted):
        return None
    backend = table.get_backend()
    return backend.con.sql(str(backend.compile(table.select(*wanted))))


def _plain(kind: Any) -> bool:
    return any((kind.is_boolean(), kind.is_integer(), kind.is_floating(), kind.is_string()))
