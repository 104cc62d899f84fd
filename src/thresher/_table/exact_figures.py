"""Exact sums over all distinct scores, for tables that keep only some of them."""

from __future__ import annotations

import math
from dataclasses import astuple, fields
from typing import Any

from thresher._core.values import value

_FLOATS = ("average_precision", "interpolated")


@value
class Figures:
    """What is known of all distinct scores where a table keeps only some of them.

    Each figure is one sum over the distinct scores, highest first. At a score with `pos` positives and `neg` negatives
    let `tp0`, `fp0` be the positives and negatives above it and `tp = tp0 + pos`, `fp = fp0 + neg`; there are `P`
    positives and `N` negatives in all. Sums of whole counts are Python integers and exact; where the counts are sums of
    float weights they are floats.
    """

    n_scores: int
    twice_u: int | float
    pos_placement_squares: int | float
    neg_placement_squares: int | float
    tied_pairs: int | float
    shared_scores: int
    shared_pos: int | float
    average_precision: float
    interpolated: float

    def as_json(self) -> dict[str, str]:
        """Return the figures as texts that lose no digit: decimal integers and hexadecimal floats."""
        return {
            field.name: value.hex() if isinstance(value, float) else str(value)
            for field, value in zip(fields(self), astuple(self), strict=True)
        }

    @classmethod
    def from_json(cls, texts: Any) -> Figures:
        """Read what `as_json` wrote; ValueError where it is something else."""
        names = [field.name for field in fields(cls)]
        if not isinstance(texts, dict) or sorted(texts) != sorted(names):
            raise ValueError("other names")
        values: dict[str, Any] = {name: _number(texts[name], whole="scores" in name) for name in names}
        return cls(**values)

    def fit(self, rows: int, n_pos: int | float, n_neg: int | float) -> bool:
        """Return whether a table with so many rows and cases can have these figures, as far as a glance can tell."""
        whole = not isinstance(n_pos, float)
        counted = [getattr(self, field.name) for field in fields(self) if field.name not in _FLOATS]
        slack = 0 if whole else 1e-9  # sums of weights are rounded
        pairs = n_pos * n_neg
        most = (
            (self.twice_u, 2 * pairs),
            (self.pos_placement_squares, 4 * pairs * n_neg),
            (self.neg_placement_squares, 4 * pairs * n_pos),
            (self.tied_pairs, pairs),
            (self.shared_scores, self.n_scores),
            (self.shared_pos, n_pos),
            (self.average_precision, n_pos * (1 + 1e-9)),
            (self.interpolated, n_pos * (1 + 1e-9)),
        )
        return (
            all(isinstance(value, int) or not whole for value in counted)
            and rows <= self.n_scores
            and all(0 <= value <= limit + slack * limit for value, limit in most)
        )


def _number(text: Any, *, whole: bool) -> int | float:
    if not isinstance(text, str):
        raise ValueError("not a text")  # one error for everything that is wrong with a file
    if whole or "0x" not in text:
        return int(text)
    value = float.fromhex(text)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value
