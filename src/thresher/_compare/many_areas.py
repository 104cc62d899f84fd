"""Areas under very many ROC curves in one call: columns of scores, columns of labels, or groups of rows."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._compare.multiplicity import adjusted
from thresher._core import native
from thresher._core.arrays import as_array, as_labels, as_scores, as_vector, frozen, how_to_copy, unequal
from thresher._core.checks import check_choice, show, warn
from thresher._core.device import is_on_device
from thresher._core.digits import near
from thresher._core.factorise import group_words
from thresher._core.many_sums import SumTable, column_sums, keyed_sums, label_sums, sparse_sums
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.delong import areas_of_sums
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, BoolArray, FloatArray, IntArray

_TESTS = ("wilcoxon", "delong")
_ALTERNATIVES = ("two-sided", "greater", "less")
_ADJUSTMENTS = ("holm", "bh")


@value(repr=False)
class ManyRocAuc(Presented):
    """Areas under many ROC curves, element i of each array belonging to ``names[i]``.

    `to_frame` has one row an area, with two-sided p values of the rank test, plain and by Holm.

    Attributes
    ----------
    names : ndarray of shape (k,)
        The columns, by name or number, or the groups.
    auc : ndarray of shape (k,)
        The area under the ROC curve, the bits of ``Scores(y, s).roc_auc().value``; NaN where a class is missing.
    standard_error : ndarray of shape (k,)
        DeLong's; NaN where a class has fewer than two rows.
    n_pos, n_neg : ndarray of shape (k,)
        The rows of each class.
    null_error : ndarray of shape (k,)
        The standard deviation of the area if scores and labels were independent, ties included: the rank test's.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> many = th.roc_auc_many(y, np.array([[1, 5], [2, 5], [4, 4], [3, 3], [5, 2], [6, 1]]))
    >>> many.auc.round(4)
    array([0.8889, 0.    ])
    """

    names: NDArray[Any]
    auc: FloatArray
    standard_error: FloatArray
    n_pos: IntArray
    n_neg: IntArray
    null_error: FloatArray

    def __len__(self) -> int:
        return int(self.auc.size)

    def pvalues(
        self, *, method: str = "wilcoxon", alternative: str = "two-sided", adjustment: str | None = None
    ) -> FloatArray:
        """Return p values of the areas against 0.5.

        Parameters
        ----------
        method : {"wilcoxon", "delong"}
            The rank-sum test that scores do not depend on the labels, by the normal distribution with ties and without
            a correction for continuity; or DeLong's test that the area is 0.5, which lets the classes differ in spread
            but rejects too often where a class has fewer than about 30 rows.
        alternative : {"two-sided", "greater", "less"}
            Which areas speak against 0.5.
        adjustment : {"holm", "bh"}, optional
            For as many tests as there are areas: Holm's, which bounds the chance of any false rejection, or Benjamini
            and Hochberg's, which bounds the expected proportion of false ones among the rejections.

        Returns
        -------
        ndarray of shape (k,)
            NaN where the error is not defined; those are not counted among the tests.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.random(200) < 0.5
        >>> many = th.roc_auc_many(y, rng.normal(size=(200, 3)) + np.outer(y, [0.0, 1.0, 0.5]))
        >>> many.pvalues(adjustment="holm") < 0.01
        array([False,  True,  True])
        """
        check_choice(method, "method", _TESTS)
        check_choice(alternative, "alternative", _ALTERNATIVES)
        error = self.null_error if method == "wilcoxon" else self.standard_error
        away = self.auc - 0.5
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(away == 0.0, np.where(np.isnan(error), np.nan, 0.0), away / error)
        if alternative == "two-sided":
            found = 2.0 * scipy.special.ndtr(-np.abs(z))
        else:
            found = scipy.special.ndtr(-z if alternative == "greater" else z)
        if adjustment is not None:
            found = adjusted(found, check_choice(adjustment, "adjustment", _ADJUSTMENTS))
        return np.asarray(found)

    def _columns(self) -> dict[str, NDArray[Any]]:
        plain = self.pvalues()
        return {
            "name": self.names,
            "auc": self.auc,
            "standard_error": self.standard_error,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "pvalue": plain,
            "pvalue_adjusted": adjusted(plain, "holm"),
        }

    def __repr__(self) -> str:
        known = np.flatnonzero(~np.isnan(self.auc))
        lines = [f"{len(self):,} areas under ROC curves"]
        if known.size < len(self):
            lines[0] += f", {len(self) - known.size:,} of them NaN because a class is missing"
        ranked = known[np.argsort(-self.auc[known], kind="stable")]
        ends = ranked if ranked.size <= 5 else np.append(ranked[:3], ranked[-2:])
        lines += [
            f"  {self.names[i]}: {near(self.auc[i], self.standard_error[i])} (error {self.standard_error[i]:.2g})"
            for i in ends.tolist()
        ]
        if ranked.size > 5:
            lines.insert(4, "  ...")
        return "\n".join(lines)


def roc_auc_many(
    y_true: Any, y_score: Any, *, by: ArrayLike | None = None, pos_label: object = None, names: Any = None
) -> ManyRocAuc:
    """Return the areas under many ROC curves with DeLong's standard errors, computed on all cores.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels as in `Scores`; of shape (n, k) each column is a problem of its own, against one column of scores or
        against the same column of k columns of scores.
    y_score : array-like or scipy.sparse matrix of shape (n,) or (n, k)
        Scores; of shape (n, k) each column is a problem, against one column of labels or one of its own (columns of two
        frames are matched by name). Rows of a sparse matrix without an entry have score 0 and tie; it is never made
        dense. NaN is refused, +inf and -inf are legal.
    by : array-like of shape (n,), optional
        The group of each row, such as its user or query: integers, which are quickest, numbers, dates, text or other
        objects that compare, in any order. Each group is a problem.
    pos_label : object, optional
        The label of the positive class.
    names : sequence of k names, optional
        Of the columns; by default those of a frame, else 0 to k - 1.

    Returns
    -------
    ManyRocAuc
        In the order of the columns, or of the sorted groups.

    Warns
    -----
    ThresherWarning
        Where a class is missing in some problems: their areas are NaN.

    See Also
    --------
    Scores.roc_auc : One area, with intervals that hold in small samples.
    compare : Tests between a few scorers on the same rows.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), doi:10.2307/2531595

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(1000) < 0.3
    >>> genes = rng.poisson(1.0, size=(1000, 4)) + np.outer(y, [0, 1, 2, 0])
    >>> many = th.roc_auc_many(y, genes, names=["a", "b", "c", "d"])
    >>> many.auc.round(2), many.standard_error.round(3)
    (array([0.47, 0.78, 0.92, 0.5 ]), array([0.019, 0.014, 0.008, 0.018]))

    One figure for each user:

    >>> th.roc_auc_many(y, genes[:, 1], by=rng.integers(0, 5, 1000)).auc.round(2)
    array([0.77, 0.82, 0.77, 0.76, 0.79])
    """
    for name, array in (("y_true", y_true), ("y_score", y_score)):
        if is_on_device(array):
            raise InvalidInputError(
                f"`{name}` must be in main memory; got an array on another device. "
                f"Hint: copy it, {how_to_copy(array)}; thresher never moves rows silently."
            )
    if by is not None:
        problems = _by_group(y_true, y_score, by, pos_label)
        if names is not None:
            raise InvalidInputError("`names` must not be given beside `by`, which are the names.")
    elif _is_sparse(y_score):
        problems = _sparse_columns(y_true, y_score, pos_label)
    else:
        problems = _dense_columns(y_true, y_score, pos_label)
    _refuse_nan(problems)
    return _presented(problems, names)


class _Problems(NamedTuple):
    sums: SumTable
    names: NDArray[Any]
    kind: str


def _is_sparse(matrix: Any) -> bool:
    if not type(matrix).__module__.startswith("scipy.sparse"):
        return False
    import scipy.sparse

    return bool(scipy.sparse.issparse(matrix))


def _by_group(y_true: Any, y_score: Any, by: ArrayLike, pos_label: object) -> _Problems:
    scores, positive = as_scores(y_score, look_for_nan=False), as_labels(y_true, pos_label)
    keys = as_vector(by, "by")
    for size, name in ((positive.size, "y_true"), (keys.size, "by")):
        if size != scores.size:
            raise unequal("y_score", scores.size, name, size)
    if keys.dtype.kind == "f" and bool(np.isnan(keys).any()):
        raise InvalidInputError("`by` must not contain NaN. Hint: remove those rows or give them a group.")
    words = group_words(keys)
    found, sums = keyed_sums(scores, positive, words.words)
    names = words.names(found)
    if keys.dtype.kind not in "iub":
        order = np.argsort(names, kind="stable")
        names, sums = names[order], sums[order]
    return _Problems(sums, names, "group")


def _matrix(value: Any, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a matrix and the names of its columns."""
    names = getattr(value, "columns", None)
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    array = as_array(value, name)
    if array.ndim not in (1, 2) or array.size == 0:
        raise InvalidInputError(
            f"`{name}` must be a column or a matrix with rows and columns; got shape {array.shape}."
        )
    if array.ndim == 1 or names is None or len(names) != array.shape[1]:
        return array, np.arange(1 if array.ndim == 1 else array.shape[1])
    return array, np.asarray(list(names))


def _dense_columns(y_true: Any, y_score: Any, pos_label: object) -> _Problems:
    scores, names = _matrix(y_score, "y_score")
    labels, label_names = _matrix(y_true, "y_true")
    if scores.shape[0] != labels.shape[0]:
        raise unequal("y_score", scores.shape[0], "y_true", labels.shape[0])
    if scores.dtype.kind not in "fiub":
        raise InvalidTypeError(
            f"`y_score` must be real numbers; got dtype {scores.dtype}. Hint: convert the columns to numbers first."
        )
    if not scores.dtype.isnative:
        scores = scores.astype(scores.dtype.newbyteorder("="))
    if labels.ndim == 1:
        matrix = scores.reshape(scores.shape[0], -1)
        return _Problems(column_sums(matrix, as_labels(labels, pos_label)), names, "column")
    across = labels.flags.f_contiguous
    flat = as_labels((labels.T if across else labels).reshape(-1), pos_label)
    positive: BoolArray = flat.reshape(labels.shape[::-1]).T if across else flat.reshape(labels.shape)
    if scores.ndim == 2 and scores.shape[1] != 1:
        if scores.shape != labels.shape:
            raise InvalidInputError(
                "`y_true` and `y_score` must have one shape, or one of them must be a single column; got shapes "
                f"{labels.shape} and {scores.shape}. Hint: columns of both belong together, one by one."
            )
        if hasattr(y_true, "columns") and hasattr(y_score, "columns"):
            if set(names.tolist()) != set(label_names.tolist()):
                raise InvalidInputError(
                    "`y_true` and `y_score` must have columns of the same names; got "
                    f"{show(label_names.tolist())} and {show(names.tolist())}. Hint: columns are matched by name."
                )
            scores = scores[:, [names.tolist().index(one) for one in label_names.tolist()]]
            names = label_names
        each = [column_sums(scores[:, j : j + 1], positive[:, j]) for j in range(scores.shape[1])]
        return _Problems(np.concatenate(each), names, "column")
    scores = scores.reshape(scores.shape[0])
    return _Problems(label_sums(as_scores(scores), positive), label_names, "column")


def _sparse_columns(y_true: Any, y_score: Any, pos_label: object) -> _Problems:
    matrix = y_score.tocsc()
    if matrix.ndim != 2 or not all(matrix.shape):
        raise InvalidInputError(f"`y_score` must be a matrix with rows and columns; got shape {matrix.shape}.")
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    positive = as_labels(y_true, pos_label)
    if positive.size != matrix.shape[0]:
        raise unequal("y_score", matrix.shape[0], "y_true", positive.size)
    if matrix.data.dtype.kind not in "fiub" or matrix.data.dtype.char not in "fd?bBhHiIlLqQ":
        raise InvalidTypeError(
            f"`y_score` must be real numbers of up to 64 bits; got dtype {matrix.data.dtype}. Hint: convert them."
        )
    if matrix.indices.size and not 0 <= int(matrix.indices.min()) <= int(matrix.indices.max()) < positive.size:
        raise InvalidInputError("`y_score` must be a well-formed sparse matrix; got entries outside of its rows.")
    ends = matrix.indptr[1:].astype(np.int64)
    return _Problems(sparse_sums(matrix.data, matrix.indices, ends, positive), np.arange(matrix.shape[1]), "column")


def _refuse_nan(problems: _Problems) -> None:
    wrong = np.flatnonzero(problems.sums[:, 0])
    if wrong.size:
        first = int(wrong[0])
        where = f"{problems.kind} {show(problems.names[first : first + 1].tolist()[0])}"
        more = f" and {wrong.size - 1} more" if wrong.size > 1 else ""
        raise InvalidInputError(
            f"`y_score` must not contain NaN; got NaN in {int(problems.sums[first, 0])} rows of {where}{more}. "
            "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
        )


def _presented(problems: _Problems, names: Any) -> ManyRocAuc:
    found = problems.names
    if names is not None:
        found = np.asarray(list(names))
        if found.shape != problems.names.shape:
            raise unequal("names", found.size, "y_score", problems.names.size)
    sums = problems.sums
    n_pos, n_neg = sums[:, 1].astype(np.int64), sums[:, 2].astype(np.int64)
    missing = (n_pos == 0) | (n_neg == 0)
    if missing.any():
        warn(
            f"{int(missing.sum()):,} of {missing.size:,} {problems.kind}s hold one class only, the first "
            f"{show(found[missing][:1].tolist()[0])}; their area is NaN."
        )
    auc, error = areas_of_sums(sums)
    return ManyRocAuc(frozen(found), auc, error, n_pos, n_neg, null_errors(sums))


def null_errors(sums: SumTable) -> FloatArray:
    """Return the standard deviation of each area over all orders of the labels."""
    return native.many_null_errors(sums) if native.available() else null_errors_numpy(sums)


def null_errors_numpy(sums: SumTable) -> FloatArray:
    """Return the same with NumPy alone."""
    n_pos, n_neg = sums[:, 1].astype(np.int64), sums[:, 2].astype(np.int64)
    rows = (n_pos + n_neg).astype(np.float64)
    ties = sums[:, 9].astype(np.float64) * 2.0**64 + sums[:, 10].astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        # All rows tied leave nothing, whatever rounding says; one row apart takes 3 / rows of their ties away.
        tied = ties >= (rows**3 - rows) * (1.0 - 1e-14)
        spread = np.where(tied, 0.0, rows + 1.0 - ties / (rows * (rows - 1.0)))
        found = np.sqrt(np.maximum(spread, 0.0) / (12.0 * n_pos * n_neg))
    return np.where((n_pos > 0) & (n_neg > 0), found, math.nan)
