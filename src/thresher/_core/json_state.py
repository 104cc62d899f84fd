"""Results as JSON and back: each part by what it is, and only what the figures beside it do not show already."""

from __future__ import annotations

import base64
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from thresher._core.values import ReadOnlyDict, StandardError
from thresher.exceptions import InvalidInputError

T = TypeVar("T")

RESULTS: dict[str, type[Any]] = {}
"""The classes that may be made from JSON, by name; nothing else is."""
_PACKED: dict[str, tuple[type[Any], Callable[[Any], Any], Callable[[Any], Any]]] = {}
# Packages that may not be loaded yet; their results are known once they are.
_LATE = ("thresher.results", "thresher.population", "thresher.queries", "thresher.sklearn")
_SINGLE = {int, bool, str, type(None)}
_WORDS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def plain(part: Any, *, finite: bool = False) -> Any:
    """Return numbers of NumPy as Python's, arrays as lists; with `finite` NaN is None and infinities are texts."""
    part = _of_python(part)
    if isinstance(part, Mapping):
        return {str(key): plain(one, finite=finite) for key, one in part.items()}
    if isinstance(part, list | tuple):
        kinds = set(map(type, part))
        if kinds <= _SINGLE or (kinds == {float} and not (finite and not all(map(math.isfinite, part)))):
            return list(part)  # a long column, at once
        return [plain(one, finite=finite) for one in part]
    if not isinstance(part, float):
        return part
    if not finite or math.isfinite(part):
        return float(part)  # numbers that can do more than numbers travel as numbers
    return None if math.isnan(part) else str(float(part))


def _of_python(part: Any) -> Any:
    """Return what NumPy holds as Python holds it."""
    if isinstance(part, np.ndarray):
        return part.tolist()
    if isinstance(part, np.generic):
        return part.item() if part.dtype != np.longdouble else float(part)
    return part


def travels(name: str, cls: type[Any], pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
    """Let objects of a class that is no result stand in JSON under a name."""
    _PACKED[name] = cls, pack, unpack


travels(
    "StandardError", StandardError, lambda error: _encoded(float(error)), lambda code: StandardError(_decoded(code))
)


def as_file(cls: type[T]) -> type[T]:
    """Let a count table stand in JSON as its own file, whose checksum tells whether it came through."""
    kind: type[Any] = cls

    def pack(table: Any) -> str:
        with tempfile.TemporaryDirectory() as folder:
            table.save(Path(folder) / "counts")
            return base64.b64encode((Path(folder) / "counts").read_bytes()).decode()

    def unpack(text: str) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "counts").write_bytes(base64.b64decode(text))
            return kind.load(Path(folder) / "counts")

    travels(kind.__name__, kind, pack, unpack)
    return cls


def encoded(result: Any, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a result by name, without those that `figures` holds as they are."""
    state = {}
    for name in _kept(result):
        code = _encoded(getattr(result, name))
        shown = name.lstrip("_")
        if not (shown in figures and _alike(figures[shown], code)):
            state[shown] = code
    return state


def decoded(document: Mapping[str, Any]) -> Any:
    """Return the result of a document; the parts come from its state, or from its figures."""
    cls = _result(document["type"])
    state = document.get("state", {})
    made = object.__new__(cls)
    kept = set(_kept(made))
    parts: list[Any] = []
    for name in made._parts:
        shown = name.lstrip("_")
        if name not in kept:
            field = getattr(cls, "__dataclass_fields__", {}).get(name)
            parts.append(None if field is None or field.default is MISSING else field.default)
        elif shown in state or shown in document:
            parts.append(_decoded(state.get(shown, document.get(shown))))
        else:
            raise InvalidInputError(f"The JSON of a {document['type']} must hold {shown!r}; it does not.")
    made.__setstate__(tuple(parts))
    return made


def _kept(result: Any) -> tuple[str, ...]:
    """Return the parts that make a result what it is; others, such as where resamples come from, stay behind."""
    return tuple(result._parts if result._compared is None else result._compared)


def _alike(shown: Any, code: Any) -> bool:
    """Return whether two pieces of JSON are the same, 1 and 1.0 and True told apart."""
    if isinstance(shown, list) and isinstance(code, list):
        return len(shown) == len(code) and all(map(_alike, shown, code))
    return type(shown) is type(code) and bool(shown == code)


def _encoded(part: Any) -> Any:
    if isinstance(part, np.ndarray):
        return _encoded_array(part)
    if isinstance(part, np.generic):
        part = part.item()
    if part is None or isinstance(part, bool | int | str):
        return part
    if type(part) is float:
        return part if math.isfinite(part) else {"number": str(part)}
    for kind, (word, pack_parts) in _CONTAINERS.items():
        if isinstance(part, kind):
            return {word: pack_parts(part)}
    return _encoded_object(part)


def _encoded_object(part: Any) -> dict[str, Any]:
    """Return what stands for an object of a class that travels, or for a result."""
    for name, (cls, pack, _) in _PACKED.items():
        if type(part) is cls or (isinstance(part, cls) and type(part).__name__ not in _PACKED):
            return {name: pack(part)}
    if RESULTS.get(type(part).__name__) is type(part):
        return {"type": type(part).__name__, "state": encoded(part, {})}
    raise InvalidInputError(
        f"A {type(part).__name__} cannot be written as JSON. Hint: `to_dict()` gives the values alone."
    )


def _encoded_array(part: np.ndarray[Any, Any]) -> Any:
    """Return a list where it tells the array; its type as well where it does not."""
    values = plain(part, finite=True)
    if part.ndim == 1 and part.size and part.dtype in (np.float64, np.int64, np.bool_):
        return values
    if part.dtype.kind == "O":
        return {"array": [_encoded(one) for one in part.tolist()], "dtype": "object"}
    if part.dtype == np.longdouble:
        return {"array": [str(one) for one in part], "dtype": "longdouble"}
    return {"array": values, "dtype": part.dtype.str, "shape": list(part.shape)}


def _decoded(code: Any) -> Any:
    if isinstance(code, list):
        return _array(code)
    if not isinstance(code, dict):
        return code
    if "type" in code:
        return decoded(code)
    if "array" in code:
        return _typed_array(code)
    (word, content), *more = code.items()
    if more or (word not in _PACKED and word not in _READERS):
        raise InvalidInputError(f"The JSON of a result must hold parts that thresher knows; got {word!r}.")
    return _READERS[word](content) if word in _READERS else _PACKED[word][2](content)


def _encoded_each(parts: Iterable[Any]) -> list[Any]:
    return [_encoded(one) for one in parts]


def _decoded_each(codes: Iterable[Any]) -> list[Any]:
    return [_decoded(one) for one in codes]


_CONTAINERS: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    tuple: ("tuple", _encoded_each),
    list: ("list", _encoded_each),
    Mapping: ("mapping", lambda parts: [_encoded_each(pair) for pair in parts.items()]),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "number": _WORDS.__getitem__,
    "tuple": lambda codes: tuple(_decoded_each(codes)),
    "list": _decoded_each,
    "mapping": lambda pairs: ReadOnlyDict({_decoded(key): _decoded(one) for key, one in pairs}),
}


def _array(values: list[Any]) -> np.ndarray[Any, Any]:
    if all(isinstance(one, bool) for one in values):
        return np.array(values, dtype=np.bool_)
    if all(isinstance(one, int) and not isinstance(one, bool) for one in values):
        return np.array(values, dtype=np.int64)
    return np.array([math.nan if one is None else float(one) for one in values], dtype=np.float64)


def _typed_array(code: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    values, kind = code["array"], code["dtype"]
    if kind == "object":
        made = np.empty(len(values), dtype=object)
        made[:] = [_decoded(one) for one in values]
        return made
    if kind == "longdouble":
        return np.array([np.longdouble(one) for one in values])
    if np.dtype(kind).kind not in "fiubUS":
        raise InvalidInputError(f"The JSON of a result must hold numbers or text; got the type {kind!r}.")
    if np.dtype(kind).kind == "f":
        flat = _flat(values)
        return np.array([math.nan if one is None else float(one) for one in flat], dtype=kind).reshape(code["shape"])
    return np.array(values, dtype=kind).reshape(code["shape"])


def _flat(values: Any) -> list[Any]:
    return [one for part in values for one in _flat(part)] if isinstance(values, list) else [values]


def _result(name: Any) -> type[Any]:
    for module in (None, *_LATE):
        if module is not None:
            with suppress(ImportError):  # a library that it needs is missing, and with it the result
                import_module(module)
        if name in RESULTS:
            return RESULTS[name]
    raise InvalidInputError(
        f"The JSON must be that of a result; got the type {name!r}. Hint: was it written by a newer thresher?"
    )
