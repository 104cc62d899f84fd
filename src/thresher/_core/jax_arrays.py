"""Arrays of JAX: which have values to count, where they are, and the kernels of another library for those on a GPU."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import array_api_compat

from thresher.exceptions import InvalidInputError, InvalidTypeError

_WITH_KERNELS = ("torch", "cupy")


def is_traced(value: Any) -> bool:
    """Return whether an array of JAX stands for values that are not there yet, as inside `jax.jit`."""
    import jax

    return isinstance(value, jax.core.Tracer)


def jax_place(array: Any) -> str:
    """Return where an array with values is: its devices, or the kind of main memory that it was put into."""
    kind = str(getattr(array.sharding, "memory_kind", None))
    return kind if "host" in kind else ", ".join(sorted(map(str, array.devices()))).lower()


def refuse_without_values(array: Any, name: str) -> None:
    """Raise if an array of JAX has no numbers that this process could read."""
    import jax

    if is_traced(array):
        raise InvalidTypeError(
            f"`{name}` must have values to count; got a tracer, {array.dtype}[{', '.join(map(str, array.shape))}], as "
            "`jax.jit`, `grad` and `vmap` pass it. Hint: call thresher outside of them, or from `jax.pure_callback`."
        )
    if jax.dtypes.issubdtype(array.dtype, jax.dtypes.extended):
        raise InvalidTypeError(f"`{name}` must be numbers; got {array.dtype}. Hint: JAX's random keys are not.")
    if array.is_deleted():
        raise InvalidInputError(
            f"`{name}` must have values to count; got an array that JAX has deleted. "
            "Hint: leave it out of `donate_argnums`, or copy it before the call that it is donated to."
        )
    if not array.is_fully_addressable:
        raise InvalidInputError(
            f"`{name}` must be on devices of this process; got an array that other processes hold too. "
            "Hint: gather it with `jax.experimental.multihost_utils.process_allgather`, or count each part "
            "as `Scores` and add the parts."
        )


def refuse_without_values_in(values: Any, name: str) -> None:
    """Raise if one of some values is an array of JAX without numbers."""
    if "jax" in sys.modules:
        for one in values:
            if array_api_compat.is_jax_array(one):
                refuse_without_values(one, name)


def lent(*arrays: Any) -> tuple[Any, ...] | None:
    """Return the same memory as arrays of a library for which there are kernels; None where that cannot be."""
    # What the caller has imported already is asked first: the import of the other costs seconds and memory.
    for library in sorted(_WITH_KERNELS, key=lambda name: name not in sys.modules):
        if library not in sys.modules and find_spec(library) is None:
            continue
        # Built without CUDA, for another version of it, or without this type: each library fails in its own way.
        with suppress(Exception):
            take = import_module(library).from_dlpack
            return tuple(take(array) for array in arrays)
    return None
