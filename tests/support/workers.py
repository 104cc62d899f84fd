"""How the processes of a run share the work: who compiles which tests."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["begin_apart", "in_order"]

TESTS = Path(__file__).parents[1]
_PLACES = pytest.StashKey[list[Path]]()


def begin_apart(config: pytest.Config) -> None:
    """Let each worker begin to collect in another folder.

    All collect everything. On a fresh clone most of that time goes into compiling tests, which are kept compiled; so
    each worker finds done what the others began with.
    """
    worker = getattr(config, "workerinput", None)
    places = [place for arg in config.args for place in _parts(Path(arg).absolute())]
    if worker is None or not all(place.exists() for place in places):  # one test by its name, say
        return
    config.stash[_PLACES] = places
    first = len(places) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    config.args = [str(place) for place in places[first:] + places[:first]]


def _parts(place: Path) -> list[Path]:
    """Return the folders and files of all tests one by one; anything else stays whole."""
    if place != TESTS:
        return [place]
    folders = [path for path in place.iterdir() if path.is_dir() and path.name not in ("support", "__pycache__")]
    return sorted([*folders, *place.glob("test_*.py")])


def in_order(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the items where they would be had all workers begun at the same place."""
    places = {place: number for number, place in enumerate(config.stash.get(_PLACES, []))}
    if places:
        items.sort(key=lambda item: next(places[at] for at in (item.path, *item.path.parents) if at in places))
