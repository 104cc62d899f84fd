"""What scikit-learn's own tests need to run here, and which of its common tests concern thresher's functions."""

from __future__ import annotations

from functools import partial

import pytest

import thresher.metrics

OURS = {getattr(thresher.metrics, name) for name in thresher.metrics.__all__}


@pytest.fixture
def global_random_seed():
    return 42


@pytest.fixture
def pyplot():
    """Matplotlib's figures, drawn to files only and closed after each test, as scikit-learn's own fixture has them."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib, of the extra `plot`, is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.close("all")
    yield plt
    plt.close("all")


def pytest_configure(config):
    """Make known the markers that scikit-learn's tests carry."""
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's mark for tests that may not run in threads")


def _is_ours(value: object, register: dict[str, object]) -> bool:
    """Return whether a test's parameter is one of thresher's functions, or the name of one in the register."""
    if isinstance(value, str):
        value = register.get(value)
    while isinstance(value, partial):
        value = value.func
    return callable(value) and value in OURS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out the cases of scikit-learn's common tests that are about other metrics."""
    others = set()
    for item in items:
        register = getattr(getattr(item, "module", None), "ALL_METRICS", None)
        spec = getattr(item, "callspec", None)
        about = [] if register is None or spec is None else spec.params.values()
        if about and not any(_is_ours(value, register) for value in about):
            others.add(item)
        elif "display" in item.nodeid:
            # Drawings in every combination of a dozen options.
            item.add_marker(pytest.mark.some(5))
    if others:
        config.hook.pytest_deselected(items=[item for item in items if item in others])
        items[:] = [item for item in items if item not in others]
