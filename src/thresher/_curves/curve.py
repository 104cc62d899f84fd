"""What every curve is: a list of confusion matrices with their thresholds."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import frozen
from thresher._core.checks import check_fractions, check_number, show
from thresher._core.decimals import portion
from thresher._core.device_path import rows_around
from thresher._core.digits import count_text
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Drawn, own_constructors
from thresher._core.values import Value
from thresher._curves.operating_point import Mix, OperatingPoint
from thresher._curves.points import Bracket, bracket_fp, bracket_tp, counts_between
from thresher._table import (
    EXACT,
    CellSample,
    Counts,
    RateErrorBound,
    cell_sample,
    kernels_take,
    mixed_sample,
    rate_error_bound,
    running_counts,
    with_empty,
)
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, FloatArray


class Curve(Drawn, Presented, Value):
    """A list of confusion matrices, from predicting nothing positive to predicting everything positive.

    `RocCurve` and `PrCurve` are two views of it; between two of its points counts are interpolated linearly, which
    is right in both spaces. Two curves are equal if they are of the same kind and have the same thresholds (NaN
    equal to NaN), counts, prevalence asked for and error bound.

    Parameters
    ----------
    thresholds : ndarray of shape (k,)
        Point i predicts a row positive when its score is at least ``thresholds[i]``. The first, which no score of the
        data reaches, is +inf, or NaN when +inf is a score; others are NaN if they are unknown.
    tp, fp : ndarray of shape (k,)
        True and false positives at each point, from (0, 0) to all.
    prevalence : float, optional
        The proportion of positives to which precision refers; the sample's own by default.
    rate_error_bound : RateErrorBound, optional
        How far rates at a threshold can be from those of the full data.
    sample : Counts, optional
        The table it was made from, whose weights or clusters its operating points carry along.
    every_score : bool, default=False
        Whether every score of the data is among the thresholds, so that thresholds between two of them are alike.
    """

    _in_space: ClassVar[dict[str, Any]] = {}
    """The curves that see the same matrices in a named space; each enters itself, so that none imports the other."""
    area_measures: ClassVar[dict[str, Any]] = {}
    """The measures of area, which stand above the curves and enter themselves."""
    _compared: ClassVar[tuple[str, ...]] = ("_thresholds", "_tp", "_fp", "_prevalence", "_rate_error_bound", "_sample")
    _parts: ClassVar[tuple[str, ...]] = (*_compared, "_every_score")

    _source: Counts | None = None
    """Where the columns come from when they are first asked for; None where they were given."""
    _prevalence: float | None
    _rate_error_bound: RateErrorBound
    _sample: Counts | None
    _every_score: bool

    @staticmethod
    def _area_measure(name: str) -> Any:
        if not Curve.area_measures:
            import_module("thresher.measures")
        return Curve.area_measures[name]

    def __init_subclass__(cls, *, space: str | None = None) -> None:
        super().__init_subclass__()
        own_constructors(cls)
        if space is not None:
            Curve._in_space[space] = cls

    def __init__(
        self,
        thresholds: NDArray[Any],
        tp: CountArray,
        fp: CountArray,
        *,
        prevalence: float | None = None,
        rate_error_bound: RateErrorBound = EXACT,
        sample: Counts | None = None,
        every_score: bool = False,
    ) -> None:
        self.__dict__.update(
            _thresholds=frozen(thresholds),
            _tp=frozen(tp),
            _fp=frozen(fp),
            _prevalence=prevalence,
            _rate_error_bound=rate_error_bound,
            # Counts determine rows that are counted and independent.
            _sample=None if sample is None or sample._plain_rows else sample,
            _every_score=every_score,
        )

    @classmethod
    def _of_table(cls, counts: Counts, *, prevalence: float | None = None) -> Self:
        """Return the curve through every point of a table; a long one need not have all its columns."""
        out = object.__new__(cls)
        out.__dict__.update(
            _source=counts,
            _prevalence=prevalence,
            _rate_error_bound=rate_error_bound(counts),
            _sample=None if counts._plain_rows else counts,
            _every_score=counts._complete,
        )
        return out

    @property
    def _counts(self) -> Counts:
        assert self._source is not None  # noqa: S101  # for the type checker: given columns are never asked for
        return self._source

    @cached_property
    def _thresholds(self) -> NDArray[Any]:
        return frozen(with_empty(self._counts.thresholds, self._counts._highest_scores[0]))

    @cached_property
    def _tp(self) -> CountArray:
        return frozen(_padded(running_counts(self._counts)[0]))

    @cached_property
    def _fp(self) -> CountArray:
        return frozen(_padded(running_counts(self._counts)[1]))

    @property
    def _kernel_counts(self) -> tuple[CountArray, CountArray] | None:
        """The running counts behind the points after the first, where the compiled kernels can divide them."""
        if self._source is None or not kernels_take(self._source):
            return None
        return running_counts(self._source)

    def _shares(self, side: int) -> FloatArray:
        """Return the proportion of all positives (0) or of all negatives (1) that each point calls."""
        counts, total = self._kernel_counts, (self.n_pos, self.n_neg)[side]
        if counts is not None:
            return frozen(native.rates(counts[side], total))
        return frozen((self._tp, self._fp)[side] / total)

    def __len__(self) -> int:
        return int(self._tp.size) if self._source is None else len(self._source) + 1

    @cached_property
    def thresholds(self) -> NDArray[Any]:
        """Point i predicts a row positive when its score is at least ``thresholds[i]``.

        The first is +inf and predicts nothing positive, also when the next is a score of +inf.
        """
        if self._thresholds[0] == self._thresholds[0]:
            return self._thresholds
        return frozen(np.append(self._thresholds.dtype.type(np.inf), self._thresholds[1:]))

    @property
    def tp(self) -> CountArray:
        """True positives at each point."""
        return self._tp

    @property
    def fp(self) -> CountArray:
        """False positives at each point."""
        return self._fp

    @property
    def n_pos(self) -> Any:
        """All positives."""
        return self._tp[-1].item() if self._source is None else self._source.n_pos

    @property
    def n_neg(self) -> Any:
        """All negatives."""
        return self._fp[-1].item() if self._source is None else self._source.n_neg

    @property
    def prevalence(self) -> float:
        """The proportion of positives to which precision refers."""
        if self._prevalence is not None:
            return self._prevalence
        return float(self.n_pos / (self.n_pos + self.n_neg))

    @property
    def rate_error_bound(self) -> RateErrorBound:
        """How far TPR and FPR at any threshold can be from those of the full data: 0 unless rows stand for ranges."""
        return self._rate_error_bound

    @property
    def skew(self) -> float:
        """By how much one false positive of the sample counts in precision: 1 unless another prevalence was given."""
        if self._prevalence is None:
            return 1.0
        return float((1.0 - self._prevalence) / self._prevalence * (self.n_pos / self.n_neg))

    def at(
        self,
        *,
        threshold: float | None = None,
        fpr: float | None = None,
        tpr: float | None = None,
        recall: float | None = None,
        top: float | None = None,
    ) -> OperatingPoint:
        """Return the operating point at a threshold, at a rate, or at a depth of the ranking.

        Parameters
        ----------
        threshold : float
            Predict a row positive when its score is at least this. Always a point of the curve.
        fpr : float
            The point with this false positive rate and the highest true positive rate for it.
        tpr, recall : float
            The point with this true positive rate and the lowest false positive rate for it.
        top : float
            The number of rows with the highest scores that are predicted positive: ``at(top=10).precision`` is the
            precision at 10. If the last of them tie with others, counts are those expected in a random order.

        Returns
        -------
        OperatingPoint
            Between two thresholds its counts are expected ones, ``mix`` says how to reach it, and ``threshold`` is
            the one of the two that keeps the request: `fpr` and `top` at most, `recall` and `tpr` at least. On a PR
            curve a point that predicts nothing positive has the precision of point 0.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]).pr()
        >>> curve.at(recall=0.75).precision
        0.75
        >>> curve.at(recall=0.75).mix
        Mix(high=0.8, low=0.4, probability=0.5)
        >>> curve.at(top=2).precision
        0.75
        """
        point = self._at({"threshold": threshold, "fpr": fpr, "tpr": tpr, "recall": recall, "top": top})
        if point.tp + point.fp > 0 or self._empty_precision is None:
            return point
        return replace(point, empty_precision=self._empty_precision)

    @property
    def _empty_precision(self) -> float | None:
        """The precision of a point that predicts nothing positive, if the curve has a convention for it."""
        return None

    def _at(self, asked: dict[str, Any]) -> OperatingPoint:
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) != 1:
            listed = ", ".join(f"{name}={value!r}" for name, value in given.items()) or "none"
            raise InvalidInputError(
                f"`at` takes exactly one of `threshold`, `fpr`, `tpr`, `recall` and `top`; got {listed}. "
                "Hint: for example `at(fpr=0.1)`."
            )
        (name, value), *_ = given.items()
        near = self._around(name, value)
        if near is not None:
            return near._at(given)
        if name == "threshold":
            return self._point(self._index_of(value), value)
        if name == "top":
            return self._between(self._bracket_top(value))
        target = check_fractions(value, name)
        if target.ndim:
            raise InvalidInputError(f"`{name}` must be one number; got shape {target.shape}. Hint: use `interpolate`.")
        if name == "fpr":
            return self._between(bracket_fp(self._fp, portion(target, self.n_neg)))
        return self._between(bracket_tp(self._tp, portion(target, self.n_pos)), loose=True)

    def _around(self, name: str, value: Any) -> Self | None:
        """Return the few points of a curve on a device that an operating point depends on; None of other curves."""
        ranks = None if self._source is None else self._source._ranks
        if ranks is None or name == "top":
            return None
        if name == "threshold":
            target = np.asarray(value)
            usable = target.ndim == 0 and target.dtype.kind in "iuf" and bool(target == target)
        else:
            target = portion(check_fractions(value, name), self.n_neg if name == "fpr" else self.n_pos)
            usable = target.ndim == 0
        if not usable:  # refused further on
            return None
        scores, tp, fp = rows_around(ranks, name, target.item())
        columns = with_empty(scores), _padded(tp), _padded(fp)
        return type(self)(*columns, prevalence=self._prevalence, every_score=True)

    def roc_auc(self) -> Any:
        """Return the area under the curve in ROC space, straight between its points, with its uncertainty.

        Of published points, what happened between two of them is not known: the area has an `error_bound` within which
        the full data's area lies, and its intervals are wider by it.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import thresher as th
        >>> area = th.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], n_pos=50, n_neg=80).roc_auc()
        >>> round(area.value, 4), round(area.error_bound, 4)
        (0.845, 0.095)
        """
        return self._area_measure("roc_auc")().estimate(self._counted())

    def pr_auc(self, *, estimator: str = "interpolated") -> Any:
        """Return the area under the curve in precision-recall space, with its uncertainty; see `Scores.pr_auc`.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import thresher as th
        >>> area = th.PrCurve.from_points([0.6, 0.9], [0.75, 0.6], n_pos=50, n_neg=80).pr_auc()
        >>> round(area.value, 4), area.error_bound > 0
        (0.6951, True)
        """
        return self._area_measure("pr_auc")(estimator, self._prevalence).estimate(self._counted())

    def _counted(self) -> Counts:
        """Return the table behind the curve; rows between published points stand for ranges of unknown scores."""
        if self._sample is not None:
            return self._sample
        table = np.diff(self._tp), np.diff(self._fp)
        scores = self._thresholds[1:]
        if not np.isnan(scores.astype(np.float64)).any():
            return Counts._from_table((scores, *table))
        ranks = np.arange(len(self) - 1, 0, -1, dtype=np.float64)
        return Counts._from_table((ranks, *table), ranks + 0.5)

    def _bracket_top(self, top: object) -> Bracket:
        called = self._tp + self._fp
        most = called[-1].item()
        depth = check_number(top, "top", f"a number of rows from 0 to {most:,}")
        if not 0 <= depth <= most:
            raise InvalidInputError(f"`top` must be a number of rows from 0 to {most:,}; got {show(top)}.")
        return bracket_tp(called, np.asarray(depth))

    def _between(self, bracket: Bracket, *, loose: bool = False) -> OperatingPoint:
        """Return a point between two others, known by the looser or by the stricter of their thresholds."""
        before, after, share = int(bracket[0]), int(bracket[1]), float(bracket[2])
        if share in (0.0, 1.0):
            return self._point(before if share == 0.0 else after)
        mix = self._mix(before, after, share)
        tp, fp = (float(counts_between(counts, bracket)) for counts in (self._tp, self._fp))
        kept = after if loose else before
        return self._with_cells(self._threshold(kept), tp, fp, mix, self._next_lower(kept))

    def _with_cells(
        self, threshold: float, tp: float, fp: float, mix: Mix | None, next_lower: float | None
    ) -> OperatingPoint:
        rest, sample = (self.n_pos - tp, self.n_neg - fp), self._behind(threshold, mix)
        return OperatingPoint(threshold, tp, fp, *rest, self.skew, mix, sample, next_lower=next_lower)

    def _mix(self, before: int, after: int, share: float) -> Mix:
        """Return a mixture of two points; NaN and NaN if the curve does not know both thresholds."""
        high, low = self._threshold(before), self._threshold(after)
        known = low == low and (before == 0 or high == high)
        return Mix(high, low, share) if known else Mix(np.nan, np.nan, share)

    def _behind(self, threshold: float, mix: Mix | None = None) -> CellSample | None:
        """Return what the rows behind a point tell."""
        if self._sample is None:
            return None
        if mix is None:
            return cell_sample(self._sample, threshold)
        return mixed_sample(self._sample, mix.high, mix.low, mix.probability)

    def _index_of(self, threshold: float) -> int:
        scores = self._thresholds[1:]
        if not isinstance(threshold, int | float | np.number) or threshold != threshold:
            raise InvalidInputError(f"`threshold` must be a number; got {threshold!r}. Hint: for example 0.5.")
        if any(value != value for value in scores[:1].tolist()):
            raise InvalidInputError(
                "`threshold` needs a curve with thresholds; this one was made from published points. "
                "Hint: ask by `fpr`, `tpr` or `recall`."
            )
        return int(np.searchsorted(-scores, -threshold, side="right"))

    def _threshold(self, index: int) -> float:
        value = self._thresholds[index]
        return value.item() if isinstance(value, np.floating) and value.dtype.itemsize <= 8 else value

    def _next_lower(self, index: int) -> float | None:
        """Return the score below point i; None where the curve does not know all scores."""
        if not self._every_score:
            return None
        return float(self._threshold(index + 1)) if index + 1 < len(self) else -np.inf

    def _point(self, index: int, threshold: float | None = None) -> OperatingPoint:
        """Return point i, at its own threshold or at another that makes the same calls."""
        tp, fp = self._tp[index].item(), self._fp[index].item()
        threshold = self._threshold(index) if threshold is None else threshold
        return self._with_cells(threshold, tp, fp, None, self._next_lower(index))

    def _seen_in(self, space: str, prevalence: float | None) -> Any:
        """Return the same confusion matrices in a space."""
        return Curve._in_space[space](
            self._thresholds,
            self._tp,
            self._fp,
            prevalence=prevalence,
            rate_error_bound=self._rate_error_bound,
            sample=self._sample,
            every_score=self._every_score,
        )

    def _facts(self) -> Row:
        return {"n_pos": self.n_pos, "n_neg": self.n_neg, "prevalence": self.prevalence}

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}: {len(self):,} points, {count_text(self.n_pos)} positives, "
            f"{count_text(self.n_neg)} negatives, "
            f"prevalence {self.prevalence:.4g}"
        )


def _padded(counts: CountArray) -> CountArray:
    """Return running counts after the empty call's 0, in 64 bits."""
    out = np.empty(counts.size + 1, counts.dtype if counts.dtype.kind == "f" else np.int64)
    out[0] = 0
    out[1:] = counts
    return out
