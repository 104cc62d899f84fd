"""The demonstration prints what the library says, and does not start where it cannot write."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli import _demo

SMALL = {"a": th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1]), "b": th.Scores([1, 0, 1, 1, 0, 0], [1, 3, 5, 6, 4, 2])}


def test_a_figure_with_its_interval():
    area = SMALL["a"].roc_auc()
    low, high = area.confidence_interval()
    assert _demo._with_interval(area) == f"{area.value:.4f} ({low:.4f} to {high:.4f})"


@pytest.mark.filterwarnings("ignore:At prevalence 0.001")  # six rows cannot tell
def test_the_table_has_a_row_for_each_area_and_a_column_for_each_model():
    table = _demo._areas(SMALL)
    assert [column.header for column in table.columns] == ["area", "a", "b"]
    cells = [list(column.cells) for column in table.columns]
    assert cells[0] == [
        "ROC",
        "PR, interpolated",
        "PR, average precision",
        "PR, achievable",
        "PR, if 1 in 1,000 were an eight",
    ]
    for scores, column in zip(SMALL.values(), cells[1:], strict=True):
        assert column[0].startswith(f"{scores.roc_auc().value:.4f} (")
        assert column[2].startswith(f"{scores.pr_auc(estimator='average_precision').value:.4f} (")
        assert column[4].startswith(f"{scores.pr_auc(prevalence=0.001).value:.4f} (")


def test_a_file_in_the_folders_place_is_refused(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(th.InvalidInputError, match=r"--output must be a folder that can be written; got .*taken"):
        _demo._write(SMALL, None, taken)
    assert taken.read_text() == "mine"
