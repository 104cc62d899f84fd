"""Labels and a matrix of scores with a column for each class or label, checked; columns of frames by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._classes.values import MOST_VALUES
from thresher._core.arrays import as_array, as_vector, as_weights, unequal
from thresher._core.checks import show
from thresher._core.frames import frame_columns
from thresher._table import all_equal, as_clusters
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, FloatArray


class CaseParts(NamedTuple):
    """What cases have beside labels and scores: which of them count, their weights and clusters."""

    kept: NDArray[np.intp] | None
    weight: FloatArray | None
    cluster: NDArray[np.intp] | None


def case_parts(sample_weight: ArrayLike | None, cluster: ArrayLike | None, size: int) -> CaseParts:
    """Return weights and cluster codes; cases of weight 0 are left out, and equal weights count as no weights."""
    weight = None if sample_weight is None else as_weights(sample_weight, size, beside="y_true").astype(np.float64)
    code = None if cluster is None else as_clusters(cluster, size)
    kept = None
    if weight is not None and not (weight > 0.0).all():
        kept = np.flatnonzero(weight > 0.0)
        weight, code = weight[kept], None if code is None else code[kept]
    if weight is not None and (not weight.size or all_equal(weight)):
        weight = None
    if code is not None:
        names, code = np.unique(code, return_inverse=True)
        code = None if names.size == code.size else code.reshape(-1).astype(np.intp)
    return CaseParts(kept, weight, code)


def class_columns(
    y_true: ArrayLike, proba: Any, labels: ArrayLike | None
) -> tuple[tuple[Any, ...], NDArray[np.intp], NDArray[Any]]:
    """Return the classes, the class of each case as a number of them, and a column of scores for each class."""
    y = as_vector(y_true, "y_true")
    present, code = _coded(y)
    classes = _plain(present.tolist() if labels is None else as_vector(labels, "labels").tolist())
    columns = frame_columns(proba)
    if columns is not None:
        if labels is None:
            classes = _named(present.tolist(), list(columns))
        proba = _stacked(columns, classes, "a class")
    scores = _matrix(proba, y.size)
    if len(classes) != scores.shape[1]:
        raise InvalidInputError(
            f"`proba` must have a column for each class; got {scores.shape[1]} columns for {len(classes)} classes. "
            "Hint: name the class of each column by `labels`, for example `estimator.classes_`."
        )
    place = {label: j for j, label in enumerate(classes)}
    if len(place) < len(classes):
        raise InvalidInputError("`labels` must name each class once. Hint: for example `estimator.classes_`.")
    unknown = [label for label in present.tolist() if label not in place]
    if unknown:
        raise InvalidInputError(f"`labels` must name every class of `y_true`; {unknown[0]!r} is missing.")
    moved = np.array([place[label] for label in present.tolist()], dtype=np.intp)
    return classes, moved[code], scores


def label_columns(
    y_true: Any, proba: Any, labels: ArrayLike | None
) -> tuple[tuple[Any, ...], NDArray[np.bool_], NDArray[Any]]:
    """Return the labels, a table of which case has which, and a column of scores for each label."""
    truth, columns = frame_columns(y_true), frame_columns(proba)
    names = None if labels is None else _plain(as_vector(labels, "labels").tolist())
    if names is None:
        names = tuple(truth or columns or ()) or None
    if truth is not None and names is not None:
        y_true = _stacked(truth, names, "a label")
    if columns is not None and names is not None:
        proba = _stacked(columns, names, "a label")
    table = as_array(y_true, "y_true")
    if table.ndim != 2 or not all(table.shape):
        raise InvalidInputError(
            f"`y_true` must be a table with a column for each label; got shape {table.shape}. "
            "Hint: use `th.multiclass` for classes that exclude each other."
        )
    if table.dtype.kind not in "biuf" or not np.isin(table, (0, 1)).all():
        raise InvalidInputError("`y_true` must hold 0 and 1 only, or False and True. Hint: convert the table first.")
    scores = _matrix(proba, table.shape[0])
    if scores.shape != table.shape:
        raise InvalidInputError(f"`y_true` and `proba` must have one shape; got {table.shape} and {scores.shape}.")
    names = tuple(range(table.shape[1])) if names is None else names
    if len(names) != table.shape[1] or len(set(names)) < len(names):
        raise unequal("labels", len(set(names)), "y_true", table.shape[1])
    return names, table.astype(np.bool_), scores


def _coded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted classes and the place of each row's among them; small integers are counted, not sorted."""
    if y.dtype.kind in "iu" and y.size and int(y.max()) - int(y.min()) <= 2 * y.size:
        low = y.min()
        from_low = (y - low).astype(np.intp, copy=False)
        held = np.bincount(from_low) > 0
        return np.flatnonzero(held).astype(y.dtype) + low, (np.cumsum(held) - 1)[from_low]
    present, code = np.unique(y, return_inverse=True)
    return present, code.reshape(-1)


def _plain(labels: list[Any]) -> tuple[Any, ...]:
    return tuple(labels)


def _named(present: list[Any], columns: list[str]) -> tuple[Any, ...]:
    """Return the classes that the names of columns are, in the order of the columns."""
    by_text = {str(label): label for label in present}
    missing = [label for text, label in by_text.items() if text not in columns]
    if missing:
        raise InvalidInputError(
            f"`proba` must have a column named as each class; got the columns {show(columns)}, and none for "
            f"{missing[0]!r}. Hint: rename the columns, or pass an array and `labels`, such as `estimator.classes_`."
        )
    return tuple(by_text.get(text, text) for text in columns)


def _stacked(columns: dict[str, Any], labels: tuple[Any, ...], what: str) -> NDArray[Any]:
    """Return the columns of a frame in the order of labels, matched by name."""
    missing = [label for label in labels if str(label) not in columns]
    extra = set(columns) - {str(label) for label in labels}
    if missing or extra:
        odd = f"none for {missing[0]!r}" if missing else f"{sorted(extra)[0]!r} besides"
        raise InvalidInputError(
            f"A frame must have a column named as each of the {len(labels)} labels; got {odd}. "
            f"Hint: columns are matched by name; rename them, or select those that are {what}."
        )
    return np.column_stack([as_array(columns[str(label)], str(label)) for label in labels])


def _matrix(proba: Any, n_rows: int) -> NDArray[Any]:
    scores = as_array(proba, "proba")
    if scores.ndim == 3 and scores.shape[1:] == (n_rows, 2):
        raise InvalidInputError(
            f"`proba` must have a row for each of the {n_rows} cases and a column for each label; got {len(scores)} "
            "arrays of two columns. Hint: `np.column_stack([one[:, 1] for one in proba])`."
        )
    if scores.ndim != 2 or scores.shape[0] != n_rows:
        raise InvalidInputError(
            f"`proba` must have a row for each of the {n_rows} cases and a column for each class; got shape "
            f"{scores.shape}. Hint: pass what `predict_proba` returns."
        )
    if scores.dtype.kind not in "fiub":
        raise InvalidTypeError(f"`proba` must be numbers; got dtype {scores.dtype}. Hint: convert the columns first.")
    if scores.dtype.kind == "f" and np.isnan(scores.min()):
        row, column = np.argwhere(np.isnan(scores))[0].tolist()
        raise InvalidInputError(
            f"`proba` must not contain NaN; got NaN in row {row}, column {column}. Hint: remove those rows."
        )
    if scores.size > MOST_VALUES:
        scores = scores.view()  # read-only, so that it is not copied
        scores.flags.writeable = False
    return scores
