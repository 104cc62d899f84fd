"""What a guarantee says of itself."""

from __future__ import annotations

import pytest

from thresher._curves.guarantee import Guarantee


def guarantee(kind: str, confidence: float | None, n_next: int | None = None) -> Guarantee:
    limits = {"min_recall": 0.9, "max_fpr": 0.05}
    return Guarantee(confidence, kind, limits, "order-statistic", 10, 3, 0.04, 0.93712, (0.8971, 0.96789), n_next)


@pytest.mark.parametrize(
    ("kind", "confidence", "n_next", "who"),
    [
        ("population", 0.95, None, "in the population, confidence 0.95"),
        ("next", 0.9, 1500, "among the next 1,500, confidence 0.9"),
        ("expected", None, None, "on average over tuning samples"),
    ],
)
def test_repr(kind, confidence, n_next, who):
    assert repr(guarantee(kind, confidence, n_next)) == (
        f"Guarantee(min_recall=0.9, max_fpr=0.05 {who}, order-statistic; expected recall 0.937, "
        "95% range 0.897 to 0.968)"
    )


def test_equal_guarantees():
    assert guarantee("population", 0.95) == guarantee("population", 0.95)
    assert guarantee("population", 0.95) != guarantee("population", 0.9)
