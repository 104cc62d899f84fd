"""What a paper states, what is found instead of it or again, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "STATUSES",
    "Check",
    "Entry",
    "EntryResult",
    "Found",
    "Paper",
    "PaperResult",
    "Picture",
    "Table",
    "claim",
    "number",
    "within",
]

STATUSES = {
    "reproduced": "The computation gives what is printed, or the statement holds.",
    "erratum": "Something printed is wrong; a proof or a counter-example that runs is given.",
    "not determined by the text": (
        "The answer depends on something that the text leaves open, so it is neither confirmed nor refuted."
    ),
    "stronger than necessary": "True; a weaker assumption would be enough.",
    "assumption of the authors": (
        "Follows from an assumption of the authors; what happens without it is our addition."
    ),
    "our experiment": "Our own addition, on data or interpretations that we chose; not a statement about the paper.",
    "failed": "An unexplained difference.",
}
"""What a status says of an item or of a statement in it."""

# The first of these that occurs in an entry is what the entry is called.
_PRECEDENCE = (
    "erratum",
    "not determined by the text",
    "assumption of the authors",
    "stronger than necessary",
    "reproduced",
    "our experiment",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One statement of a paper beside what is recomputed.

    Attributes
    ----------
    what : str
        The quantity or the statement.
    published, ours : str
        What the paper says and what is found, as a reader sees them.
    agrees : bool
        Whether the two are the same within `tolerance`, or the statement holds. For a status other than "reproduced"
        and "erratum": whether what `why` says is found.
    why : str
        The reason of the status in one sentence or a few; empty where the paper is reproduced.
    published_value, our_value, tolerance : float or None
        The numbers behind the texts, where there are numbers.
    status : str
        One of `STATUSES`.

    Examples
    --------
    >>> from papers import recompute_entry
    >>> result = recompute_entry("davis-goadrich", "Table 1")
    >>> check = result.found.checks[0]
    >>> check.what, check.published, check.ours, check.agrees
    ('local skew between A and B', '5', '5', True)
    """

    what: str
    published: str
    ours: str
    agrees: bool
    why: str = ""
    published_value: float | None = None
    our_value: float | None = None
    tolerance: float | None = None
    status: str = "reproduced"

    @property
    def as_expected(self) -> bool:
        """Whether it agrees, or is an erratum and differs; every status but "reproduced" has a reason."""
        return self.agrees == (self.status != "erratum") and (self.why == "") == (self.status == "reproduced")

    @property
    def difference(self) -> float | None:
        """Ours less the published figure."""
        if self.our_value is None or self.published_value is None:
            return None
        return self.our_value - self.published_value


def number(
    what: str,
    published: float,
    ours: float,
    *,
    digits: int,
    tolerance: float | None = None,
    between: tuple[float, float] | None = None,
    why: str = "",
    status: str = "",
    printed: str = "",
) -> Check:
    """Compare a printed figure with the recomputed one.

    Parameters
    ----------
    what : str
        What it is.
    published, ours : float
        The two figures.
    digits : int
        Decimals printed in the paper; half a unit of the last is the tolerance.
    tolerance : float, optional
        Another one, for a figure that was read off or simulated.
    between : (low, high), optional
        Where the paper's inputs are rounded too: the figures that they allow, in which the printed one must lie.
    why : str
        The reason of any status but "reproduced".
    status : str, optional
        One of `STATUSES`; by default "erratum" where a reason is given, else "reproduced".
    printed : str, optional
        What the paper prints, where that is a formula and `published` what it gives here.
    """
    # A figure such as 0.8125 may be printed as 0.812 or 0.813: the half itself belongs to both.
    allowed = 0.5 * 10.0**-digits * (1.0 + 1e-9) if tolerance is None else tolerance
    agrees = abs(ours - published) <= allowed if between is None else between[0] <= published <= between[1]
    shown = f"{ours:.{digits + 2}f}" if abs(ours) >= 10.0 ** -(digits + 1) or ours == 0 else f"{ours:.3g}"
    numbers = float(published), float(ours), allowed
    return Check(what, printed or f"{published:.{digits}f}", shown, bool(agrees), why, *numbers, _status(status, why))


def claim(what: str, *, published: str = "", ours: str, holds: bool, why: str = "", status: str = "") -> Check:
    """Record whether a statement holds; `published` is what is printed, and empty where nothing is."""
    return Check(what, published, ours, bool(holds), why, status=_status(status, why))


def _status(status: str, why: str) -> str:
    return status or ("erratum" if why else "reproduced")


@dataclass(frozen=True, slots=True)
class Table:
    """A table for the page: column heads, and rows of texts.

    Examples
    --------
    >>> from papers import Table
    >>> Table("Two rows", ("k", "k squared"), (("1", "1"), ("2", "4"))).columns
    ('k', 'k squared')
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure for the page, drawn only when the page is written.

    Attributes
    ----------
    name : str
        The file's name without ending.
    caption : str
        What is seen.
    draw : callable
        Returns a matplotlib figure.

    Examples
    --------
    >>> from papers import recompute_entry
    >>> result = recompute_entry("davis-goadrich", "Table 1")
    >>> result.found.pictures[0].name
    'davis-goadrich-table-1'
    """

    name: str
    caption: str
    draw: Callable[[], Any] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Found:
    """What one entry recomputes.

    Examples
    --------
    >>> from papers import recompute_entry
    >>> result = recompute_entry("davis-goadrich", "Table 1")
    >>> [table.title for table in result.found.tables], len(result.found.pictures)
    ([], 1)
    """

    checks: tuple[Check, ...]
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered item of a paper and the function that recomputes it.

    Attributes
    ----------
    item : str
        Its name in the paper, such as ``"Table 1"``.
    recompute : callable
        Returns a `Found`. Its docstring is the text of the page: the first line the title, the rest paragraphs and
        runnable examples.
    covers : tuple of str
        The numbered items of the paper that it deals with besides `item`, such as ``"Equation (5)"``.

    Examples
    --------
    >>> from papers import recompute_entry
    >>> result = recompute_entry("davis-goadrich", "Table 1")
    >>> result.entry.item, result.entry.slug
    ('Table 1', 'table-1')
    """

    item: str
    recompute: Callable[[], Found]
    covers: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The item as part of an address."""
        kept = "".join(letter if letter.isalnum() else "-" for letter in self.item.lower())
        return "-".join(part for part in kept.split("-") if part)

    @property
    def text(self) -> str:
        """The docstring of the function."""
        return self.recompute.__doc__ or ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and what is recomputed of it.

    Examples
    --------
    >>> from papers import PAPERS
    >>> PAPERS[0].key, PAPERS[0].authors, len(PAPERS[0].entries)
    ('davis-goadrich', 'Davis and Goadrich (2006)', 15)
    """

    key: str
    title: str
    authors: str
    reference: str
    link: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class EntryResult:
    """An entry with what was found.

    Attributes
    ----------
    entry : Entry
        The item.
    found : Found
        Its checks, tables and pictures.
    seconds : float
        How long it took.

    Examples
    --------
    >>> from papers import recompute_entry
    >>> result = recompute_entry("davis-goadrich", "Table 1")
    >>> result.status, len(result.found.checks)
    ('reproduced', 19)
    """

    entry: Entry
    found: Found
    seconds: float = field(default=math.nan, compare=False)

    @property
    def status(self) -> str:
        """One of `STATUSES`: the gravest of its checks, and ``"failed"`` for a difference that nothing explains."""
        checks = self.found.checks
        if not checks or not all(check.as_expected for check in checks):
            return "failed"
        met = {check.status for check in checks}
        return next(status for status in _PRECEDENCE if status in met)


@dataclass(frozen=True, slots=True)
class PaperResult:
    """All entries of a paper with what was found.

    Examples
    --------
    >>> from papers import PAPERS, PaperResult, recompute_entry
    >>> result = PaperResult(PAPERS[0], (recompute_entry("davis-goadrich", "Figure 6"),))
    >>> result.paper.key, result.count("not determined by the text")
    ('davis-goadrich', 1)
    """

    paper: Paper
    entries: tuple[EntryResult, ...]

    def count(self, status: str) -> int:
        """Return how many entries have a status.

        Examples
        --------
        >>> from papers import PAPERS, PaperResult, recompute_entry
        >>> result = PaperResult(PAPERS[0], (recompute_entry("davis-goadrich", "Table 1"),))
        >>> result.count("reproduced"), result.count("failed")
        (1, 0)
        """
        return sum(result.status == status for result in self.entries)


def within(off: float) -> str:
    """Return how near two figures are to each other, in words."""
    return "exactly" if off == 0 else f"to within {off:.0e}"
