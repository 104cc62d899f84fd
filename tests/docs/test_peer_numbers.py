"""What other tools answer, on the pages "coming from": checked against the tools themselves or recorded answers."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from support import golden

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "coming-from"
SMALL = {
    "E1": ([1, 1, 0, 1, 1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505]),
    "E2": ([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]),
    "E3": ([0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6]),
    "E4": ([0, 0, 1, 1, 0], [0.8, 0.8, 0.8, 0.2, 0.2]),
    "E5": ([1] * 10 + [0] * 990, [1.0] * 5 + [0.0] * 995),
    "E6": ([1, 0, 1, 0, 0, 1], [0.9, 0.9, 0.8, 0.7, 0.7, 0.7]),
    "E7": ([0, 0, 0, 0, 1], [5.0, 4.0, 3.0, 2.0, 1.0]),
}


@cache
def rows(page: str) -> list[list[str]]:
    """Return the cells of every table row of a page."""
    lines = (PAGES / page).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def row(page: str, *starts: str) -> list[str]:
    """Return the only row whose first cells begin so."""
    fitting = [cells for cells in rows(page) if all(c.startswith(s) for c, s in zip(cells, starts, strict=False))]
    assert len(fitting) == 1, (page, starts, fitting)
    return fitting[0]


def agrees(cell: str, value: float) -> bool:
    """Whether a printed number is the value rounded to the digits shown."""
    assert re.fullmatch(r"\d+(\.\d+)?", cell), cell
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) <= 0.5000001 * 10.0**-digits


def small_areas(*starts: str) -> dict[str, str]:
    return dict(zip(SMALL, row("index.md", *starts)[1:8], strict=True))


@cache
def spark() -> dict[str, dict[str, float]]:
    return json.loads((ROOT / "tests" / "reference" / "spark.json").read_text())


@pytest.mark.parametrize(
    ("start", "estimator"),
    [
        ("exact integral", "interpolated"),
        ("average precision", "average_precision"),
        ("unit steps", "unit_steps"),
        ("trapezoid from (0, 1)", "trapezoid"),
        ("hull", "achievable"),
    ],
)
def test_our_rows_of_the_index(start, estimator):
    for name, cell in small_areas(start).items():
        assert agrees(cell, th.Scores(*SMALL[name]).pr_auc(estimator=estimator).value), name


def test_scikit_learn_rows_of_the_index():
    metrics = pytest.importorskip("sklearn.metrics")
    for name, cell in small_areas("average precision").items():
        assert agrees(cell, metrics.average_precision_score(*SMALL[name])), name
    for name, cell in small_areas("trapezoid from (0, 1)").items():
        precision, recall, _ = metrics.precision_recall_curve(*SMALL[name])
        assert agrees(cell, metrics.auc(recall, precision)), name


def test_spark_rows_of_the_index():
    for name, cell in small_areas("trapezoid from (0, first precision)").items():
        assert agrees(cell, spark()[name]["areaUnderPR@0"]), name


def auccalculator(folder: Path, capsys, labels, scores) -> tuple[float, float]:
    from thresher.cli import main

    file = folder / "list.txt"
    file.write_text("".join(f"{s} {y}\n" for y, s in zip(labels, scores, strict=True)))
    assert main(["auccalculator", str(file), "list", "--bug-compatible"]) == 0
    pr, roc = capsys.readouterr().out.splitlines()[-2:]
    return float(pr.split()[-1]), float(roc.split()[-1])


def test_auccalculator_row_of_the_index(tmp_path, capsys):
    pytest.importorskip("cyclopts", reason="the command is optional")
    for name, cell in small_areas("AUCCalculator (2007)").items():
        pr, roc = auccalculator(tmp_path, capsys, *SMALL[name])
        assert agrees(cell, pr), name
        if name in ("E3", "E7"):
            assert f"{name} {roc}" in (PAGES / "index.md").read_text()


def recorded(peer: str, figure: str, dataset: str = "real_digits_8") -> float:
    answers = golden.golden()[dataset]["peers"]
    (name,) = [name for name in answers if name.startswith(peer)]
    return answers[name][figure]


@pytest.mark.parametrize(
    ("page", "starts", "peer", "figure"),
    [
        ("scikit-learn.md", ("ROC area, tree",), "scikit-learn", "tree.auc_roc"),
        ("scikit-learn.md", ("PR area, tree, `average",), "scikit-learn", "tree.average_precision"),
        ("scikit-learn.md", ("PR area, tree, `auc(",), "scikit-learn", "tree.aucpr_trapezoid"),
        ("scikit-learn.md", ("partial area",), "scikit-learn", "tree.pauc_fpr_0_0.1_mcclish"),
        ("proc.md", ("ROC area, tree",), "pROC", "tree.auc_roc"),
        ("proc.md", ("best Youden",), "pROC", "logistic.best_youden_thr_sens_spec"),
        ("proc.md", ("smooth, binormal, logistic",), "pROC", "logistic.smooth_binormal_auc"),
        ("proc.md", ("smooth, binormal, tree",), "pROC", "tree.smooth_binormal_auc"),
        ("prroc.md", ("`auc.integral`",), "PRROC", "tree.aucpr_integral"),
        ("prroc.md", ("`auc.davis.goadrich`",), "PRROC", "tree.aucpr_davis_goadrich"),
        ("prroc.md", ("ROC area",), "PRROC", "tree.auc_roc"),
        ("prroc.md", ("smallest possible",), "PRROC", "tree.aucpr_min_integral"),
        ("precrec.md", ("PR area, tree", "0.604711"), "precrec", "tree.aucpr"),
        ("precrec.md", ("PR area, tree, `x_bins",), "precrec", "tree.aucpr_xbins100"),
        ("precrec.md", ("PR area up to recall",), "precrec", "tree.pauc_pr_recall_0_0.5"),
        ("precrec.md", ("ROC area, tree", "0.879"), "precrec", "tree.auc_roc"),
        ("precrec.md", ("ROC area, tree, `ties_method",), "precrec", "tree.auc_roc_ties_first"),
        ("precrec.md", ("ROC area, tree, `ustat",), "precrec", "tree.auc_roc_ustat_sort"),
    ],
)
def test_recorded_answers(page, starts, peer, figure):
    value = recorded(peer, figure)
    cell = row(page, *starts)[1]
    assert agrees(cell, value[0][0] if isinstance(value, list) else value)


def test_recorded_intervals_and_tests():
    low, high = recorded("pROC", "tree.delong_ci95")
    assert row("proc.md", "interval of it, default")[1] == f"{low:.6f} to {high:.6f}"
    text = (PAGES / "proc.md").read_text()
    assert f"{recorded('pROC', 'logistic_vs_tree.paired.z'):.6f}" in text
    power = golden.golden()["_power_roc_test"]["examples"]
    (example,) = [
        v for k, v in power.items() if k.startswith("one_roc: auc=0.73, ncases=41") and k.endswith("-> power")
    ]
    assert f"{example['power']:.7f}" in text
    assert recorded("precrec", "auc_roc_ustat_sort", "tiny_all_tied") == 1


@pytest.mark.parametrize(
    ("starts", "dataset", "figure"),
    [
        (("bundled tree scores", "PR"), "real_digits_8", "tree.aucpr_davis_goadrich"),
        (("five reversed pairs", "ROC"), "tiny_reversed", "auc_roc"),
        (("paper's Table 1", "PR"), "dg_table1", "aucpr_davis_goadrich"),
    ],
)
def test_recorded_answers_of_auccalculator(starts, dataset, figure):
    assert agrees(row("auccalculator.md", *starts)[2], recorded("AUCCalculator", figure, dataset))


def test_bugs_of_auccalculator(tmp_path, capsys):
    pytest.importorskip("cyclopts", reason="the command is optional")
    for start, name in (("reference file", "E1"), ("labels by rank 0 1 1 0", "E3"), ("labels by rank 0 0 0 0 1", "E7")):
        pr, roc = auccalculator(tmp_path, capsys, *SMALL[name])
        for figure, value in (("PR", pr), ("ROC", roc)):
            for cells in rows("auccalculator.md"):
                if cells[0] == start and cells[1] == figure:
                    assert agrees(cells[2], value), cells
    assert f"{recorded('AUCCalculator', 'tree.aucpr_min_recall_0.2'):.6f}" in (PAGES / "auccalculator.md").read_text()


@pytest.mark.parametrize(
    ("starts", "figure"),
    [
        (("payments, `numBins=0`", "areaUnderROC"), "areaUnderROC@0"),
        (("payments, `numBins=0`", "areaUnderPR"), "areaUnderPR@0"),
        (("payments, `numBins=1000`", "areaUnderROC"), "areaUnderROC@1000"),
        (("payments, `numBins=1000`", "areaUnderPR"), "areaUnderPR@1000"),
        (("payments, `numBins=100`", "areaUnderPR"), "areaUnderPR@100"),
    ],
)
def test_spark_on_the_payments(starts, figure):
    assert agrees(row("spark.md", *starts)[2], spark()["fraud"][figure])


def test_spark_on_ties():
    assert agrees(row("spark.md", "bundled tree scores")[2], spark()["digits_tree"]["areaUnderPR@1000"])
    assert agrees(row("spark.md", "E5 of the")[2], spark()["E5"]["areaUnderPR@1000"])


def rare_events() -> tuple[np.ndarray, np.ndarray]:
    """The rare events of the page on sketches and bins."""
    rng = np.random.default_rng(11)
    y = rng.random(20_000) < 0.01
    return y, 0.0015 / (1 + np.exp(-rng.normal(size=20_000) - 1.5 * y))


# torchmetrics warns of classes that are missing, which is what some of the rows are about.
@pytest.mark.optional
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_torchmetrics():
    torch = pytest.importorskip("torch", reason="torch is optional")
    pytest.importorskip("torchmetrics", reason="torchmetrics is optional")
    from torchmetrics.classification import BinaryAUROC
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision

    def tensors(scores, labels):
        return torch.tensor(np.asarray(scores)), torch.tensor(np.asarray(labels).astype(int))

    data = th.datasets.load_digits_eight()
    tree, logistic = tensors(data.tree, data.y_true), tensors(data.logistic, data.y_true)
    rare = tensors(*rare_events()[::-1])
    small = torch.float32
    logits = torch.tensor([18.0, 20.0, 25.0, -1.0], dtype=small), torch.tensor([0, 1, 1, 0])
    by_batch = BinaryAUROC()
    for score, label in ((1.2, 1), (0.9678, 0), (1.7, 1)):
        by_batch.update(torch.tensor([score]), torch.tensor([label]))
    corner = torch.tensor([1.0, 1.0, 0.0, 0.0]), torch.tensor([1, 0, 1, 0])
    expected = {
        ("bundled tree scores", "ROC"): binary_auroc(*tree),
        ("bundled tree scores", "average precision"): binary_average_precision(*tree),
        ("bundled tree scores, `thresholds=100`", "ROC"): binary_auroc(*tree, thresholds=100),
        ("bundled logistic scores", "average precision"): binary_average_precision(*logistic, thresholds=100),
        ("1% positives", "ROC"): binary_auroc(*rare, thresholds=100),
        ("the same, `thresholds=1000`", "average precision"): binary_average_precision(*rare, thresholds=1000),
        ("logits 18", "ROC"): binary_auroc(*logits),
        ("scores 1.2", "ROC"): by_batch.compute(),
        ("scores 1, 1, 0, 0", "ROC"): binary_auroc(*corner, thresholds=5),
        ("positives only", "ROC"): binary_auroc(torch.tensor([0.2, 0.3]), torch.tensor([1, 1])),
    }
    for (data_name, figure), value in expected.items():
        found = [cells for cells in rows("torchmetrics.md") if cells[0].startswith(data_name) and cells[1] == figure]
        exact = [cells for cells in found if cells[0] == data_name]
        (cells,) = exact or found
        assert agrees(cells[2], float(value)), (data_name, figure, float(value))
    assert np.isfinite(float(binary_auroc(torch.tensor([0.1, float("nan")]), torch.tensor([0, 1]))))


def test_our_column_beside_torchmetrics():
    data = th.datasets.load_digits_eight()
    tree, rare = th.Scores(data.y_true, data.tree), th.Scores(*rare_events())
    for start, figure, value in (
        ("bundled tree scores", "ROC", tree.roc_auc().value),
        ("bundled tree scores", "average precision", tree.pr_auc(estimator="average_precision").value),
        ("1% positives", "ROC", rare.roc_auc().value),
        ("the same", "average precision", rare.pr_auc(estimator="average_precision").value),
    ):
        for cells in rows("torchmetrics.md"):
            if cells[0].startswith(start) and cells[1] == figure:
                assert agrees(cells[3], value), cells
