"""How resampling is asked for."""

from __future__ import annotations

import pytest

import thresher as th
from thresher._inference.bootstrap.resampling import Resampling


@pytest.mark.parametrize(
    "options", [{"n_resamples": 9}, {"workers": 0}, {"batch_size": 0}, {"n_resamples": -5}, {"workers": -1}]
)
def test_counts_too_small_are_refused(options):
    (name,) = options
    with pytest.raises(th.InvalidInputError, match=f"`{name}` must"):
        Resampling(**options)


def test_the_least_that_is_taken():
    how = Resampling(n_resamples=10, workers=1, batch_size=1)
    assert (how.n_resamples, how.workers, how.batch_size) == (10, 1, 1)


def test_keywords_are_taken_out_and_the_rest_is_left():
    options = {"n_resamples": 50, "rng": 3, "stratified": False, "fpr": 0.1}
    assert Resampling._taken_from(options) == Resampling(50, 3, False)
    assert options == {"fpr": 0.1}


def test_an_object_excludes_keywords():
    given = Resampling(50, 3)
    assert Resampling._taken_from({"fpr": 0.1}, given) is given
    with pytest.raises(th.InvalidInputError, match="`rng` must not be given beside `resampling`"):
        Resampling._taken_from({"rng": 1}, given)
    with pytest.raises(th.InvalidInputError, match=r"`resampling` must be a `th\.results\.Resampling`; got 5"):
        Resampling._taken_from({}, 5)


def test_progress_does_not_make_requests_differ():
    assert Resampling(20, 1, progress=print) == Resampling(20, 1)
    assert Resampling(20, 1) != Resampling(20, 2)
    assert Resampling(20, 1) != Resampling(20, 1, stratified=False)


def test_batches_and_workers_do_not_change_the_numbers():
    y, s = [1, 1, 0, 1, 0, 1, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    plain = th.bootstrap(y, s, resampling=Resampling(60, 7)).replicates.tolist()
    for how in (Resampling(60, 7, batch_size=7), Resampling(60, 7, workers=2, batch_size=11)):
        assert th.bootstrap(y, s, resampling=how).replicates.tolist() == plain
