"""DeLong's variance from running counts of whole numbers: one compiled pass, and integers until the last division."""

from __future__ import annotations

from thresher._core import native
from thresher.inference._delong import DeLong, check_two_each
from thresher.typing import CountArray

__all__ = ["exact_delong"]


def exact_delong(tp: CountArray, fp: CountArray) -> DeLong:
    """Return what `delong` returns, for integer counts at or above each distinct score; needs the compiled kernels.

    Every figure is the correctly rounded quotient of integers, but for the variance, which adds two of them.

    Parameters
    ----------
    tp, fp : array of int32 or int64
        True and false positives at each distinct score, highest first.
    """
    n_pos, n_neg = int(tp[-1]), int(fp[-1])
    check_two_each(n_pos, n_neg)
    sums = native.delong_sums(tp, fp)
    # With a twice the placements in cases, the sum of (a - mean)² is (n Σ a² - (Σ a)²) / n; Σ a is twice U both times.
    spread_pos = (n_pos * sums.positives - sums.twice_u**2) / (n_pos * (n_pos - 1) * 4 * n_neg**2)
    spread_neg = (n_neg * sums.negatives - sums.twice_u**2) / (n_neg * (n_neg - 1) * 4 * n_pos**2)
    auc = sums.twice_u / (2 * n_pos * n_neg)
    return DeLong(auc, spread_pos / n_pos + spread_neg / n_neg, spread_pos, spread_neg)
