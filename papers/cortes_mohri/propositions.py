"""Section 4, Propositions 1 to 3 and Corollary 1, in exact fractions."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from fractions import Fraction
from math import comb

from papers.cortes_mohri.printed import (
    corollary_1,
    enumerated,
    mean_and_variance,
    p_2,
    power_sum,
    proposition_2,
)
from papers.entry import Found, claim
from thresher import auc_moments

__all__ = ["corollary", "identities", "proposition_1", "proposition_2_entry", "proposition_3"]

_MOST = 12
_FEW = [(m, n, k) for m in range(1, _MOST + 1) for n in range(1, _MOST + 1) for k in range(min(m, n) + 1)]
_MANY = [(m, n, k) for m in range(1, _MOST + 1) for n in range(1, _MOST + 1) for k in range(min(m, n) + 1, m + n + 1)]


def _tally(right: int, cases: list[tuple[int, int, int]]) -> str:
    return f"{right:,} of {len(cases):,} cases with m, n ≤ {_MOST}"


def identities() -> Found:
    """X_0 and X_1, the number of rankings with k errors and their false positives, have closed forms.

    Both sides in integers for all m, n up to 12.

    >>> from math import comb
    >>> def orders(m, n, k):
    ...     xs = range(max(0, k - m), min(k, n) + 1)
    ...     return sum(comb(m - (k - x) + x, x) * comb(n + (k - x) - x, k - x) for x in xs)
    >>> orders(2, 5, 2), sum(comb(8, x) for x in range(3))
    (37, 37)
    >>> orders(2, 5, 3), sum(comb(8, x) for x in range(4))       # k > min(m, n)
    (37, 93)
    """
    zero = one = 0
    for m, n, k in _FEW:
        rows = [comb(m + n + 1, x) for x in range(k + 1)]
        zero += power_sum(m, n, k, 0) == sum(rows)
        one += power_sum(m, n, k, 1) == sum(Fraction((k - x) * (m - n) + k, 2) * row for x, row in enumerate(rows))
    beyond = sum(power_sum(m, n, k, 0) != sum(comb(m + n + 1, x) for x in range(k + 1)) for m, n, k in _MANY)
    return Found(
        (
            claim("X_0, k ≤ min(m, n)", published="Σ C(n+m+1, x)", ours=_tally(zero, _FEW), holds=zero == len(_FEW)),
            claim(
                "X_1, k ≤ min(m, n)",
                published="Σ [(k-x)(m-n)+k]/2 · C(n+m+1, x)",
                ours=_tally(one, _FEW),
                holds=one == len(_FEW),
            ),
            claim(
                "X_0 for larger k",
                published="no restriction stated",
                ours=f"wrong in {beyond:,} of {len(_MANY):,} cases",
                holds=beyond == 0,
                why=(
                    "The identities of section 4 are stated without the condition k ≤ min(m, n), which Proposition 1 "
                    "does state. For larger k the sum must stop at min(k, m, n, m + n - k)."
                ),
            ),
        )
    )


def proposition_1() -> Found:
    """X_2 is a sum of binomial coefficients with a polynomial of degree four.

    The proof was left to a longer version of the paper; here both sides are compared in fractions.
    """
    right = sum(
        power_sum(m, n, k, 2) == sum(p_2(k, m, n, x) * comb(m + n + 1, x) for x in range(k + 1)) for m, n, k in _FEW
    )
    return Found(
        (
            claim(
                "X_2, equation (5)",
                published="Σ P_2(k, m, n, x) C(m+n+1, x)",
                ours=_tally(right, _FEW),
                holds=right == len(_FEW),
            ),
        )
    )


def proposition_2_entry() -> Found:
    """The expected AUC over all rankings with k errors.

    The truth is the average over every ranking and every threshold with k errors, each pair counted once.

    >>> import thresher as th
    >>> th.auc_moments(2, 5, 1).mean.item()
    0.8
    >>> round(th.auc_moments(2, 5, 3).mean.item(), 4)       # the printed formula gives 0.3613 here
    0.5297
    """
    right = sum(proposition_2(m, n, k) == mean_and_variance(m, n, k)[0] for m, n, k in _FEW)
    beyond = sum(proposition_2(m, n, k) != mean_and_variance(m, n, k)[0] for m, n, k in _MANY)
    library = max(
        abs(float(auc_moments(m, n, k).mean) - float(mean_and_variance(m, n, k)[0]))
        for m, n, k in _FEW[::7] + _MANY[::7]
    )
    printed, true = proposition_2(2, 5, 3), mean_and_variance(2, 5, 3)[0]
    return Found(
        (
            claim(
                "E[A], k ≤ min(m, n)",
                published="the formula of Proposition 2",
                ours=_tally(right, _FEW),
                holds=right == len(_FEW),
            ),
            claim(
                "E[A] for larger k",
                published="no restriction stated",
                ours=f"wrong in {beyond:,} of {len(_MANY):,} cases",
                holds=beyond == 0,
                why=(
                    f"The condition k ≤ min(m, n) is missing. Counter-example: m = 2, n = 5, k = 3, where the formula "
                    f"gives {printed} = {float(printed):.4f} and the average over all rankings is {true} = "
                    f"{float(true):.4f}. With equal classes the formula happens to hold for every k. "
                    "`th.auc_moments` is right for all k."
                ),
            ),
            claim(
                "`th.auc_moments`, every k from 0 to m + n",
                ours=f"largest difference {library:.0e}",
                holds=library < 1e-14,
                status="our experiment",
                why="A check of the library, not of the paper.",
            ),
        )
    )


def proposition_3() -> Found:
    """The variance of the AUC over all rankings with k errors.

    The formula against full enumeration of rankings and thresholds for small classes, and the library against the
    formula. It holds for every k if terms that cannot occur are left out.

    >>> import thresher as th
    >>> moments = th.auc_moments(3, 2, 1)
    >>> round(moments.mean.item(), 12), round(moments.variance.item(), 12)
    (0.785714285714, 0.02947845805)
    """
    cases = right = 0
    for m in range(1, 7):
        for n in range(1, 7):
            if m + n <= 10:
                for k, moments in enumerated(m, n).items():
                    right += moments == mean_and_variance(m, n, k)
                    cases += 1
    library = max(
        abs(float(auc_moments(m, n, k).variance) / float(variance) - 1)
        for m, n, k in _FEW[::5] + _MANY[::5]
        if (variance := mean_and_variance(m, n, k)[1]) > 0
    )
    return Found(
        (
            claim(
                "mean and variance by enumeration, every k",
                published="the formula of Proposition 3",
                ours=f"{right:,} of {cases:,} cases with m + n ≤ 10",
                holds=right == cases,
            ),
            claim(
                "`th.auc_moments`",
                ours=f"largest relative difference {library:.0e}",
                holds=library < 1e-13,
                status="our experiment",
                why="A check of the library, not of the paper.",
            ),
        )
    )


def corollary() -> Found:
    """The variance in a form that needs four sums instead of products of binomials.

    The formula is compared with Proposition 3 in fractions, as the text has it and after two repairs. In floating point
    it cancels badly even when repaired; the library does not use it.

    >>> from papers.cortes_mohri.printed import corollary_1, mean_and_variance
    >>> for k in (0, 1, 2):
    ...     text, repaired = corollary_1(4, 5, k, z=False, q=False), corollary_1(4, 5, k)
    ...     print(k, round(float(text), 4), round(float(repaired), 4), repaired == mean_and_variance(4, 5, k)[1])
    0 0.0 0.0 True
    1 0.0363 0.0064 True
    2 0.0633 0.0127 True
    """
    repaired = sum(corollary_1(m, n, k) == mean_and_variance(m, n, k)[1] for m, n, k in _FEW)
    as_text = sum(corollary_1(m, n, k, z=False, q=False) == mean_and_variance(m, n, k)[1] for m, n, k in _FEW)
    only_one = sum(
        corollary_1(m, n, k, z=z, q=not z) == mean_and_variance(m, n, k)[1] for m, n, k in _FEW for z in (True, False)
    )
    none = sum(k == 0 for _, _, k in _FEW)
    beyond = sum(corollary_1(m, n, k) != mean_and_variance(m, n, k)[1] for m, n, k in _MANY)
    return Found(
        (
            claim(
                "the variance, formula as in the text at hand",
                published="the formula of Corollary 1",
                ours=f"{as_text:,} of {len(_FEW):,} cases, those with k = 0",
                holds=as_text < len(_FEW),
                status="not determined by the text",
                why=(
                    "Two repairs are needed. In Z_i the sum below the line must run over C(m+n+1, x), not "
                    "C(m+n+1-i, x); in Q_1, whose brackets do not balance, the term 7m + n must be 7(m + n). We worked "
                    "from a scanned text and cannot tell whether the slips are the scan's."
                ),
            ),
            claim(
                "after both repairs, k ≤ min(m, n)",
                published="the formula of Corollary 1",
                ours=_tally(repaired, _FEW),
                holds=repaired == len(_FEW) and only_one == 2 * none == 2 * as_text,
            ),
            claim(
                "for larger k",
                published="no restriction stated",
                ours=f"wrong in {beyond:,} of {len(_MANY):,} cases, repaired",
                holds=beyond == 0,
                why=(
                    "As in Proposition 2 the condition k ≤ min(m, n) is missing. The range of errors that Theorem 2 "
                    "scans often passes min(m, n), where only Proposition 3 holds."
                ),
            ),
        )
    )
