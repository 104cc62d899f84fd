"""Which cases of a long parametrised test an ordinary run takes."""

from __future__ import annotations

from itertools import product

import pytest

from support.thorough import covering, dear, thin

CASES = [{"a": a, "b": b, "c": c} for a, b, c in product(range(5), range(2), range(6))]


def test_every_value_occurs_and_then_pairs_of_values():
    kept = [CASES[number] for number in sorted(covering(CASES, 6))]
    assert len(kept) == 6
    for name, many in (("a", 5), ("b", 2), ("c", 6)):
        assert {case[name] for case in kept} == set(range(many))
    kept = [CASES[number] for number in sorted(covering(CASES, 36))]
    assert {(case["a"], case["c"]) for case in kept} == set(product(range(5), range(6)))


def test_cases_of_one_parameter_lie_apart():
    kept = sorted(covering([{"a": number} for number in range(40)], 8))
    assert len(kept) == 8
    assert max(b - a for a, b in zip(kept, [*kept[1:], 40], strict=True)) <= 8


def test_all_are_kept_where_there_are_no_more():
    assert covering(CASES, 100) == set(range(len(CASES)))


def test_the_first_are_kept():
    one, two, three = dear(["x", "y", ("u", "v")], 1)
    assert one == "x"
    assert [two.values, three.values] == [("y",), ("u", "v")]
    assert {mark.name for mark in two.marks} == {"slow"}


@pytest.mark.some(2)
@pytest.mark.parametrize("number", range(7))
def test_the_others_are_slow(number, request):
    kept = covering([{"number": one} for one in range(7)], 2)
    assert (request.node.get_closest_marker("slow") is None) == (number in kept)


def test_snapshots_are_never_slow(request):
    """Syrupy counts those of a test that is left out as unused, and the run ends with an error."""
    item = pytest.Function.from_parent(request.node.parent, name="one", callobj=lambda snapshot: None)
    thin([item])
    item.add_marker(pytest.mark.slow)
    with pytest.raises(pytest.UsageError, match="compares a snapshot, so it cannot be slow"):
        thin([item])


@pytest.mark.some(4)
@pytest.mark.parametrize("four", "abcd")
@pytest.mark.parametrize(("two", "more"), [(0, "x"), (1, "x")])
def test_every_value_of_stacked_parameters_is_kept(four, two, more, request):
    """Whatever pytest numbers: the cases that are not slow hold each of the four values, and each of the two."""
    alike = [item for item in request.session.items if getattr(item, "originalname", "") == request.node.originalname]
    kept = [item.callspec.params for item in alike if item.get_closest_marker("slow") is None]
    assert {case["four"] for case in kept} == set("abcd")
    assert {case["two"] for case in kept} == {0, 1}
    assert len(kept) == 4
