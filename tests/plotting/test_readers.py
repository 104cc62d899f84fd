"""The display of a reader study."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th

STUDY = th.readers(th.datasets.load_reader_study().to_frame("pandas"))


@pytest.fixture
def display():
    found = th.plotting.ReadersDisplay.from_readers(STUDY)
    yield found
    plt.close(found.figure_)


def test_every_reader_and_the_means(display):
    assert set(display.lines_) == {"assisted", "unassisted"}
    assert len(display.reader_lines_) == 12
    for modality, line in display.lines_.items():
        x, y = line.get_data()
        areas = [th.measures.RocAuc().of(table) for table in STUDY.tables(modality).values()]
        assert np.trapezoid(y, x) == pytest.approx(np.mean(areas), rel=1e-12)
        assert f"(AUC {np.mean(areas):.3f})" in line.get_label()
        for reader in STUDY.readers:
            assert display.reader_lines_[modality, reader].get_color() == line.get_color()
    thin = display.reader_lines_["assisted", "reader 3"].get_data()
    assert np.trapezoid(thin[1], thin[0]) == pytest.approx(
        th.measures.RocAuc().of(STUDY.tables("assisted")["reader 3"]), rel=1e-12
    )
    assert display.lines_["assisted"].get_color() != display.lines_["unassisted"].get_color()
    assert [text.get_text().split(",")[0] for text in display.legend_.get_texts()] == [
        "assisted", "unassisted", "chance",
    ]  # fmt: skip


def test_axes_of_ones_own_and_means_only():
    figure, ax = plt.subplots()
    found = th.plotting.ReadersDisplay(STUDY).plot(ax, readers=False, legend=False, chance=False)
    assert found.ax_ is ax
    assert len(ax.lines) == 2
    assert found.legend_ is None
    plt.close(figure)


def test_only_studies_are_drawn():
    with pytest.raises(th.InvalidTypeError, match=r"`study` must be a ReaderStudy; got 3 .*th.readers"):
        th.plotting.ReadersDisplay(3)
