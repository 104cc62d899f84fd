"""What several classes and several labels share: each against the rest, averages, and two models compared."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher._classes.values import (
    MOST_VALUES,
    ClassValues,
    Frame,
    added,
    block_moments,
    class_areas,
    combined,
    joint_areas,
    one_class,
    value_of,
    warn_of_classes,
)
from thresher._compare import CombinedEstimate, Estimates, OmnibusTest, SimultaneousIntervals
from thresher._compare.combined_estimate import JointAreas
from thresher._compare.paired_rows import own_influence
from thresher._core.checks import check_choice, did_you_mean, show
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.values import value
from thresher._facade import Scores
from thresher._inference.sampling import Cases, Moments, Stratum
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.typing import BoolArray, FloatArray

_MOST_ROWS = 2**28


class ClassAverages:
    """A metric of each class or label against the rest, and averages of these, with intervals."""

    labels: tuple[Any, ...]
    scores_matrix: NDArray[Any]
    sample_weight: FloatArray | None
    cluster: NDArray[np.intp] | None

    # What a problem says of itself

    def _positive(self, place: int) -> BoolArray:
        """Return which cases belong to a class, by its number."""
        raise NotImplementedError

    @property
    def _labels_of_rows(self) -> NDArray[Any]:
        """The class of each case as a number, or a matrix of truth values."""
        raise NotImplementedError

    @property
    def _kind(self) -> NDArray[np.intp] | None:
        """The true class of each case, if classes exclude each other."""
        return None

    @property
    def _frame(self) -> Frame:
        code = self.cluster
        n = self.scores_matrix.shape[0]
        cases = Cases(n if code is None else int(code.max()) + 1, code)
        return Frame(cases, self.sample_weight, None if code is not None else self._kind)

    @property
    def _totals(self) -> FloatArray:
        """The weight of the members of each class."""
        each = self._frame.each
        return np.array([float((self._positive(j) * each).sum()) for j in range(len(self.labels))])

    def _place(self, label: Any) -> int:
        if label in self.labels:
            return self.labels.index(label)
        names = [str(one) for one in self.labels]
        raise InvalidInputError(
            f"There must be a class {show(label)}; there are {show(list(self.labels))}.{did_you_mean(label, names)}"
        )

    def scores(self, label: Any) -> Scores:
        """Return the Scores of one class against the rest, with everything that Scores offers.

        Parameters
        ----------
        label : object
            A class.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> data = th.multiclass(["a", "b", "c", "a"], [[3, 2, 1], [1, 3, 2], [2, 2, 3], [2, 1, 0]])
        >>> data.scores("a").roc_auc().value
        0.875
        """
        j = self._place(label)
        return Scores(
            self._positive(j), self.scores_matrix[:, j], sample_weight=self.sample_weight, cluster=self.cluster
        )

    @property
    def _large(self) -> bool:
        """Whether the values of all cases and classes need too much memory."""
        return self._frame.cases.size * len(self.labels) > MOST_VALUES

    def _values(self, measure: Measure, part: slice | None = None) -> ClassValues:
        """Return the column of each class, or of some of them."""
        frame = self._frame
        part = slice(0, len(self.labels)) if part is None else part
        if measure == RocAuc():
            areas = class_areas(frame, self.scores_matrix, self._labels_of_rows, part)
            if areas is not None:
                return areas
        k = part.stop - part.start
        values, columns = np.empty(k), np.empty((frame.cases.size, k), order="F")
        n_pos, n_neg = np.empty(k), np.empty(k)
        for i in range(k):
            j = part.start + i
            members, name = self._positive(j), str(self.labels[j])
            values[i], columns[:, i] = one_class(measure, frame, members, self.scores_matrix[:, j], name)
            n_pos[i], n_neg[i] = frame.worth(members), frame.worth(~members)
        return ClassValues(values, columns, n_pos, n_neg)

    def _summed(self, measure: Measure, weights: FloatArray) -> tuple[ClassValues, FloatArray]:
        """Return the metric of each class and the weighted sum of what each case adds to them."""
        if self._large:
            return added(partial(self._values, measure), self._frame.cases.size, weights)
        found = self._values(measure)
        return found, found.columns @ weights

    def _moments(self, columns: FloatArray, sizes: ClassValues) -> Moments:
        """Return the covariance of columns, a column for each class of one model after the other.

        Strata are the true classes; of labels that do not exclude each other, the sides of each label.
        """
        frame = self._frame
        if frame.kind is not None or self.cluster is not None:
            strata = frame.strata(columns)
            return Moments(np.asarray(sum(one.covariance for one in strata)), strata)
        out = []
        for j in range(len(self.labels)):
            own, members = np.arange(j, columns.shape[1], len(self.labels)), self._positive(j)
            for side, size in ((members, sizes.n_pos[j]), (~members, sizes.n_neg[j])):
                part = columns[:, own][side]
                out.append(Stratum(float(size), own, part.T @ part))
        return Moments(columns.T @ columns, tuple(out))

    def _label_strata(self, columns: FloatArray, sizes: ClassValues) -> tuple[Stratum, ...] | None:
        """Return the strata of a mean over labels that do not exclude each other; None if classes do."""
        if self._frame.kind is not None or self.cluster is not None:
            return None
        strata = self._moments(columns / len(self.labels), sizes).strata
        return tuple(one._replace(columns=np.array([0])) for one in strata)

    def per_class(self, metric: str | Measure = "roc_auc", **options: Any) -> Estimates:
        """Return a metric of each class against the rest, with the covariance of the classes.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            A name of `thresher.measures.names()`, or an object of `thresher.measures`, that has influence values.
        **options
            Options of the metric.

        Returns
        -------
        Estimates
            Called by class, as text.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from sklearn.naive_bayes import GaussianNB
        >>> import thresher as th
        >>> X, y = load_wine(return_X_y=True)
        >>> proba = GaussianNB().fit(X[::2, :2], y[::2]).predict_proba(X[1::2, :2])
        >>> th.multiclass(y[1::2], proba).per_class("roc_auc")
        3 estimates of roc_auc, 95% intervals
          0  0.86 (0.71 to 0.93)
          1  0.936 (0.835 to 0.977)
          2  0.890 (0.782 to 0.946)
        """
        measure = as_measure(metric, **options)
        if self._large:
            of, cases = partial(self._values, measure), self._frame.cases.size
            found, moments = block_moments(
                of, cases, self._positive if self.cluster is None else None, len(self.labels)
            )
        else:
            found = self._values(measure)
            moments = self._moments(found.columns, found)
        warn_of_classes(measure, found, self.labels, None, found.n_pos)
        names = tuple(str(label) for label in self.labels)
        measures = (measure,) * len(names)
        return Estimates(names, found.values, measures, found.n_pos, found.n_neg, moments)

    def macro(self, metric: str | Measure = "roc_auc", **options: Any) -> CombinedEstimate:
        """Return the mean of a metric over classes, each counting once.

        Parameters
        ----------
        metric, **options
            As in `per_class`.

        Returns
        -------
        CombinedEstimate
            Of ROC areas its interval takes at each end the wider of two, since neither covers everywhere.

        Warns
        -----
        ThresherWarning
            When a class has fewer than ten cases, or is separated from the rest; for average precision when a class has
            fewer than twenty.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> proba = rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y]
        >>> th.multiclass(y, proba).macro("roc_auc")
        macro roc_auc = 0.836, 95% interval 0.803 to 0.862
        """
        return self._averaged(as_measure(metric, **options), "macro")[0]

    def weighted(self, metric: str | Measure = "roc_auc", **options: Any) -> CombinedEstimate:
        """Return the mean of a metric over classes, each weighted by how many cases it has.

        Parameters
        ----------
        metric, **options
            As in `per_class`.

        Returns
        -------
        CombinedEstimate
            Its standard error allows for the sizes of the classes, which vary with the sample.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> proba = rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y]
        >>> th.multiclass(y, proba).weighted("average_precision")
        weighted average_precision = 0.741, 95% interval 0.696 to 0.782
        """
        return self._averaged(as_measure(metric, **options), "weighted")[0]

    def micro(self, metric: str | Measure = "roc_auc", **options: Any) -> CombinedEstimate:
        """Return a metric of all scores of all classes in one table, whose rows share cases.

        Parameters
        ----------
        metric, **options
            As in `per_class`.

        Returns
        -------
        CombinedEstimate
            Its standard error counts cases, of which each has a row for every class.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> proba = rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y]
        >>> th.multiclass(y, proba).micro("roc_auc")
        micro roc_auc = 0.837, 95% interval 0.801 to 0.866
        """
        return self._averaged(as_measure(metric, **options), "micro")[0]

    def compare(
        self, other: Self, metric: str | Measure = "roc_auc", *, average: str = "macro", **options: Any
    ) -> ClassComparison:
        """Compare with another model of the same cases, on average and class by class.

        Parameters
        ----------
        other : Multiclass or Multilabel
            The second model: the same labels, weights and clusters.
        metric, **options
            As in `per_class`.
        average : {"macro", "weighted", "micro"}
            Which average is compared; for several classes also "hand_till".

        Returns
        -------
        ClassComparison
            The difference, this one minus the other, by Student's t; those of each class, with adjusted p values; and
            a test that no class differs.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> noise = rng.normal(size=(300, 3))
        >>> a, b = th.multiclass(y, noise + 1.5 * np.eye(3)[y]), th.multiclass(y, noise + np.eye(3)[y])
        >>> found = a.compare(b)
        >>> found.difference.value > 0, found.pvalue < 0.001
        (True, True)
        """
        self._check_same(other)
        measure = as_measure(metric, **options)
        check_choice(average, "average", self._averages)
        if self._large:
            raise InvalidInputError(
                f"A comparison is for at most {MOST_VALUES:,} scores; got {self.scores_matrix.size:,}. "
                "Hint: compare on some of the cases."
            )
        mine, theirs = self._values(measure), other._values(measure)
        k = len(self.labels)
        a, ua = self._average(measure, average)[:2]
        b, ub = other._average(measure, average)[:2]
        frame = self._frame
        strata = self._label_strata(mine.columns - theirs.columns, mine) if average == "macro" else None
        difference = combined(
            f"{average} {measure.described()}", a - b, ua - ub, frame, measure.bounds, difference=True, strata=strata
        )
        warn_of_classes(measure, mine, self.labels, average, np.ones(k))
        names = tuple(f"{side}:{label}" for side in ("self", "other") for label in self.labels)
        values, n_pos, n_neg = (
            np.append(getattr(mine, one), getattr(theirs, one)) for one in ("values", "n_pos", "n_neg")
        )
        moments = self._moments(np.hstack((mine.columns, theirs.columns)), mine)
        both = Estimates(names, values, (measure,) * (2 * k), n_pos, n_neg, moments)
        contrasts = np.hstack((np.eye(k), -np.eye(k)))
        return ClassComparison(difference, average, a, b, both, tuple(map(str, self.labels)), both.omnibus(contrasts))

    # How averages are made

    @property
    def _averages(self) -> tuple[str, ...]:
        return ("macro", "weighted", "micro")

    def _averaged(self, measure: Measure, average: str) -> tuple[CombinedEstimate, FloatArray]:
        value, column, found = self._average(measure, average)
        joint, strata = None, None
        if found is not None:
            k = len(self.labels)
            part = np.full(k, 1.0 / k) if average == "macro" else self._totals / self._totals.sum()
            warn_of_classes(measure, found, self.labels, average, part)
            if found.columns.size:
                joint = joint_areas(measure, found, part)
                strata = self._label_strata(found.columns, found) if average == "macro" else None
        elif measure == RocAuc():
            joint = self._one_area(value)
        name = f"{average} {measure.described()}"
        return combined(name, value, column, self._frame, measure.bounds, joint=joint, strata=strata), column

    def _one_area(self, value: float) -> JointAreas:
        """Return the micro-averaged area as that of as many cases, each of which stands on both sides."""
        size = np.array([self._frame.worth(np.ones(self.scores_matrix.shape[0], dtype=np.bool_))])
        return JointAreas(np.ones(1), np.array([value]), size, size, np.ones((1, 1)))

    def _average(self, measure: Measure, average: str) -> tuple[float, FloatArray, ClassValues | None]:
        """Return an average, what each case adds to it, and the metric of each class."""
        if average == "micro":
            return *self._micro(measure), None
        if average == "macro":
            k = len(self.labels)
            found, column = self._summed(measure, np.full(k, 1.0 / k))
            return float(found.values.mean()), column, found
        frame, totals = self._frame, self._totals
        part = totals / totals.sum()
        found, column = self._summed(measure, part)
        value = float(part @ found.values)
        # The proportions of the classes vary with the sample too.
        away = np.zeros(self.scores_matrix.shape[0])
        for j in range(len(self.labels)):
            away += self._positive(j) * (found.values[j] - value)
        return value, column + frame.summed(away * frame.each / totals.sum()), found

    def _micro(self, measure: Measure) -> tuple[float, FloatArray]:
        """Return the metric of the table of all classes and what each case adds."""
        n, k = self.scores_matrix.shape
        if n * k > _MOST_ROWS:
            raise InvalidInputError(
                f"A micro average is for at most {_MOST_ROWS:,} scores; got {n * k:,}. "
                "Hint: the macro and weighted averages need less memory; or draw some of the cases."
            )
        frame = self._frame
        positive = np.column_stack([self._positive(j) for j in range(k)]).reshape(-1)
        scores = np.ascontiguousarray(self.scores_matrix).reshape(-1)
        weight = None if self.sample_weight is None else np.repeat(self.sample_weight, k)
        table = Counts(positive, scores, sample_weight=weight)
        value = value_of(measure, table, "micro average")
        influence, odds = own_influence(measure, table, scores, positive, plain=weight is None)
        code = np.arange(n) if self.cluster is None else self.cluster
        rows = Cases(frame.cases.size, np.repeat(code, k))
        return value, rows.values(influence, positive, weight, odds=odds)

    def _check_same(self, other: object) -> None:
        if type(other) is not type(self) or not isinstance(other, ClassAverages):
            raise InvalidTypeError(f"`other` must be a {type(self).__name__}; got {show(other)}.")
        same = self.labels == other.labels and self.scores_matrix.shape == other.scores_matrix.shape
        same = same and all(np.array_equal(self._positive(j), other._positive(j)) for j in range(len(self.labels)))
        for name in ("sample_weight", "cluster"):
            a, b = getattr(self, name), getattr(other, name)
            same = same and (a is b or (a is not None and b is not None and np.array_equal(a, b)))
        if not same:
            raise InvalidInputError(
                "`other` must hold the same cases: classes in the same order, weights and clusters. "
                "Hint: make both of the same `y_true`; unequal samples are not paired."
            )


@value(slots=False, repr=False)
class ClassComparison(Presented):
    """Two models compared over several classes, the first minus the second.

    Attributes
    ----------
    difference : CombinedEstimate
        Of the averages, with interval and p value by Student's t.
    average : str
        Which average.
    value_a, value_b : float
        The averages.
    estimates : Estimates
        The metric of each class by both models, called ``"self:class"`` and ``"other:class"``, with their covariance.
    omnibus : OmnibusTest
        The test that no class differs.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 300)
    >>> noise = rng.normal(size=(300, 3))
    >>> a, b = th.multiclass(y, noise + 1.5 * np.eye(3)[y]), th.multiclass(y, noise + np.eye(3)[y])
    >>> a.compare(b)
    Comparison of macro roc_auc: 0.836 and 0.731
      difference +0.104 [+0.093, +0.115], p = 2.7e-53
      no class differs: p = 6.6e-81
    """

    difference: CombinedEstimate
    average: str
    value_a: float
    value_b: float
    estimates: Estimates
    _labels: tuple[str, ...]
    omnibus: OmnibusTest

    @property
    def pvalue(self) -> float:
        """The two-sided p value of the difference of the averages."""
        return self.difference.pvalue

    @cached_property
    def classes(self) -> SimultaneousIntervals:
        """The difference of each class, with intervals that hold together and adjusted p values."""
        k = len(self._labels)
        return self.estimates.simultaneous(np.hstack((np.eye(k), -np.eye(k))), names=self._labels)

    def _facts(self) -> Row:
        low, high = self.difference._quiet()
        return {
            "average": self.average,
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": self.difference.value,
            "low": low,
            "high": high,
            "pvalue": self.pvalue,
            "pvalue_no_class_differs": self.omnibus.pvalue,
        }

    def _columns(self) -> dict[str, Any]:
        return {**self.classes._columns()}

    def __repr__(self) -> str:
        ends = self.difference._quiet()
        a, b, *_ = beside_interval(*ends, self.value_a, self.value_b)
        change, low, high = beside_interval(*ends, self.difference.value, sign="+")
        return (
            f"Comparison of {self.difference.name}: {a} and {b}\n"
            f"  difference {change} [{low}, {high}], p = {self.pvalue:.2g}\n"
            f"  no class differs: p = {self.omnibus.pvalue:.2g}"
        )
