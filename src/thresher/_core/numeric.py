"""Results that stand for one number: they calculate, round, order and print like it."""

from __future__ import annotations

from numbers import Real

__all__ = ["Numeric"]


class Numeric:
    """A result with a `value`, which it calculates, rounds, is formatted and is ordered by."""

    __slots__ = ()
    value: float

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, ndigits: int | None = None) -> float:
        return round(self.value, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else repr(self)

    def __add__(self, other: object) -> float:
        return self.value + float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __radd__(self, other: object) -> float:
        return float(other) + self.value if isinstance(other, Real) else NotImplemented

    def __sub__(self, other: object) -> float:
        return self.value - float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rsub__(self, other: object) -> float:
        return float(other) - self.value if isinstance(other, Real) else NotImplemented

    def __mul__(self, other: object) -> float:
        return self.value * float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rmul__(self, other: object) -> float:
        return float(other) * self.value if isinstance(other, Real) else NotImplemented

    def __truediv__(self, other: object) -> float:
        return self.value / float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rtruediv__(self, other: object) -> float:
        return float(other) / self.value if isinstance(other, Real) else NotImplemented

    def __pow__(self, other: object) -> float:
        return self.value ** float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rpow__(self, other: object) -> float:
        return float(other) ** self.value if isinstance(other, Real) else NotImplemented

    def __neg__(self) -> float:
        return -self.value

    def __abs__(self) -> float:
        return abs(self.value)

    def __lt__(self, other: object) -> bool:
        return self.value < float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.value <= float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.value > float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.value >= float(other) if isinstance(other, Numeric | Real) else NotImplemented
