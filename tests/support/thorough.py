"""What an ordinary run leaves to `pytest -m slow`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import settings

__all__ = ["at_least", "covering", "dear", "thin"]


def dear(values: Iterable[Any], keep: int) -> list[Any]:
    """Return parameters of which only the first `keep` are in an ordinary run; the others are `slow`."""
    given = list(values)
    return [*given[:keep], *(_slow(value) for value in given[keep:])]


def _slow(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)


def at_least(examples: int) -> settings:
    """Return settings with so many examples, for a property whose errors are rare; a thorough run tries more."""
    return settings(max_examples=max(examples, settings().max_examples))


def thin(items: Sequence[pytest.Item]) -> None:
    """Mark as `slow` all but n cases of each test that is marked ``some(n)``.

    A test with snapshots stays whole: one that an ordinary run leaves out counts as unused, and ends the run with an
    error although every test passed.
    """
    tests = defaultdict(list)
    for item in items:
        if hasattr(item, "callspec") and item.get_closest_marker("some"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        keep = cases[0].get_closest_marker("some").args[0]
        kept = covering([_choices(case) for case in cases], keep)
        for number, case in enumerate(cases):
            if number not in kept:
                case.add_marker(pytest.mark.slow)
    for item in items:
        if "snapshot" in getattr(item, "fixturenames", ()) and item.get_closest_marker("slow"):
            raise pytest.UsageError(
                f"{item.nodeid} compares a snapshot, so it cannot be slow: run it always, or drop it."
            )


def _choices(case: pytest.Item) -> dict[str, int]:
    """Return which value each parameter of a case has; parameters given together are one.

    By what the values are, since pytest 9 numbers the cases and not the values of each parameter.
    """
    params = case.callspec.params
    together = [_names(mark.args[0]) for mark in case.iter_markers("parametrize")]
    alone = [(name,) for name in params if not any(name in names for names in together)]
    return {",".join(names): hash(tuple(id(params[name]) for name in names)) for names in [*together, *alone]}


def _names(argnames: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for name in argnames.split(",")) if isinstance(argnames, str) else tuple(argnames)


def covering(cases: Sequence[dict[str, int]], keep: int) -> set[int]:
    """Return which cases to keep: together they hold every value of every parameter, then pairs of values.

    Where several would do as well, the next is far from those before it in the order of the cases.
    """
    settings = [set(combinations(sorted(case.items()), 1)) for case in cases]
    pairs = [set(combinations(sorted(case.items()), 2)) for case in cases]
    left = sorted(range(len(cases)), key=lambda number: number * 0.6180339887498949 % 1.0)
    kept: set[int] = set()
    seen: set[tuple[tuple[str, int], ...]] = set()
    while left and len(kept) < keep:
        best = max(left, key=lambda number: (len(settings[number] - seen), len(pairs[number] - seen)))
        left.remove(best)
        kept.add(best)
        seen |= settings[best] | pairs[best]
    return kept
