"""A metric of the confusion matrix: its formula, and what estimates, intervals and tests need to know of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from thresher._cells.matrix import STEP, Matrix, as_doubles, centred, divide, exact_numbers, root, scaled
from thresher._cells.matrix import with_prevalence as at_balance
from thresher._core.values import value
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, FloatArray

Ratio = Callable[[Matrix], tuple[Any, Any]]
CellPair = tuple[str, str]

_WHOLE = 2**53  # up to here every integer is a double
_HIGHER = ("tp", "tn")


@value(slots=False)
class Fold:
    """How a metric that is not monotone in its cells follows from one that is: by a square, a modulus, or a zero."""

    kind: str
    base: CellMetric


@value(slots=False)
class CellMetric:
    """A metric of the four cells, with everything that estimates, intervals and tests need to know of it.

    Attributes
    ----------
    name, label, aliases : str, str, tuple of str
        The name in code, the one in text, and those of other libraries.
    ratio : callable, optional
        Cells to numerator and denominator, both polynomials with integer coefficients: the metric itself, or with
        `root` its square, or what orders tables as the metric does.
    form : callable, optional
        Cells to the value, where that is not the ratio or its root.
    better : {"higher", "lower", None}
        Which direction is better; None if neither is.
    rises : pair of cells or None
        The metric never falls when a positive moves to the first cell or a negative to the second; None if it is not
        monotone.
    bounds : pair of float
        The range.
    free : bool
        Whether the metric is the same at every prevalence.
    needs : str
        The classes without which it is not defined: "", "P", "N" or "PN".
    share : pair of tuples of cells or None
        For a proportion: the cells with the property, and those without.
    silent : bool
        Whether the metric is 0, its limit, when nothing or everything is predicted positive.
    degree : int
        How often the metric doubles when every cell doubles: 0, but 1 for chi-square.
    """

    name: str
    label: str
    aliases: tuple[str, ...] = ()
    ratio: Ratio | None = None
    form: Callable[[Matrix], Any] | None = None
    root: bool = False
    better: str | None = "higher"
    rises: CellPair | None = _HIGHER
    bounds: tuple[float, float] = (0.0, 1.0)
    free: bool = False
    needs: str = ""
    share: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    silent: bool = False
    degree: int = 0
    fold: Fold | None = None
    slope: Callable[[Matrix], Matrix] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CellMetric):
            return NotImplemented
        return (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.name, dict(self.options))

    def value(
        self,
        tp: ArrayLike,
        fp: ArrayLike,
        fn: ArrayLike,
        tn: ArrayLike,
        *,
        prevalence: float | None = None,
        exact: bool = True,
    ) -> FloatArray:
        """Return the metric of each table: +inf for a positive number over 0, NaN if it has no limit there.

        If `exact`, rational metrics are correctly rounded, whatever the size of the cells, and roots of them are to one
        unit in the last place. Without it everything is in doubles: to a few units, and many tables are quicker.
        """
        given = np.broadcast_arrays(*(np.asarray(cell) for cell in (tp, fp, fn, tn)))
        cells = [np.atleast_1d(cell) for cell in given]
        if exact and self.slope is None and self._beyond_doubles(cells, prevalence):
            table = Matrix(*(exact_numbers(cell) for cell in cells))
        else:
            table = as_doubles(Matrix(*cells))
            if not exact and self.slope is None and self.degree == 0:
                table, _ = scaled(table)
        with np.errstate(all="ignore"):
            found = np.asarray(self.of(at_balance(table, prevalence)), dtype=np.float64)
        return found.reshape(given[0].shape)[()]

    def _beyond_doubles(self, cells: list[Any], prevalence: float | None) -> bool:
        """Return whether some step of the formula may leave the integers that doubles hold."""
        for cell in cells:
            if cell.dtype.kind not in "iub" and not bool(np.all(np.rint(cell) == cell)):
                return True
        total = math.fsum(float(np.max(cell, initial=0)) for cell in cells)
        if prevalence is not None or not total < _WHOLE:
            return True
        n = int(total) + 1
        if self.form is not None or self.ratio is None:
            return n * n >= _WHOLE
        return n > _most_rows(self)

    def of(self, cells: Matrix) -> Any:
        """Return the metric of cells that are doubles, exact numbers or complex; the caller silences NumPy."""
        if self.form is not None:
            found = np.asarray(self.form(cells))
            found = found.astype(np.float64) if found.dtype.kind == "O" else found
        else:
            found = divide(*self.ratio(cells))  # type: ignore[misc]  # a metric has one of the two
            found = root(found) if self.root else found
        if not self.silent:
            return found
        limit = 1j * np.nan if np.iscomplexobj(found) else 0.0
        unknown = np.isnan(found.real)
        found = np.where(unknown, limit, found) if unknown.any() else found
        for name, total in (("P", cells.pos), ("N", cells.neg)):
            if name in self.needs and not np.all(total):
                found = np.where(np.asarray(total == 0, dtype=np.bool_), np.nan, found)
        return found

    def gradient(
        self, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike, *, prevalence: float | None = None
    ) -> Matrix:
        """Return the derivatives by the four cells; NaN at a kink, at an infinite value and at a limit."""
        cells = as_doubles(Matrix(*(np.asarray(cell) for cell in (tp, fp, fn, tn))))
        with np.errstate(all="ignore"):
            if prevalence is not None:
                there = self.gradient(*at_balance(cells, prevalence))
                return centred(there, cells, prevalence / cells.pos, (1.0 - prevalence) / cells.neg)
            if self.slope is not None:
                return self.slope(cells)
            small, exponent = scaled(cells)
            found = self.of(small)
            smooth = np.isfinite(found)
            if self.root or (self.fold is not None and self.fold.kind == "absolute"):
                smooth &= found > 0.0
            elif self.silent:
                smooth &= np.asarray(small.called * small.rest) > 0.0
            slopes = [np.where(smooth, one, np.nan) for one in self._steps(small)]
            # What rounding left of a derivative that is 0 would make the variance of a perfect table positive.
            noise = 4.0 * np.finfo(np.float64).eps
            for first, second, whole in ((0, 2, small.pos), (1, 3, small.neg)):
                size = np.where(whole > 0.0, np.abs(found) / whole, 0.0)
                tiny = noise * np.fmax(np.fmax(np.abs(slopes[first]), np.abs(slopes[second])), size)
                for place in (first, second):
                    slopes[place] = np.where(np.abs(slopes[place]) <= tiny, 0.0, slopes[place])
            return Matrix(*(np.ldexp(slope, exponent * (self.degree - 1)) for slope in slopes))

    def _steps(self, cells: Matrix) -> list[FloatArray]:
        """Return derivatives by imaginary steps, which lose no digit to cancellation."""
        slopes = []
        for place in range(4):
            moved = list(cells)
            moved[place] = cells[place] + 1j * STEP
            found = self.of(Matrix(*moved))
            slopes.append(np.where(np.isfinite(found.real), found.imag / STEP, np.nan))
        return slopes


@lru_cache(maxsize=256)
def _most_rows(metric: CellMetric) -> int:
    """Return a number of rows, a power of 2, up to which no step of a ratio leaves the integers that doubles hold."""
    for power in range(53, 0, -1):
        n = 2**power
        even = Fraction(n, 4)
        tables = [(even, even, even, even)] + [tuple(n * (k == j) for j in range(4)) for k in range(4)]
        ratio = metric.ratio
        assert ratio is not None  # noqa: S101  # for the type checker
        steps = [abs(part) for table in tables for part in ratio(Matrix(*(np.array(c, dtype=object) for c in table)))]
        if bool(4 * max(steps) < _WHOLE):
            return int(n)
    return 0


def from_function(
    function: Callable[[Any, Any, Any, Any], Any],
    *,
    gradient: Callable[[Any, Any, Any, Any], Any] | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    better: str | None = "higher",
    name: str | None = None,
) -> CellMetric:
    """Return the metric that a function of four arrays of cells computes.

    The gradient is the one given, or found by imaginary steps, or, for functions that do not take complex numbers, by
    central differences. Where it fails the check that a metric of proportions does not change when all cells double, it
    is NaN: resampling and the posterior interval do without.
    """

    def form(c: Matrix) -> Any:
        found = np.asarray(function(*c))
        if found.shape != np.shape(c.tp):
            raise InvalidInputError(
                f"A metric of the cells must return an array like theirs, of shape {np.shape(c.tp)}; got shape "
                f"{found.shape}. Hint: write it with NumPy functions."
            )
        return found

    label = name or str(getattr(function, "__name__", "function"))
    given = {"function": function, "gradient": gradient, "bounds": bounds, "better": better, "name": name}
    base = CellMetric(label, label, form=form, rises=None, better=better, bounds=bounds, options=given)

    def slope(c: Matrix) -> Matrix:
        found = _own_gradient(base, c) if gradient is None else Matrix(*np.broadcast_arrays(*gradient(*c)))
        terms = [cell * part for cell, part in zip(c, found, strict=True)]
        wrong = np.abs(sum(terms)) > 1e-6 * sum(np.abs(term) for term in terms)
        return Matrix(*(np.where(wrong, np.nan, part) for part in found))

    return replace(base, slope=slope)


def _own_gradient(metric: CellMetric, cells: Matrix) -> Matrix:
    """Return derivatives by imaginary steps where central differences agree with them, else by the differences."""
    differences = [_difference(metric, cells, place) for place in range(4)]
    try:
        steps = metric._steps(cells)
    except (TypeError, ValueError):
        return Matrix(*differences)
    size = sum(np.abs(part) for part in differences)
    agree = sum(np.abs(a - b) for a, b in zip(steps, differences, strict=True)) <= 1e-5 * size
    return Matrix(*(np.where(agree, a, b) for a, b in zip(steps, differences, strict=True)))


def _difference(metric: CellMetric, cells: Matrix, place: int) -> FloatArray:
    """Return the central difference along one cell; one-sided, of the same order, where the cell is empty."""
    cell = cells[place]
    h = np.finfo(np.float64).eps ** (1.0 / 3.0) * np.maximum(cell, 1.0)

    def at(steps: float) -> Any:
        return metric.of(cells._replace(**{Matrix._fields[place]: cell + steps * h}))

    central = (at(1.0) - at(-1.0)) / (2.0 * h)
    onward = (4.0 * at(1.0) - at(2.0) - 3.0 * at(0.0)) / (2.0 * h)
    return np.asarray(np.where(cell < h, onward, central))


def _rebuilt(name: str, options: dict[str, Any]) -> CellMetric:
    from thresher._cells.catalogue import find  # which lists metrics of this class

    return from_function(**options) if "function" in options else find(name, **options)
