"""Wrong keywords of public constructors are told in words of the class that was called."""

from __future__ import annotations

import inspect

import pytest

import thresher as th
from thresher import plotting, results

PUBLIC = [
    found
    for module in (th, results, plotting)
    for name in module.__all__
    if inspect.isclass(found := getattr(module, name)) and not issubclass(found, Exception)
]


@pytest.mark.parametrize("cls", PUBLIC, ids=lambda cls: cls.__name__)
def test_a_wrong_keyword_names_the_public_class(cls):
    with pytest.raises(TypeError) as caught:
        cls(no_such_keyword=1)
    said = str(caught.value)
    assert said.startswith((f"{cls.__name__}.__init__() got an unexpected keyword", f"`{cls.__name__}`"))


@pytest.mark.parametrize("name", ["from_pos_neg", "from_counts", "from_soft_labels", "from_frame", "from_arrow"])
def test_other_constructors_do_too(name):
    with pytest.raises(TypeError, match=rf"^Scores\.{name}\(\) got an unexpected keyword argument 'no_such_keyword'"):
        getattr(th.Scores, name)(no_such_keyword=1)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("weight", "it is `sample_weight`"),
        ("groups", "it is `cluster`"),
        ("y_prob", "it is `y_score`"),
        ("sample_wieght", "did you mean 'sample_weight'?"),
    ],
)
def test_scores_say_what_was_meant(name, meant):
    with pytest.raises(
        th.InvalidTypeError, match=f"^`Scores` takes no argument `{name}`. Hint: {meant}".replace("?", r"\?")
    ):
        th.Scores([1, 0], [1, 2], **{name: [1, 1]})


def test_copies_keep_what_the_constructor_is():
    for cls in (th.Scores, th.RocCurve, th.Population):
        written = next(base for base in cls.__mro__[1:] if "__init__" in vars(base))
        assert inspect.signature(cls) == inspect.signature(written)
        assert cls.__init__.__doc__ == written.__init__.__doc__
    assert th.Scores.from_counts([2, 1], [1, 0], [0, 1]) == th.Scores([1, 0], [2, 1])
