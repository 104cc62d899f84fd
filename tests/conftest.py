"""Settings of the test run."""

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from support.cuda_on_host import launcher_on_host
from support.thorough import thin
from support.workers import begin_apart, in_order
from thresher._core import cuda, device

# One process a core (pytest-xdist): threads of linear algebra beside them would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Workers and the hundreds of processes that tests start find the library compiled: whoever forbids bytecode would
# have each of them compile it again. (A folder of its own for it would make them compile every installed library too.)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Timing is the benchmarks' business; a loaded machine must not fail a property. In CI the examples are the same in
# every run, so that a change is judged by what it changed; elsewhere they are new each time, so that more is tried.
# THRESHER_EXAMPLES=thorough tries many more, as the weekly run does.
settings.register_profile("thresher", deadline=None, max_examples=10)
settings.register_profile("ci", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("THRESHER_EXAMPLES") or ("ci" if os.environ.get("CI") else "thresher"))

# Helpers, not tests: `--doctest-modules` would import them, and some import what no extra installs. The folder, and its
# files too, for when the folder is named on the command line.
collect_ignore = ["support"]
collect_ignore_glob = ["support/*"]


@pytest.fixture
def everything_is_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Main memory counts as a device, so that what runs on one can run here."""
    monkeypatch.setattr(device, "_HOST", ())


@pytest.fixture(scope="module")
def kernels_on_host(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """The same, with the kernels for CUDA compiled for the processor."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "_HOST", ())
        patch.setattr(cuda, "launcher", launcher_on_host(tmp_path_factory.mktemp("cuda")))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect without a search for garbage, and keep what was made, which lives until the end, out of later ones."""
    begin_apart(session.config)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)  # seldom: it takes a twentieth of the time


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the cases beyond those that ``some(n)`` asks for to `pytest -m slow`."""
    in_order(config, items)
    thin(items)
