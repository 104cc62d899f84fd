from __future__ import annotations

import inspect
import warnings

import pytest

import thresher as th
from thresher._core.deprecation import deprecated, renamed_arguments
from thresher.exceptions import InvalidInputError, ThresherDeprecationWarning


@deprecated("th.area", since="1.2", until="2.0")
def surface(side: float, *, scale: float = 1.0) -> float:
    """Return the surface."""
    return side * side * scale


@renamed_arguments(since="1.2", until="2.0", width="side", factor="scale")
def area(side: float = 1.0, *, scale: float = 1.0) -> float:
    """Return the area."""
    return side * side * scale


def test_an_old_name_works_and_names_the_new_one():
    said = "`surface` is deprecated since 1.2 and goes in 2.0. Hint: use `th.area`."
    with pytest.warns(ThresherDeprecationWarning) as caught:
        assert surface(3, scale=2) == 18
    assert [str(warning.message) for warning in caught] == [said]
    assert caught[0].filename == __file__  # the caller's line, not the library's


@pytest.mark.parametrize(
    "given, expected, said",
    [
        ({"width": 3}, 9, ["`width` of `area`"]),
        ({"side": 2, "factor": 5}, 20, ["`factor` of `area`"]),
        ({"width": 2, "factor": 5}, 20, ["`factor` of `area`", "`width` of `area`"]),
        ({"side": 2, "scale": 5}, 20, []),
    ],
)
def test_old_arguments_stand_for_the_new_ones(given, expected, said):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert area(**given) == expected
    messages = sorted(str(warning.message) for warning in caught)
    assert [message.removeprefix("The argument ").partition(" is ")[0] for message in messages] == said
    assert all(warning.filename == __file__ for warning in caught)


def test_both_names_at_once_are_refused():
    with pytest.raises(InvalidInputError) as caught:
        area(side=1, width=2)
    assert str(caught.value) == "`width` is the old name of `side`; got both. Hint: pass `side` alone."


def test_an_unknown_argument_is_still_an_error():
    with pytest.raises(TypeError, match="height"):
        area(height=1)


def test_signature_and_docstring_are_those_of_the_function():
    assert list(inspect.signature(area).parameters) == ["side", "scale"]
    assert area.__doc__ == "Return the area."
    assert surface.__name__ == "surface"


def test_people_see_the_warning_without_asking_for_it():
    # Python hides a DeprecationWarning that arises outside `__main__`; a FutureWarning is shown everywhere.
    kind = ThresherDeprecationWarning
    assert issubclass(kind, th.ThresherWarning)
    assert issubclass(kind, FutureWarning)
    assert not issubclass(kind, DeprecationWarning | PendingDeprecationWarning)
