"""The same report inside a notebook, in a shadow DOM, so that neither style reaches the other."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from thresher._report.page import asset, component_html
from thresher._report.write_report import report_data
from thresher._table import Counts


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
