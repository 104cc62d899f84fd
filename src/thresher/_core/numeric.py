"""Results that stand for one number: they round, order and print like it."""

from __future__ import annotations

from numbers import Real

__all__ = ["Numeric"]


class Numeric:
    """A result with a `value`; `float`, `round`, formats and order against numbers and each other are those of it."""

    __slots__ = ()
    value: float

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, ndigits: int | None = None) -> float:
        return round(self.value, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else repr(self)

    def __lt__(self, other: object) -> bool:
        return self.value < float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.value <= float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.value > float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.value >= float(other) if isinstance(other, Numeric | Real) else NotImplemented
