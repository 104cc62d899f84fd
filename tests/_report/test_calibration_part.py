"""What the report says of probabilities is what the library computes; other scores have no such part."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._report.calibration_part import calibration_part


@pytest.fixture
def scores() -> th.Scores:
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, data.logistic)


def test_figures_are_the_library_s(scores):
    part = calibration_part(scores, 0.95)
    parts = scores.calibration().decomposition()
    assert (part.brier, part.miscalibration, part.skill) == (parts.mean, parts.miscalibration, parts.skill)
    blocks = scores.calibration().blocks
    assert part.pos == [block.pos for block in blocks]
    assert (part.high[0], part.low[-1]) == (scores.thresholds[0], scores.thresholds[-1])
    assert part.pvalue == scores.calibration().test(score="brier", n_resamples=199, rng=0).pvalue
    band = scores.calibration().band()
    assert len(part.honest.x) <= 240
    at = np.searchsorted(band.x, part.honest.x)
    assert part.honest.low == band.low[at].tolist()


def test_other_scores_have_none(scores):
    assert calibration_part(th.Scores([0, 1, 1], [0.5, 2.0, 3.0]), 0.95) is None
    assert calibration_part(scores.compress(100), 0.95) is None
    weighted = th.Scores([0, 1, 1, 0], [0.2, 0.3, 0.6, 0.7], sample_weight=[0.5, 1.5, 1.0, 1.0])
    part = calibration_part(weighted, 0.95)
    assert part.honest is part.consistency is part.pvalue is None


def test_the_page_shows_both_panels_or_says_why_not(scores, tmp_path):
    th.report({"logistic": scores, "raw": th.Scores([0, 1, 1, 0], [0.5, 2.0, 3.0, 1.0])}, tmp_path / "both.html")
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert 'data-plot="calibration"' in page
    assert 'data-plot="decision"' in page
    assert "its scores are not all in [0, 1]" in page
    th.report({"raw": th.Scores([0, 1, 1, 0], [0.5, 2.0, 3.0, 1.0])}, tmp_path / "raw.html")
    page = (tmp_path / "raw.html").read_text(encoding="utf-8")
    assert "calibration and net benefit are left out" in page
    assert 'data-plot="calibration"' not in page
