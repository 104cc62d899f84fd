"""How the processes of a run share the work."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from support.workers import TESTS, begin_apart, in_order

ROOT = TESTS.parent
ARGS = [str(TESTS), str(ROOT / "src" / "thresher"), str(ROOT / "README.md")]


def config_of(number, args=ARGS):
    worker = {"workerid": f"gw{number}", "workercount": 3}
    return SimpleNamespace(workerinput=worker, args=list(args), stash=pytest.Stash())


def test_workers_begin_apart_and_end_in_one_order():
    orders, starts = [], []
    for number in range(3):
        config = config_of(number)
        begin_apart(config)
        starts.append(config.args[0])
        items = [SimpleNamespace(path=Path(place) / "test_it.py") for place in config.args]
        in_order(config, items)
        orders.append([item.path for item in items])
    assert len({*starts}) == 3
    assert orders[0] == orders[1] == orders[2]
    assert len(orders[0]) == len({*orders[0]})


def test_nothing_is_left_out():
    config = config_of(1)
    begin_apart(config)
    tests = [path for path in TESTS.rglob("test_*.py") if "support" not in path.parts]
    assert all(any(str(at) in config.args for at in (path, *path.parents)) for path in tests)
    assert ARGS[1] in config.args
    assert ARGS[2] in config.args
    assert str(TESTS / "support") not in config.args


@pytest.mark.parametrize("args", [[f"{TESTS}/test_import.py::test_it"], [str(TESTS / "measures")]])
def test_what_was_asked_for_by_name_stays(args):
    config = config_of(2, args)
    begin_apart(config)
    assert config.args == args


def test_without_workers_nothing_changes():
    config = SimpleNamespace(args=["tests"], stash=pytest.Stash())
    begin_apart(config)
    items = [3, 1, 2]
    in_order(config, items)
    assert (config.args, items) == (["tests"], [3, 1, 2])
