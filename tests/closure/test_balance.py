"""A measure that does not need the balance of the classes keeps its value if one class is weighted anew."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support.measures import options_of

MEASURES = [th.measures.as_measure(name, **options_of(name)) for name in th.measures.names()]
FREE = [measure for measure in MEASURES if not measure.needs_balance]
RNG = np.random.default_rng(5)
Y = RNG.random(300) < 0.35
CHANCE = np.round(1 / (1 + np.exp(1.2 - RNG.normal(size=300) - 1.4 * Y)), 2).clip(0.01, 0.99)


@pytest.mark.parametrize("measure", FREE, ids=lambda measure: measure.title)
def test_a_class_may_weigh_anything_if_the_balance_is_not_needed(measure):
    weighed = th.Scores(Y, CHANCE, sample_weight=np.where(Y, 0.25, 1.0)).measure(measure)
    assert weighed.value == pytest.approx(th.Scores(Y, CHANCE).measure(measure).value, rel=1e-9)


def test_both_kinds_are_there():
    assert 20 < len(FREE) < len(MEASURES) - 20
