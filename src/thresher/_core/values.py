"""Results are values: nobody changes them, equal ones compare equal, and they travel between processes whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields
from functools import partial
from inspect import get_annotations
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform, overload

import numpy as np

from thresher._core.arrays import frozen

_SHORT = 8  # an array of so many elements is printed whole
_WRITABLE = (np.ndarray, dict)  # a tuple is looked through faster than a union

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Frozen:
    """An object whose attributes cannot be set; its own code fills ``__dict__``."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"{type(self).__name__} is frozen; cannot set {name!r}. Hint: build a new one.")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"{type(self).__name__} is frozen; cannot delete {name!r}.")


class Value(Frozen):
    """A frozen object that is what the attributes in `_parts` say: it compares and travels by them alone."""

    __slots__ = ()
    _parts: ClassVar[tuple[str, ...]] = ()
    _compared: ClassVar[tuple[str, ...] | None] = None
    """Those of the parts by which objects are compared; None for all of them."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or all(same(getattr(self, name), getattr(other, name)) for name in _compared(self))

    def __hash__(self) -> int:
        return hash((type(self), *(_hashable(getattr(self, name)) for name in _compared(self))))

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._parts)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        for name, part in zip(self._parts, state, strict=True):
            object.__setattr__(self, name, refrozen(part))


class StandardError(float):
    """A standard error that is found already, and may be called like those that take a method: `x.standard_error()`."""

    __slots__ = ()

    def __call__(self) -> float:
        """Return the number."""
        return float(self)


class ReadOnlyDict(dict[K, V]):
    """A dict that cannot be changed, and prints, compares and pickles like any other."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("This mapping is read-only. Hint: change a copy, `dict(mapping)`.")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


def same(a: object, b: object) -> bool:
    """Return whether two things are equal: arrays by shape and elements, NaN equal to NaN in the same place."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _same_arrays(a, b)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return _same_mappings(a, b)
    return bool(a == b) or (_is_nan(a) and _is_nan(b))


def _same_mappings(a: Mapping[Any, object], b: Mapping[Any, object]) -> bool:
    return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)


def _same_arrays(a: object, b: object) -> bool:
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return False
    kinds = a.dtype.kind + b.dtype.kind
    if a.shape != b.shape or (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        return False
    if "O" in kinds:
        return same(a.tolist(), b.tolist())
    return np.array_equal(a, b, equal_nan=all(kind in "fc" for kind in kinds))


def refrozen(part: object) -> object:
    """Return what was unpickled or copied, which is nobody else's, with its arrays read-only again."""
    if isinstance(part, np.ndarray):
        return frozen(part)
    return tuple(map(refrozen, part)) if type(part) is tuple else part


def _is_nan(x: object) -> bool:
    return isinstance(x, float | np.floating) and bool(x != x)


def _hashable(part: object) -> object:
    """Return what equal parts have in common; every NaN has a hash of its own."""
    if isinstance(part, tuple):
        return tuple(map(_hashable, part))
    return "nan" if _is_nan(part) else part


def _compared(self: Value) -> tuple[str, ...]:
    return self._parts if self._compared is None else self._compared


def _own(part: object) -> object:
    """Return a part as the object keeps it; what the caller could still write to is copied."""
    if isinstance(part, np.ndarray):
        return frozen(part.copy() if part.flags.writeable else part)
    return ReadOnlyDict(part) if type(part) is dict else part


def _short_repr(self: Any) -> str:
    """Return what a dataclass prints, with long arrays by their size and ends."""
    shown = (f"{one.name}={_shown(getattr(self, one.name))}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _shown(part: object) -> str:
    if not isinstance(part, np.ndarray) or part.size <= _SHORT:
        return repr(part)
    if part.ndim > 1:
        return f"<array of shape {part.shape}>"
    return f"<{part.size:,} values from {part[0]!s} to {part[-1]!s}>"


def _may_be_written_to(kind: object) -> bool:
    """Return whether a field may hold an array or a dict, by its annotation; others need not be looked at."""
    return not isinstance(kind, str) or any(
        word in kind for word in ("array", "Array", "dict", "Mapping", "Any", "object")
    )


@overload
def value(cls: type[T]) -> type[T]: ...
@overload
def value(*, slots: bool = True, repr: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(
    cls: type[T] | None = None, *, slots: bool = True, repr: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass that behaves as a `Value`.

    Its arrays are read-only, and so are its dicts. Fields with ``field(compare=False)`` have no part in ``==``. Objects
    that hold arrays cannot be hashed.
    """
    make = partial(_made, slots=slots, repr=repr)
    return make if cls is None else make(cls)


def _made(cls: type[T], *, slots: bool, repr: bool) -> type[T]:
    names = tuple(name for name, kind in get_annotations(cls).items() if _may_be_written_to(kind))
    if names:
        _keep_own(cls, names)
    if names and repr and "__repr__" not in vars(cls):
        cls.__repr__ = _short_repr  # type: ignore[method-assign]
    kept = {name for name in ("__eq__", "__hash__") if name in vars(cls)}
    made = dataclass(frozen=True, eq=False, slots=slots, repr=repr)(cls)
    # With slots, what a dataclass writes to refuse unknown names fails itself, in some versions of Python.
    for name in ("__setattr__", "__delattr__", "__eq__", "__hash__", "__getstate__", "__setstate__"):
        if name not in kept:
            setattr(made, name, getattr(Value, name))
    made._parts = tuple(one.name for one in fields(made))  # type: ignore[arg-type,attr-defined]
    made._compared = tuple(one.name for one in fields(made) if one.compare)  # type: ignore[arg-type,attr-defined]
    return made


def _keep_own(cls: type[Any], names: tuple[str, ...]) -> None:
    """Let objects of a class keep these parts as their own, after its check of them."""
    check = getattr(cls, "__post_init__", None)

    def __post_init__(self: Any) -> None:  # noqa: N807  # a dataclass looks for it by this name
        if check is not None:
            check(self)
        for name in names:
            part = getattr(self, name)
            if isinstance(part, _WRITABLE):
                object.__setattr__(self, name, _own(part))

    cls.__post_init__ = __post_init__
