"""Inherited constructors whose errors name the class that was called, not the one that they are written in."""

from __future__ import annotations

from types import FunctionType
from typing import Any

__all__ = ["own_constructors"]


def own_constructors(cls: type[Any], *others: str) -> None:
    """Give a class its own copies of an inherited `__init__` and of other constructors, called by its name."""
    for name in ("__init__", *others):
        found = next(vars(base)[name] for base in cls.__mro__ if name in vars(base))
        function = getattr(found, "__func__", found)
        if not isinstance(function, FunctionType) or name in vars(cls):
            continue
        own = FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
        own.__kwdefaults__, own.__doc__, own.__module__ = function.__kwdefaults__, function.__doc__, cls.__module__
        own.__annotations__ = function.__annotations__
        own.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, own if function is found else type(found)(own))
