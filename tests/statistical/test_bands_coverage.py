"""Coverage of bands and of intervals of the PR area, by simulation.

The ordinary run has a few settings; the full study (`pytest -m slow tests/statistical`) has all that are promised. Its
tables are in docs/validation/bands.md. Seeds are fixed, and bounds leave room for binomial chance only.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.coverage import Setting, area, pointwise, settings, simultaneous, tolerated
from support.thorough import dear

FULL = settings((1, 4, 10), ("random", "fixed"))
WHOLE = settings((1, 10), ("random", "fixed"))


@pytest.mark.parametrize(
    "setting",
    dear([Setting("D", 500, 1), Setting("C", 500, 4, "fixed")], 1),
    ids=str,
)
def test_pointwise_binomial_beta(setting: Setting) -> None:
    replicates = 60
    hits, _ = pointwise(setting, replicates, seed=1)
    assert hits.min() >= tolerated(replicates, 0.93, cells=hits.size)
    assert hits.mean() >= 0.93


def test_the_normal_band_fails_where_it_is_said_to() -> None:
    # The same study finds the plain normal interval out, so it can find ours out.
    with pytest.warns(UserWarning, match="must not be trusted"):
        hits, _ = pointwise(Setting("C", 500, 10), 60, seed=1, method="normal")
    assert hits[1] < 0.6


@pytest.mark.some(1)
@pytest.mark.parametrize("setting", [Setting("B", 500, 10, "fixed")], ids=str)
@pytest.mark.parametrize("curve", ["pr", "roc"])
def test_envelope(setting: Setting, curve: str) -> None:
    replicates = 80
    share, _ = simultaneous(setting, replicates, seed=2, curve=curve, n_resamples=600)
    assert share >= tolerated(replicates, 0.95)


@pytest.mark.parametrize("method", ["equal-local-level", "dkw"])
def test_rectangles_hold_their_guarantee(method: str) -> None:
    share, width = simultaneous(Setting("A", 500, 1, "fixed"), 40, seed=3, method=method)
    assert share >= tolerated(40, 0.95)
    assert width < 0.45


@pytest.mark.parametrize("setting", [Setting("B", 500, 1), Setting("C", 500, 10)], ids=str)
def test_logit_interval_of_the_area(setting: Setting) -> None:
    replicates = 200
    assert area(setting, replicates, seed=4) >= tolerated(replicates, 0.93)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["random", "fixed"])
def test_pointwise_binomial_beta_in_every_cell(design: str) -> None:
    cells = np.array([pointwise(s, 1000, seed=100 + i)[0] for i, s in enumerate(FULL) if s.design == design])
    assert cells.shape == (24, 9)
    assert cells.min() >= tolerated(1000, 0.93, cells=cells.size)
    assert cells.mean() >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("setting", [Setting("B", 500, 10), Setting("B", 1000, 10), Setting("B", 500, 1)], ids=str)
def test_pointwise_binomial_beta_in_the_worst_cells(setting: Setting) -> None:
    hits, _ = pointwise(setting, 4000, seed=150)
    assert hits.min() >= tolerated(4000, 0.93, cells=hits.size)


@pytest.mark.slow
@pytest.mark.parametrize("setting", WHOLE, ids=str)
def test_envelope_in_every_setting(setting: Setting) -> None:
    share, _ = simultaneous(setting, 400, seed=200 + WHOLE.index(setting))
    assert 0.93 <= share <= 0.995


@pytest.mark.slow
@pytest.mark.parametrize("setting", [s for s in settings((1, 10)) if s.n == 500], ids=str)
def test_logit_interval_of_the_area_in_every_case(setting: Setting) -> None:
    assert 0.92 <= area(setting, 1000, seed=300) <= 0.975
