"""Reading a study: columns, designs, refusals, warnings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import thresher as th
from _readers.test_covariance import ratings

FRAME = th.datasets.load_reader_study().to_frame("pandas")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_library(backend):
    pytest.importorskip(backend)
    study = th.readers(th.datasets.load_reader_study().to_frame(backend))
    assert study == th.readers(FRAME)
    assert (study.n_pos, study.n_neg, study.n_cases) == (48, 72, 120)
    assert study.readers[0] == "reader 1"
    assert study.modalities == ("assisted", "unassisted")


def test_columns_by_name():
    renamed = FRAME.rename(
        columns={"reader": "who", "case": "img", "modality": "how", "truth": "ca", "rating": "score"}
    )
    renamed["ca"] = np.where(renamed.ca == 1, "yes", "no")
    study = th.readers(renamed, reader="who", case="img", modality="how", truth="ca", rating="score", pos_label="yes")
    assert study == th.readers(FRAME)


def changed(**columns):
    return FRAME.assign(**columns)


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (
            FRAME,
            {"reader": "rater"},
            r"`reader` must name a column; got 'rater'. Hint: the columns are 'reader', 'case'",
        ),
        (FRAME, {"case": "reader"}, r"`case` must name a column of its own; 'reader' is named twice"),
        (changed(truth="x"), {}, r"`truth` must hold the labels .*pos_label"),
        (changed(rating=np.nan), {}, r"`rating` must not contain missing values"),
        (
            changed(truth=(np.arange(len(FRAME)) % 7 == 0).astype(int)),
            {},
            r"Each case must have one truth; case '1' is positive in",
        ),
        (
            pd.concat([FRAME, FRAME[:1]]),
            {},
            r"Each reader must rate a case once in a modality; reader 'reader 1' has several ratings of case '1'",
        ),
        (FRAME, {"modality": None}, r"Each reader must rate a case once in a modality"),
    ],
)
def test_refusals(frame, options, message):
    with pytest.raises(th.InvalidInputError, match=message):
        th.readers(frame, **options)


def test_missing_names_are_refused():
    frame = FRAME.astype({"reader": object})
    frame.loc[3, "reader"] = None
    with pytest.raises(th.InvalidInputError, match=r"`reader` must not"):
        th.readers(frame)


def test_one_reader_cannot_be_random():
    study = th.readers(FRAME[FRAME.reader == "reader 1"])
    with pytest.raises(th.InvalidInputError, match=r"Random readers must be at least 2 .* Hint: readers='fixed'"):
        study.measure()
    assert study.measure(readers="fixed").components.cov2 is None


def test_something_must_be_random():
    with pytest.raises(th.InvalidInputError, match="got 'fixed' for both"):
        th.readers(FRAME).measure(readers="fixed", cases="fixed")


def test_a_reader_with_one_case_of_a_class_is_named():
    few = FRAME[(FRAME.reader != "reader 2") | (FRAME.truth == 0) | (FRAME.case == FRAME.case[FRAME.truth == 1].min())]
    with pytest.raises(th.InvalidInputError, match=r"2 positive cases .* reader 'reader 2' in 'assisted' reads 1"):
        th.readers(few).measure()
    assert th.readers(few).measure("specificity", threshold=50).n_cases == 120  # which needs none


def test_few_cases_of_a_class_warn():
    cases = FRAME.case[FRAME.truth == 1].unique()[:8]
    study = th.readers(FRAME[(FRAME.truth == 0) | FRAME.case.isin(cases)])
    with pytest.warns(th.ThresherWarning) as caught:
        study.measure()
    assert any("only 8 positive cases" in str(one.message) for one in caught)
    with pytest.warns(th.ThresherWarning) as caught:
        study.measure("kolmogorov_smirnov", n_resamples=100)
    assert any("too high" in str(one.message) for one in caught)


def test_a_reader_without_an_error_warns():
    frame = changed(rating=np.where(FRAME.reader == "reader 1", 100 * FRAME.truth, FRAME.rating))
    with pytest.warns(th.ThresherWarning, match="no spread over cases for 2 of 12 readings, first reader 'reader 1'"):
        found = th.readers(frame).measure()
    own = next(one for one in found.by_reader if one.reader == "reader 1")
    assert (own.difference, own.standard_error, own.pvalue) == (0.0, 0.0, 1.0)


def test_a_mean_near_a_bound_warns_and_has_a_wider_interval():
    frame = changed(rating=FRAME.rating + 60 * FRAME.truth)
    with pytest.warns(th.ThresherWarning, match=r"'assisted' is within 3 standard errors .*method='wider'"):
        found = th.readers(frame).measure()
    plain, logit, wider = (found.means[0].confidence_interval(method=one) for one in ("t", "logit", "wider"))
    assert (plain.low, plain.high) == (found.means[0].low, found.means[0].high)
    assert (wider.low, wider.high) == (min(plain.low, logit.low), max(plain.high, logit.high))
    assert logit.low < plain.low


def test_the_mean_curve_has_the_mean_area():
    frame = ratings(3, readers=5, read=0.8, pos=30, neg=40, categories=9)
    study = th.readers(frame)
    for modality in study.modalities:
        fpr, tpr = study.mean_roc(modality)
        areas = [th.measures.RocAuc().of(table) for table in study.tables(modality).values()]
        assert np.trapezoid(tpr, fpr) == pytest.approx(np.mean(areas), rel=1e-12)
        assert (np.diff(fpr) >= 0).all()
        assert (np.diff(tpr) >= -1e-15).all()
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == pytest.approx((0, 0, 1, 1))


def test_unknown_modalities_are_refused():
    with pytest.raises(th.InvalidInputError, match=r"`modality` must be one of 'assisted', 'unassisted'.*did you mean"):
        th.readers(FRAME).tables("assist")
