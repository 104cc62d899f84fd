"""What is said of missing values, wherever the rows are: how many, of which kind, and what to do."""

from __future__ import annotations

from thresher.exceptions import InvalidInputError

__all__ = ["missing_values"]

_REMEDY = {
    "y_true": "remove those rows",
    "y_score": "remove those rows or give them a score; +inf and -inf are legal scores",
    "sample_weight": "give those rows weight 0 to leave them out",
    "frequency": "give those rows 0 to leave them out",
    "cluster": "give those rows a cluster of their own",
}


def missing_values(name: str, rows: int, *, nan: int, null: int, first: str = "") -> InvalidInputError:
    """Return the error for an argument that `nan` + `null` of all rows leave out; `first` says where the first is."""
    name = name.partition(" ")[0]
    found = " and ".join(f"{count:,} {kind}" for count, kind in ((nan, "NaN"), (null, "NULL")) if count)
    where = f", the first in {first}" if first else ""
    return InvalidInputError(
        f"`{name}` must not be missing; got {found} in {rows:,} rows{where}. Hint: {_REMEDY[name]}."
    )
