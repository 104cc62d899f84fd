"""Where rows come from: batches of columns, with what is known about them beforehand."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError


@dataclass(frozen=True, slots=True)
class Source:
    """Batches of rows."""

    batches: Callable[[], Iterator[Any]]
    rows: int | None = None
    score_types: dict[str, list[Any]] = field(default_factory=dict)
    """Of each column of scores, the types it has in files or fragments."""
    overlap: bool = False
    where: Callable[[], str] = str


def arguments(names: dict[str, str], kind: str) -> list[str]:
    """Return the arguments of a kind among names of columns: the second `y_score` is called "y_score 2"."""
    return [argument for argument in names if argument.partition(" ")[0] == kind]


def no_column(
    argument: str, name: object, columns: list[str], *, repeated: bool = False, file: str = ""
) -> InvalidInputError:
    """Return the error for a name that is not, or not only once, among the columns."""
    argument = argument.partition(" ")[0]
    of = f" of {show(file, 200)}" if file else ""
    if repeated:
        return InvalidInputError(
            f"`{argument}` must name one column{of}; {show(name)} is the name of several. Hint: rename one of them."
        )
    listed = ", ".join(repr(column) for column in columns[:20]) + (", ..." if len(columns) > 20 else "")
    return InvalidInputError(f"`{argument}` must name a column{of}; got {show(name)}. Hint: the columns are {listed}.")


def ahead(batches: Iterator[Any], depth: int = 4) -> Generator[Any, None, None]:
    """Yield batches that another thread fetches while the caller works on earlier ones; at most `depth` wait."""
    waiting: queue.Queue[tuple[str, Any]] = queue.Queue(depth)
    stop = threading.Event()

    def put(item: tuple[str, Any]) -> bool:
        while not stop.is_set():
            try:
                waiting.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def fetch() -> None:
        try:
            for batch in batches:
                if not put(("batch", batch)):
                    return
            put(("end", None))
        except BaseException as error:  # raised again in the caller's thread
            put(("error", error))

    reader = threading.Thread(target=fetch, name="thresher-read", daemon=True)
    reader.start()
    try:
        while True:
            kind, value = waiting.get()
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value
    finally:
        stop.set()
        reader.join()


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
