"""The simulated reader study."""

import numpy as np

import thresher as th


def test_every_reader_rates_every_case_in_both_modalities():
    data = th.datasets.load_reader_study()
    assert data.rating.size == 1440
    assert sorted(set(data.modality.tolist())) == ["assisted", "unassisted"]
    assert len(set(zip(data.reader.tolist(), data.modality.tolist(), data.case.tolist(), strict=True))) == 1440
    assert set(data.truth.tolist()) == {0, 1}
    assert (data.rating.min() >= 0) & (data.rating.max() <= 100)
    assert data.to_frame("pandas").columns.tolist() == ["reader", "case", "modality", "truth", "rating"]


def test_every_second_reader_uses_multiples_of_five():
    data = th.datasets.load_reader_study()
    even = np.isin(data.reader, ["reader 2", "reader 4", "reader 6"])
    assert (data.rating[even] % 5 == 0).all()
    assert not (data.rating[~even] % 5 == 0).all()
