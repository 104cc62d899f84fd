"""Hughes-Oliver (2018), item by item."""

from thresher.papers._entry import Paper

__all__ = ["HUGHES_OLIVER"]

HUGHES_OLIVER = Paper(
    key="hughes-oliver",
    title="Population and Empirical PR Curves for Assessment of Ranking Algorithms",
    authors="Hughes-Oliver (2018)",
    reference="arXiv:1810.08635.",
    link="https://arxiv.org/abs/1810.08635",
    entries=(),
)
