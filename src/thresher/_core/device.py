"""Counting where the data are: torch, CuPy, JAX and other Array API arrays, on whatever device they live.

Only keys are sorted, no permutation is carried along, and the classes are met by bisection. Sums are exact integers,
so an ROC AUC has the same bits as on the processor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_labels, plain_numbers, plain_tensor
from thresher._core.checks import warn
from thresher._core.jax_arrays import is_traced, jax_place, lent, refuse_without_values, refuse_without_values_in
from thresher._core.key_kernels import SortedKeys, key_kernels, sorted_keys
from thresher._core.rank_kernels import rank_kernels, twice_beaten
from thresher.exceptions import InvalidInputError

_HOST = ("cpu", "host")
"""What libraries call main memory."""

_CHUNK = 1 << 26
"""How many scores are looked up at a time: bounds the memory beside the scores themselves."""


class DeviceTable(NamedTuple):
    """Distinct scores, highest first, with the positives and negatives at or above each; arrays of the input's kind."""

    thresholds: Any
    tp: Any
    fp: Any
    n_pos: int
    n_neg: int


def is_on_device(value: Any) -> bool:
    """Return whether a value is an array of another library that does not live in main memory."""
    if isinstance(value, np.ndarray | np.generic | list | tuple) or not array_api_compat.is_array_api_obj(value):
        return False
    if not array_api_compat.is_jax_array(value):
        place = str(array_api_compat.device(value)).lower()
    elif is_traced(value) or value.is_deleted():
        return False  # the reader says what is wrong
    else:
        place = jax_place(value)
    return not any(word in place for word in _HOST)


def place_of(value: Any) -> str:
    """Return the library and the device of an array, for messages."""
    if not array_api_compat.is_array_api_obj(value):
        return "main memory"
    if array_api_compat.is_jax_array(value):
        return f"jax on {jax_place(value)}"
    return f"{type(value).__module__.partition('.')[0]} on {array_api_compat.device(value)}"


def to_host(value: Any) -> NDArray[Any]:
    """Return an array of any library in main memory."""
    if array_api_compat.is_cupy_array(value):
        return np.asarray(value.get())
    if array_api_compat.is_torch_array(value):
        return np.asarray(value.detach().cpu().numpy())
    try:
        return np.from_dlpack(value, device="cpu")
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
        return np.asarray(value)


def _namespace(scores: Any, labels: Any) -> Any:
    places = [place_of(value) for value in (labels, scores)]
    if places[0] != places[1]:
        raise InvalidInputError(
            f"`y_true` and `y_score` must be on the same device; got {places[0]} and {places[1]}. "
            "Hint: bring one to the other; thresher never moves rows silently."
        )
    return array_api_compat.array_namespace(scores, labels)


def positive_on_device(labels: Any, pos_label: object = None) -> Any:
    """Return which rows are positive, by the same rules as in main memory."""
    xp = array_api_compat.array_namespace(labels)
    if xp.isdtype(labels.dtype, "real floating") and bool(xp.any(xp.isnan(labels))):
        raise InvalidInputError("`y_true` must not contain NaN. Hint: remove those rows.")
    if pos_label is None and xp.isdtype(labels.dtype, "bool"):
        return labels
    positive = labels == (1 if pos_label is None else pos_label)
    n_pos = int(xp.count_nonzero(positive))
    others = int(labels.shape[0]) - n_pos
    if pos_label is None:
        usual = int(xp.count_nonzero(labels)) == n_pos or int(xp.count_nonzero(labels == -1)) == others
    else:
        usual = n_pos > 0
    if not usual:
        as_labels(to_host(xp.unique_values(labels)), pos_label)  # raises or warns in the usual words
    return positive


def _prepared(scores: Any, is_positive: Any) -> tuple[Any, Any, Any]:
    """Return the namespace, scores that compare exactly, and a boolean mask."""
    xp = _namespace(scores, is_positive)
    if scores.ndim != 1 or is_positive.shape != scores.shape:
        raise InvalidInputError(
            "`y_true` and `y_score` must be one-dimensional and of the same length; "
            f"got shapes {tuple(is_positive.shape)} and {tuple(scores.shape)}."
        )
    if scores.shape[0] == 0:
        raise InvalidInputError("`y_score` must not be empty; got 0 rows. Hint: give at least one row.")
    scores = _sortable(xp, scores)
    if not xp.isdtype(is_positive.dtype, "bool"):
        is_positive = is_positive == 1
    return xp, scores, is_positive


def _sortable(xp: Any, scores: Any) -> Any:
    """Return the same numbers in a type that every library sorts and bisects."""
    kind = str(scores.dtype).rpartition(".")[2]
    if kind in ("bool", "uint2", "uint4"):
        return xp.astype(scores, xp.uint8)
    if kind in ("int2", "int4"):
        return xp.astype(scores, xp.int8)
    if kind.startswith(("float16", "bfloat16", "float8_", "float6_", "float4_")):
        return xp.astype(scores, xp.float32)
    if array_api_compat.is_torch_namespace(xp) and kind in ("uint16", "uint32", "uint64"):
        scores = scores.view(xp.int64) if kind == "uint64" else xp.astype(scores, xp.int64)
        if kind == "uint64" and int(xp.min(scores)) < 0:
            raise InvalidInputError(
                "`y_score` must be at most 2**63 - 1 to be sorted by PyTorch; got larger integers of type uint64. "
                "Hint: copy the rows to main memory, where all of them are counted."
            )
    return scores


def _chunks(array: Any) -> list[Any]:
    size = int(array.shape[0])
    return [array[begin : min(begin + _CHUNK, size)] for begin in range(0, size, _CHUNK)]


def _not_a_number(xp: Any, scores: Any) -> InvalidInputError:
    count = int(xp.count_nonzero(xp.isnan(scores)))
    return InvalidInputError(
        f"`y_score` must not contain NaN; got NaN in {count} of {scores.shape[0]} rows. "
        "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
    )


def _sorted(xp: Any, some: Any, scores: Any) -> Any:
    """Return some of the scores in ascending order; NaN, which every library puts at an end, is refused."""
    ordered = xp.sort(some)
    if (
        ordered.shape[0]
        and xp.isdtype(ordered.dtype, "real floating")
        and bool(xp.any(xp.isnan(ordered[:: max(ordered.shape[0] - 1, 1)])))
    ):
        raise _not_a_number(xp, scores)
    return ordered


def _bits(xp: Any, scores: Any) -> Any:
    """Return the bits of floats as signed integers, or None for other scores and where the library hides them."""
    if not xp.isdtype(scores.dtype, "real floating") or not hasattr(scores, "view"):
        return None
    return scores.view(xp.int32 if xp.finfo(scores.dtype).bits == 32 else xp.int64)


def _ordered(xp: Any, bits: Any) -> Any:
    """Return the bits of floats as integers in their order: the sign times the bits of the magnitude.

    Some libraries take subnormal floats for zeros when they compare them, but not these.
    """
    width = int(xp.iinfo(bits.dtype).bits)
    # The bits of a negative float run backwards.
    negative = bits >> (width - 1)
    return (bits ^ (negative & (2 ** (width - 1) - 1))) - negative


def _floats(xp: Any, ordered: Any, dtype: Any) -> Any:
    """Return the floats whose bits `_ordered` put in order."""
    width = int(xp.iinfo(ordered.dtype).bits)
    negative = ordered >> (width - 1)
    bits = (ordered + negative) ^ (negative & (2 ** (width - 1) - 1))
    return bits.view(dtype)


def _packing(xp: Any, keys: Any, *, floats: bool) -> tuple[int, int] | None:
    """Return the least and the largest key, or None where the class finds no room or costs more than it saves."""
    least, largest = _extremes(xp, keys)
    if not floats:
        most = int(xp.iinfo(keys.dtype).max)
        return (least, largest) if largest < most and largest - least < most else None
    return (0, largest) if least >= 0 and largest <= _infinite(xp, keys) else None


def _extremes(xp: Any, values: Any) -> tuple[int, int]:
    """Return the least and the largest, in one step where the library has it."""
    ends = xp.aminmax(values) if hasattr(xp, "aminmax") else (xp.min(values), xp.max(values))
    low, high = to_host(xp.stack(tuple(ends))).tolist()
    return low, high


def _infinite(xp: Any, bits: Any) -> int:
    """Return the bits of an infinite float: above it there is only NaN."""
    return 0x7F800000 if int(xp.iinfo(bits.dtype).bits) == 32 else 0x7FF0000000000000


def _like(xp: Any, array: Any, value: Any) -> Any:
    return xp.asarray(value, dtype=array.dtype, device=array_api_compat.device(array))


def _packed_classes(xp: Any, scores: Any, positive: Any) -> SortedKeys | None:
    """Return both classes from one sort, or None where the class finds no room in the keys or there is NaN."""
    bits = _bits(xp, scores)
    floats, keys = bits is not None, scores if bits is None else bits
    if not xp.isdtype(keys.dtype, "signed integer"):
        return None
    launch = key_kernels(keys)
    if launch is not None:
        return sorted_keys(launch, xp, keys, positive, floats=floats)
    ends = _packing(xp, keys, floats=floats)
    if ends is None:
        return None
    least, past = ends[0], ends[1] + 1
    keys = xp.sort(keys - xp.where(positive, _like(xp, keys, least), _like(xp, keys, past)))
    n_neg = int(xp.searchsorted(keys, _like(xp, keys, [0]))[0])
    return SortedKeys(keys, n_neg, 0, least, past)


def _twice_beaten(xp: Any, many: Any, few: Any, shift: int = 0) -> int:
    """Return how many of `many` each of `few` exceeds, plus how many it exceeds or equals, summed; both are sorted."""
    launch = rank_kernels(many) if xp.isdtype(many.dtype, "signed integer") else None
    if launch is not None:
        return twice_beaten(launch, xp, many, few, shift)
    total = 0
    for part in _chunks(few):
        shifted = part - shift if shift else part
        for side in ("left", "right"):
            total += int(xp.sum(xp.searchsorted(many, shifted, side=side), dtype=xp.int64))
    return total


def twice_u_on_device(scores: Any, is_positive: Any) -> tuple[int, int, int]:
    """Return twice U (a tied pair counts once), the positives and the negatives."""
    xp, scores, positive = _prepared(scores, is_positive)
    found = _packed_classes(xp, scores, positive)
    if found is None:
        return _twice_u_apart(xp, _comparable(xp, scores), positive)
    neg, pos, shift = found.neg, found.pos, found.shift
    n_pos, n_neg = int(pos.shape[0]), found.n_neg
    if n_pos <= n_neg:
        return _twice_beaten(xp, neg, pos, shift), n_pos, n_neg
    return 2 * n_pos * n_neg - _twice_beaten(xp, pos, neg, -shift), n_pos, n_neg


def _comparable(xp: Any, scores: Any) -> Any:
    """Return keys in the order of the scores, equal where the scores are, that this library compares exactly."""
    bits = _bits(xp, scores)
    if bits is None or array_api_compat.is_torch_namespace(xp):
        return scores
    if bool(xp.isnan(xp.min(scores))):
        raise _not_a_number(xp, scores)
    return _ordered(xp, bits)


def _twice_u_apart(xp: Any, keys: Any, positive: Any) -> tuple[int, int, int]:
    """Return the same from classes that are sorted apart."""
    n = int(keys.shape[0])
    n_pos = int(xp.count_nonzero(positive))
    n_neg = n - n_pos
    few = min(n_pos, n_neg)
    if few == 0:
        _sorted(xp, keys, keys)
        return 0, n_pos, n_neg
    smaller = positive if n_pos <= n_neg else ~positive
    chosen = _sorted(xp, keys[smaller], keys)
    if 4 * few < n:
        # Taking the larger class out costs more than sorting the few along with it; among themselves they beat few**2.
        beaten = _twice_beaten(xp, _sorted(xp, keys, keys), chosen) - few * few
    else:
        beaten = _twice_beaten(xp, _sorted(xp, keys[~smaller], keys), chosen)
    return (beaten if n_pos <= n_neg else 2 * n_pos * n_neg - beaten), n_pos, n_neg


def count_on_device(scores: Any, is_positive: Any) -> DeviceTable:
    """Sort and count; the arrays of the table stay on the device."""
    xp, scores, positive = _prepared(scores, is_positive)
    n = int(scores.shape[0])
    keys = _comparable(xp, scores)
    pos = xp.sort(keys[positive])
    n_pos = int(pos.shape[0])
    ordered = _sorted(xp, keys, keys)
    first = xp.ones((1,), dtype=xp.bool, device=array_api_compat.device(scores))
    is_start = xp.concat((first, ordered[1:] != ordered[:-1]))
    starts = xp.astype(xp.nonzero(is_start)[0], xp.int64)
    values = ordered[is_start]
    parts = [xp.searchsorted(pos, part, side="left") for part in _chunks(values)]
    below = xp.astype(parts[0] if len(parts) == 1 else xp.concat(parts), xp.int64)
    tp = n_pos - below
    fp = (n - starts) - tp
    if keys.dtype != scores.dtype:
        values = _floats(xp, values, scores.dtype)
    elif xp.isdtype(values.dtype, "real floating"):
        values = values + xp.zeros((), dtype=values.dtype, device=array_api_compat.device(values))  # -0.0 becomes 0.0
    return DeviceTable(xp.flip(values), xp.flip(tp), xp.flip(fp), n_pos, n - n_pos)


_ONCE = "copy them yourself, once, if you compute several metrics"
_JAX = "install PyTorch or CuPy for this device, and rows of JAX are counted where they are"


def in_main_memory(function: str, **arrays: Any) -> tuple[Any, ...]:
    """Return arguments in main memory; those that had to come from a device are named in one warning.

    Tensors that record gradients, which nothing but their own library reads, are taken without them; arrays of JAX in
    main memory, and numbers of types that NumPy does not have, as NumPy's.
    """
    return _brought_over(function, arrays, _ONCE)


def rows_to_count(function: str, y_true: Any, y_score: Any) -> tuple[Any, Any]:
    """Return rows of which some are on a device where they are counted; for rows of JAX that may be main memory."""
    y_true, y_score = with_kernels(y_true, y_score)
    if not array_api_compat.is_jax_array(y_score) or place_of(y_true) != place_of(y_score):
        return y_true, y_score
    labels, scores = _brought_over(function, {"y_true": y_true, "y_score": y_score}, _JAX)
    return labels, scores


def with_kernels(y_true: Any, y_score: Any) -> tuple[Any, Any]:
    """Return rows of JAX as arrays of a library that has kernels for their device, without a copy; others as given.

    JAX itself would compile every step for every number of rows, and rounds a quotient in its own way.
    """
    for name, array in (("y_true", y_true), ("y_score", y_score)):
        if not array_api_compat.is_jax_array(array):
            return y_true, y_score
        refuse_without_values(array, name)
    found = lent(y_true, y_score) if place_of(y_true) == place_of(y_score) else None
    return (y_true, y_score) if found is None else (found[0], found[1])


def _brought_over(function: str, arrays: dict[str, Any], hint: str) -> tuple[Any, ...]:
    moved, out = [], []
    for name, given in arrays.items():
        value = given
        is_jax = array_api_compat.is_jax_array(value)
        if is_jax:
            refuse_without_values(value, name)
        if is_on_device(value):
            moved.append((name, place_of(value)))
            value = to_host(value)
        elif is_jax:
            value = to_host(value)
        elif array_api_compat.is_torch_array(value):
            value = plain_tensor(value)
        elif isinstance(value, list | tuple):
            refuse_without_values_in(value, name)
        out.append(plain_numbers(value) if isinstance(value, np.ndarray) else value)
    if moved:
        names = " and ".join(f"`{name}`" for name, _ in moved)
        warn(
            f"`{function}` counts these arguments in main memory: {names} ({moved[0][1]}) were copied there. "
            f"Hint: {hint}."
        )
    return tuple(out)
