"""The four cells of a confusion matrix, in whatever numbers a formula is evaluated: doubles, integers, complex."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from thresher._core.decimals import as_written

STEP = 1e-20
"""The imaginary step of a derivative: its square vanishes beside any cell."""


class Matrix(NamedTuple):
    """True positives, false positives, false negatives and true negatives, with their sums by row and by column."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    @property
    def pos(self) -> Any:
        """Positives."""
        return self.tp + self.fn

    @property
    def neg(self) -> Any:
        """Negatives."""
        return self.fp + self.tn

    @property
    def called(self) -> Any:
        """Predicted positives."""
        return self.tp + self.fp

    @property
    def rest(self) -> Any:
        """Predicted negatives."""
        return self.fn + self.tn

    @property
    def total(self) -> Any:
        """Rows."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def cross(self) -> Any:
        """TP TN - FP FN: 0 where predictions are independent of the classes."""
        return self.tp * self.tn - self.fp * self.fn


def _exact_quotient(above: Any, below: Any) -> float:
    if not below:
        return np.inf if above > 0 else -np.inf if above < 0 else np.nan
    try:
        return float(above / below)  # of integers and of fractions, correctly rounded
    except OverflowError:
        return float(np.copysign(np.inf, above))


_exact_quotients = np.frompyfunc(_exact_quotient, 2, 1)


def divide(above: Any, below: Any) -> Any:
    """Return a quotient: +inf where a positive number is divided by 0, NaN for 0 / 0."""
    if np.result_type(above, below).kind == "O":
        return np.asarray(_exact_quotients(above, below)).astype(np.float64)
    return np.divide(above, below)


def with_kink(x: Any, at: Any) -> Any:
    """Return x, with no derivative at the places of a kink."""
    return np.where(at & (x.imag != 0.0), x.real + 1j * np.nan, x) if np.iscomplexobj(x) else x


def absolute(x: Any) -> Any:
    """Return the absolute value."""
    return with_kink(np.where(x.real < 0.0, -x, x), x.real == 0.0) if np.iscomplexobj(x) else np.abs(x)


def least(x: Any, y: Any) -> Any:
    """Return the smaller of two numbers."""
    if np.iscomplexobj(x) or np.iscomplexobj(y):
        return x - with_kink(np.where(x.real > y.real, x - y, 0.0), x.real == y.real)
    return np.minimum(x, y)


def root(x: Any) -> Any:
    """Return a square root, in doubles."""
    if np.iscomplexobj(x):
        flat = x.real <= 0.0
        return np.where(flat, 0.0 + 1j * np.nan, np.sqrt(np.where(flat, 1.0, x)))
    return np.sqrt(np.asarray(x, dtype=np.float64))


def logarithm(x: Any) -> Any:
    """Return ln(1 + x), in doubles."""
    return np.log1p(x if np.iscomplexobj(x) else np.asarray(x, dtype=np.float64))


_fractions = np.frompyfunc(lambda x: Fraction(x) if np.isfinite(x) else np.nan, 1, 1)


def exact_numbers(cell: Any) -> Any:
    """Return an array of integers, or of the fractions that doubles are."""
    return cell.astype(object) if cell.dtype.kind in "iub" else _fractions(cell)


def as_doubles(cells: Matrix) -> Matrix:
    """Return the cells as arrays of doubles of one shape."""
    return Matrix(*np.broadcast_arrays(*(np.asarray(cell, dtype=np.float64) for cell in cells)))


def scaled(cells: Matrix) -> tuple[Matrix, Any]:
    """Return doubles divided by a power of two near their total, so that products keep in range; and that power."""
    total = cells.total
    _, exponent = np.frexp(np.where(np.isfinite(total), total, 1.0))
    return Matrix(*(np.ldexp(cell, -exponent) for cell in cells)), exponent


def with_prevalence(cells: Matrix, prevalence: float | None) -> Matrix:
    """Return the proportions of the four cells where a share `prevalence` of the rows is positive."""
    if prevalence is None:
        return cells
    if cells.tp.dtype == object:
        share: Any = as_written(prevalence)
        quotient: Any = np.frompyfunc(lambda a, b: Fraction(a) / b if b else np.nan, 2, 1)
    else:
        share, quotient = float(prevalence), divide
    tpr, fpr, fnr, tnr = (
        quotient(cell, whole) for cell, whole in zip(cells, (cells.pos, cells.neg, cells.pos, cells.neg), strict=True)
    )
    return Matrix(share * tpr, (1 - share) * fpr, share * fnr, (1 - share) * tnr)


def centred(values: Matrix, cells: Matrix, per_pos: Any, per_neg: Any) -> Matrix:
    """Return one value for each cell less its mean over the class, times a factor for each class."""
    mean_pos = divide(cells.tp * values.tp + cells.fn * values.fn, cells.pos)
    mean_neg = divide(cells.fp * values.fp + cells.tn * values.tn, cells.neg)
    return Matrix(
        per_pos * (values.tp - mean_pos),
        per_neg * (values.fp - mean_neg),
        per_pos * (values.fn - mean_pos),
        per_neg * (values.tn - mean_neg),
    )
