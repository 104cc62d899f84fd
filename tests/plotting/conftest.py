"""Drawings go to memory, and every figure is closed."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import pytest

import thresher as th

mpl.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    import matplotlib.pyplot as plt

    before = dict(mpl.rcParams)
    yield
    plt.close("all")
    assert dict(mpl.rcParams) == before


@pytest.fixture(scope="session")
def digits() -> dict[str, th.Scores]:
    data = th.datasets.load_digits_eight()
    return {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
