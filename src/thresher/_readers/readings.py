"""The ratings of a reader study, checked, and who read what."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_labels, as_scores, as_vector
from thresher._core.checks import show
from thresher._core.frames import columns_of
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure
from thresher.typing import BoolArray, ScoreArray

ReadingCodes = NDArray[np.int64]
_ALL = "all"
"""The name of the only modality of a study without a column of modalities."""


@value(repr=False)
class Readings(Presented):
    """One rating a row, sorted by modality, reader and case; cells are pairs of modality and reader that occur."""

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    truth: BoolArray
    """Whether each case is positive."""
    modality: ReadingCodes
    reader: ReadingCodes
    """The modality and the reader of each cell."""
    starts: ReadingCodes
    """The first row of each cell, and the number of rows."""
    case: ReadingCodes
    rating: ScoreArray
    """The case and the rating of each row."""

    def rows(self, cell: int) -> slice:
        """Return the rows of a cell."""
        return slice(int(self.starts[cell]), int(self.starts[cell + 1]))

    def positive(self, cell: int) -> BoolArray:
        """Return which rows of a cell are of positive cases."""
        return np.asarray(self.truth[self.case[self.rows(cell)]])

    def table(self, cell: int) -> Counts:
        """Return the table of a cell."""
        return Counts(self.positive(cell), self.rating[self.rows(cell)])

    def sizes(self, cell: int) -> tuple[int, int]:
        """Return the positive and the negative cases of a cell."""
        positive = self.positive(cell)
        return int(positive.sum()), int((~positive).sum())

    def named(self, cell: int) -> str:
        """Return a cell as messages call it."""
        where = f" in {show(self.modalities[self.modality[cell]])}" if len(self.modalities) > 1 else ""
        return f"reader {show(self.readers[self.reader[cell]])}{where}"

    @property
    def design(self) -> str:
        """How readers stand to modalities: "crossed", "nested" or "incomplete"."""
        if self.modality.size == len(self.modalities) * len(self.readers):
            return "crossed"
        return "nested" if self.modality.size == len(self.readers) else "incomplete"

    @property
    def case_design(self) -> str:
        """Which readers read which cases, in words."""
        read = np.zeros((self.modality.size, len(self.cases)), dtype=np.bool_)
        read[np.repeat(np.arange(self.modality.size), np.diff(self.starts)), self.case] = True
        if read.all():
            return "every reader reads every case"
        if self._apart(read, self.reader):
            return "each reader reads cases of their own"
        if self._apart(read, self.modality):
            return "each modality has cases of its own"
        return "readers read different sets of cases, which overlap"

    @staticmethod
    def _apart(read: BoolArray, of_cell: ReadingCodes) -> bool:
        """Return whether no case belongs to two readers, or to two modalities."""
        kinds = [read[of_cell == one].any(axis=0) for one in np.unique(of_cell).tolist()]
        return len(kinds) > 1 and bool((np.sum(kinds, axis=0) == 1).all())

    def check(self, measure: Measure) -> None:
        """Refuse cells with fewer cases than a variance needs."""
        wanted = {"both": (2, 2), "pos": (2, 0), "neg": (0, 2), "either": (0, 0)}[measure.classes]
        for cell in range(self.modality.size):
            for size, least, side in zip(self.sizes(cell), wanted, ("positive", "negative"), strict=True):
                if size < least:
                    raise InvalidInputError(
                        f"Each reader must read at least 2 {side} cases in a modality for the variance of "
                        f"{measure.title!r}; {self.named(cell)} reads {size}. Hint: leave that reader out."
                    )


def read_frame(frame: Any, *, pos_label: object, **names: str | None) -> Readings:
    """Check the columns of a frame, given by name as for `read_columns`, and sort its rows."""
    for name, column in names.items():
        if name != next(one for one, other in names.items() if other == column) and column is not None:
            raise InvalidInputError(
                f"`{name}` must name a column of its own; {show(column)} is named twice. Hint: check the names."
            )
    return read_columns(columns_of(frame, **names), pos_label)


def read_columns(columns: dict[str, Any], pos_label: object) -> Readings:
    """Check the columns reader, case, modality (which may be None), truth and rating, and sort their rows."""
    rated = as_scores(columns["rating"], "rating")
    rated = rated + rated.dtype.type(0) if rated.dtype.kind == "f" else rated.copy()
    positive = as_labels(columns["truth"], pos_label, "truth")
    readers, of_reader = _names(columns["reader"], "reader")
    cases, of_case = _names(columns["case"], "case")
    if columns["modality"] is None:
        columns = columns | {"modality": [_ALL] * rated.size}
    modalities, of_modality = _names(columns["modality"], "modality")
    order = np.lexsort((of_case, of_reader, of_modality))
    of_modality, of_reader, of_case = of_modality[order], of_reader[order], of_case[order]
    positive, rated = positive[order], rated[order]
    truths = np.bincount(of_case, positive), np.bincount(of_case, ~positive)
    both = np.flatnonzero((truths[0] > 0) & (truths[1] > 0))
    if both.size:
        at = int(both[0])
        raise InvalidInputError(
            f"Each case must have one truth; case {show(cases[at])} is positive in {int(truths[0][at])} rows and "
            f"negative in {int(truths[1][at])}. Hint: if case numbers begin anew for each reader, modality or site, "
            "join these to the number."
        )
    cell = of_modality * len(readers) + of_reader
    same = np.flatnonzero((np.diff(cell) == 0) & (np.diff(of_case) == 0))
    if same.size:
        at = int(same[0])
        raise InvalidInputError(
            f"Each reader must rate a case once in a modality; reader {show(readers[of_reader[at]])} has several "
            f"ratings of case {show(cases[of_case[at]])}. Hint: keep one of them, or name the column that tells them "
            "apart as the modality."
        )
    found, starts = np.unique(cell, return_index=True)
    return Readings(
        modalities,
        readers,
        cases,
        truths[0] > 0,
        found // len(readers),
        found % len(readers),
        np.append(starts, rated.size).astype(np.int64),
        of_case.astype(np.int64),
        rated,
    )


def _names(column: Any, name: str) -> tuple[tuple[str, ...], ReadingCodes]:
    """Return the distinct values of a column in their order, as text, and which of them each row has."""
    values = as_vector(column, name)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise InvalidInputError(f"`{name}` must not be missing; got NaN in a row. Hint: fill or remove that row.")
    distinct, codes = np.unique(values, return_inverse=True)
    return tuple(str(one) for one in distinct.tolist()), codes.reshape(-1).astype(np.int64)
