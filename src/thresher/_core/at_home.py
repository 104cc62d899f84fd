"""Arguments that are not counted where they are: brought to main memory with one note, or lent to another library."""

from __future__ import annotations

from typing import Any

import array_api_compat
import numpy as np

from thresher._core.arrays import plain_numbers, plain_tensor
from thresher._core.device import is_on_device, place_of, to_host
from thresher._core.jax_arrays import lent, refuse_without_values, refuse_without_values_in
from thresher._core.warn import warn

__all__ = ["at_home", "rows_to_count", "with_kernels"]

_ONCE = "copy them yourself, once, if you compute several metrics"
_JAX = "install PyTorch or CuPy for this device, and rows of JAX are counted where they are"


def at_home(function: str, **arrays: Any) -> tuple[Any, ...]:
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
