"""Maps from scores to probabilities, fitted on tuning data and carried to others."""

from __future__ import annotations

from typing import Any, Self, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import as_array, frozen
from thresher._core.checks import check_choice, check_prevalence, show, warn
from thresher._core.values import Value
from thresher._curves import HullBlocks, blocks_of, check_probabilities, hull_blocks, odds_factor, shifted
from thresher._inference.calibration import fit_logistic
from thresher._table import Counts, as_counts, check_two_classes
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError
from thresher.typing import ArrayLike, FloatArray

CALIBRATORS = ("isotonic", "platt", "logistic", "temperature", "beta", "venn-abers", "prior")
_READS_PROBABILITIES = ("logistic", "temperature", "beta", "prior")

C = TypeVar("C", bound=Counts)


class Calibrator(Value):
    """A monotone map from scores to probabilities, fitted on tuning data.

    Made by `Calibrator.fit`. Two calibrators are equal if they are the same map.

    Examples
    --------
    Fit on one half, measure on the other:

    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> x = rng.random(4000)
    >>> y = rng.random(4000) < 0.25 + x / 2
    >>> tuning, test = th.Scores(y[:2000], x[:2000]), th.Scores(y[2000:], x[2000:])
    >>> calibrator = th.Calibrator.fit(tuning, method="logistic")
    >>> before, after = (s.calibration().decomposition() for s in (test, calibrator.apply(test)))
    >>> round(before.miscalibration, 4), round(after.miscalibration, 4)
    (0.0284, 0.0031)
    """

    _parts = ("_method", "_tuning", "_knots", "_values", "_step")
    _compared = ("_method", "_knots", "_values", "_step")

    _method: str
    _tuning: Counts
    _knots: FloatArray
    _values: FloatArray
    _step: bool

    def __init__(self, method: str, tuning: Counts, knots: FloatArray, values: FloatArray, step: bool = False) -> None:
        self.__dict__.update(_method=method, _tuning=tuning, _knots=frozen(knots), _values=frozen(values), _step=step)

    @classmethod
    def fit(
        cls,
        tuning_scores: Counts,
        *,
        method: str = "isotonic",
        between: str = "linear",
        ends: str = "exact",
        prevalence: float | None = None,
        clip: float | None = None,
    ) -> Self:
        """Fit a calibrator on tuning data.

        Parameters
        ----------
        tuning_scores : Scores
            Data that neither trained the classifier nor will test it.
        method : {"isotonic", "platt", "logistic", "temperature", "beta", "venn-abers", "prior"}
            "isotonic": the ROC convex hull; exact, any scores, needs many rows. "platt": logit p = a score + b with
            Platt's targets; any scores. "logistic": logit p = a + b logit(score); "temperature": without a. "beta":
            logit p = a log x - b log(1 - x) + c with a, b >= 0. "venn-abers": isotonic with one case more of either
            class, merged; never 0 or 1. "prior": moves the odds to another prevalence and fits nothing.
        between : {"linear", "step"}
            For "isotonic": between two blocks a chord, or the value of the nearest score below.
        ends : {"exact", "laplace"}
            For "isotonic": pure blocks at the ends say 0 and 1, or (positives + 1) / (rows + 2).
        prevalence : float, optional
            For "prior": the proportion of positives to move to.
        clip : float, optional
            For "logistic", "temperature" and "beta": scores 0 and 1 become `clip` and 1 - `clip`.

        Returns
        -------
        Calibrator

        References
        ----------
        .. [1] M. Kull, T. Silva Filho and P. Flach, "Beta calibration", AISTATS 2017.
        .. [2] V. Vovk, I. Petej and V. Fedorova, "Large-scale probabilistic predictors with and without guarantees of
           validity", NIPS 2015.

        Examples
        --------
        >>> import thresher as th
        >>> tuning = th.Scores([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> th.Calibrator.fit(tuning).predict([8, 5.5, 1]).round(2)
        array([1. , 0.5, 0. ])
        """
        counts = as_counts(tuning_scores, "tuning_scores")
        if method == "sigmoid":
            raise InvalidInputError("`method` must be a calibrator; got 'sigmoid'. Hint: its name here is 'platt'.")
        check_choice(method, "method", CALIBRATORS)
        check_two_classes(counts, "A calibrator")
        if (method == "prior") != (prevalence is not None):
            raise InvalidInputError(
                f"`prevalence` must be given with method='prior' and with nothing else; got {show(prevalence)}."
            )
        check_choice(between, "between", ("linear", "step"))
        check_choice(ends, "ends", ("exact", "laplace"))
        if method in _READS_PROBABILITIES:
            check_probabilities(counts, f"The calibrator {method!r}")
        if method == "isotonic":
            return cls(method, counts, *_isotonic(counts, ends), between == "step")
        if method == "venn-abers":
            low, high = venn_abers(counts)
            knots = np.asarray(counts.thresholds[::-1], dtype=np.float64)
            return cls(method, counts, knots, (high / (1.0 - low + high))[::-1])
        if method == "prior":
            share = check_prevalence(prevalence)
            return cls(method, counts, np.array([]), np.array([odds_factor(share, counts.prevalence)]))
        return cls(method, counts, np.array([]), _coefficients(counts, method, clip))

    @property
    def method(self) -> str:
        """How it was fitted."""
        return self._method

    @property
    def coefficients(self) -> FloatArray:
        """The fitted coefficients: (slope, intercept) of "platt", "logistic" and "temperature", (a, b, c) of "beta"."""
        if self._knots.size:
            raise InvalidInputError(f"{self.method!r} has no coefficients; it is a table of scores and values.")
        return self._values

    def predict(self, scores: ArrayLike) -> FloatArray:
        """Return the probabilities of scores.

        Examples
        --------
        >>> import thresher as th
        >>> tuning = th.Scores([1, 0, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.5, 0.4, 0.2, 0.1])
        >>> th.Calibrator.fit(tuning, method="platt").predict([0.1, 0.5, 0.9]).round(2)
        array([0.23, 0.42, 0.65])
        """
        try:
            x = as_array(scores, "scores").astype(np.float64, copy=False)
        except ThresherError:
            raise
        except (TypeError, ValueError):
            raise InvalidTypeError(f"`scores` must be numbers; got {show(scores)}.") from None
        if self._knots.size:
            if self._step:
                place = np.searchsorted(self._knots, x, side="right") - 1
                return np.asarray(self._values[np.maximum(place, 0)])
            return np.asarray(np.interp(x, self._knots, self._values))
        with np.errstate(divide="ignore"):
            if self.method == "prior":
                return shifted(x, float(self._values[0]))
            if self.method == "platt":
                return np.asarray(scipy.special.expit(self._values[0] * x + self._values[1]))
            if self.method == "beta":
                a, b, c = self._values.tolist()
                eta = _times(a, np.log(x)) - _times(b, np.log1p(-x)) + c
            else:
                eta = self._values[0] * (np.log(x) - np.log1p(-x)) + self._values[1]
        return np.asarray(scipy.special.expit(eta))

    def apply(self, scores: C) -> C:
        """Return the table with calibrated scores; scores that become equal are merged.

        Parameters
        ----------
        scores : Scores
            Test data, or those of the deployment.

        Returns
        -------
        Scores

        Warns
        -----
        ThresherWarning
            When the table is the tuning data themselves: what is measured there is optimistic, and the miscalibration
            of "isotonic" is 0 by construction.

        Examples
        --------
        >>> import thresher as th
        >>> tuning = th.Scores([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> test = th.Scores([1, 0, 1, 0], [7.5, 5.5, 4.5, 0.5])
        >>> th.Calibrator.fit(tuning).apply(test).thresholds
        array([1.  , 0.5 , 0.25, 0.  ])
        """
        counts = as_counts(scores)
        if counts == self._tuning:
            warn(
                "The calibrator is applied to the data it was fitted on, so what is measured on them is optimistic. "
                "Hint: fit on tuning data and apply to others."
            )
        moved = self.predict(counts.thresholds)
        return type(scores).from_counts(moved, counts.pos, counts.neg)

    def __repr__(self) -> str:
        if self._knots.size:
            return f"Calibrator({self.method}, {self._knots.size:,} knots)"
        listed = ", ".join(f"{number:.6g}" for number in self._values)
        return f"Calibrator({self.method}, {listed})"


def _times(factor: float, number: Any) -> Any:
    """Return the product, where nothing of an infinity is nothing."""
    return np.zeros_like(number) if factor == 0.0 else factor * number


def _isotonic(counts: Counts, ends: str) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest score of every block with its value, rising."""
    blocks = blocks_of(counts)
    pos, neg = blocks.pos.astype(np.float64), blocks.neg.astype(np.float64)
    values = pos / (pos + neg)
    if ends == "laplace":
        for j in (0, -1):
            if pos[j] == 0.0 or neg[j] == 0.0:
                values[j] = (pos[j] + 1.0) / (pos[j] + neg[j] + 2.0)
        values = np.maximum.accumulate(values[::-1])[::-1]
    scores = np.asarray(counts.thresholds, dtype=np.float64)
    knots = np.column_stack((scores[blocks.starts], scores[blocks.ends])).ravel()[::-1]
    both = np.repeat(values, 2)[::-1]
    # A block of one score has one knot.
    kept = np.append(True, np.diff(knots) > 0.0)
    return knots[kept], both[kept]


def _coefficients(counts: Counts, method: str, clip: float | None) -> FloatArray:
    x = np.asarray(counts.thresholds, dtype=np.float64)
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    what = f"The calibrator {method!r}"
    if method == "platt":
        if not np.isfinite(x).all():
            raise InvalidInputError("The calibrator 'platt' needs finite scores; got an infinite one.")
        # Targets a little inside 0 and 1, so that separated classes have a finite fit.
        high, low = (pos.sum() + 1.0) / (pos.sum() + 2.0), 1.0 / (neg.sum() + 2.0)
        pos, neg = pos * high + neg * low, pos * (1.0 - high) + neg * (1.0 - low)
        centre, scale = float(np.mean(x)), float(np.std(x)) or 1.0
        slope, start = fit_logistic(_design((x - centre) / scale), pos, neg, what=what).coefficients.tolist()
        return np.array([slope / scale, start - slope * centre / scale])
    if clip is not None:
        x = np.clip(x, clip, 1.0 - clip)
    elif x[0] == 1.0 or x[-1] == 0.0:
        raise InvalidInputError(
            f"{what} needs scores strictly between 0 and 1; got 0 or 1, without a logit. "
            "Hint: pass `clip=1e-6` to move them, or method='isotonic'."
        )
    up, down = np.log(x), np.log1p(-x)
    if method == "temperature":
        return np.append(fit_logistic((up - down)[:, None], pos, neg, what=what).coefficients, 0.0)
    if method == "logistic":
        return fit_logistic(_design(up - down), pos, neg, what=what).coefficients
    columns = {"a": up, "b": -down}
    while True:
        design = np.column_stack([*columns.values(), np.ones(x.size)])
        fitted = fit_logistic(design, pos, neg, what=what).coefficients
        falling = [name for name, number in zip(columns, fitted, strict=False) if number < 0.0]
        if not falling:
            found = dict(zip([*columns, "c"], fitted.tolist(), strict=True))
            return np.array([found.get("a", 0.0), found.get("b", 0.0), found["c"]])
        columns.pop(falling[0])


def _design(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack((x, np.ones(x.size)))


_MOST_SCORES = 20_000


def venn_abers(counts: Counts) -> tuple[FloatArray, FloatArray]:
    """Return, at each distinct score, the value with one negative more and with one positive more.

    Blocks that do not hold the score stay whole, because nothing in them changed; so each value needs the blocks and
    the scores of one of them, and not the whole table.
    """
    if counts._weighted:
        raise InvalidInputError("The calibrator 'venn-abers' adds one case, so it needs whole counts; got weights.")
    if len(counts) > _MOST_SCORES:
        raise InvalidInputError(
            f"The calibrator 'venn-abers' takes at most {_MOST_SCORES:,} distinct scores; got {len(counts):,}. "
            "Hint: method='isotonic' with ends='laplace', or round the scores."
        )
    blocks = blocks_of(counts)
    values = np.empty((2, len(counts)))
    for j, (first, last) in enumerate(zip(blocks.starts.tolist(), blocks.ends.tolist(), strict=True)):
        inside = slice(first, last + 1)
        pos = np.concatenate((blocks.pos[:j], counts.pos[inside], blocks.pos[j + 1 :]))
        neg = np.concatenate((blocks.neg[:j], counts.neg[inside], blocks.neg[j + 1 :]))
        for i in range(first, last + 1):
            values[:, i] = _with_one_more(pos, neg, j + i - first)
    return values[0], values[1]


def _with_one_more(pos: np.ndarray, neg: np.ndarray, at: int) -> tuple[float, float]:
    out = []
    for column in (neg, pos):
        column[at] += 1
        found: HullBlocks = hull_blocks(np.cumsum(pos), np.cumsum(neg))
        column[at] -= 1
        k = int(np.searchsorted(found.ends, at, side="left"))
        out.append(float(found.pos[k] / (found.pos[k] + found.neg[k])))
    return out[0], out[1]
