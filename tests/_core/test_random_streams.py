import numpy as np
import pytest
import scipy.stats

import thresher as th
from thresher._core.random_streams import Stream, batch_rows, run_batches, stream_key
from thresher.exceptions import InvalidInputError, InvalidTypeError


def test_a_replicate_draws_the_same_whatever_came_before():
    key = stream_key(7)
    stream = Stream(key)
    alone = Stream(key).at(5).integers(1000, size=20).tolist()
    stream.at(4).random(13)
    stream.at(9).integers(10, size=3, dtype=np.uint32)
    assert stream.at(5).integers(1000, size=20).tolist() == alone


def test_replicates_and_keys_differ():
    draws = {tuple(Stream(stream_key(seed)).at(i).integers(2**40, size=4)) for seed in range(20) for i in range(20)}
    assert len(draws) == 400


def test_seeds_of_every_kind():
    assert stream_key(3).tolist() == stream_key(np.int64(3)).tolist()
    assert stream_key(3).tolist() == stream_key(np.random.SeedSequence(3)).tolist()
    assert stream_key(None).tolist() != stream_key(None).tolist()
    rng = np.random.default_rng(3)
    first, second = stream_key(rng).tolist(), stream_key(rng).tolist()
    assert first != second
    assert first == stream_key(np.random.default_rng(3)).tolist()


Y = [0, 1] * 20
S = [0.1 + 0.02 * i if i % 3 else 0.5 for i in range(40)]
GROUPS = list("aabbccdd") * 5
TAKES_SEEDS = {
    "bootstrap": lambda rng: th.bootstrap(Y, S, n_resamples=10, rng=rng),
    "interval": lambda rng: th.Scores(Y, S).roc_auc().confidence_interval(method="bootstrap", n_resamples=10, rng=rng),
    "compare": lambda rng: th.compare(Y, {"a": S, "b": S[::-1]}, method="bootstrap", n_resamples=10, rng=rng),
    "permutation": lambda rng: th.compare(Y, {"a": S, "b": S[::-1]}, method="permutation", n_resamples=10, rng=rng),
    "roc_band": lambda rng: th.Scores(Y, S).roc_band(method="bootstrap", n_resamples=100, rng=rng),
    "pr_band": lambda rng: th.Scores(Y, S).pr_band(method="bootstrap", n_resamples=100, rng=rng),
    "pr_gain_interval": lambda rng: th.Scores(Y, S).pr_gain_interval(n_resamples=100, rng=rng),
    "groups": lambda rng: th.by_group(Y, S, GROUPS).confidence_interval(method="bootstrap", n_resamples=10, rng=rng),
    "decision_curve": lambda rng: th.Scores(Y, S).decision_curve().band(simultaneous=True, method="bootstrap", rng=rng),
    "threshold_interval": lambda rng: th.Scores(Y, S).threshold_interval("f1", n_resamples=10, rng=rng),
    "optimism": lambda rng: th.Scores(Y, S).choose_threshold("f1").optimism(rng=rng),
    "population": lambda rng: th.Population(scipy.stats.norm(1), scipy.stats.norm(), prevalence=0.5).sample(9, rng=rng),
    "mixture": lambda rng: th.Scores(Y, S).choose_threshold(min_recall=0.93, mix=True).predict(S, rng=rng),
    "gate": lambda rng: th.gate(S, S[::-1], y_true=Y, metric="pr_auc", margin=0.1, n_resamples=10, rng=rng),
}


@pytest.mark.parametrize("name", TAKES_SEEDS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_one_rule_for_seeds_everywhere(name):
    call = TAKES_SEEDS[name]
    for good in (None, 3, np.int64(3), np.random.default_rng(3), np.random.SeedSequence(3)):
        call(good)
    for bad in ([1, 2], True, np.random.RandomState(3), 1.5, "a"):
        with pytest.raises(InvalidTypeError, match="`rng` must be None, a seed, a numpy Generator or a SeedSequence"):
            call(bad)
    with pytest.raises(InvalidInputError, match=r"`rng` must not be negative; got -1\. Hint: any seed from 0 up"):
        call(-1)


def test_bad_seeds():
    with pytest.raises(InvalidTypeError) as caught:
        stream_key("seed")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "`rng` must be None, a seed, a numpy Generator or a SeedSequence; got 'seed' of type str. "
        "Hint: an integer makes the result repeatable."
    )
    with pytest.raises(InvalidInputError) as negative:
        stream_key(-1)
    assert str(negative.value) == "`rng` must not be negative; got -1. Hint: any seed from 0 up will do."


@pytest.mark.parametrize("rows, workers", [(1, 1), (7, 1), (7, 3), (100, 2)])
def test_batches_are_joined_in_order_and_reported(rows, workers):
    seen = []
    joined = run_batches(
        lambda first, count: np.arange(first, first + count, dtype=float),
        50,
        rows=rows,
        workers=workers,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert joined.tolist() == list(range(50))
    assert seen == [(min(done, 50), 50) for done in range(rows, 50 + rows, rows)]


def test_memory_is_bounded():
    assert batch_rows(10) == 1024
    assert batch_rows(10_000) * 10_000 <= 2**20
    assert batch_rows(10**9) == 1
