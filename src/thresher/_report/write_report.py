"""The report: one self-contained HTML file for one model or several, and the same inside a notebook."""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from inspect import signature
from pathlib import Path
from typing import Any

from thresher._compare import Comparison
from thresher._core.checks import check_count, check_prevalence, show
from thresher._core.files import written_whole
from thresher._report.compute import build_data
from thresher._report.page import asset, component_html, page_html
from thresher._report.plain_data import ReportData
from thresher._report.uncertainty import check_uncertainty
from thresher._report.words import clean
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError

MAX_POINTS = 4_000
_TALL = 820


class ReportFile(type(Path())):  # type: ignore[misc]  # the concrete path of this system
    """The file of a report: a path that displays the page in a notebook."""

    __slots__ = ()

    @property
    def path(self) -> Path:
        """The path alone."""
        return Path(self)

    def _repr_html_(self) -> str | None:
        """Return the page in a frame of its own; nothing once the file is gone."""
        if not self.path.is_file():
            return None
        page = escape(self.path.read_text(encoding="utf-8"), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{escape(self.name)}" width="100%" height="{_TALL}" '
            'style="border:0" sandbox="allow-scripts allow-downloads"></iframe>'
        )


def report(
    models: Counts | Mapping[str, Counts] | Mapping[str, Mapping[str, Counts]],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    roc_method: str | None = None,
    pr_method: str | None = None,
    simultaneous: bool = False,
    n_resamples: int = 2000,
    rng: int | None = None,
    comparison: Comparison | Mapping[str, Comparison] | None = None,
    groups: Mapping[str, Mapping[str, Counts]] | None = None,
    sets: str = "data set",
    cases: str = "cases",
    positive: str = "positive",
    max_points: int = MAX_POINTS,
) -> ReportFile:
    """Write one HTML file with linked ROC and precision-recall curves, areas, findings and methods.

    The file loads nothing from anywhere, can be read without JavaScript, and is printed well. Hover over a curve to
    see the same threshold in ROC space, in precision-recall space, in the histogram of scores and in the confusion
    matrix.

    Parameters
    ----------
    models : dict of str to Scores, or Scores
        The models by name, in the order in which they are shown. For several data sets in one page (training,
        validation and test; periods; the classes of a multiclass problem): a dict of such dicts, by data set.
    path : str or path
        Where to write. An existing file is replaced only when the new one is complete.
    title : str, optional
        The headline; the names of the models by default.
    prevalence : float, optional
        The prevalence at which the models will be used. Precision, PR areas with their intervals, and counts refer
        to it; the page's slider starts there.
    confidence_level : float, default=0.95
        The level of intervals and bands.
    roc_method, pr_method : str, optional
        The methods of the intervals of ROC and PR areas, as in `Estimate.confidence_interval`.
    simultaneous : bool, default=False
        Whether the bands hold for the whole curve instead of for each point.
    n_resamples, rng : int, optional
        For the bootstrap: how many resamples, and the seed, which the report states.
    comparison : Comparison, optional
        What `th.compare` returned for the same models: differences with intervals and p-values. Its metric ranks them.
        For several data sets: a dict by data set.
    groups : dict of str to dict of str to Scores, optional
        The same models in groups of cases, such as sites: areas are given for each.
    sets : str, default="data set"
        What the outer names of `models` are, such as "period" or "class"; the page's selector is named after it.
    cases, positive : str, default="cases", "positive"
        What readers call the rows and a positive row, such as "patients" and "ill".
    max_points : int, default=4000
        The most points drawn per curve. The vertices of the convex hull are always kept, each point drawn is exact,
        and the page states how far the full curve can be away. Areas use all points.

    Returns
    -------
    ReportFile
        The path of the file that was written, a `pathlib.Path`; in a notebook it shows the page.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import thresher as th
    >>> from thresher import report
    >>> data = th.datasets.load_digits_eight()
    >>> models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = report(models, pathlib.Path(folder) / "digits.html")
    ...     path.name, "</html>" in path.read_text(encoding="utf-8")
    ('digits.html', True)
    """
    how = {name: given for name, given in locals().items() if name in _HOW}
    parts = _as_sets(models, comparison)
    data = {name: report_data(part, comparison=found, **how) for name, (part, found) in parts.items()}
    target = ReportFile(path)
    page = page_html(data, sets=_as_word(sets, "sets"))
    with written_whole(target) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")
    return target


_HOW = {
    name: given.default
    for name, given in signature(report).parameters.items()
    if name not in ("models", "path", "comparison", "sets")
}
"""The options of each data set alone, with their defaults."""


def report_data(
    models: Counts | Mapping[str, Counts], *, comparison: Comparison | None = None, **how: Any
) -> ReportData:
    """Check the arguments, which are those of `report`, and return everything the page shows as plain data."""
    tables = _check_models(models)
    unknown = [name for name in how if name not in _HOW]
    if unknown:
        raise TypeError(f"report_data() got an unexpected keyword argument {unknown[0]!r}")
    given = _HOW | how
    title, prevalence = given["title"], given["prevalence"]
    if title is not None and not isinstance(title, str):
        raise InvalidTypeError(f"`title` must be a string; got {show(title)} of type {type(title).__name__}.")
    asked = ("confidence_level", "roc_method", "pr_method", "simultaneous", "n_resamples", "rng")
    return build_data(
        tables,
        title=None if title is None else clean(title),
        prevalence=None if prevalence is None else check_prevalence(prevalence),
        max_points=check_count(given["max_points"], "max_points", minimum=50),
        uncertainty=check_uncertainty(*(given[name] for name in asked)),
        comparison=comparison,
        groups=_check_groups(given["groups"], tables),
        cases=_as_word(given["cases"], "cases"),
        positive=_as_word(given["positive"], "positive"),
    )


def _as_word(word: object, name: str) -> str:
    """Return a word that stands in sentences of the page."""
    if not isinstance(word, str) or not word.strip():
        raise InvalidTypeError(f"`{name}` must be a word; got {show(word)}. Hint: for example 'patients'.")
    return clean(word.strip())


def _as_sets(models: object, comparison: object) -> dict[str, tuple[Any, Any]]:
    """Return the models and the comparison of each data set; one without a name if there is only one."""
    nested = isinstance(models, Mapping) and models and all(isinstance(part, Mapping) for part in models.values())
    if not nested or not isinstance(models, Mapping):
        return {"": (models, comparison)}
    found = {} if comparison is None else comparison
    if not isinstance(found, Mapping) or not set(found) <= set(models):
        got = ", ".join(map(show, found)) if isinstance(found, Mapping) else type(found).__name__
        raise InvalidTypeError(
            f"`comparison` must be a dict by data set, as `models` is; got {got}. "
            f"Hint: the data sets are {', '.join(map(show, list(models)[:5]))}."
        )
    out: dict[str, tuple[Any, Any]] = {}
    for name, part in models.items():
        if not isinstance(name, str) or not name.strip() or clean(name) in out:
            raise InvalidTypeError(
                f"`models` must have data sets with names that differ; got {show(name)}. Hint: for example 'test'."
            )
        out[clean(name)] = (part, found.get(name))
    return out


def _check_groups(groups: object, models: Mapping[str, Counts]) -> dict[str, dict[str, Counts]]:
    if groups is None:
        return {}
    if not isinstance(groups, Mapping) or not all(isinstance(part, Mapping) for part in groups.values()):
        raise InvalidTypeError(
            f"`groups` must be a dict of group to dict of name to Scores; got {type(groups).__name__}. "
            'Hint: pass {"site A": {"model": th.Scores(...)}}.'
        )
    out: dict[str, dict[str, Counts]] = {}
    for group, part in groups.items():
        tables = _check_models(part)
        for name in tables:
            if name not in models:
                raise InvalidInputError(
                    f"`groups` must hold the models of the report; got {show(name)} in {show(str(group))}. "
                    f"Hint: they are {', '.join(repr(known) for known in list(models)[:5])}."
                )
        out[clean(str(group))] = tables
    return out


def _check_models(models: object) -> dict[str, Counts]:
    if isinstance(models, Counts):
        return {"scores": models}
    if not isinstance(models, Mapping):
        raise InvalidTypeError(
            f"`models` must be a dict of name to Scores; got {type(models).__name__}. "
            'Hint: pass {"name": th.Scores(y_true, y_score)}.'
        )
    if not models:
        raise InvalidInputError(
            "`models` must hold at least one model; got an empty dict. Hint: for example {'mine': scores}."
        )
    out: dict[str, Counts] = {}
    for name, counts in models.items():
        if not isinstance(name, str):
            raise InvalidTypeError(
                f"`models` must have names that are strings; got {show(name)} of type {type(name).__name__}."
            )
        if not isinstance(counts, Counts):
            raise InvalidTypeError(
                f"`models` must hold Scores; got {type(counts).__name__} for {show(name)}. "
                "Hint: build one with `th.Scores(y_true, y_score)`."
            )
        shown = clean(name)
        if shown in out:
            raise InvalidInputError(f"`models` must have names that look different; got {show(shown)} twice.")
        out[shown] = counts
    return out


class NotebookHtml(str):
    """HTML that a notebook shows when it is the last line of a cell."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"NotebookHtml of {len(self):,} characters"


def notebook_html(
    models: Counts | Mapping[str, Counts], *, title: str | None = None, max_points: int = 600
) -> NotebookHtml:
    """Return the interactive report as HTML for a notebook; as the last line of a cell it shows itself.

    Parameters
    ----------
    models : Scores, or dict of str to Scores
        One model, or several by name.
    title : str, optional
        The headline.
    max_points : int, default=600
        The most points drawn per curve; fewer than for a file, because notebooks keep their outputs.

    Returns
    -------
    NotebookHtml
        A string: a host element whose shadow root holds style, figures and controls. Where scripts do not run, a plain
        table of both areas is shown instead.

    Examples
    --------
    >>> import thresher as th
    >>> html = th.integrations.notebook_html(th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> html.startswith('<div data-thresher-report>')
    True
    """
    data = report_data(models, title=title, max_points=max_points)
    facts = "".join(
        f"<tr><th>{escape(model.name)}</th><td>{model.areas['roc_auc'].value:.4f}</td>"
        f"<td>{model.areas['interpolated'].value:.4f}</td></tr>"
        for model in data.models
    )
    return NotebookHtml(
        "<div data-thresher-report>"
        f"<table><thead><tr><th>model</th><th>ROC AUC</th><th>PR AUC</th></tr></thead><tbody>{facts}</tbody></table>"
        f"<template><style>{asset('report.css')}</style>{component_html(data)}</template>"
        f"</div><script>{asset('report.js')}</script>"
    )
