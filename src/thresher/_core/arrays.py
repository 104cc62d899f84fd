"""Arrays in: anything one-dimensional becomes a NumPy array that has lost neither order nor missing values."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, cast

import array_api_compat
import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show, warn
from thresher._core.decimals import threshold_text
from thresher._core.jax_arrays import jax_place, refuse_without_values, refuse_without_values_in
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, ScoreArray

LEAST_WEIGHT, MOST_WEIGHT = 1e-75, 2.0**62
"""Of a float weight that is not 0: products of sums of weights stay finite and above 0."""

MOST_EXACT = 2**53
"""Below it a double holds every whole number, and sums of counts are exact."""


def rows_text(mask: NDArray[np.bool_], before: int = 0) -> str:
    """Return `k of n rows, first at rows i, j, l` for the rows where the mask is true; `before` stand before them."""
    rows = np.flatnonzero(mask) + before
    listed = ", ".join(str(int(row)) for row in rows[:5])
    more = ", ..." if rows.size > 5 else ""
    return f"{rows.size} of {mask.size} rows, first at row{'s' if rows.size > 1 else ''} {listed}{more}"


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, read-only from now on and for good: NumPy never makes it writable again."""
    base: object = array.base
    if base is None:
        # The owner of memory may write to it again; a view of a read-only owner may not.
        array.setflags(write=False)
        return array.view()
    if isinstance(base, np.ndarray):
        if base.flags.writeable:
            return frozen(array.copy())
    elif not (isinstance(base, memoryview) and base.readonly):
        # Memory that the kernels own stands behind a buffer, which must be read-only too.
        array.setflags(write=False)
        return np.asarray(array.data)
    array.setflags(write=False)
    return array


def _missing(name: str, mask: NDArray[np.bool_]) -> InvalidInputError:
    return InvalidInputError(
        f"`{name}` must not contain missing values; got {rows_text(mask)}. Hint: remove those rows or fill them; "
        "they are never dropped silently."
    )


def _from_series(value: Any, name: str) -> NDArray[Any] | None:
    """Return the values of a Series of any dataframe library, or None if it is not one."""
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(value, pyarrow.Array):
        value = pyarrow.chunked_array([value])
    series = nw.from_native(value, allow_series=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return None
    nulls = series.is_null()
    if nulls.any():
        raise _missing(name, np.asarray(nulls.to_numpy(), dtype=np.bool_))
    if series.dtype in (nw.Categorical, nw.Enum):
        series = series.cast(nw.String)
    return np.asarray(series.to_numpy())


def _from_array_api(value: Any, name: str) -> NDArray[Any] | None:
    """Return an array of another library as NumPy, or None if it is not one."""
    if isinstance(value, np.ndarray | np.generic) or not array_api_compat.is_array_api_obj(value):
        return None
    if array_api_compat.is_torch_array(value):
        value = plain_tensor(value)
    if array_api_compat.is_jax_array(value):
        refuse_without_values(value, name)
        device = jax_place(value)
    else:
        device = str(array_api_compat.device(value)).lower()
    if not any(word in device for word in ("cpu", "host")):
        raise InvalidInputError(
            f"`{name}` must be in main memory; got an array on device {device!r}. "
            f"Hint: copy it first, {how_to_copy(value)}; thresher never moves rows silently."
        )
    try:
        return np.from_dlpack(value)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
        return np.asarray(value)


def as_array(value: Any, name: str) -> NDArray[Any]:
    """Return an array of any library and any shape in main memory as NumPy's; other objects as NumPy converts them."""
    found = _from_array_api(value, name)
    return plain_numbers(np.asarray(value) if found is None else found)


def how_to_copy(value: Any) -> str:
    """Return how an array on a device is copied to main memory."""
    if array_api_compat.is_jax_array(value):
        return "with `jax.device_get`"
    return "with `.get()`" if array_api_compat.is_cupy_array(value) else "for example with `.cpu()`"


def plain_tensor(tensor: Any) -> Any:
    """Return a tensor of PyTorch without its gradients, floats that NumPy does not have in single precision."""
    tensor = tensor.detach()
    known = ("torch.float16", "torch.float32", "torch.float64")
    return tensor.float() if tensor.is_floating_point() and str(tensor.dtype) not in known else tensor


def plain_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Return the short floats and integers that `ml_dtypes` adds to NumPy in a type of NumPy's own, without loss."""
    if array.dtype.kind != "V" or array.dtype.type.__module__ != "ml_dtypes":
        return array
    name = array.dtype.name
    return array.astype(np.float32 if "float" in name else np.uint8 if name.startswith("u") else np.int8)


def _from_list(value: Any, name: str) -> NDArray[Any]:
    try:
        array = np.asarray(value)
    except ValueError:
        raise InvalidInputError(
            f"`{name}` must be one-dimensional; got rows of unequal length. Hint: pass one value a row."
        ) from None
    except TypeError:
        refuse_without_values_in(value, name)
        raise
    if array.dtype.kind == "f" and array.dtype.itemsize == 8 and isinstance(value, list | tuple):
        # NumPy turns a list that mixes signs beyond int64 into float64, which would tie distinct integers.
        wide = any(isinstance(item, int) and abs(item) > MOST_EXACT for item in value)
        if wide:
            exact = np.array(value, dtype=np.longdouble)
            if any(isinstance(item, int) and int(kept) != item for item, kept in zip(value, exact, strict=True)):
                raise InvalidInputError(
                    f"`{name}` must fit a machine number without losing digits; got integers beyond 2**64. "
                    "Hint: replace the scores by their ranks."
                )
            return exact
    return array


def _from_objects(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an object array as numbers or strings, refusing missing values."""
    missing = np.array(
        [item is None or type(item).__name__ in ("NAType", "NaTType") or item != item for item in array.tolist()],
        dtype=np.bool_,
    )
    if missing.any():
        raise _missing(name, missing)
    items = array.tolist()
    if all(isinstance(item, str) for item in items):
        return np.array(items, dtype=np.str_)
    if all(isinstance(item, bool | int | float | np.generic) for item in items):
        return _from_list(items, name)
    return array


def as_vector(value: ArrayLike, name: str) -> NDArray[Any]:
    """Return a one-dimensional, non-empty NumPy array without missing values."""
    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        if mask.any():
            raise _missing(name, mask.ravel())
        value = value.data
    array: NDArray[Any] | None
    if isinstance(value, np.ndarray):
        array = value
    elif isinstance(value, list | tuple):
        array = _from_list(value, name)
    else:
        array = _from_series(value, name)
        if array is None:
            array = _from_array_api(value, name)
        if array is None:
            array = _from_list(list(value) if isinstance(value, range) else value, name)
    if array.ndim != 1:
        raise InvalidInputError(
            f"`{name}` must be one-dimensional; got shape {array.shape}. Hint: {_one_column(value, array, name)}."
        )
    if array.size == 0:
        raise InvalidInputError(f"`{name}` must not be empty; got 0 rows. Hint: give at least one row.")
    if array.dtype.kind == "V":
        return plain_numbers(array)
    return _from_objects(array, name) if array.dtype.kind == "O" else array


def _one_column(value: Any, array: NDArray[Any], name: str) -> str:
    """Return how to get one column out of what was given instead."""
    if array.ndim != 2:
        return "pass a list, a Series or a one-dimensional array"
    columns = [str(column) for column in getattr(value, "columns", ())]
    if columns:
        return f"pass one column of the frame, for example `{name}[{columns[-1]!r}]`"
    width, said = array.shape[1], f"np.asarray({name})" if isinstance(value, list | tuple) else name
    if width == 1:
        return f"drop the second axis, `{said}[:, 0]`"
    if name == "y_true":
        return f"for labels that are one-hot, pass the column of the positive class, `{said}[:, 1]`"
    if width == 2:
        return f"of two columns, as from `predict_proba`, pass that of the positive class, `{said}[:, 1]`"
    return f"pass one column, such as `{said}[:, 0]`; `th.multiclass` takes a column for each class"


def as_scores(value: ArrayLike, name: str = "y_score", *, look_for_nan: bool = True) -> ScoreArray:
    """Return scores in their own dtype; NaN is refused, -0.0 is left for the counting to fold.

    Without `look_for_nan` the code that counts the scores notices NaN and calls `refuse_nan`.
    """
    array = as_vector(value, name)
    if array.dtype.kind not in "fiub":
        kind = "strings" if array.dtype.kind in "US" else f"dtype {array.dtype}"
        raise InvalidTypeError(
            f"`{name}` must be real numbers; got {kind}, first {show(array[:1].tolist()[0])}. "
            "Hint: convert the column to numbers first."
        )
    if look_for_nan:
        refuse_nan(array, name)
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def refuse_nan(scores: ScoreArray, name: str = "y_score") -> None:
    """Raise if a score is NaN."""
    # The minimum is NaN if anything is: one pass without a temporary array.
    if scores.dtype.kind == "f" and np.isnan(scores.min()):
        missing = np.isnan(scores)
        raise InvalidInputError(
            f"`{name}` must not contain NaN; got NaN in {rows_text(missing)}. "
            "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
        )


def as_weights(
    value: ArrayLike, size: int, name: str = "sample_weight", *, beside: str = "y_score", before: int = 0
) -> NDArray[Any]:
    """Return weights: int64 if they came as integers (exact counts), else float64; finite and not negative.

    `before` rows stand before these, for messages.
    """
    array = as_vector(value, name)
    if array.dtype.kind not in "fiub":
        raise InvalidTypeError(f"`{name}` must be numbers; got dtype {array.dtype}. Hint: convert the column first.")
    if array.size != size:
        raise unequal(name, array.size, beside, size)
    if array.dtype.kind == "f":
        weights: NDArray[Any] = array.astype(np.float64, copy=False)
        unusable = ~np.isfinite(weights)
        if unusable.any():
            raise InvalidInputError(
                f"`{name}` must be finite; got {float(weights[unusable][0])} in {rows_text(unusable, before)}. "
                "Hint: give those rows weight 0 to leave them out."
            )
        extreme = (weights != 0.0) & ((np.abs(weights) < LEAST_WEIGHT) | (np.abs(weights) > MOST_WEIGHT))
        if extreme.any():
            raise InvalidInputError(
                f"`{name}` must be 0 or between {LEAST_WEIGHT:.0e} and 2**62, so that products of sums are "
                f"numbers; got {float(weights[extreme][0])!r} in {rows_text(extreme, before)}. Hint: {_remedy(weights)}"
            )
    else:
        if array.dtype == np.uint64 and (array > np.uint64(2**63 - 1)).any():
            raise InvalidInputError(f"`{name}` must be at most 2**63 - 1; got {int(array.max())}.")
        weights = array.astype(np.int64, copy=False)
    negative = weights < 0
    if negative.any():
        raise InvalidInputError(
            f"`{name}` must not be negative; got {weights[negative][0].item()} in {rows_text(negative, before)}. "
            "Hint: give those rows 0 to leave them out."
        )
    return weights


def _remedy(weights: NDArray[Any]) -> str:
    """Return what to do with weights beyond their range: dividing does not help where the others are so much larger."""
    share = np.abs(weights / np.abs(weights).max())
    if ((share > 0.0) & (share < LEAST_WEIGHT)).any() or (share[weights != 0.0] == 0.0).any():
        return "beside the largest such a row counts for nothing: give it weight 0 to leave it out."
    return "weights are relative: divide them all by the largest."


def as_frequency(
    value: ArrayLike, size: int, name: str = "frequency", *, beside: str = "y_score", before: int = 0
) -> NDArray[np.int64]:
    """Return whole row counts, at least 0; floats that are whole will do. `before` rows stand before these."""
    counts = as_weights(value, size, name, beside=beside, before=before)
    if counts.dtype.kind == "f":
        broken = counts != np.floor(counts)
        if broken.any():
            raise InvalidInputError(
                f"`{name}` must be whole numbers; got {float(counts[broken][0])!r} in {rows_text(broken, before)}. "
                "Hint: pass weights that are not row counts as `sample_weight`."
            )
        if counts.max(initial=0.0) >= 2.0**62:
            raise InvalidInputError(f"`{name}` must be less than 2**62; got {float(counts.max())!r}.")
        counts = counts.astype(np.int64)
    return counts


def unequal(name: str, size: int, other: str, other_size: int) -> InvalidInputError:
    """Return the error for two columns of different lengths."""
    return InvalidInputError(
        f"`{other}` and `{name}` must have the same length; got {other_size} and {size}. "
        "Hint: they are columns of the same rows."
    )


def _place(label: Any) -> tuple[str, float, str]:
    """Return by what labels are listed: numbers by size, others by how they are written."""
    number = float(label) if isinstance(label, bool | int | float) and abs(label) < 1e300 else 0.0
    return str(type(label)), number, repr(label)


def _label_list(values: list[Any]) -> str:
    listed = ", ".join(show(value, 20) for value in values[:5])
    return listed + (", ..." if len(values) > 5 else "")


def as_labels(
    value: ArrayLike,
    pos_label: object = None,
    name: str = "y_true",
    *,
    expected: bool = True,
    scores: ScoreArray | None = None,
) -> NDArray[np.bool_]:
    """Return which rows are positive.

    Without `pos_label` the labels must be {0, 1}, {False, True} or {-1, 1} (either one may be absent). A `pos_label`
    that does not occur is worth a warning, unless it is not `expected` in every part of the data. With the `scores`
    beside them, labels and scores that were given in each other's place are recognised.
    """
    array = as_vector(value, name)
    _check_labels(array, name)
    if pos_label is not None:
        refuse_without_values_in([pos_label], "pos_label")
        return _equal_to(array, pos_label, name, expected)
    kind = array.dtype.kind
    if kind == "b":
        return cast("NDArray[np.bool_]", array)
    if kind in "iuf":
        positive: NDArray[np.bool_] = array == 1
        others = array.size - np.count_nonzero(positive)
        # Labels are nearly always 0 and 1: count zeros first, look for -1 only if that does not add up.
        if array.size - np.count_nonzero(array) == others or np.count_nonzero(array == -1) == others:
            return positive
        _check_numbers(array, name, scores)
    raise unknown_labels(set(array.tolist()), name)


def _check_labels(array: NDArray[Any], name: str) -> None:
    """Refuse what no label can be."""
    if array.dtype.kind in "cV" or (array.dtype.kind == "O" and not all(map(_is_plain, array.tolist()))):
        found = show(array[:1].tolist()[0])
        raise InvalidTypeError(
            f"`{name}` must hold numbers, text or truth values; got {found} of dtype {array.dtype}. "
            "Hint: name a plain column."
        )


def _check_numbers(array: NDArray[Any], name: str, scores: ScoreArray | None) -> None:
    """Refuse numbers that are no labels where it is plain why: missing ones, and scores in the labels' place."""
    if array.dtype.kind == "f" and np.isnan(array).any():
        missing = np.isnan(array)
        raise InvalidInputError(
            f"`{name}` must not contain NaN; got NaN in {rows_text(missing)}. Hint: remove those rows."
        )
    if scores is not None and _is_binary(scores) and np.unique(array).size > 2:
        raise InvalidInputError(
            f"`{name}` must hold labels and `y_score` scores; got {np.unique(array).size} different numbers as labels, "
            f"such as {show(array[:1].tolist()[0])}, and only {_label_list(np.unique(scores).tolist())} as scores. "
            "Hint: they seem to be swapped; labels come first, `Scores(y_true, y_score)`."
        )


def _is_binary(scores: ScoreArray) -> bool:
    return any(bool(((scores == 1) | (scores == low)).all()) for low in (0, -1))


def warn_of_order(y_true: Any, y_score: Any, name: str = "y_score") -> None:
    """Warn of two pandas objects whose indexes hold the same labels in another order: rows go by position."""
    a: Any = getattr(y_true, "index", None)
    b: Any = getattr(y_score, "index", None)
    if not (hasattr(a, "equals") and hasattr(b, "equals")) or a.equals(b) or len(a) != len(b):
        return
    if a.is_unique and b.is_unique and a.isin(b).all():
        warn(
            f"The indexes of `y_true` and `{name}` hold the same labels in another order; rows are matched by "
            f"position, not by index. Hint: if the index names the row, pass `{name}.reindex(y_true.index)`."
        )


def _is_plain(label: object) -> bool:
    return not isinstance(label, dict | list | set | tuple | np.ndarray | complex)


def unknown_labels(labels: Iterable[Any], name: str = "y_true") -> InvalidInputError:
    """Return the error for labels of which it is not plain which one is positive."""
    found = sorted(labels, key=_place)
    if any(isinstance(label, float) and not label.is_integer() for label in found):
        hint = f"a label is made of a number by a comparison, for example `{name} >= {_cut(found)}`"
    elif len(found) == 2:
        # Not one of them alone: a hint that is copied must not choose a class by its place in the alphabet.
        hint = f"say which label is positive, `pos_label={show(found[0])}` or `pos_label={show(found[1])}`"
    else:
        hint = f"say which label is positive, for example `pos_label={show(found[-1])}`"
    return InvalidInputError(
        f"`{name}` must hold the labels 0 and 1, False and True, or -1 and 1; got {len(found)} different labels: "
        f"{_label_list(found)}. Hint: {hint}."
    )


def _is_small(label: object) -> bool:
    return isinstance(label, int) and abs(label) < 10**308


def _cut(found: list[Any]) -> str:
    """Return a number that has labels on both sides of it."""
    # Whole numbers beyond any float are left out; the caller saw a float among the labels.
    numbers = sorted({float(label) for label in found if isinstance(label, float) or _is_small(label)})
    at = len(numbers) // 2
    return threshold_text(numbers[at], numbers[at - 1] if at else None)


def _equal_to(array: NDArray[Any], pos_label: object, name: str, expected: bool) -> NDArray[np.bool_]:
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise InvalidInputError(
            f"`{name}` must not contain NaN; got NaN in {rows_text(np.isnan(array))}. Hint: remove those rows."
        )
    text = array.dtype.kind in "US"
    if array.dtype.kind != "O" and isinstance(pos_label, str | bytes) != text:
        kind = "text" if text else "numbers"
        raise InvalidTypeError(
            f"`pos_label` must be of the labels' type; got {show(pos_label)} where `{name}` holds {kind} "
            f"such as {show(array[:1].tolist()[0])}. Hint: for example `pos_label={show(array[:1].tolist()[0])}`."
        )
    positive = np.asarray(array == pos_label, dtype=np.bool_)
    if expected and not positive.any():
        warn(
            f"No row of `{name}` has the label `pos_label={show(pos_label)}`, so every row is negative; "
            f"the first label is {show(array[:1].tolist()[0])}."
        )
    return positive


def lossless_common_dtype(*arrays: ScoreArray) -> np.dtype[Any]:
    """Return a dtype in which the values of all arrays are exactly representable."""
    common = np.result_type(*arrays)
    for candidate in (common, np.dtype(np.longdouble)):
        if all(_fits(array, candidate) for array in arrays):
            return candidate
    kinds = " and ".join(sorted({str(array.dtype) for array in arrays}))
    raise InvalidInputError(
        f"Scores of type {kinds} must have a common machine type that keeps every value; these do not. "
        "Hint: convert both to ranks or to one type before counting."
    )


def _fits(array: ScoreArray, dtype: np.dtype[Any]) -> bool:
    if np.can_cast(array.dtype, dtype, "safe") and not (array.dtype.kind in "iu" and dtype.kind == "f"):
        return True
    if array.dtype.kind not in "iu":
        return False
    # Beyond the mantissa an integer may still be exact (a power of two, say): ask the values.
    bits = np.finfo(dtype).nmant + 1 if dtype.kind == "f" else 0
    if array.size == 0 or max(abs(int(array.max())), abs(int(array.min()))) <= 2**bits:
        return True
    return all(int(kept) == int(item) for item, kept in zip(array.tolist(), array.astype(dtype), strict=True))
