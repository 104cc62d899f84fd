"""Tables of studies that are drawn: samples of a population, or rows of a pilot drawn again."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.population import Population

__all__ = ["chance_of_both", "drawn_positives", "prevalence_of", "studies"]


def prevalence_of(source: Population | Counts) -> float:
    """Return the prevalence of studies."""
    if source.prevalence is None:
        raise InvalidInputError(
            "the population must have a prevalence to plan a study; got None. "
            "Hint: use population.with_prevalence(...)."
        )
    return source.prevalence


def chance_of_both(source: Population | Counts, n: int, design: str) -> float:
    """Return the probability that a study of n cases has both classes."""
    share = prevalence_of(source)
    if n < 2 or design != "random":
        return float(0 < round(n * share) < n)
    return -math.expm1(n * math.log1p(-share)) - share**n


def drawn_positives(
    n: int, share: float, rng: np.random.Generator, size: int | None = None
) -> np.int64 | NDArray[np.int64]:
    """Return how many of n independent cases are positive, given that both classes are among them.

    The class of the first case and the place of the first of the other class are drawn by their inverse distribution
    functions, so that nothing is drawn again however rare a class is.
    """
    rest = n - 1
    # The first case is a positive (negative), and not all the others are.
    pos, neg = share * -np.expm1(rest * np.log(share)), (1.0 - share) * -np.expm1(rest * np.log1p(-share))
    positive = rng.random(size) * (pos + neg) < pos
    other = np.log1p(-np.where(positive, 1.0 - share, share))
    place = np.ceil(np.log1p(rng.random(size) * np.expm1(rest * other)) / other).clip(1, rest).astype(np.int64)
    out: np.int64 | NDArray[np.int64] = np.where(positive, place, 1) + rng.binomial(rest - place, share)
    return out


def studies(source: Population | Counts, n: int, design: str, rng: np.random.Generator) -> Iterator[Counts]:
    """Yield the tables of studies of n cases that have both classes, without end.

    They are samples of a population, or rows of a pilot drawn again.
    """
    share = prevalence_of(source)
    if not chance_of_both(source, n, design):
        raise InvalidInputError(
            f"a study must have at least one case of each class; at prevalence {share:g} one of n={n} has not. "
            f"Hint: plan for {math.ceil(1.0 / min(share, 1.0 - share)):,} cases or more."
        )
    columns = (source.pos, source.neg) if isinstance(source, Counts) else ()
    shares = [np.asarray(column, dtype=np.float64) / float(column.sum()) for column in columns]
    while True:
        n_pos = int(drawn_positives(n, share, rng)) if design == "random" else round(n * share)
        if isinstance(source, Counts):
            pos, neg = rng.multinomial(n_pos, shares[0]), rng.multinomial(n - n_pos, shares[1])
            some = pos + neg > 0
            yield Counts._from_table((source.thresholds[some], pos[some], neg[some]))
        else:
            yield Counts.from_pos_neg(source.pos.draw(n_pos, rng), source.neg.draw(n - n_pos, rng))
